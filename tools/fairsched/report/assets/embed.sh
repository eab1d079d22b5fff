#!/bin/sh
# SPDX-License-Identifier: MIT OR Unlicense
#
# Prints the files here as C, for what compiles the command:
#
#	sh tools/fairsched/report/assets/embed.sh >build/page_assets.c
#
# uPlot 1.6.32 (MIT, LICENSE.uPlot) is dist/ of the package uplot of npm, as it
# is there.
set -eu
cd "$(dirname "$0")"
export LC_ALL=C
cat <<'END'
#include "tools/fairsched/report/page_assets.h"
END
while read -r name file; do
	printf '\n/* %s */\nconst char *const asset_%s[] = {\n' "$file" "$name"
	awk '
	function put(text) {
		gsub(/\\/, "&&", text)
		gsub(/"/, "\\\"", text)
		gsub(/\?/, "\\?", text)	# no trigraphs
		gsub(/\t/, "\\t", text)
		printf "\t\"%s%s\",\n", text, last ? "\\n" : ""
	}
	{
		for (last = 0; length($0) > 1000; $0 = substr($0, 1001))
			put(substr($0, 1, 1000))
		last = 1
		put($0)
	}
	END { print "\t0,\n};" }' "$file"
done <<'END'
uplot_licence LICENSE.uPlot
uplot_js uPlot.iife.min.js
uplot_css uPlot.min.css
page_css page.css
page_js page.js
plan_html plan.html
plan_js plan.js
END
