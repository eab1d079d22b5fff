/* SPDX-License-Identifier: MIT OR Unlicense */
/* rules_options.h - options of every command that schedules under a policy */
#ifndef RULES_OPTIONS_H
#define RULES_OPTIONS_H

#include "options.h"
#include "tools/fairsched/sim/rules.h"

/* clang-format off */
/* Rows of a table of options, for the struct rules_args that is @a.@field. */
#define RULES_OPTIONS(a, field)                                            \
	{ "order", "O", OPTION_CHOICE, offsetof(a, field.order),           \
	  "order of the queue, default fcfs", order_names, 0, 0 },         \
	MORE_RULES_OPTIONS(a, field)

/* The same without the order. */
#define MORE_RULES_OPTIONS(a, field)                                       \
	OPTION_GROUP_OF("Policies and orders"),                            \
	{ "depth", "N", OPTION_INTEGER, offsetof(a, field.depth),          \
	  "policies depth and sfs: number of reservations, default 1",     \
	  NULL, 1, UINT32_MAX },                                           \
	{ "backfill", "HOW", OPTION_CHOICE, offsetof(a, field.select),     \
	  "policies easy and depth: how jobs are chosen for backfilling, " \
	  "default firstfit",                                              \
	  select_names, 0, 0 },                                            \
	{ "metric", "M", OPTION_CHOICE, offsetof(a, field.metric),         \
	  "--backfill bestfit and greedy: how the fit of a job in a "      \
	  "backfill window is measured, default procs",                    \
	  metric_names, 0, 0 },                                            \
	{ "longest", NULL, OPTION_FLAG, offsetof(a, field.longest),        \
	  "--backfill bestfit and greedy: fill the longest backfill "      \
	  "window first, not the widest",                                  \
	  NULL, 0, 0 },                                                    \
	{ "weight", "TIME", OPTION_DURATION, offsetof(a, field.weight),    \
	  "order linear: the waiting time that one requested processor "   \
	  "is worth",                                                      \
	  NULL, 1, INT64_C(1) << 28 },                                     \
	{ "half-life", "TIME", OPTION_DURATION,                            \
	  offsetof(a, field.half_life),                                    \
	  "orders usage, tree and dominant, policy maui with --tree: "     \
	  "half-life of the decayed usage, default 7d; "                   \
	  "policy relshare: shares and usage decay by it, in place of "    \
	  "--window; orders usage and dominant need no decay",             \
	  never_decays, 1, FAIR_USAGE_HALF_LIFE },                         \
	{ "tree", "F", OPTION_FILE, offsetof(a, field.tree),               \
	  "order tree, policies relshare and maui: accounts, users, "      \
	  "shares, CSV of the columns parent,name,shares and perhaps "     \
	  "kind, or what sacctmgr -P show assoc prints",                   \
	  NULL, 0, 0 },                                                    \
	{ "machine", "F", OPTION_FILE, offsetof(a, field.machine),         \
	  "order usage, --plan, --place and --config (processor "          \
	  "equivalents): node classes, CSV with the "                      \
	  "columns "                                                       \
	  "class,count,cpus, any other resources, "                        \
	  "spec,cost,properties,nodes,partitions,qos; or slurm.conf",      \
	  NULL, 0, 0 },                                                    \
	{ "plan", "WHAT", OPTION_CHOICE, offsetof(a, field.plan),          \
	  "classes: plan every resource of the classes of --machine, not " \
	  "processors alone; nodes: plan its nodes, too",                  \
	  plan_names, 0, 0 },                                              \
	{ "billing", "WEIGHTS", OPTION_NAME, offsetof(a, field.billing),   \
	  "--plan classes, order usage, policies sfs and relshare, --fst: " \
	  "what resources cost a second, as cpus=1,memory=0.25G,gpus=10; the "  \
	  "sum counts, or after max, the largest; default processors",     \
	  NULL, 0, 0 },                                                    \
	{ "charge", "METRIC", OPTION_CHOICE, offsetof(a, field.charge.metric),    \
	  "order usage: what each second of a job is charged for, "        \
	  "default best with --machine, else cpu",                         \
	  charge_metrics, 0, 0 },                                          \
	{ "standard-job", "REQUEST", OPTION_NAME,                          \
	  offsetof(a, field.charge.standard),                                     \
	  "--charge standard: the resources of one standard job, default " \
	  "cpus=1:ram=1G",                                                 \
	  NULL, 0, 0 },                                                    \
	{ "queue-cost", "QUEUE=COST", OPTION_TEXTS,                        \
	  offsetof(a, field.charge.queue_cost),                            \
	  "order usage: what a job of that queue (field 15, or the name "  \
	  "in column 20) is charged is multiplied by, may be repeated",    \
	  NULL, 0, 0 },                                                    \
	{ "accounts", "F", OPTION_FILE, offsetof(a, field.accounts),       \
	  "policy sfs: target occupancies, CSV with the columns "          \
	  "account,target or account,award,period,factor",                 \
	  NULL, 0, 0 },                                                    \
	{ "account-field", "FIELD", OPTION_CHOICE,                         \
	  offsetof(a, field.account_field),                                \
	  "policy sfs: the field of the trace that names the account, "    \
	  "default user",                                                  \
	  account_fields, 0, 0 },                                          \
	{ "config", "F", OPTION_FILE, offsetof(a, field.config),           \
	  "policy maui and order priority: Maui's configuration, see "     \
	  "docs/MAUI.md; jobs that it rejects are dropped",                \
	  NULL, 0, 0 },                                                    \
	{ "window", "TIME", OPTION_DURATION, offsetof(a, field.window),    \
	  "policy relshare: length of the windows in which shares and "    \
	  "usage are counted, default 1d",                                 \
	  NULL, 1, RULES_WINDOW },                                         \
	{ "window-origin", "TIME", OPTION_TIME,                            \
	  offsetof(a, field.window_origin),                                \
	  "policy relshare: a window begins at TIME, and others before "   \
	  "and after it, default 0: seconds of the trace, 6h, or a date "  \
	  "such as 2003-05-01T06:00",                                      \
	  NULL, 0, 0 },                                                    \
	{ "share-by", "KIND", OPTION_CHOICE,                               \
	  offsetof(a, field.share_by),                                     \
	  "policy relshare: whose shares count, default user",             \
	  share_entities, 0, 0 },                                          \
	{ "share", "ORDER", OPTION_CHOICE, offsetof(a, field.share),       \
	  "policy relshare: the user with the largest entitled share / "   \
	  "usage first (ratio, the default), or share - usage (difference)", \
	  share_orders, 0, 0 },                                            \
	{ "no-expected", NULL, OPTION_FLAG,                                \
	  offsetof(a, field.no_expected),                                  \
	  "policy relshare: do not count what running and reserved jobs "  \
	  "are expected to use in the rest of the window",                 \
	  NULL, 0, 0 },                                                    \
	{ "shares", "F", OPTION_FILE, offsetof(a, field.shares),           \
	  "policy relshare: CSV with the columns user,shares; a user "     \
	  "without a row has 1 share; with --share-by group the numbers "  \
	  "are those of groups",                                           \
	  NULL, 0, 0 },                                                    \
	{ "limits", "F", OPTION_FILE, offsetof(a, field.limits),           \
	  "limits that plans and promises keep, CSV with the columns "     \
	  "kind,name,resource,amount: the most jobs, processors or cost "  \
	  "that a user, group, account, qos or queue, or each (*), has at" \
	  " one time; jobs that ask for more are dropped; or budget: the " \
	  "most processor-seconds, or cost, in all",                       \
	  NULL, 0, 0 },                                                    \
	{ "maintenance", "F", OPTION_FILE, offsetof(a, field.maintenance), \
	  "advance reservations, CSV with the columns "                    \
	  "begin,end,processors and optionally announced,kind",            \
	  NULL, 0, 0 }

