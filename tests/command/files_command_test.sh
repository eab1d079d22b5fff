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

# No file of another name either.
cp t.swf run.new
echo victim >victim
ln -s victim s.new
check "an input beside the output" "$fairsched" simulate run.new --save run \
	--save-at 5
check "a link beside the output" "$fairsched" simulate t.swf --save s \
	--save-at 5
same "stay as they are" "$(cat run.new victim)" "$(cat t.swf; echo victim)"
mkfifo pipe
timeout 20 cat pipe >piped &
check "a pipe is written to" "$fairsched" simulate t.swf --save pipe --save-at 5
wait
check "it stays a pipe" test -p pipe
same_file "it got the file" piped run
mkdir report
touch report/index.html.backup
fails "a folder with another file" 2 "$fairsched" compare t.swf --report report
mv report/index.html.backup .
"$fairsched" compare t.swf --report report >log
mv index.html.backup report
check "another report" "$fairsched" compare t.swf --report report
check "a copy beside it stays" test -f report/index.html.backup
chmod 600 run
"$fairsched" simulate t.swf --save run --save-at 5 >log
same "its mode stays" "$(find run -perm 600)" run

# No room: the old file stays, and nothing is left beside it.
mkdir full
"$fairsched" simulate t.swf --save full/run --save-at 5 >log
cp full/run run.old
for what in "simulate t.swf --save full/run --save-at 6" \
	"compare t.swf --json full/json" "compare t.swf --report full/report" \
	"simulate t.swf --fst --part full/part" "generate --machine-out full/m"; do
	same "no room: $what" "$(sh -c "ulimit -f 0; '$fairsched' $what; echo \$?" \
		2>&1 </dev/null | sed 's/.*: //' | xargs)" \
		"File too large 1"
done
same "no room: what is left" "$(ls full | xargs)" "part run"
same_file "no room: the old file" full/run run.old

# An interrupted run leaves no folder that it made.
for signal in INT TERM HUP PIPE; do
	"$fairsched" compare --report made --fst >log 2>err &
	until [ -d made ] || ! kill -0 $!; do sleep 0.02; done
	kill -s $signal $!
	wait $! 2>/dev/null
	check "SIG$signal leaves no folder" test ! -e made
done

# What only looks alike.
check "a checkpoint is replaced by the run that continues it" sh -c "
	'$fairsched' simulate t.swf --save c --save-at 5 &&
	'$fairsched' simulate t.swf --load c --save c --save-at 6"
check "a device twice" "$fairsched" simulate t.swf --json /dev/null \
	--jobs-out /dev/null
check "the same name in another folder" "$fairsched" simulate t.swf \
	--swf-out folder/t.swf
finish
