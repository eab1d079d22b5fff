#!/bin/sh
# SPDX-License-Identifier: MIT OR Unlicense
# Names and fields that want to command a terminal, or are no text at all.
. tests/test.sh
cd "$tmp" || exit 1
esc=$(printf '\033')
line='1 0 -1 10 4 -1 -1 4 10 -1 1 1 1 -1 -1 -1 -1 -1'

# Neither on stdout nor on stderr is a byte that a terminal obeys.
tame() # NAME COMMAND...
{
	tame_name=$1
	shift
	"$@" >both 2>&1
	same "$tame_name" "$(tr -d '\n\040-\176\302-\364\240-\277' <both |
		od -An -c)" ""
	check "$tame_name: it is shown" grep -q '\\x1b\]0;' both
}

name="$(printf 'a\033]0;pwned\007\233b\302\205.swf')"
for folder in . "$(printf 'x\ny')"; do
	mkdir -p "$folder"
	printf '; MaxProcs: 4\n%s\n' "$line" >"$folder/$name"
	tame "a file name" "$fairsched" simulate "$folder/$name"
	tame "of compare" "$fairsched" compare "$folder/$name" --fst
done
tame "of no file" "$fairsched" simulate "no$name"
tame "a field" "$fairsched" simulate - <<END
; MaxProcs: 4
1 ${esc}]0;x${esc} -1 10 4 -1 -1 4 10 -1 1 1 1 -1 -1 -1 -1 -1
END
tame "a field, lenient" "$fairsched" simulate - --lenient <<END
; MaxProcs: 4
1 ${esc}]0;x${esc} -1 10 4 -1 -1 4 10 -1 1 1 1 -1 -1 -1 -1 -1
$line
END
tame "an option" "$fairsched" simulate --policy "${esc}]0;x"
tame "an unknown option" "$fairsched" simulate "--${esc}]0;x"
tame "an unknown command" "$fairsched" "${esc}]0;x"
tame "an event" "$fairsched" whatif "$name" --at 1 --event "${esc}]0;x 1"
head='JobIDRaw|User|State|Submit|Start|End|AllocCPUS|TimelimitRaw'
tame "a field of sacct" "$fairsched" import sacct - --lenient <<END
$head
1${esc}]0;x|u|COMPLETED|1|1|2|1|1
1|u|COMPLETED|1|1|2|1|1
END

# Users' names, and marks of direction, which show a name as another one.
cat >users.csv <<END
job_id,submit,start,run,walltime,procs,user,account
1,0,0,9,9,4,a${esc}]0;x,$(printf 'b\342\200\256c\330\234')
2,0,9,8,8,4,a${esc}]0;x,$(printf 'b\342\200\256c\330\234')
3,0,9,9,7,4,f,$(printf 'f\342\201\246\377\302\233')
END
tame "of whatif" "$fairsched" whatif users.csv --procs 4 --base fcfs \
	--order sjf
tame "of usage" "$fairsched" usage users.csv
for shown in 'b\xe2\x80\xaec\xd8\x9c' 'f\xe2\x81\xa6\xff\xc2\x9b'; do
	check "it shows $shown" grep -qF "$shown" both
done
same "its columns are straight" "$(awk '/%/ { print index($0, "% ") }' both |
	sort -u | wc -l)" 1
for bytes in '\330\234' '\342\200\216' '\342\200\217' '\342\200\250' \
	'\342\200\252' '\342\200\256' '\342\201\246' '\342\201\251' \
	'\302\200' '\302\237' '\177' '\377'; do
	text=$(printf '%b' "$(echo "$bytes" | sed 's/\\/\\0/g')")
	fails "a message with $bytes" 2 "$fairsched" "x$text" x
	same "tells of it" "$(sed -n "s/.* command 'x\(.*\)'$/\1/p" err)" \
		"$(printf '%s' "$text" | od -An -tx1 | sed 's/ /\\x/g')"
done
for bytes in '\330\233' '\342\200\220' '\342\200\257' '\342\201\252'; do
	text=$(printf '%b' "$(echo "$bytes" | sed 's/\\/\\0/g')")
	fails "a message with $bytes" 2 "$fairsched" "x$text" x
	check "shows it" grep -qF "command 'x$text'" err
done

# Names of a machine reach tables, sentences and the page: they must be text.
printf 'class,count,cpus\na%s,1,4\n' "$esc" >machine.csv
fails "a class that is no text" 2 "$fairsched" simulate "$name" \
	--machine machine.csv --plan classes
check "is told of" grep -q \
	"machine.csv:2: class: the name is not printable UTF-8" err
printf 'class,count,cpus,b\302\na,1,4,1\n' >machine.csv
fails "a resource that is no text" 2 "$fairsched" simulate "$name" \
	--machine machine.csv --plan classes
check "is told of, too" grep -q \
	"machine.csv:1: the name of column 4 is not printable UTF-8" err
printf '%s\n' kind,number,name "user,1,\`\${x}\"\\$esc" >names.csv
printf 'user,2,\303\266\377\302\205\n' >>names.csv
check "a page of such names" "$fairsched" compare "$name" --names names.csv \
	--policies easy --report r
check "has them in its data" python3 -c '
import json, re
text = open("r/trace-1.js", "rb").read().decode()
names = re.search(r"\"names\":({.*})", text)[1].replace("\\\\", "\\")
assert json.loads(names) == {"1": "`${x}\"\\\x1b", "2": "\xf6\ufffd\x85"}, names'
check "a checkpoint that is noise is not read on" sh -c '
	yes | head -c 50000000 | {
		! "$1" simulate "$2" --load /dev/stdin 2>noise
		[ "$(wc -c)" -gt 40000000 ]
	} && grep -q "not a saved simulation" noise' sh "$fairsched" "$name"

