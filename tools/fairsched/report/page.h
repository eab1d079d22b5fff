/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * page.h - the page of compare --report: DIR/index.html, which needs no
 * network, and for each trace DIR/trace-N.js with the schedules
 *
 *	struct page p;
 *
 *	page_open(&p, dir, report, traces, policies)	before the work
 *	page_watch(&p, &report[i], &watch)	each report_run()
 *	page_write(&p)					then output_commit()
 *	page_close(&p, true)
 *
 * Numbers are in tables; the page draws its charts from these, so that they
 * cannot differ.
 */
#ifndef PAGE_H
#define PAGE_H

#include "measure.h"
#include "procset.h"

/* Processors of one report. */
struct page_log {
	const struct report *report;
	const struct place *place; /* by --place nodes, else NULL */
	struct procset procset;
};

struct page {
	const char *dir;
	const char *command; /* what was typed, for the footer */
	const struct report *report; /* [trace * policies + policy] */
	size_t traces, policies;
	struct page_log *log; /* of each report */
};

/*
 * Makes the folder, as output_folder(). One with anything but a report in it is
 * refused.
 * Returns 0 or the exit status, after a message; then page_close().
 */
int page_open(struct page *p, const char *dir, const struct report *report,
	      size_t traces, size_t policies);

/* Looks on; in parallel for different reports. Returns 0 or -FAIR_E... */
int page_watch(struct page *p, const struct report *r, struct sim_watch *watch);

/* Forgets a policy, and its reports are no longer in the list. */
void page_drop(struct page *p, size_t policy);

/* When all have run. Returns the exit status, after a message. */
int page_write(struct page *p);

/* @written: output_commit() was. */
void page_close(struct page *p, bool written);

#endif /* PAGE_H */
