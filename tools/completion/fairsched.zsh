#compdef fairsched
# SPDX-License-Identifier: MIT OR Unlicense
#
# Completion of fairsched for zsh: copy this file as "_fairsched" to a folder of
# $fpath. The program itself knows the words; where it has none, zsh completes
# names of files.

local -a found before
# zsh keeps --policy=easy as one word, the program takes two.
before=(${(@)words[2,CURRENT-1]})
if [[ ${words[CURRENT]} == --*=* ]]; then
	compset -P '*='
	found=(${(f)"$(${words[1]} --complete $before ${IPREFIX%=} \
		"$PREFIX" 2>/dev/null)"})
else
	found=(${(f)"$(${words[1]} --complete $before "${words[CURRENT]}" \
		2>/dev/null)"})
fi
if (( ${#found} )); then
	compadd -Q -- $found
else
	_files
fi