"$fairsched" compare "$name" --json - --policies easy >json
check "JSON is UTF-8, and has the name" python3 - "$PWD/json" <<'END'
import json, sys
got = json.loads(open(sys.argv[1], "rb").read().decode())[0]["trace"]
assert got == "a\x1b]0;pwned\x07\ufffdb\x85.swf", repr(got)
END
name="$(printf 'gr\303\266\303\237e \342\202\254.swf')"
printf '; MaxProcs: 4\n%s\n' "$line" >"$name"
check "other alphabets are shown" sh -c \
	'"$1" simulate "$2" | grep -qxF "trace                   $2"' \
	sh "$fairsched" "$name"
for bytes in '\300\200' '\355\240\200' '\364\220\200\200' '\302' '\370\210' \
	'\340\200\200'; do
	name="$(printf '%b' "$(echo "$bytes" | sed 's/\\/\\0/g')").swf"
	printf '; MaxProcs: 4\n%s\n' "$line" >"$name"
	"$fairsched" simulate "$name" --json out >text
	check "no UTF-8: $bytes" python3 -c 'open("out", "rb").read().decode()
open("text", "rb").read().decode()'
done
check "a page of a name that is none" "$fairsched" compare "$name" --report r \
	--policies easy
check "is UTF-8" python3 -c 'open("r/index.html", "rb").read().decode()'

# What small inputs cost: at most so many seconds of processor and MB. A word
# that is not - is in the message of the refusal.
bounded() # SECONDS MB WORD NAME ARGUMENT...
{
	bounded_name="$4: $1 s, $2 MB"
	bounded_word=$3
	bounded_status=0
	(ulimit -v 50000 && "$fairsched" --version) >out 2>err || {
		skip "$bounded_name" "it needs more memory to begin with"
		return
	}
	(
		ulimit -t "$1"
		ulimit -v $(($2 * 1000))
		ulimit -f 400000
		shift 4
		exec "$fairsched" "$@" >out 2>err
	) || bounded_status=$?
	case $bounded_word in
	-) same "$bounded_name" "$bounded_status" 0 ;;
	*) check "$bounded_name, refused" sh -c \
		'[ "$1" -gt 0 ] && [ "$1" -lt 3 ] && grep -q -- "$2" err' sh \
		"$bounded_status" "$bounded_word" ;;
	esac
}
printf '; MaxProcs: 2147483647\n%s\n' "$(echo "$line" |
	sed 's/ 4 / 2147483647 /g')" >wide.swf
bounded 2 60 - "a picture of 2^31 processors" simulate wide.swf --gantt 0 10
bounded 2 60 - "which a job has" simulate wide.swf --jobs-out -
bounded 3 200 - "a page of them" compare wide.swf --report r
check "is small" sh -c '[ "$(cat r/* | wc -c)" -lt 200000 ]'
printf '; MaxProcs: 4\n' | tee one.swf >both.swf
printf '1 0 -1 400000000 %s 4e8 -1 1 1 1 -1 -1 -1 -1 -1\n' '3 -1 -1 3' |
	sed s/4e8/400000000/ | tee -a one.swf >>both.swf
echo "2${line#1}" | tee -a one.swf >>both.swf
echo '3 0 -1 1 1 -1 -1 1 500000000 -1 1 1 1 -1 -1 -1 -1 -1' >>both.swf
printf 'RMPOLLINTERVAL 1\nBACKFILLPOLICY NONE\n' >poll.cfg
bounded 1 60 - "an iteration each second for 12 years" simulate one.swf \
	--policy maui --config poll.cfg
bounded 9 60 "RMPOLLINTERVAL 1 makes more" "which may start a job" simulate \
	both.swf --policy maui --config poll.cfg
awk 'BEGIN { print "; MaxProcs: 400"; for (i = 1; i < 302; i++)
	print i, i < 301 ? "0" : "99999999999", 0, 10, 1, -1, -1, 1, 10, -1, 1,
		i % 300, 1, 1, -1, -1, -1, -1 }' </dev/null >far.swf
bounded 15 700 "--users-out: the trace has 300 users for more" \
	"300 users for 3,000 years" simulate far.swf --users-out -
bounded 30 200 - "on a page" \
	compare far.swf --policies easy --report r
awk 'BEGIN { print "parent,name,shares,kind\nroot,0,1,account"
	for (i = 0; i < 60000; i++) print i "," i + 1 ",1,account" }' \
	</dev/null >deep.csv
for command in "simulate --order tree" usage; do
	bounded 2 60 "too deep: at most 1000 accounts" "a deep tree, $command" \
		$command one.swf --tree deep.csv
done
awk 'BEGIN { print "parent,name,shares,kind\nroot,0,1,account"
	for (i = 0; i < 20000; i++) print "0,u" i ",1,user" }' \
	</dev/null >broad.csv
bounded 3 90 - "a broad tree" usage one.swf --tree broad.csv
{
	echo '; UnixStartTime: 0'
	sed 's/99999999999/31000000000/' far.swf
} >months.swf
bounded 5 300 - "11,000 months" usage months.swf --by month
awk 'BEGIN { print "; UnixStartTime: 0"; for (i = 0; i < 3000; i++)
	print i, i ? "31000000000" : "0", 0, 10, 1, -1, -1, 1, 10, -1, 1, i, 1,
		1, -1, -1, -1, -1 }' </dev/null >both.swf
bounded 1 60 "--by month: the logs are of" "and 3,000 users" \
	usage both.swf --by month,user
bounded 1 60 - "2^32 reservations" simulate one.swf --policy depth \
	--depth 4294967295
finish
