#!/bin/sh
# SPDX-License-Identifier: MIT OR Unlicense
# fairsched simulate --order usage: machines and metrics, half-lives.
. tests/test.sh

# The machine of [MR]'s examples 3 to 5.
cat >"$tmp/machine.csv" <<'END'
class,count,cpus,ram,spec,cost,properties,nodes
small,10,8,16G,,,old:s,1-10
large,1,80,512G,26.5,,new:fast:large,11
END

# What the examples ask for, then properties; each list names a processor's node.
all80=$(printf '%80s' | sed 's/ /11,/g;s/,$//')
cat >"$tmp/czech.swf" <<END
1 0 -1 100 1 -1 -1 1 100 549755813888 1 1 1 1 1 1 1 1 {11} q 1:ppn=1
2 0 -1 100 80 -1 -1 80 100 85899345920 1 1 1 1 1 1 1 1 {$all80} q 1:ppn=80
3 0 -1 100 1 -1 -1 1 100 17179869184 1 1 1 1 1 1 1 1 {3} q 1:ppn=1
4 0 -1 100 1 -1 -1 1 100 17179869184 1 1 1 1 1 1 1 1 {4} q 1:ppn=1:old
5 0 -1 100 9 -1 -1 9 100 -1 1 2 1 1 1 1 1 1 {1,1,1,1,2,2,2,2,11} q 2:ppn=4+ppn=1:mem=256gb:^old#excl
END

penalties() # TRACE ARGUMENT...
{
	penalties_trace=$1
	shift
	"$fairsched" simulate "$tmp/$penalties_trace" --order usage --machine \
		"$tmp/machine.csv" --procs 160 --jobs-out - "$@" |
		awk -F, 'NR > 1 { printf "%s ", $NF }' | sed 's/00000 / /g'
}

# With SPEC: as --charge cpu, times 26.5 where the large node was used; the
# slowest decides. Job 5 has whole nodes: 2 small ones and the large one.
same "cpu, normalized" "$(penalties czech.swf --charge cpu)" \
	"26.5 2120.0 1.0 1.0 96.0 "
sed 's/26.5/1/' "$tmp/machine.csv" >"$tmp/plain.csv"
mv "$tmp/plain.csv" "$tmp/machine.csv"
same "cpu" "$(penalties czech.swf --charge cpu)" "1.0 80.0 1.0 1.0 96.0 "
# 512 / 672 * 160 = 121.9 and 80: examples 3 and 4.
same "pe" "$(penalties czech.swf --charge pe | cut -d ' ' -f 1,2)" \
	"121.904762 80.0"
# Example 5: 2.5 on the large node, 8 on a small one, which job 4 asks for.
same "best" "$(penalties czech.swf)" "80.0 80.0 2.5 8.0 96.0 "
same "best by name" "$(penalties czech.swf --charge best)" "$(penalties \
	czech.swf)"
same "local" "$(penalties czech.swf --charge local)" \
	"80.0 80.0 8.0 8.0 96.0 "
same "standard" "$(penalties czech.swf --charge standard)" \
	"512.0 80.0 16.0 16.0 544.0 "

standard() # REQUEST
{
	penalties czech.swf --charge standard --standard-job "$1"
}

same "standard, as it is by default" "$(standard cpus=1:ram=1G)" \
	"512.0 80.0 16.0 16.0 544.0 "
same "a larger one" "$(standard ppn=2:mem=8gb)" "64.0 40.0 2.0 2.0 68.0 "
same "of memory alone" "$(standard ram=4G)" "128.0 20.0 4.0 4.0 136.0 "
same "of processors alone" "$(standard cpus=1)" \
	"$(penalties czech.swf --charge cpu)"

# Records of 18 columns: KB of memory a processor.
cat >"$tmp/plain.swf" <<'END'
1 0 -1 100 2 -1 -1 2 100 16777216 1 1 1 1 1 1 1 1
2 0 -1 100 4 -1 2097152 4 100 -1 1 1 1 1 1 1 1 1
3 0 -1 100 4 -1 -1 4 100 -1 1 1 1 1 1 1 1 1
END
same "single processors" "$(penalties plain.swf)" "5.0 4.0 4.0 "
same "a machine has processors" "$("$fairsched" simulate "$tmp/plain.swf" \
	--order usage --machine "$tmp/machine.csv" | grep processors)" \
	"processors              160"