#define PLACE_OPTIONS(a, field)                                            \
	{ "place", "WHAT", OPTION_CHOICE, offsetof(a, field.place),        \
	  "nodes: each job gets nodes of --machine, and does not start "   \
	  "where amounts are free but no nodes are; default amounts",      \
	  place_names, 0, 0 },                                             \
	{ "node-fit", "HOW", OPTION_CHOICE, offsetof(a, field.node_fit),   \
	  "the first nodes with room (firstfit, default of --place nodes), " \
	  "or those with the fewest free processors (bestfit, default of " \
	  "--plan nodes)",                                                 \
	  node_fits, 0, 0 }
/* Of the struct disturb_args that is @a.@field. */
#define DISTURB_OPTIONS(a, field)                                          \
	OPTION_GROUP_OF("Disturbances"),                                   \
	{ "end-late", "TIME[:SHARE]", OPTION_NAME,                         \
	  offsetof(a, field.end_late),                                     \
	  "SHARE (default 1) of the jobs that run for all of the time "    \
	  "that is planned for them end TIME later",                       \
	  NULL, 0, 0 },                                                    \
	{ "failures", "MTBF:REPAIR", OPTION_NAME,                          \
	  offsetof(a, field.failures),                                     \
	  "each processor, or with --plan classes each node, fails and is "\
	  "repaired: exponential, with these means; a job on it waits "    \
	  "again and runs from its start. None fails once all jobs have "  \
	  "arrived",                                                       \
	  NULL, 0, 0 },                                                    \
	{ "refuse", "SHARE", OPTION_NAME, offsetof(a, field.refuse),       \
	  "the first start of so many jobs is refused once, as by a node " \
	  "that does not answer: 0.01",                                    \
	  NULL, 0, 0 },                                                    \
	{ "together", NULL, OPTION_FLAG, offsetof(a, field.together),      \
	  "jobs that end in one second end as one event; default one by "  \
	  "one, in the order of their starts",                             \
	  NULL, 0, 0 },                                                    \
	{ "patience", "TIME", OPTION_DURATION, offsetof(a, field.patience), \
	  "policies that promise: how long a job whose start is refused "  \
	  "again and again keeps its turn, default 60s; 0: not at all",    \
	  NULL, 0, UNITS_LARGEST }
/* clang-format on */

#endif /* RULES_OPTIONS_H */
