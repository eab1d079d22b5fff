/* SPDX-License-Identifier: MIT OR Unlicense */
#include "rules.h"

#include <inttypes.h>
#include <string.h>

#include "tools/fairsched/base/messages.h"
#include "tools/fairsched/trace/maui_jobs.h"

#define DAY 86400
#define WEEK (7 * DAY)

const char *const policy_names[] = { "fcfs", "easy",	 "depth", "conservative",
				     "pc",   "dc",	 "relshare", "sfs",
				     "maui", NULL };

const char *const order_names[] = { "fcfs",	 "sjf", "ljf", "widest",
				    "narrowest", "lxf", "linear", "usage",
				    "priority",	 NULL };

const char *const select_names[] = { "firstfit", "bestfit", "greedy", "none",
				     NULL };

const char *const metric_names[] = { "procs", "seconds", "procseconds", NULL };

enum { BY_USER, BY_GROUP, BY_QUEUE };

const char *const account_fields[] = { "user", "group", "queue", NULL };

static const enum fair_policy library_policy[] = {
	FAIR_FCFS, FAIR_BACKFILL, FAIR_BACKFILL, FAIR_CONSERVATIVE,
	FAIR_PC,   FAIR_DC,	  FAIR_RELSHARE, FAIR_SFS,
	FAIR_MAUI,
};

static bool takes_selection(int policy)
{
	return policy == RULES_EASY || policy == RULES_DEPTH;
}

const char *rules_make(struct sim_rules *rules, int policy,
		       const struct rules_args *args)
{
	int order = args->order;

	if (policy == RULES_CONSERVATIVE && order != FAIR_ORDER_FCFS)
		return "policy conservative supports only --order fcfs";
	if (policy == RULES_RELSHARE && order != FAIR_ORDER_FCFS)
		return "policy relshare has its own order: leave out --order";
	if (policy == RULES_MAUI && order != FAIR_ORDER_FCFS)
		return "policy maui has its own order: leave out --order";
	if (policy == RULES_SFS && order == SIM_ORDER_PRIORITY)
		return "policy sfs does not support --order priority";
	if ((policy == RULES_PC || policy == RULES_DC) &&
	    (order == FAIR_ORDER_LXF || order >= FAIR_ORDER_USAGE))
		return "policies pc and dc do not support an order that "
		       "changes with time";
	if (order == FAIR_ORDER_TWO_TERM && !args->weight)
		return "--order linear needs --weight";
	if (policy == RULES_SFS && !args->accounts)
		return "policy sfs needs --accounts";
	if (policy == RULES_MAUI && !args->config)
		return "policy maui needs --config";
	if (order == SIM_ORDER_PRIORITY && !args->config)
		return "--order priority needs --config";
	if (order == FAIR_ORDER_USAGE && args->select)
		return "--order usage supports only --backfill firstfit";
	if (args->charge.metric > CHARGE_CPU && !args->machine)
		return "every --charge but cpu needs --machine";
	memset(rules, 0, sizeof(*rules));
	rules->policy = library_policy[policy];
	rules->order = (uint32_t)order;
	rules->depth = 1;
	if (args->depth && (policy == RULES_DEPTH || policy == RULES_SFS))
		rules->depth = (uint32_t)args->depth;
	if (takes_selection(policy)) {
		rules->select = (uint32_t)args->select;
		rules->metric = (uint32_t)args->metric;
		rules->longest = args->longest;
	}
	rules->weight = args->weight;
	rules->half_life = args->half_life ? args->half_life : WEEK;
	rules->window = args->window ? args->window : DAY;
	rules->only_used = args->no_expected;
	return NULL;
}

static bool orders_by(const struct rules_args *args, int order)
{
	return args->order == order || args->other_order == order;
}

/* Of the order. */
static const char *idle_of_order(const struct rules_args *args)
{
	if (args->weight && !orders_by(args, FAIR_ORDER_TWO_TERM))
		return "--weight needs --order linear";
	if (orders_by(args, FAIR_ORDER_USAGE))
		return NULL;
	if (args->half_life)
		return "--half-life needs --order usage";
	if (args->machine)
		return "--machine needs --order usage";
	if (args->charge.queue_cost.n)
		return "--queue-cost needs --order usage";
	return args->charge.metric ? "--charge needs --order usage" : NULL;
}

