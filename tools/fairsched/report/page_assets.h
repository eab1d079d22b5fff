/* SPDX-License-Identifier: MIT OR Unlicense */
/* page_assets.h - the files of report/assets, as assets/embed.sh prints them */
#ifndef PAGE_ASSETS_H
#define PAGE_ASSETS_H

/* A file in pieces, then NULL. */
extern const char *const asset_page_css[],
	*const asset_page_js[], *const asset_share_html[],
					*const asset_plan_html[],
						*const asset_plan_js[];

#endif /* PAGE_ASSETS_H */
