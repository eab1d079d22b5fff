#!/bin/sh
# SPDX-License-Identifier: MIT OR Unlicense
# usage: sh tools/amalgamate.sh [HEADER] >FILE
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
set -eu
cd "$(dirname "$0")/.."
commit=${FAIRSCHED_COMMIT:-$(sh tools/commit.sh)}
top=${1:-fairsched.h}

write() # CHECKSUM: the file; "": what it declares
{
	awk -v commit="$commit" -v top="$top" -v checksum="$1" '
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

# Appends a header to body[1..lines_of_body], and in it each header that it
# includes first.
function take(header,    i, folder, quoted, guard, line, outer)
{
	if (header in n)
		return
	outer = has_bodies
	read(header)
	folder = header
	sub(/[^\/]*$/, "", folder)
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
	page(" * PARTS, and the line where the manual of each begins")
	for (i = 1; i <= headers; i++)
		page("")
	page(" */")
	for (i = 1; i <= headers; i++)
		front[lines_of_front - headers - 1 + i] = sprintf( \
			" *  %6d  %s", lines_of_front + 1 + first[list[i]],
			title[list[i]])
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