static const char *idle_of_backfill(const struct rules_args *args,
				    uint32_t policies)
{
	bool fits = args->select == FAIR_BESTFIT || args->select == FAIR_GREEDY;

	if (args->select &&
	    !(policies & (1u << RULES_EASY | 1u << RULES_DEPTH)))
		return "--backfill needs policy easy or depth";
	if (args->metric && !fits)
		return "--metric needs --backfill bestfit or greedy";
	return args->longest && !fits
		       ? "--longest needs --backfill bestfit or greedy"
		       : NULL;
}

const char *rules_idle(const struct rules_args *args, uint32_t policies)
{
	const char *why = idle_of_order(args);

	if (!why)
		why = idle_of_backfill(args, policies);
	if (!why && args->charge.standard &&
	    args->charge.metric != CHARGE_STANDARD)
		why = "--standard-job needs --charge standard";
	if (why)
		return why;
	if (args->depth &&
	    !(policies & (1u << RULES_DEPTH | 1u << RULES_SFS)))
		return "--depth needs policy depth or sfs";
	if (!(policies >> RULES_SFS & 1)) {
		if (args->accounts)
			return "--accounts needs policy sfs";
		if (args->account_field)
			return "--account-field needs policy sfs";
	}
	if (args->config && !(policies >> RULES_MAUI & 1) &&
	    !orders_by(args, SIM_ORDER_PRIORITY))
		return "--config needs policy maui or --order priority";
	if (policies >> RULES_RELSHARE & 1)
		return NULL;
	if (args->window)
		return "--window needs policy relshare";
	if (args->no_expected)
		return "--no-expected needs policy relshare";
	return args->shares ? "--shares needs policy relshare" : NULL;
}

int rules_open(struct rules_files *files, const struct rules_args *args)
{
	if (args->shares && shares_read(&files->shares, args->shares))
		return input_error("%s", files->shares.error);
	if (args->accounts && accounts_read(&files->accounts, args->accounts))
		return input_error("%s", files->accounts.error);
	if (args->machine && machine_read(&files->machine, args->machine))
		return input_error("%s", files->machine.error);
	if (args->config && maui_load(&files->maui, args->config))
		return input_error("%s", files->maui.error);
	if (args->maintenance &&
	    maintenance_read(&files->maintenance, args->maintenance))
		return input_error("%s", files->maintenance.error);
	return 0;
}

void rules_close(struct rules_files *files)
{
	shares_free(&files->shares);
	accounts_free(&files->accounts);
	machine_free(&files->machine);
	maui_free(&files->maui);
	maintenance_free(&files->maintenance);
}

uint64_t rules_digest(const struct rules_files *files)
{
	return files->maui.digest ^ files->maintenance.digest << 1;
}

static int64_t account_of(const struct swf_job *j, int field)
{
	if (field == BY_GROUP)
		return j->group;
	return field == BY_QUEUE ? j->queue : j->user_id;
}

static int assign_accounts(const struct rules_files *files,
			   const struct rules_args *args, struct swf *t,
			   const char *path)
{
	static const int number[] = { 12, 13, 15 };
	int field = args->account_field;
	int64_t account, i;
	size_t k;

	for (k = 0; k < t->jobs; k++) {
		account = account_of(&t->job[k], field);
		i = accounts_find_number(&files->accounts, account);
		if (i < 0)
			return input_error("%s:%lu: field %d (%s): %" PRId64
					   " is not an account of %s",
					   path, t->job[k].line, number[field],
					   account_fields[field], account,
					   args->accounts);
		t->job[k].account = (uint32_t)i;
	}
	return 0;
}

int rules_assign(const struct rules_files *files, const struct rules_args *args,
		 bool lenient, struct swf *t, const char *path)
{
	char error[MAUI_JOBS_ERROR], uncharged[CHARGE_ERROR];
	int status = 0;

	if (maintenance_check(&files->maintenance, t, error, sizeof(error)))
		return input_error("%s", error);
	if (args->config && maui_jobs_admit(&files->maui, t, path, error))
		status = input_error("%s", error);
	if (!status && args->accounts)
		status = assign_accounts(files, args, t, path);
	if (!status && orders_by(args, FAIR_ORDER_USAGE) &&
	    charge_trace(args->machine ? &files->machine : NULL, &args->charge,
			 lenient, t, path, uncharged))
		status = input_error("%s", uncharged);
	return status;
}

void rules_bind(struct sim_rules *rules, const struct rules_files *files)
{
	rules->shares = &files->shares;
	rules->accounts = &files->accounts;
	rules->maui = &files->maui;
	rules->maintenance = &files->maintenance;
}
