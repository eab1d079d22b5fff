#!/bin/sh
# SPDX-License-Identifier: MIT OR Unlicense
# No output of the command replaces one of its inputs, by whatever name.
. tests/test.sh
cd "$tmp" || exit 1
cat >t.swf <<'END'
; MaxProcs: 4
1 0 -1 10 4 -1 -1 4 10 -1 1 1 1 -1 -1 -1 -1 -1
END
printf 'user,shares\n1,2\n' >shares.csv
"$fairsched" simulate t.swf --fst --part one.part >log
ln t.swf hard.swf
ln -s t.swf soft.swf
mkdir folder
keep=$(cat t.swf shares.csv one.part | cksum)

# What it says names the option; no input has changed.
refused() # OPTION COMMAND ARGUMENT...
{
	refused_option=$1
	shift
	fails "$*" 2 "$fairsched" "$@"
	check "$*: says so" grep -q -- "--$refused_option.* would replace" err
	same "$*: nothing is lost" \
		"$(cat t.swf shares.csv one.part | cksum)" "$keep"
}

for option in jobs-out users-out promises-out swf-out json; do
	refused $option simulate t.swf --$option t.swf
done
refused save simulate t.swf --save t.swf --save-at 5
refused part simulate t.swf --fst --part t.swf
refused json compare t.swf --json ./t.swf
refused json compare t.swf --json "$PWD/folder/../t.swf"
refused json compare soft.swf --json t.swf
refused json compare t.swf --json soft.swf
refused json compare t.swf --json hard.swf
refused jobs-out simulate t.swf --policy relshare --shares shares.csv \
	--jobs-out shares.csv
refused jobs-out whatif t.swf --policy pc --jobs-out t.swf
refused out import sacct t.swf --out t.swf
refused names import sacct t.swf --names t.swf
refused part merge one.part --part one.part
check "an input on stdin" sh -c "
	'$fairsched' simulate - --json t.swf <t.swf; [ \$? -eq 2 ]"
check "an output on stdout" sh -c "
	'$fairsched' simulate t.swf --json - >>t.swf; [ \$? -eq 2 ]"
for what in "simulate t.swf" "compare t.swf" "usage t.swf" \
	"import sacct t.swf" "why t.swf --at 1 --job 1"; do
	check "$what: appended to its input" sh -c "
		'$fairsched' $what >>t.swf 2>err; [ \$? -eq 2 ] &&
		grep -q 'standard output would be written to the input' err"
done
check "appended to the file of an option" sh -c "
	'$fairsched' simulate t.swf --policy relshare --shares shares.csv \
		>>shares.csv; [ \$? -eq 2 ]"
printf 'job_id,submit,walltime,run,procs\n1,0,9,9,1\n' >log.csv
check "a file that is called as the kind of log" sh -c "
	'$fairsched' import jobs log.csv >jobs"
for option in out names; do
	check "stdin of import without a file, --$option" sh -c "
		'$fairsched' import jobs --$option log.csv <log.csv 2>err
		[ \$? -eq 2 ] && grep -q 'would replace the input' err"
done
check "import without a file, appended to its input" sh -c "
	'$fairsched' import jobs <log.csv >>log.csv 2>err; [ \$? -eq 2 ]"
same "the log is not lost" "$(wc -l <log.csv)" 2
same "neither is lost" "$(cat t.swf shares.csv one.part | cksum)" "$keep"
fails "two outputs, one file" 2 "$fairsched" simulate t.swf --json new \
	--jobs-out ./new
check "which ones" grep -q -- "--jobs-out and --json are the same file" err

# What only looks alike.
check "a checkpoint is replaced by the run that continues it" sh -c "
	'$fairsched' simulate t.swf --save c --save-at 5 &&
	'$fairsched' simulate t.swf --load c --save c --save-at 6"
check "a device twice" "$fairsched" simulate t.swf --json /dev/null \
	--jobs-out /dev/null
check "the same name in another folder" "$fairsched" simulate t.swf \
	--swf-out folder/t.swf
finish
