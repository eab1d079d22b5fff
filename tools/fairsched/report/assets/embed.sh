#!/bin/sh
# SPDX-License-Identifier: MIT OR Unlicense
#
# Prints the files here as C, for what compiles the command:
#
#	sh tools/fairsched/report/assets/embed.sh >build/page_assets.c
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
page_css page.css
page_js page.js
share_html share.html
plan_html plan.html
plan_js plan.js
END
