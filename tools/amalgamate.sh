#!/bin/sh
# SPDX-License-Identifier: MIT OR Unlicense
# usage: sh tools/amalgamate.sh [--policies LIST] [--without LIST] [HEADER] >FILE
#
# Writes a header, fairsched.h by default, and those that it includes as a single
# file to stdout. Each header stands where it is first included, without its licence; the
# licence stands once at the end, and what is SHARED stands where it is first, since with
# FAIRSCHED_IMPLEMENTATION all bodies are. The first page names the commit:
# FAIRSCHED_COMMIT, else git's, else "unknown".
#
# The symbol that each unit needs of the one with the bodies is named after a checksum
# of all that the file declares, without comments: units of two files link if only
# bodies differ.
#
# --policies easy,conservative leaves out the other policies, --without sfs,why these
# parts: sched/parts.h has their names, and what needs them. The file says what it is
# without, and defines it: FAIRSCHED_WITHOUT_SFS ...
set -eu
cd "$(dirname "$0")/.."
commit=${FAIRSCHED_COMMIT:-$(sh tools/commit.sh)}

die() # MESSAGE
{
	echo "amalgamate.sh: $1" >&2
	exit 1
}

# Each part of the list, in capitals.
parts() # LIST
{
	for part in $(echo "$1" | tr ',a-z' ' A-Z'); do
		grep -q "^#define FAIR_HAS_$part 0" sched/parts.h ||
			die "unknown part '$part': sched/parts.h names all"
		echo "$part"
	done
}

# The parts that no policy of the list needs. Those that plan afresh and have no
# ledger of their own are always there.
parts_beside() # LIST
{
	wanted=
	for policy in $(echo "$1" | tr ',' ' '); do
		case $policy in
		fcfs | easy | depth | backfill) ;;
		conservative | pc | dc) wanted="$wanted CONSERVATIVE" ;;
		sfs) wanted="$wanted SFS" ;;
		relshare) wanted="$wanted RELSHARE" ;;
		maui) wanted="$wanted MAUI" ;;
		*) die "unknown policy '$policy'" ;;
		esac
	done
	for part in CONSERVATIVE SFS RELSHARE MAUI; do
		case " $wanted " in
		*" $part "*) ;;
		*) echo "$part" ;;
		esac
	done
}

without=
while [ $# -gt 1 ]; do
	case $1 in
	--policies) more=$(parts_beside "$2") ;;
	--without) more=$(parts "$2") ;;
	*) die "unknown argument '$1'" ;;
	esac
	without="$without $more"
	shift 2
done
top=${1:-fairsched.h}

