# SPDX-License-Identifier: MIT OR Unlicense
#
# Completion of fairsched for fish: copy this file to a folder of
# $fish_complete_path. The program itself knows the words; where it has none,
# fish completes names of files.

function __fairsched_words
    set -l words (commandline -opc)
    set -l last (commandline -ct)
    set -l program $words[1]
    set -e words[1]
    # fish keeps --policy=easy as one word, the program takes two.
    set -l parts (string match -r '^(--[^=]+=)(.*)$' -- "$last")
    if test (count $parts) -eq 3
        set -l option (string replace -r '=$' '' -- $parts[2])
        for word in ($program --complete $words $option "$parts[3]" 2>/dev/null)
            echo $parts[2]$word
        end
    else
        $program --complete $words "$last" 2>/dev/null
    end
end

complete -c fairsched -a '(__fairsched_words)'
