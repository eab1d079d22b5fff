/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The plugin's words of SchedulerParameters. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "src/common/read_config.h"
#include "src/common/xmalloc.h"
#include "src/common/xstring.h"

#include "fairsched.h"
#include "settings.h"

static bool read_number(const char *text, uint64_t most, uint64_t *n)
{
	char *end;

	errno = 0;
	*n = strtoull(text, &end, 10);
	return *text >= '0' && *text <= '9' && !*end && !errno && *n <= most;
}

/* Reads a word of SchedulerParameters. Returns what is wrong with it; NULL:
 * nothing, or it is not one of the plugin's. */
static const char *read_word(struct settings *s, char *word)
{
	char *value = strchr(word, '=') ? strchr(word, '=') + 1 : "";
	uint64_t n;
	int code;

	s->stops_slurm |= !xstrcasecmp(word, STOPS_SLURM);
	s->defers |= !xstrcasecmp(word, "defer");
	if (xstrncasecmp(word, "fair_", 5))
		return NULL;
	if (!xstrncasecmp(word, "fair_policy=", 12)) {
		code = xstrcasecmp(value, "easy") ? fair_policy_by_name(value)
						  : FAIR_BACKFILL;
		if (code < 0 || code > FAIR_MAUI)
			return "it is conservative, pc, dc, easy, fcfs, sfs, "
			       "relshare or maui";
		s->policy = (uint32_t)code;
	} else if (!xstrncasecmp(word, "fair_order=", 11)) {
		code = xstrcasecmp(value, "slurm") ? fair_order_by_name(value)
						   : FAIR_ORDER_KEY;
		if (code < 0 || code == FAIR_ORDER_TWO_TERM ||
		    code == FAIR_ORDER_COMPARE || code == FAIR_ORDER_TREE)
			return "it is slurm, or an order of the policy";
		s->order = (uint32_t)code;
	} else if (!xstrncasecmp(word, "fair_margin=", 12)) {
		if (!read_number(value, YEAR, &n))
			return "it is seconds, up to a year";
		s->margin = (int64_t)n;
	} else if (!xstrncasecmp(word, "fair_scan=", 10)) {
		if (!read_number(value, UINT64_MAX, &s->scans))
			return "it is a number of jobs";
	} else if (!xstrncasecmp(word, "fair_config=", 12)) {
		if (strlen(value) >= sizeof(s->config))
			return "the name is too long";
		strcpy(s->config, value);
	} else {
		return "there is no such parameter";
	}
	return NULL;
}

/* Whether the policy goes by the shares of accounts, and Slurm reads none. */
static bool has_no_shares(uint32_t policy)
{
	return (policy == FAIR_SFS || policy == FAIR_RELSHARE) &&
	       (!xstrcmp(slurm_conf.priority_type, "priority/basic") ||
		xstrcmp(slurm_conf.accounting_storage_type,
			"accounting_storage/slurmdbd"));
}

const char *read_parameters(struct settings *s, char **word)
{
	char *all = xstrdup(slurm_conf.sched_params), *rest = NULL;
	const char *why = NULL;

	*s = (struct settings){ .policy = FAIR_CONSERVATIVE,
				.order = FAIR_ORDER_FCFS,
				.margin = 60,
				.scans = 100 };
	for (char *w = all ? strtok_r(all, ",", &rest) : NULL; w && !why;
	     w = strtok_r(NULL, ",", &rest)) {
		why = read_word(s, w);
		if (why)
			*word = xstrdup_printf("SchedulerParameters=%s", w);
	}
	xfree(all);
	if (!why && (s->policy == FAIR_MAUI) != (*s->config != 0)) {
		*word = xstrdup("SchedulerParameters");
		why = "fair_policy=maui and fair_config=FILE need each other";
	}
	if (!why && has_no_shares(s->policy)) {
		*word = xstrdup("SchedulerParameters");
		why = "sfs and relshare need the shares of accounts: "
		      "AccountingStorageType=accounting_storage/slurmdbd and "
		      "PriorityType=priority/multifactor";
	}
	if (!why && (!s->stops_slurm || !s->defers)) {
		*word = xstrdup("SchedulerParameters");
		why = "there has to be " STOPS_SLURM ",defer";
	}
	return why;
}