write() # CHECKSUM: the file; "": what it declares
{
	awk -v commit="$commit" -v top="$top" -v checksum="$1" \
		-v without="$(echo "$without" | tr '\n' ' ')" '
# Resolves FOLDER/../NAME to NAME.
function path(folder, name)
{
	while (sub(/^\.\.\//, "", name))
		sub(/[^\/]*\/$/, "", folder)
	return folder name
}

# Reads a header into text[header, 1..]; n[header] is the last line before the
# licence.
function read(header,    line, lines, status)
{
	while ((status = (getline line < header)) > 0) {
		text[header, ++lines] = line
		if (line ~ /^ \* This file is available under/)
			n[header] = lines - 2
	}
	if (!(header in n))
		n[header] = lines
	if (status < 0 || close(header) != 0 || lines == 0) {
		print "amalgamate.sh: cannot read " header >"/dev/stderr"
		exit bad = 1
	}
	last[header] = lines
}

# Which parts are left out: those that are named, and what needs them.
function choose(    i, word, n_of_parts, line, more)
{
	n_of_parts = split(without, word)
	for (i = 1; i <= n_of_parts; i++)
		is_out[word[i]] = 1
	if (!n_of_parts)
		return
	while ((getline line < "sched/parts.h") > 0) {
		if (sub(/\\$/, "", line) && (getline more < "sched/parts.h") > 0)
			line = line more
		if (line ~ /^#if defined.*&&/ &&
		    split(line, word, /[()]/) == 5 &&
		    part_of(word[2]) in is_out)
			is_out[part_of(word[4])] = 1
	}
	close("sched/parts.h")
}

function part_of(macro)
{
	sub(/^FAIRSCHED_WITHOUT_/, "", macro)
	return macro
}

# Takes away the lines of a header that belong to parts which are left out, and
# the conditions of these parts.
function leave_out(header,    i, to, word, depth, open, is_cut, cuts)
{
	for (i = 1; i <= n[header]; i++) {
		split(text[header, i], word)
		if (word[1] ~ /^#ifn?def/ && word[2] ~ /^FAIRSCHED_WITHOUT_/ &&
		    part_of(word[2]) in is_out && header != "sched/parts.h") {
			open[++depth] = word[2]
			cuts += is_cut[depth] = word[1] == "#ifndef"
		} else if (depth && word[3] == open[depth]) {
			cuts -= is_cut[depth]
			is_cut[depth] = 0
			depth -= word[1] == "#endif"
		} else if (!cuts) {
			text[header, ++to] = text[header, i]
		}
	}
	cut(header, to)
}

# The header ends with its line @to, and then the licence.
function cut(header, to,    i, gone)
{
	gone = n[header] - to
	for (i = n[header] + 1; gone && i <= last[header]; i++)
		text[header, i - gone] = text[header, i]
	n[header] -= gone
	last[header] -= gone
}

# Whether a room has no line behind its first page.
function is_empty(header,    i)
{
	for (i = n[header]; text[header, i] == ""; i--)
		;
	return i > 2 && text[header, i] == " */"
}

# Appends a header to body[1..lines_of_body], and in it each header that it
# includes first.
function take(header,    i, folder, quoted, guard, line, outer)
{
	if (header in n)
		return
	outer = has_bodies
	read(header)
	leave_out(header)
	if (is_empty(header))
		return
	folder = header
	sub(/[^\/]*$/, "", folder)
	if (header == "sched/parts.h")
		define_parts()
	list[++headers] = header
	title[header] = text[header, 3]
	sub(/^ \* /, "", title[header])
	first[header] = ++lines_of_body
	body[lines_of_body] = ""
	for (i = 2; i <= n[header]; i++) {
		if (text[header, i] ~ /^\/\* SHARED:/ && shared[text[header, i + 1]]++) {
			while (text[header, i] !~ /^#endif \/\* FAIRSCHED_SHARED/)
				i++;
			i += text[header, i + 1] == ""
			continue
		}
		if (text[header, i] ~ /^#define FAIRSCHED_VERSION / && versions++) {
			i += text[header, i + 1] == ""
			continue
		}
		guard = text[header, i] ~ /^#ifndef FAIR[A-Z_]*_H$/
		if (text[header, i + guard] !~ /^#include "/) {
			line = text[header, i]
			if (line ~ /^#endif \/\* FAIR[A-Z_]*_H \*\//)
				has_bodies = 1
			sub(/_version_[0-9]+/, "&_declares_" checksum, line)
			body[++lines_of_body] = line
			is_body[lines_of_body] = has_bodies
			continue
		}
		split(text[header, i + guard], quoted, "\"")
		take(path(folder, quoted[2]))
		i += 2 * guard
	}
	has_bodies = outer
}

# The line without comments; one may have begun before, or may go on.
function code(line,    at, end)
{
	if (in_comment) {
		if (!(end = index(line, "*/")))
			return ""
		line = substr(line, end + 2)
		in_comment = 0
	}
	while ((at = index(line, "/*"))) {
		end = index(substr(line, at + 2), "*/")
		if (!end) {
			in_comment = 1
			return substr(line, 1, at - 1)
		}
		line = substr(line, 1, at - 1) substr(line, at + end + 3)
	}
	return line
}

# What is left out is defined, for whoever includes the file.
function define_parts(    i, k, name)
{
	k = split(names_of_parts(), name)
	for (i = 1; i <= k; i++) {
		body[++lines_of_body] = "#undef FAIRSCHED_WITHOUT_" toupper(name[i])
		body[++lines_of_body] = "#define FAIRSCHED_WITHOUT_" toupper(name[i])
	}
}

# Prints what is declared.
function declarations(    i, line)
{
	for (i = 1; i <= lines_of_body; i++) {
		line = is_body[i] ? "" : code(body[i])
		gsub(/[ \t]+/, " ", line)
		sub(/ $/, "", line)
		if (line != "")
			print line
	}
}

function version(    i)
{
	for (i = 1; i <= lines_of_body; i++)
		if (body[i] ~ /^#define FAIRSCHED_VERSION /) {
			split(body[i], word)
			return sprintf("%d.%d.%d", word[3] / 100,
				       word[3] / 10 % 10, word[3] % 10)
		}
}

function page(line)
{
	front[++lines_of_front] = line
}

function front_page(    i)
{
	page("/* SPDX-License-Identifier: MIT OR Unlicense */")
	page("/*")
	page(" * " title[top] (top == "fairsched.h" ? ": the single file" : ""))
	page(" *")
	if (top == "fairsched.h")
		page(" * Version " version() ", commit " commit ".")
	else
		page(" * A single file, of fairsched, commit " commit ".")
	page(" * Made by tools/amalgamate.sh; change the headers below, not this.")
	page(" *")
	if (top == "fairsched.h")
		linkage()
	if (without ~ /[A-Z]/)
		page(" * Without:" names_of_parts() ".")
	page(" * PARTS, and the line where the manual of each begins")
	for (i = 1; i <= headers; i++)
		page("")
	page(" */")
	for (i = 1; i <= headers; i++)
		front[lines_of_front - headers - 1 + i] = sprintf( \
			" *  %6d  %s", lines_of_front + 1 + first[list[i]],
			title[list[i]])
}

# The parts that are left out, in the order of sched/parts.h.
function names_of_parts(    line, word, names)
{
	while ((getline line < "sched/parts.h") > 0)
		if (split(line, word) == 2 && word[1] == "#ifdef" &&
		    part_of(word[2]) in is_out)
			names = names " " tolower(part_of(word[2]))
	close("sched/parts.h")
	return names
}

function linkage()
{
	page(" * In ONE file:  #define FAIRSCHED_IMPLEMENTATION")
	page(" *               #include \"fairsched.h\"")
	page(" * elsewhere:    #include \"fairsched.h\"")
	page(" *")
	page(" * C99 or C++11, and later; nothing else to compile, link or install. With")
	page(" * FAIRSCHED_STATIC before each include every function is static: so a shared")
	page(" * library should take it. A unit that was compiled with other declarations")
	page(" * than those of this file does not link with this one.")
	page(" *")
}

BEGIN {
	choose()
	take(top)
	if (bad)
		exit 1
	if (checksum == "") {
		declarations()
		exit
	}
	front_page()
	for (i = 1; i <= lines_of_front; i++)
		print front[i]
	for (i = 1; i <= lines_of_body; i++)
		print body[i]
	for (i = n[top] + 1; i <= last[top]; i++)
		print text[top, i]
}'
}

declared=$(write "")
write "$(echo "$declared" | cksum | cut -d ' ' -f 1)"