# Without a node list: the SPEC of the cheapest class that suits, so that equal
# jobs are equal. Job 4 can have a small node only.
cat >"$tmp/spec.csv" <<'END'
class,count,cpus,ram,spec,properties,nodes
small,10,8,16G,2,old:s,1-10
large,1,80,512G,26.5,new:large,11
END
cat >"$tmp/list.swf" <<'END'
1 0 -1 9 1 -1 -1 1 9 -1 1 1 1 1 3 1 1 1 {11} q_1d 1:ppn=1:mem=100gb
2 0 -1 9 1 -1 -1 1 9 -1 1 1 1 1 3 1 1 1 -1 q_1d 1:ppn=1:mem=100gb
3 0 -1 9 1 -1 -1 1 9 -1 1 1 1 1 4 1 1 1 -1 q_2d 1:ppn=1:maxspec=3
4 0 -1 9 1 -1 -1 1 9 -1 1 1 1 1 4 1 1 1 -1 q_2d 1:ppn=1:minspec=2.5
5 0 -1 9 1 -1 -1 1 9 -1 1 1 1 1 4 1 1 1 -1 q_2d 1:ppn=1:minspec=2.5#excl
6 0 -1 9 1 -1 -1 1 9 -1 1 1 1 1 4 1 1 1 -1 q_2d 1:ppn=1#shared#excl
END
costs() # ARGUMENT...
{
	penalties list.swf --machine "$tmp/spec.csv" --charge cpu "$@"
}
same "SPEC without a node list, minspec, maxspec, whole nodes" "$(costs)" \
	"26.5 26.5 2.0 26.5 2120.0 16.0 "
same "the same by best" "$(costs --charge best | cut -d ' ' -f 3-)" \
	"2.0 26.5 2120.0 16.0 "
same "queues by name and by number" \
	"$(costs --queue-cost q_2d=2 --queue-cost 3=0.5)" \
	"13.250000 13.250000 4.0 53.0 4240.0 32.0 "
same "a queue by a part of its name, or by more" \
	"$(costs --queue-cost q_1dx=2 --queue-cost q_=2)" "$(costs)"
same "queues without a machine" "$("$fairsched" simulate "$tmp/list.swf" \
	--procs 9 --order usage --queue-cost 3=1.5 --jobs-out - |
	awk -F, 'NR > 1 { printf "%s ", $NF }')" \
	"1.500000 1.500000 1.000000 1.000000 1.000000 1.000000 "

bad() # NAME TEXT ARGUMENT...
{
	bad_name=$1
	bad_text=$2
	shift 2
	fails "$bad_name" 2 "$fairsched" simulate "$@"
	check "$bad_name: says so" grep -qF -- "$bad_text" "$tmp/err"
}

bad_request() # TEXT REQUEST ARGUMENT...
{
	bad_request_text=$1
	echo "1 0 -1 9 1 -1 -1 1 9 -1 1 1 1 1 1 1 1 1 ${4:-{1\}} q $2" \
		>"$tmp/bad.swf"
	bad "$2 ${4:-}" "bad.swf:1: $bad_request_text" "$tmp/bad.swf" --order \
		usage --machine "$tmp/machine.csv" --charge "${3:-best}"
}

request="field 21 (node request):"
nodes="field 19 (node list):"
none="$request no node satisfies the request;"
bad_request "$none class large, which comes closest, has 80 cpus of 81" 1:ppn=81
bad_request "$none class large, which comes closest, has 512G ram of 1T" \
	1:ppn=1:mem=1tb
bad_request "$request no node has 'gpu'" 1:ppn=1:gpu
bad_request "$request 'x' is not a SPEC" 1:minspec=x
bad_request "$request '0' is not a SPEC" 1:maxspec=0
bad_request "$none class small, which comes closest, has SPEC 1 of 99 at least" \
	1:minspec=99
bad_request "$none class small" 1:minspec=99 cpu -
bad_request "$request no node has 'gpus'" 1:gpus=1
bad_request "$request '0' is not a number of nodes" 0:ppn=1
bad_request "$request '2147483648' is not a number of nodes" 2147483648:ppn=1
bad_request "$request 'ppn' has no number" 1:ppn=x
bad_request "$request 'mem' has no number" 1:mem=1lb
bad_request "$nodes no node class has a node 12" 1 local "{12}"
bad_request "$nodes it has fewer nodes than were requested" 2:ppn=2 local "{1,1,1}"
bad_request "$nodes 'x' is not a number" 1 local "{x}"
bad_request "$nodes it has fewer nodes than were requested" 1 local "-1"

