#!/bin/sh
# SPDX-License-Identifier: MIT OR Unlicense
# The workflows, which cannot run here: actionlint reads them, what they use is pinned
# by hash, and the scripts that they call are there.
. tests/packages/common.sh

folder=.github/workflows
pinned() # FILE...: prints what is not
{
	sed -n 's/^ *-* *uses: *//p' "$@" | grep -Ev '^[^@ ]+@[0-9a-f]{40} # v[0-9.]+$'
}
same "actions are pinned by hash" "$(pinned $folder/*.yml)" ""
echo '- uses: actions/checkout@v4' >"$tmp/wrong.yml"
same "one by its tag is told" "$(pinned "$tmp/wrong.yml")" actions/checkout@v4
scripts=$(sed -n 's/^ *- run: sh \([^ ]*\).*/\1/p' $folder/*.yml | sort -u)
same "they call scripts" "$scripts" "tools/check.sh
tools/packages.sh
tools/test.sh"
for script in $scripts; do
	check "$script" test -f "$script"
done
for name in $(sed -n 's/^ *- run: sh tools.packages.sh//p' $folder/*.yml); do
	check "the package $name" test -f "tests/packages/$name.sh"
done

if ! command -v actionlint >/dev/null; then
	tools=$PWD/build/packages/tools.workflows
	PATH=$tools:$PATH
	if ! command -v actionlint >/dev/null && ! GOBIN=$tools GOFLAGS=-buildvcs=false \
		go install github.com/rhysd/actionlint/cmd/actionlint@v1.7.12 \
		>"$tmp/need" 2>&1; then
		tail -n 1 "$tmp/need"
		skip actionlint "it is not here, and cannot be installed"
		finish
	fi
fi
check "actionlint" actionlint $folder/*.yml
sed 's/runs-on: ubuntu-latest/runs-on: ubuntu-oldest/' $folder/fuzz.yml >"$tmp/wrong.yml"
fails "which tells a wrong one" 1 sh -c "actionlint '$tmp/wrong.yml' >&2"
finish
