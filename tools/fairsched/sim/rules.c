/* SPDX-License-Identifier: MIT OR Unlicense */
#include "rules.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/fairsched/base/messages.h"
#include "tools/fairsched/base/read_file.h"
#include "tools/fairsched/trace/maui_jobs.h"
#include "tools/fairsched/trace/names.h"

#define DAY 86400
#define WEEK (7 * DAY)

const char *const policy_names[] = { "fcfs", "easy",	 "depth", "conservative",
				     "pc",   "dc",	 "relshare", "sfs",
				     "maui", NULL };

const char *const order_names[] = { "fcfs",	 "sjf", "ljf", "widest",
				    "narrowest", "lxf", "linear", "usage",
				    "priority",	 "tree", "dominant",
				    "relshare",	 NULL };

const char *const select_names[] = { "firstfit", "bestfit", "greedy", "none",
				     NULL };

const char *const metric_names[] = { "procs", "seconds", "procseconds", NULL };

enum { BY_USER, BY_GROUP, BY_QUEUE };

const char *const account_fields[] = { "user", "group", "queue", NULL };

enum { SHARE_BY_USER, SHARE_BY_GROUP };

const char *const share_entities[] = { "user", "group", NULL };
const char *const share_orders[] = { "ratio", "difference", NULL };

const char *const plan_names[] = { "processors", "classes", "nodes", NULL };

const char *const place_names[] = { "amounts", "nodes", NULL };

const char *const node_fits[] = { "auto", "firstfit", "bestfit", NULL };

const char *const never_decays[] = { "none", NULL };

static const enum fair_policy library_policy[] = {
	FAIR_FCFS, FAIR_BACKFILL, FAIR_BACKFILL, FAIR_CONSERVATIVE,
	FAIR_PC,   FAIR_DC,	  FAIR_RELSHARE, FAIR_SFS,
	FAIR_MAUI,
};

static bool orders_by(const struct rules_args *args, int order)
{
	return args->order == order || args->orders >> order & 1;
}

static bool orders_by_tree_alone(const struct rules_args *args)
{
	return args->order == SIM_ORDER_TREE &&
	       !(args->orders & ~(1u << SIM_ORDER_TREE));
}

/* ---- which options go together ---- */

/* Whether the library takes the order and the selection under the policy. */
static bool takes(int policy, int order, int select)
{
	const struct sim_rules asked = {
		.policy = library_policy[policy],
		.order = (uint32_t)order,
		.select = (uint32_t)select,
		.half_life = 1,
		.window = 1,
	};
	struct maui_jobs site = { .config = fair_maui_defaults() };
	struct fair_config c;

	sim_config(&asked, &site, &c);
	c.procs = 1;
	c.jobs = c.users = c.accounts = 1;
	return !fair_sched_config_error(&c);
}

static bool takes_selection(int policy)
{
	return takes(policy, FAIR_ORDER_FCFS, FAIR_BESTFIT);
}

static uint32_t selecting(void)
{
	uint32_t policies = 0;
	int i;

	for (i = 0; policy_names[i]; i++)
		policies |= (uint32_t)takes_selection(i) << i;
	return policies;
}

/* What rules_make() says; the next one overwrites it. */
static char refusal[128];

static const char *refuse_order(int policy)
{
	size_t n = (size_t)snprintf(refusal, sizeof(refusal),
				    "policy %s takes only --order",
				    policy_names[policy]);
	int i;

	for (i = 0; order_names[i]; i++)
		if (takes(policy, i, FAIR_FIRSTFIT))
			n += (size_t)snprintf(refusal + n, sizeof(refusal) - n,
					      "%s %s", i ? "," : "",
					      order_names[i]);
	if (policy == RULES_CONSERVATIVE)
		snprintf(refusal + n, sizeof(refusal) - n,
			 ": policies pc and dc take all");
	return refusal;
}

static const char *refuse_selection(int order)
{
	snprintf(refusal, sizeof(refusal),
		 "--order %s takes only --backfill firstfit",
		 order_names[order]);
	return refusal;
}

