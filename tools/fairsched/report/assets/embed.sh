#!/bin/sh
# SPDX-License-Identifier: MIT OR Unlicense
#
# Prints tools/fairsched/report/page_assets.c, the files here as the command carries them:
#
#	sh tools/fairsched/report/assets/embed.sh >tools/fairsched/report/page_assets.c
#
# uPlot 1.6.32 (MIT, LICENSE.uPlot) is dist/ of the package uplot of npm, as it
# is there.
set -eu
cd "$(dirname "$0")"
export LC_ALL=C
cat <<'END'
/* SPDX-License-Identifier: MIT OR Unlicense */
/* Printed by tools/fairsched/report/assets/embed.sh: not to be edited. */
#include "page_assets.h"
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

hash() # what stands between the tags of an element, on standard input
{
	python3 -c 'import base64, hashlib, sys
text = hashlib.sha256(sys.stdin.buffer.read()).digest()
print("\t\"\x27sha256-%s\x27 \"" % base64.b64encode(text).decode())'
}

printf '\n/* Of the elements as page.c writes them. */\n'
printf 'const char asset_style_hash[] =\n'
{ echo; awk 1 uPlot.min.css page.css; } | hash
printf '\t"";\nconst char asset_script_hashes[] =\n'
{ printf '\n/*\n'; awk 1 LICENSE.uPlot; echo '*/'; awk 1 uPlot.iife.min.js; } | hash
{ echo; awk 1 page.js; } | hash
{ echo; awk 1 plan.js; } | hash
printf '\t"";\n'