echo '9 0 -1 9 1 -1 -1 1 9 629145600 1 1 1 1 1 1 1 1' >"$tmp/bad.swf"
bad "no node list: what is wrong" "bad.swf:1: job 9: no node satisfies the \
request; class large, which comes closest, has 512G ram of 600G" \
	"$tmp/bad.swf" --order usage --machine "$tmp/machine.csv"

head -n 2 "$tmp/czech.swf" >"$tmp/wide.swf"
echo '6 0 -1 9 1 -1 -1 1 9 -1 1 1 1 1 1 1 1 1 {1} q 1:gpu' >>"$tmp/wide.swf"
check "lenient drops it" sh -c "'$fairsched' simulate '$tmp/wide.swf' --order \
	usage --machine '$tmp/machine.csv' --lenient |
	grep -q '^damaged lines  *1 (.*wide.swf:3: field 21'"

two="$tmp/two.swf"
cat >"$two" <<'END'
; MaxProcs: 4
1 0 -1 100 4 -1 -1 4 100 -1 1 1 1 -1 -1 -1 -1 -1
2 100 -1 90 4 -1 -1 4 90 -1 1 2 1 -1 -1 -1 -1 -1
3 101 -1 10 4 -1 -1 4 10 -1 1 2 1 -1 -1 -1 -1 -1
4 102 -1 10 4 -1 -1 4 10 -1 1 1 1 -1 -1 -1 -1 -1
END
starts() # ARGUMENT...
{
	"$fairsched" simulate "$two" --policy fcfs --order usage --jobs-out - \
		"$@" | awk -F, 'NR > 1 { printf "%s ", $5 }'
}
# At 190 user 1 has used 400, but a while ago; user 2 has used 360.
same "a long half-life" "$(starts --half-life 1w)" "0 100 190 200 "
same "a short half-life" "$(starts --half-life 100)" "0 100 200 190 "

# At 200 both have used 400, user 1 a while ago.
sed -i 's/^2 100 -1 90/2 100 -1 100/; s/ 90 -1 1 2/ 100 -1 1 2/' "$two"
same "of equal usage the older has decayed" "$(starts --half-life 1w)" \
	"0 100 210 200 "
same "without decay they are equal" "$(starts --half-life none)" \
	"0 100 200 210 "
bad "a tree decays" "--half-life none needs --order usage or dominant" \
	"$two" --policy relshare --half-life none
bad "no other word" "--half-life: 'never' is not a duration" "$two" \
	--order usage --half-life never

bad "metric elsewhere" "--charge needs --order usage" "$two" --charge cpu
bad "queue cost elsewhere" "--queue-cost needs --order usage" "$two" \
	--queue-cost 1=2
for cost in 1 1= 1=x 1=1001 =; do
	bad "queue cost $cost" "--queue-cost: '$cost' is not QUEUE=COST" "$two" \
		--order usage --queue-cost $cost
done
bad "machine elsewhere" "--machine needs --order usage" "$two" --machine \
	"$tmp/machine.csv"
bad "half-life elsewhere" "--half-life needs --order usage" "$two" \
	--half-life 1d
bad "a metric that needs a machine" "every --charge but cpu needs --machine" "$two" \
	--order usage --charge best
bad "an order without a use" "policy conservative takes only --order fcfs: policies pc and dc" "$two" \
	--policy conservative --order usage
bad "an order of its own" "policy relshare takes only --order fcfs" "$two" \
	--policy relshare --order usage
bad_standard() # TEXT REQUEST
{
	bad "standard job '$2'" "--standard-job: $1" "$tmp/czech.swf" --procs \
		160 --order usage --machine "$tmp/machine.csv" --charge \
		standard --standard-job "$2"
}

bad_standard "no node has 'gpus'" cpus=1:gpus=1
bad_standard "no node has ''" :
bad_standard "not an amount of 'ram'" cpus=1:ram=1lb
bad_standard "not an amount of 'ram'" cpus=1:ram
bad_standard "not an amount of 'cpus'" cpus=0
bad_standard "twice 'ppn'" cpus=1:ppn=2
bad "a standard job elsewhere" "--standard-job needs --charge standard" \
	"$two" --order usage --machine "$tmp/machine.csv" --standard-job cpus=1