/* Which option another one needs or excludes; NULL: none. */
static const char *incomplete(int policy, const struct rules_args *args)
{
	bool shares = policy == RULES_RELSHARE ||
		      args->order == SIM_ORDER_RELSHARE;

	if (shares && args->window && args->half_life &&
	    !orders_by(args, FAIR_ORDER_USAGE))
		return "--window and --half-life exclude each other";
	if (args->half_life == RULES_NO_DECAY &&
	    (shares || orders_by(args, SIM_ORDER_TREE) || policy == RULES_MAUI))
		return "--half-life none needs --order usage or dominant";
	if (shares && args->half_life > FAIR_RELSHARE_HALF_LIFE)
		return "--half-life of relshare is at most 2^26 s";
	if (shares && args->tree && args->shares)
		return "--shares and --tree exclude each other";
	if (shares && args->tree && args->share_by)
		return "--tree has the shares of users: leave out --share-by";
	if (args->order == SIM_ORDER_TREE && !args->tree)
		return "--order tree needs --tree";
	if (args->order == FAIR_ORDER_TWO_TERM && !args->weight)
		return "--order linear needs --weight";
	if (policy == RULES_SFS && !args->accounts)
		return "policy sfs needs --accounts";
	if (policy == RULES_MAUI && !args->config)
		return "policy maui needs --config";
	if (args->order == SIM_ORDER_PRIORITY && !args->config)
		return "--order priority needs --config";
	if (args->charge.metric > CHARGE_CPU && !args->machine)
		return "every --charge but cpu needs --machine";
	if (args->plan && !args->machine)
		return "--plan classes and nodes need --machine";
	if (args->plan == PLAN_NODES && args->place)
		return "--plan nodes and --place nodes exclude each other";
	if (args->plan == PLAN_NODES && args->select)
		return "--plan nodes takes no --backfill";
	if (args->limits &&
	    (policy == RULES_MAUI || args->order == SIM_ORDER_PRIORITY))
		return "--limits takes no policy maui or --order priority: "
		       "--config has limits";
	if (args->billing && !args->plan)
		return "--billing needs --plan classes or nodes";
	if (args->billing && args->charge.metric)
		return "--billing and --charge exclude each other";
	if (args->place && !args->machine)
		return "--place nodes needs --machine";
	return args->node_fit && !rules_on_nodes(args)
		       ? "--node-fit needs --plan nodes or --place nodes"
		       : NULL;
}

bool rules_on_nodes(const struct rules_args *args)
{
	return args->place || args->plan == PLAN_NODES;
}

static bool fits_best(const struct rules_args *args)
{
	return args->node_fit == FIT_BEST ||
	       (args->node_fit == FIT_AUTO && args->plan == PLAN_NODES);
}

const char *rules_make(struct sim_rules *rules, int policy,
		       const struct rules_args *args)
{
	const char *why = incomplete(policy, args);

	if (!takes(policy, args->order, FAIR_FIRSTFIT))
		return refuse_order(policy);
	if (takes_selection(policy) &&
	    !takes(policy, args->order, args->select))
		return refuse_selection(args->order);
	if (why)
		return why;
	memset(rules, 0, sizeof(*rules));
	rules->policy = library_policy[policy];
	rules->order = (uint32_t)args->order;
	rules->depth = 1;
	if (args->depth && (policy == RULES_DEPTH || policy == RULES_SFS))
		rules->depth = (uint32_t)args->depth;
	if (takes_selection(policy)) {
		rules->select = (uint32_t)args->select;
		rules->metric = (uint32_t)args->metric;
		rules->longest = args->longest;
	}
	rules->weight = args->weight;
	rules->half_life = args->half_life == RULES_NO_DECAY ? 0
			   : args->half_life		     ? args->half_life
							     : WEEK;
	rules->window = args->window ? args->window : DAY;
	rules->decays = sim_has_shares(rules) && args->half_life &&
			!args->window;
	if (rules->decays)
		rules->window = args->half_life;
	rules->window_origin = args->window_origin;
	rules->by_group = args->share_by == SHARE_BY_GROUP;
	rules->by_difference = args->share;
	rules->only_used = args->no_expected;
	rules->best_fit = fits_best(args);
	return NULL;
}

const char *rules_disturb(struct disturb *d, const struct disturb_args *args,
			  const struct rules_args *rules, bool fst, char *error,
			  size_t room)
{
	if (disturb_parse(d, args, error, room))
		return error;
	if (args->failures && rules->place)
		return "--failures cannot be combined with --place nodes: "
		       "processors or nodes of classes fail";
	if (fst && args->together)
		return "--fst cannot be combined with --together: fair starts "
		       "take ends of one second one by one";
	if (fst && disturb_is_given(args))
		return "--fst cannot be combined with --end-late, --failures "
		       "or --refuse";
	return NULL;
}

