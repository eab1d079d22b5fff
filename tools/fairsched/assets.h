/* SPDX-License-Identifier: MIT OR Unlicense */
/* assets.h - the files of tools/report: what a page is made of */
#ifndef ASSETS_H
#define ASSETS_H

/* A file in pieces, then NULL. */
extern const char *const asset_uplot_licence[], *const asset_uplot_js[],
	*const asset_uplot_css[], *const asset_page_css[],
	*const asset_page_js[], *const asset_plan_html[],
	*const asset_plan_js[];

#endif /* ASSETS_H */
