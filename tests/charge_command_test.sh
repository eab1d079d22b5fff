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
# slowest decides.
same "cpu, normalized" "$(penalties czech.swf --charge cpu)" \
	"26.5 2120.0 1.0 1.0 9.0 "
sed 's/26.5/1/' "$tmp/machine.csv" >"$tmp/plain.csv"
mv "$tmp/plain.csv" "$tmp/machine.csv"
same "cpu" "$(penalties czech.swf --charge cpu)" "1.0 80.0 1.0 1.0 9.0 "
# 512 / 672 * 160 = 121.9 and 80: examples 3 and 4.
same "pe" "$(penalties czech.swf --charge pe | cut -d ' ' -f 1,2)" \
	"121.904762 80.0"
# Example 5: 2.5 on the large node, 8 on a small one, which job 4 asks for.
same "best" "$(penalties czech.swf)" "80.0 80.0 2.5 8.0 48.0 "
same "best by name" "$(penalties czech.swf --charge best)" "$(penalties \
	czech.swf)"
same "local" "$(penalties czech.swf --charge local)" \
	"80.0 80.0 8.0 8.0 48.0 "
same "standard" "$(penalties czech.swf --charge standard)" \
	"512.0 80.0 16.0 16.0 256.0 "

standard() # REQUEST
{
	penalties czech.swf --charge standard --standard-job "$1"
}

same "standard, as it is by default" "$(standard cpus=1:ram=1G)" \
	"512.0 80.0 16.0 16.0 256.0 "
same "a larger one" "$(standard ppn=2:mem=8gb)" "64.0 40.0 2.0 2.0 32.0 "
same "of memory alone" "$(standard ram=4G)" "128.0 20.0 4.0 4.0 64.0 "
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
bad_request "$request no node suits the request" 1:ppn=81
bad_request "$request no node suits the request" 1:ppn=1:mem=1tb
bad_request "$request no node has 'gpu'" 1:ppn=1:gpu
bad_request "$request no node has 'gpus'" 1:gpus=1
bad_request "$request '0' is no number of nodes" 0:ppn=1
bad_request "$request no number of 'ppn'" 1:ppn=x
bad_request "$request no number of 'mem'" 1:mem=1lb
bad_request "$nodes no class has a node 12" 1 local "{12}"
bad_request "$nodes fewer nodes than were requested" 2:ppn=2 local "{1,1,1}"
bad_request "$nodes 'x' is no number" 1 local "{x}"
bad_request "$nodes fewer nodes than were requested" 1 local "-1"

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

bad "metric elsewhere" "--charge is for --order usage" "$two" --charge cpu
bad "machine elsewhere" "--machine is for --order usage" "$two" --machine \
	"$tmp/machine.csv"
bad "half-life elsewhere" "--half-life is for --order usage" "$two" \
	--half-life 1d
bad "a metric that needs a machine" "--charge needs --machine" "$two" \
	--order usage --charge best
bad "an order that changes" "pc and dc take no --order that changes" "$two" \
	--policy pc --order usage
bad "an order of its own" "relshare orders by itself" "$two" \
	--policy relshare --order usage
bad_standard() # TEXT REQUEST
{
	bad "standard job '$2'" "--standard-job: $1" "$tmp/czech.swf" --procs \
		160 --order usage --machine "$tmp/machine.csv" --charge \
		standard --standard-job "$2"
}

bad_standard "no node has 'gpus'" cpus=1:gpus=1
bad_standard "no node has ''" :
bad_standard "no amount of 'ram'" cpus=1:ram=1lb
bad_standard "no amount of 'ram'" cpus=1:ram
bad_standard "no amount of 'cpus'" cpus=0
bad_standard "a second 'ppn'" cpus=1:ppn=2
bad "a standard job elsewhere" "--standard-job is for --charge standard" \
	"$two" --order usage --machine "$tmp/machine.csv" --standard-job cpus=1
bad "no such machine" "none.csv: No such file" "$two" --order usage --machine \
	"$tmp/none.csv"
printf 'class,count,cpus,nodes\na,1,1,3-2\n' >"$tmp/bad.csv"
bad "nodes backwards" "bad.csv:2: nodes: no range" "$two" --order usage \
	--machine "$tmp/bad.csv"
printf 'class,count,cpus,nodes\na,1,1,x\n' >"$tmp/bad.csv"
bad "nodes of words" "bad.csv:2: nodes: no number" "$two" --order usage \
	--machine "$tmp/bad.csv"

check "compare takes the options too" "$fairsched" compare "$tmp/plain.swf" \
	--policies easy,fcfs --order usage --machine "$tmp/machine.csv"

finish