const char *rules_idle(const struct rules_args *args, uint32_t policies)
{
	enum {
		DEPTH = 1 << RULES_DEPTH,
		SFS = 1 << RULES_SFS,
		RELSHARE = 1 << RULES_RELSHARE,
		DC = 1 << RULES_DC,
		MAUI = 1 << RULES_MAUI,
		LINEAR = 1 << FAIR_ORDER_TWO_TERM,
		USAGE = 1 << FAIR_ORDER_USAGE,
		PRIORITY = 1 << SIM_ORDER_PRIORITY,
		TREE = 1 << SIM_ORDER_TREE,
		DOMINANT = 1 << SIM_ORDER_DOMINANT,
		SHARES = 1 << SIM_ORDER_RELSHARE
	};
	bool fits = args->select == FAIR_BESTFIT || args->select == FAIR_GREEDY;
	/* Of no use but to these policies and orders. */
	const struct {
		bool given;
		uint32_t policies, orders;
		const char *why;
	} option[] = {
		{ args->weight, 0, LINEAR, "--weight needs --order linear" },
		{ args->tree && !args->reports_shares, RELSHARE | MAUI,
		  TREE | SHARES,
		  "--tree needs --order tree, policy relshare or maui, or "
		  "--order relshare" },
		{ args->half_life, RELSHARE | (args->tree ? MAUI : 0),
		  USAGE | TREE | DOMINANT | SHARES,
		  "--half-life needs --order usage, tree, dominant, relshare, "
		  "policy relshare, or policy maui with --tree" },
		{ args->machine && !args->plan && !args->place && !args->config,
		  0, USAGE,
		  "--machine needs --order usage, --plan classes, --place "
		  "nodes or --config" },
		{ args->charge.queue_cost.n, 0, USAGE,
		  "--queue-cost needs --order usage" },
		{ args->charge.metric, 0, USAGE,
		  "--charge needs --order usage" },
		{ args->select, selecting(), 0,
		  "--backfill needs policy easy or depth" },
		{ args->metric && !fits, 0, 0,
		  "--metric needs --backfill bestfit or greedy" },
		{ args->longest && !fits, 0, 0,
		  "--longest needs --backfill bestfit or greedy" },
		{ args->billing && !args->limits,
		  SFS | RELSHARE | (args->accounts ? DC : 0), USAGE | SHARES,
		  "--billing needs --order usage or relshare, --limits, --fst, "
		  "policy sfs or relshare" },
		{ args->charge.standard &&
			  args->charge.metric != CHARGE_STANDARD,
		  0, 0, "--standard-job needs --charge standard" },
		{ args->depth, DEPTH | SFS, 0,
		  "--depth needs policy depth or sfs" },
		{ args->accounts, SFS | DC, 0,
		  "--accounts needs policy sfs or dc" },
		{ args->account_field, SFS | (args->accounts ? DC : 0), 0,
		  "--account-field needs policy sfs, or dc with --accounts" },
		{ args->config, MAUI, PRIORITY,
		  "--config needs policy maui or --order priority" },
		{ args->window, RELSHARE, SHARES,
		  "--window needs policy relshare or --order relshare" },
		{ args->window_origin.given, RELSHARE, SHARES,
		  "--window-origin needs policy relshare or --order relshare" },
		{ args->share_by && !args->reports_shares, RELSHARE, SHARES,
		  "--share-by needs policy relshare or --order relshare" },
		{ args->share, RELSHARE, SHARES,
		  "--share needs policy relshare or --order relshare" },
		{ args->no_expected, RELSHARE, SHARES,
		  "--no-expected needs policy relshare or --order relshare" },
		{ args->shares && !args->reports_shares, RELSHARE, SHARES,
		  "--shares needs policy relshare or --order relshare" },
	};
	uint32_t orders = args->orders | 1u << args->order;
	size_t i;

	for (i = 0; i < sizeof(option) / sizeof(*option); i++)
		if (option[i].given && !(option[i].policies & policies) &&
		    !(option[i].orders & orders))
			return option[i].why;
	return NULL;
}

