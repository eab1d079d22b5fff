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
export CFLAGS=-O0 CC="$quick_cc" # a tenth of the time
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
check "headers" "$quick_cc" -std=c99 -I "$prefix/include/fairsched" "$tmp/host.c" \
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
	# The line as it is completed at a terminal. A widget says it once the
	# completion is done: keys typed meanwhile would cancel the completion.
	zsh_says() # LINE
	{
		rm -f "$tmp/said"
		HOME=$tmp TERM=vt100 timeout 60 zsh -f "$tmp/says.zsh" \
			"$prefix/share/zsh/site-functions" "$1" "$tmp/said"
		sed 's/ *$//' "$tmp/said"
	}
	cat >"$tmp/says.zsh" <<'EOF'
zmodload zsh/zpty
zpty z zsh -f -i
zpty -w z "PS1=; fpath=($1 \$fpath); autoload -U compinit; compinit -u -D"
zpty -w z "out=$3; say() { zle expand-or-complete; print -r -- \$BUFFER >\$out"
zpty -w z "print sa\id; }"
zpty -w z "zle -N say; bindkey '^X' say; print rea\dy"
zpty -r -m z out "*ready*"
zpty -w -n z "$2"$'\x18'
zpty -r -m z out "*said*"
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
