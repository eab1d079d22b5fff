/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * goes_with.c - asks fair_sched_config_error() what goes with what: which orders
 * and which ledgers each policy takes. The planner of FAIR_CUSTOM heeds ledgers.
 *
 *	cc -std=c99 -I. docs/examples/goes_with.c -o build/goes_with
 */
#define FAIRSCHED_IMPLEMENTATION
#include <stdio.h>
#include <string.h>
#include "fairsched.h"

/* Nothing is scheduled here: nothing calls these but for size(). */
static size_t size(const struct fair_config *config)
{
	return config->jobs;
}

static int64_t key(void *context, const struct fair_job *job)
{
	return context ? 0 : job->submit;
}

static int compare(void *context, int64_t now, const struct fair_job *a,
		   const struct fair_job *b)
{
	return context || now || a == b ? 0 : 1;
}

static int order(const struct fair_sched *s, const void *ledger, uint32_t a,
		 uint32_t b)
{
	return s == ledger || a == b ? 0 : 1;
}

static uint32_t group(const struct fair_sched *s, const void *ledger,
		      uint32_t slot)
{
	return s == ledger ? 0 : slot;
}

static bool gate(const struct fair_sched *s, const void *ledger, uint32_t slot)
{
	return s != ledger && slot;
}

static int64_t veto(const struct fair_sched *s, const void *ledger,
		    uint32_t slot, int64_t t)
{
	return gate(s, ledger, slot) ? t : FAIR_FOREVER;
}

static char mark(uint32_t policy, uint32_t select, struct fair_config c)
{
	const struct fair_planner_ops planner = { .size = size,
						  .heeds_ledgers = true };
	const struct fair_maui_config maui = fair_maui_defaults();

	c.policy = policy;
	c.select = select;
	c.procs = 1;
	c.jobs = c.users = c.accounts = 1;
	c.half_life = c.window = 1;
	c.key = key;
	c.compare = compare;
	c.maui = &maui;
	c.planner = &planner;
	return fair_sched_config_error(&c) ? '-' : 'x';
}

static void print(const char *name, struct fair_config config)
{
	uint32_t p;

	printf("%-9s", name);
	for (p = 0; p <= FAIR_CUSTOM; p++) {
		printf(" %*c", (int)strlen(fair_policy_name(p)),
		       mark(p, FAIR_FIRSTFIT, config));
		if (p == FAIR_BACKFILL)
			printf(" %6c", mark(p, FAIR_BESTFIT, config));
	}
	putchar('\n');
}

int main(void)
{
	struct fair_ledger_ops ledger[4];
	const char *const name[] = { "+ order", "+ group", "+ gate", "+ veto" };
	struct fair_config config = { .order = FAIR_ORDER_FCFS };
	uint32_t i;

	printf("%-9s", "order");
	for (i = 0; i <= FAIR_CUSTOM; i++)
		printf(" %s%s", fair_policy_name(i),
		       i == FAIR_BACKFILL ? " select" : "");
	putchar('\n');
	for (i = 0; i <= FAIR_ORDER_RELSHARE; i++) {
		config.order = i;
		print(fair_order_name(i), config);
	}
	config.order = FAIR_ORDER_FCFS;
	memset(ledger, 0, sizeof(ledger));
	ledger[0].order = ledger[1].order = order;
	ledger[1].group = group;
	ledger[2].gate = gate;
	ledger[3].veto = veto;
	for (i = 0; i < 4; i++) {
		ledger[i].size = size;
		config.ledger = ledger + i;
		print(name[i], config);
	}
	return 0;
}
