# SPDX-License-Identifier: MIT OR Unlicense
# shellcheck shell=bash
#
# Completion of fairsched for bash: source this file, or copy it as "fairsched"
# to /usr/share/bash-completion/completions/. The program itself knows the
# words, so that they are those of the version installed; where it has none,
# bash completes names of files.

_fairsched()
{
	local word words=()

	# Bash makes three words of --policy=easy.
	for word in "${COMP_WORDS[@]:1:COMP_CWORD}"; do
		[[ $word == = ]] || words+=("$word")
	done
	[[ ${COMP_WORDS[COMP_CWORD]} != = ]] || words+=('')
	mapfile -t COMPREPLY < <("$1" --complete "${words[@]}" 2>/dev/null)
}

complete -o bashdefault -o default -F _fairsched fairsched