static int each_line(const char *text, bool is_error)
{
	int n;

	for (; *text; text += n + (text[n] == '\n')) {
		n = (int)strcspn(text, "\n");
		if (is_error)
			(void)input_error("%.*s", n, text);
		else
			note("%.*s", n, text);
	}
	return EXIT_USAGE;
}

int rules_open(struct rules_files *files, const struct rules_args *args,
	       const char *cluster)
{
	struct limits_how how = { cluster, false, false };
	char error[PLAN_ERROR];

	if (args->shares && shares_read(&files->shares, args->shares))
		return input_error("%s", files->shares.error);
	if (args->accounts && accounts_read(&files->accounts, args->accounts))
		return input_error("%s", files->accounts.error);
	if (args->machine && machine_read(&files->machine, args->machine))
		return input_error("%s", files->machine.error);
	if (args->plan &&
	    plan_open(&files->plan, &files->machine, args->machine, error))
		return input_error("%s", error);
	if (args->plan == PLAN_NODES &&
	    plan_on_nodes(&files->plan, !fits_best(args), error))
		return input_error("%s", error);
	if (args->billing && plan_bill(&files->plan, args->billing, error))
		return input_error("%s", error);
	if (args->config && maui_load(&files->maui, args->config))
		return each_line(files->maui.error, true);
	if (args->plan == PLAN_NODES && args->order != SIM_ORDER_PRIORITY &&
	    args->config && files->maui.backfill != FAIR_FIRSTFIT &&
	    files->maui.backfill != FAIR_NOFIT)
		return input_error("%s: BACKFILLPOLICY: with --plan nodes it "
				   "is FIRSTFIT or NONE",
				   args->config);
	if (args->config)
		each_line(files->maui.notes, false);
	if (args->config && args->machine)
		files->maui.memory = machine_memory(&files->machine);
	if (args->tree && tree_read(&files->tree, args->tree, cluster))
		return input_error("%s", files->tree.error);
	how.by_tree = orders_by_tree_alone(args);
	how.decays = args->half_life || orders_by(args, FAIR_ORDER_USAGE) ||
		     orders_by(args, FAIR_ORDER_DOMINANT) ||
		     orders_by(args, FAIR_ORDER_TREE);
	if (args->limits &&
	    limits_read(&files->limits, args->limits, &files->plan, &how))
		return input_error("%s", files->limits.error);
	if (limits_of_tree(&files->limits) && !orders_by_tree_alone(args))
		return input_error("%s:%ld: kind: 'tree' needs --order tree",
				   args->limits,
				   limits_of_tree(&files->limits));
	if (args->maintenance &&
	    maintenance_read(&files->maintenance, args->maintenance,
			     &files->plan))
		return input_error("%s", files->maintenance.error);
	return 0;
}

void rules_close(struct rules_files *files)
{
	shares_free(&files->shares);
	accounts_free(&files->accounts);
	plan_free(&files->plan);
	place_jobs_free(&files->place);
	machine_free(&files->machine);
	maui_free(&files->maui);
	maintenance_free(&files->maintenance);
	limits_free(&files->limits);
	tree_free(&files->tree);
}

void rules_set_procs(const struct rules_files *files,
		     const struct rules_args *args, struct swf_options *o)
{
	o->or_procs = machine_procs(&files->machine);
	if (args->plan || args->place)
		o->procs = o->or_procs;
}

/* A checkpoint holds the tree, but not the names of its nodes. */
static uint64_t digest_tree(const struct tree *t)
{
	uint64_t digest = 0;
	struct csv_field name;
	uint32_t i;

	for (i = 0; i < t->nodes; i++) {
		name = csv_column(t->node[i].name);
		digest = digest * UINT64_C(0x100000001b3) ^
			 text_digest(name.p, name.n) ^ t->node[i].parent;
	}
	return digest;
}

