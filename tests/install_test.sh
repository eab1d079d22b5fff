#!/bin/sh
# SPDX-License-Identifier: MIT OR Unlicense
# What tools/install.sh installs works from there: the command, the manual page,
# the headers, and the completions in the shells themselves.
. tests/test.sh

tree=$tmp/tree prefix=$tmp/prefix
mkdir "$tree"
cp -RL ./*.h policies sched tools docs "$tree"
rm -f "$tree/tools/fairsched/fairsched"
chmod -R u+w "$tree"
export CFLAGS=-O0 # a third of the time
fails "no relative prefix" 2 sh "$tree/tools/install.sh" here
check "installs" sh "$tree/tools/install.sh" "$prefix"
check "and again" sh "$tree/tools/install.sh" "$prefix"
check "a package" env DESTDIR="$tmp/package" sh "$tree/tools/install.sh" /usr
check "is whole" test -x "$tmp/package/usr/bin/fairsched"
same "nothing is left over" "$(find "$prefix" -name '*.new')" ""
PATH=$prefix/bin:$PATH
check "runs" fairsched --version
same_file "manual page" "$prefix/share/man/man1/fairsched.1" docs/fairsched.1

cat >"$tmp/host.c" <<'EOF'
#define FAIRSCHED_IMPLEMENTATION
#include <fairsched.h>
int main(void) { return !fair_policy_name(FAIR_PC); }
EOF
check "headers" cc -std=c99 -I "$prefix/include/fairsched" "$tmp/host.c" \
	-o "$tmp/host"
check "a host runs" "$tmp/host"

if command -v fish >/dev/null; then
	fish_says() # LINE
	{
		HOME=$tmp fish --no-config -c "
			source '$prefix/share/fish/vendor_completions.d/fairsched.fish'
			complete -C '$1'" | cut -f 1
	}
	same "fish: a command" "$(fish_says 'fairsched com')" compare
	same "fish: a value" \
		"$(fish_says 'fairsched simulate --policy easy --order wi')" widest
	same "fish: with =" "$(fish_says 'fairsched simulate --policy=ea')" \
		--policy=easy
else
	skip fish "no fish"
fi

if command -v zsh >/dev/null; then
	# The line as it is completed at a terminal, without its escapes.
	zsh_says() # LINE
	{
		HOME=$tmp TERM=vt100 zsh -f "$tmp/says.zsh" \
			"$prefix/share/zsh/site-functions" "$1" |
			tr -d '\000\r\a\033' | sed 's/\[[0-9?]*[A-Za-z]//g' |
			grep -o 'fairsched [a-z=, -]*' | tail -n 1 |
			sed 's/ *$//'
	}
	cat >"$tmp/says.zsh" <<'EOF'
zmodload zsh/zpty
zpty z zsh -f -i
zpty -w z "PS1=; fpath=($1 \$fpath)"
zpty -w z "autoload -U compinit; compinit -u -D; print rea\dy"
zpty -r -m z out "*ready*"
zpty -w -n z "$2"$'\t'
zpty -w -n z $'@ #\n'
zpty -r -m z out "*@ #*"
print -r -- $out
EOF
	same "zsh: a command" "$(zsh_says 'fairsched com')" "fairsched compare"
	same "zsh: a value" \
		"$(zsh_says 'fairsched simulate --policy easy --order wi')" \
		"fairsched simulate --policy easy --order widest"
	same "zsh: with =" "$(zsh_says 'fairsched simulate --policy=ea')" \
		"fairsched simulate --policy=easy"
else
	skip zsh "no zsh"
fi
finish
