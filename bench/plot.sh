#!/bin/sh
# SPDX-License-Identifier: MIT OR Unlicense
# usage: sh bench/plot.sh RESULT.csv [PATTERN] >GROWTH.svg
#        sh bench/plot.sh --table RESULT.csv [PATTERN]
#
# Plots the growth with n of the cases whose names match PATTERN (profile) and that
# ran for at least three sizes; both axes are logarithmic. x of n^x is fitted to all
# sizes of a case by least squares.
set -eu
table=0
if [ "${1:-}" = --table ]; then
	table=1
	shift
fi
if [ $# -lt 1 ] || [ ! -r "$1" ]; then
	sed -n 's/^# usage: /usage: /p; s/^#        sh/       sh/p' "$0" >&2
	exit 2
fi
awk -F, -v pattern="${2:-profile}" -v table="$table" '
FNR > 1 && $3 == "ns" && $1 ~ pattern {
	if (!($1 in count)) {
		names++
		name[names] = $1
	}
	count[$1]++
	ns[$1, $2] = $4
	if (!($2 in seen)) {
		seen[$2]
		sizes++
		size[sizes] = $2 + 0
	}
}

function sort_sizes(    i, k, x)
{
	for (i = 2; i <= sizes; i++) {
		x = size[i]
		for (k = i; k > 1 && size[k - 1] > x; k--)
			size[k] = size[k - 1]
		size[k] = x
	}
}

function log10(x) { return log(x) / log(10) }

# The slope of log ns over log n.
function exponent(i,    k, x, y, n, sx, sy, sxx, sxy)
{
	for (k = 1; k <= sizes; k++) {
		if (ns[name[i], size[k]] + 0 <= 0)
			continue
		x = log10(size[k])
		y = log10(ns[name[i], size[k]])
		n++
		sx += x
		sy += y
		sxx += x * x
		sxy += x * y
	}
	return n ? (n * sxy - sx * sy) / (n * sxx - sx * sx) : 0
}

function print_table(    i, k)
{
	printf "%-36s", "ns, n ="
	for (k = 1; k <= sizes; k++)
		printf " %11d", size[k]
	print "  n^x: x ="
	for (i = 1; i <= names; i++) {
		if (count[name[i]] < 3)
			continue
		printf "%-36s", name[i]
		for (k = 1; k <= sizes; k++)
			printf " %11s", ns[name[i], size[k]]
		printf "  %8.2f\n", exponent(i)
	}
}

# The decades next to x, below and above.
function below(x,    d) { d = int(log10(x) + 20) - 20; return d }
function above(x,    d) { d = below(x); return 10 ^ d < x * 0.999 ? d + 1 : d }

function place_x(n) { return 70 + 500 * (log10(n) - x0) / (x1 - x0) }
function place_y(t) { return 420 - 400 * (log10(t) - y0) / (y1 - y0) }

function line(xa, ya, xb, yb, colour)
{
	printf "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" " \
	       "stroke=\"%s\"/>\n", xa, ya, xb, yb, colour
}

function text(x, y, anchor, what)
{
	printf "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">%s</text>\n",
	       x, y, anchor, what
}

function duration(d)
{
	return 10 ^ (d - 3 * int((d + 3) / 3 - 1)) \
	       (d < 3 ? " ns" : d < 6 ? " us" : d < 9 ? " ms" : " s")
}

function axes(    d)
{
	for (d = x0; d <= x1; d++) {
		line(place_x(10 ^ d), 20, place_x(10 ^ d), 420, "#ddd")
		text(place_x(10 ^ d), 438, "middle", sprintf("%d", 10 ^ d))
	}
	for (d = y0; d <= y1; d++) {
		line(70, place_y(10 ^ d), 570, place_y(10 ^ d), "#ddd")
		text(64, place_y(10 ^ d) + 4, "end", duration(d))
	}
	text(320, 456, "middle", "n")
}

# The naive array is dashed.
function curve(i, nth,    k, colour, points, y)
{
	split("#1f77b4 #d62728 #2ca02c #9467bd #ff7f0e #17becf #8c564b " \
	      "#e377c2 #7f7f7f #bcbd22", palette, " ")
	colour = palette[(nth - 1) % 10 + 1]
	for (k = 1; k <= sizes; k++)
		if (ns[name[i], size[k]] > 0)
			points = points sprintf("%.1f,%.1f ", place_x(size[k]),
						place_y(ns[name[i], size[k]]))
	printf "<polyline fill=\"none\" stroke=\"%s\" stroke-width=\"2\"%s " \
	       "points=\"%s\"/>\n", colour,
	       name[i] ~ /^naive_/ ? " stroke-dasharray=\"5 3\"" : "", points
	y = 20 + 16 * nth
	line(584, y - 4, 604, y - 4, colour)
	text(610, y, "start", sprintf("%s, n^%.2f", name[i], exponent(i)))
}

function print_plot(    i, k, t, low, high, nth)
{
	for (i = 1; i <= names; i++)
		for (k = 1; k <= sizes; k++) {
			t = ns[name[i], size[k]] + 0
			if (count[name[i]] < 3 || t <= 0)
				continue
			low = !low || t < low ? t : low
			high = t > high ? t : high
		}
	if (!high)
		exit 1
	x0 = below(size[1])
	x1 = above(size[sizes])
	y0 = below(low)
	y1 = above(high)
	print "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"860\" " \
	      "height=\"470\" font-family=\"sans-serif\" font-size=\"12\">"
	print "<rect width=\"860\" height=\"470\" fill=\"white\"/>"
	axes()
	for (i = 1; i <= names; i++)
		if (count[name[i]] >= 3)
			curve(i, ++nth)
	print "</svg>"
}

END {
	sort_sizes()
	if (table)
		print_table()
	else
		print_plot()
}' "$1"
