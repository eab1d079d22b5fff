#!/bin/sh
# SPDX-License-Identifier: MIT OR Unlicense
# usage: sh tools/amalgamate.sh >FILE
#
# Writes fairsched.h and the headers that it includes as a single file to
# stdout: each after those that it needs, without its includes of ours, the
# licence once. The first page names the commit: FAIRSCHED_COMMIT, else git's,
# else "unknown".
set -eu
cd "$(dirname "$0")/.."
commit=${FAIRSCHED_COMMIT:-$(sh tools/commit.sh)}
exec awk -v commit="$commit" '
# FOLDER/../NAME is NAME.
function path(folder, name)
{
	while (sub(/^\.\.\//, "", name))
		sub(/[^\/]*\/$/, "", folder)
	return folder name
}

# Appends a header to the list, after those that it includes.
function walk(header,    line, folder)
{
	if (header in seen)
		return
	seen[header] = 1
	folder = header
	sub(/[^\/]*$/, "", folder)
	while ((getline line < header) > 0)
		if (line ~ /^#include "/) {
			split(line, quoted, "\"")
			walk(path(folder, quoted[2]))
		}
	if (close(header) != 0 || line == "") {
		print "amalgamate.sh: cannot read " header >"/dev/stderr"
		exit bad = 1
	}
	list[++headers] = header
}

# Reads a header into text[1..n], n being where the licence begins.
function read(header,    line, lines)
{
	lines = n = 0
	while ((getline line < header) > 0) {
		text[++lines] = line
		if (line == "/*")
			n = lines
	}
	close(header)
	return lines
}

# Appends it to body[1..length_of_body], and notes title and first line.
function take(header,    i)
{
	read(header)
	title[header] = text[3]
	sub(/^ \* /, "", title[header])
	first[header] = ++lines_of_body
	body[lines_of_body] = ""
	for (i = 2; i < n; i++)
		if (text[i] ~ /^#ifndef FAIR_[A-Z]*_H$/ &&
		    text[i + 1] ~ /^#include "/)
			i += 2
		else
			body[++lines_of_body] = text[i]
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
	page(" * " title["fairsched.h"] ": the single file")
	page(" *")
	page(" * Version " version() ", commit " commit ".")
	page(" * Made by tools/amalgamate.sh; change the headers below, not this.")
	page(" *")
	page(" * In ONE file:  #define FAIRSCHED_IMPLEMENTATION")
	page(" *               #include \"fairsched.h\"")
	page(" * elsewhere:    #include \"fairsched.h\"")
	page(" *")
	page(" * C99 or C++11, and later; nothing else to compile, link or install. With")
	page(" * FAIRSCHED_STATIC before each include every function is static: so a shared")
	page(" * library should take it. A unit that was compiled with another version of")
	page(" * this file does not link with this one.")
	page(" *")
	page(" * PARTS, and the line where the manual of each begins")
	for (i = 1; i <= headers; i++)
		page("")
	page(" */")
	for (i = 1; i <= headers; i++)
		front[lines_of_front - headers - 1 + i] = sprintf( \
			" *  %6d  %s", lines_of_front + 1 + first[list[i]],
			title[list[i]])
}

BEGIN {
	walk("fairsched.h")
	if (bad)
		exit 1
	for (i = 1; i <= headers; i++)
		take(list[i])
	front_page()
	for (i = 1; i <= lines_of_front; i++)
		print front[i]
	for (i = 1; i <= lines_of_body; i++)
		print body[i]
	lines = read("fairsched.h")
	for (i = n; i <= lines; i++)
		print text[i]
}'