uint64_t rules_digest(const struct rules_files *files)
{
	return files->maui.digest ^ files->maintenance.digest << 1 ^
	       files->limits.digest << 2 ^
	       digest_tree(&files->tree);
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

static struct csv_field name_of(const struct swf *t, enum sacct_kind kind,
				int64_t number, char *text, size_t room)
{
	struct csv_field f = names_of(t->names, kind, number);

	if (f.n)
		return f;
	if (number >= 0)
		snprintf(text, room, "%" PRId64, number);
	else
		snprintf(text, room, "%s", kind == SACCT_USER ? "unknown" : "");
	return csv_column(text);
}

/* By name, or else by number; as fairsched usage does it. */
static int assign_nodes(struct tree *tree, struct swf *t)
{
	char user[32], account[32];
	size_t i;

	tree->tells_gone = t->is_sacct;
	for (i = 0; i < t->jobs; i++) {
		t->job[i].node = tree_user(
			tree,
			name_of(t, SACCT_ACCOUNT, t->job[i].group, account,
				sizeof(account)),
			name_of(t, SACCT_USER, t->job[i].user_id, user,
				sizeof(user)));
		if (t->job[i].node == TREE_NONE)
			return run_error("out of memory");
	}
	if (tree->unlisted)
		fprintf(stderr,
			"fairsched: %" PRIu32 " users or accounts of the trace "
			"are not in the tree: %s\n",
			tree->unlisted,
			tree->gone ? "they are gone and have no share"
				   : "1 share each");
	return 0;
}

/* Job @to, which is dropped, becomes job @from. */
static void move_job(void *ctx, size_t from, size_t to)
{
	struct rules_files *files = ctx;

	if (plan_is_open(&files->plan))
		plan_move(&files->plan, from, to);
	if (files->place.first)
		place_jobs_move(&files->place, from, to);
}

int rules_assign(struct rules_files *files, const struct rules_args *args,
		 bool lenient, struct swf *t, const char *path)
{
	char error[MAUI_JOBS_ERROR], uncharged[CHARGE_ERROR];
	char unplanned[PLAN_ERROR], unplaced[PLACE_ERROR];
	int status = 0;

	if (maintenance_check(&files->maintenance, t, error, sizeof(error)))
		return input_error("%s", error);
	if (args->window_origin.dated && t->unix_start == INT64_MIN)
		return input_error("the trace has no UnixStartTime: give "
				   "--window-origin in seconds, not as a date");
	if (swf_rank(t))
		status = run_error("out of memory");
	if (!status && args->tree)
		status = assign_nodes(&files->tree, t);
	if (!status && args->config && !files->maui.told) {
		maui_jobs_tell(&files->maui, t, args->config);
		files->maui.told = true;
	}
	if (!status && args->config &&
	    maui_jobs_admit(&files->maui, t, path, error))
		status = input_error("%s", error);
	if (!status && args->accounts)
		status = assign_accounts(files, args, t, path);
	if (!status && orders_by(args, FAIR_ORDER_USAGE) && !args->billing &&
	    charge_trace(args->machine ? &files->machine : NULL, &args->charge,
			 lenient, t, path, uncharged))
		status = input_error("%s", uncharged);
	if (!status && plan_is_open(&files->plan) &&
	    plan_jobs(&files->plan, t, path, unplanned))
		status = input_error("%s", unplanned);
	if (!status && rules_on_nodes(args) &&
	    place_jobs_open(&files->place, &files->machine, &files->plan, t,
			    path, unplaced))
		status = input_error("%s", unplaced);
	if (!status && rules_on_nodes(args) &&
	    maintenance_sets(&files->maintenance, &files->plan, error,
			     sizeof(error)))
		status = input_error("%s", error);
	if (!status && args->limits &&
	    limits_assign(&files->limits, t, args->tree ? &files->tree : NULL,
			  move_job, files))
		status = input_error("%s", files->limits.error);
	return status;
}

int rules_keep(struct rules_files *files, struct rules_jobs *jobs)
{
	jobs->place = files->place;
	memset(&files->place, 0, sizeof(files->place));
	jobs->plan = files->plan;
	return plan_copy(&files->plan, &jobs->plan);
}

void rules_jobs_free(struct rules_jobs *jobs)
{
	plan_free(&jobs->plan);
	place_jobs_free(&jobs->place);
}

void rules_bind(struct sim_rules *rules, const struct rules_files *files)
{
	rules->shares = &files->shares;
	rules->accounts = &files->accounts;
	rules->maui = &files->maui;
	rules->maintenance = &files->maintenance;
	rules->limits = &files->limits;
	rules->plan = &files->plan;
	rules->place = &files->place;
	rules->tree = &files->tree;
}