bad "no such machine" "none.csv: No such file" "$two" --order usage --machine \
	"$tmp/none.csv"
printf 'class,count,cpus,nodes\na,1,1,3-2\n' >"$tmp/bad.csv"
bad "nodes backwards" "bad.csv:2: nodes: not a range" "$two" --order usage \
	--machine "$tmp/bad.csv"
printf 'class,count,cpus,nodes\na,1,1,x\n' >"$tmp/bad.csv"
bad "nodes of words" "bad.csv:2: nodes: not a node number" "$two" --order usage \
	--machine "$tmp/bad.csv"

# One request: what a trace of it is charged.
cat >"$tmp/one.csv" <<'END'
class,count,cpus,ram,spec,properties
small,10,8,16G,,old:s
large,1,80,512G,2,new:large
END
cost() # ARGUMENT...
{
	"$fairsched" cost "$@" --machine "$tmp/one.csv"
}
for request in 1:ppn=1 1:ppn=1:mem=512gb 2:ppn=4:mem=16gb:old+1:ppn=9; do
	cost $request --walltime 2h >"$tmp/cost"
	printf '1 0 -1 1 1 -1 -1 1 1 -1 1 1 1 1 1 1 -1 -1 {} q %s\n' $request \
		>"$tmp/one.swf"
	for metric in cpu standard pe best; do
		want=$("$fairsched" simulate "$tmp/one.swf" --procs 160 --order \
			usage --machine "$tmp/one.csv" --charge $metric \
			--jobs-out - | awk -F, 'NR == 2 {
				printf "%.2f %.2f", $NF, 2 * $NF }')
		same "cost of $request, $metric" "$(awk -v m=$metric \
			'$1 == m { print $2, $3 }' "$tmp/cost")" "$want"
	done
done
fails "a request of nothing there is" 2 cost 1:ppn=1:gpu
check "says so" grep -q "'1:ppn=1:gpu': no node has 'gpu'" "$tmp/err"
fails "too large a request" 2 cost 99:ppn=8
check "says that" grep -qF "'99:ppn=8': the whole machine has only 160 cpus of 792" \
	"$tmp/err"
fails "the largest request" 2 cost 2147483647:ppn=1
check "says that of it" grep -qF "has only 160 cpus of 2147483647" "$tmp/err"
cat >"$tmp/gpu.csv" <<'END'
class,count,cpus,ram,gpus,spec,properties
cpu,20,80,512G,,26.4,brno:nfs4
gpu,10,16,64G,2,31,brno:gpu
END
lacks() # REQUEST CLASS WHAT
{
	fails "what the nodes have: $1" 2 "$fairsched" cost "$1" --machine \
		"$tmp/gpu.csv"
	same "what the nodes have: $1, says so" "$(cat "$tmp/err")" \
		"fairsched: '$1': no node satisfies the request; class $2, which comes closest, has $3"
}
lacks 1:ppn=96 cpu "80 cpus of 96"
lacks 1:ppn=20:mem=600gb:gpus=4 cpu "512G ram of 600G, 0 gpus of 4"
lacks 1:ppn=1:minspec=99 gpu "SPEC 31 of 99 at least"
lacks 1:ppn=1:maxspec=2 cpu "SPEC 26.4 of 2 at most"
lacks 1:ppn=1+1:ppn=17:gpu gpu "16 cpus of 17"
lacks 1:nfs4:gpu cpu "no property 'gpu'"
lacks 1:^brno cpu "the excluded property 'brno'"
fails "more of all nodes than a number" 2 "$fairsched" cost \
	100000:ppn=16:mem=60gb --machine "$tmp/gpu.csv"
check "says that, too" grep -q "machine has only 1760 cpus of 1600000, 10880G ram of 6000000G" \
	"$tmp/err"
fails "no request" 2 cost '1 ppn'
fails "no machine" 2 "$fairsched" cost 1:ppn=1

check "compare takes the options too" "$fairsched" compare "$tmp/plain.swf" \
	--policies easy,fcfs --order usage --machine "$tmp/machine.csv"

finish
