/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * foreign.c - for languages that cannot read a C header. The caller provides
 * memory as 64-bit words; foreign_open() makes a scheduler in it and returns
 * its address. Functions of fairsched.h that take no other structure are called
 * directly. For all others, foreign_size() says how large a structure is, and
 * foreign_set() and foreign_get() know its fields by name; a structure of zeros
 * is a good begin.
 */
#define FAIRSCHED_IMPLEMENTATION
#include "fairsched.h"

static bool is_same_text(const char *a, const char *b)
{
	for (; *a && *a == *b; a++)
		b++;
	return *a == *b;
}

static const struct {
	const char *name;
	size_t bytes;
} structures[] = {
	{ "job", sizeof(struct fair_job) },
	{ "eligibility", sizeof(struct fair_eligibility) },
	{ "dependency", sizeof(struct fair_dependency) },
	{ "dependencies", sizeof(struct fair_dependencies) },
	{ "advance", sizeof(struct fair_advance) },
	{ "config", sizeof(struct fair_config) },
	{ "status", sizeof(struct fair_job_status) },
	{ "entity", sizeof(struct fair_entity) },
	{ "credit", sizeof(struct fair_credit) },
	{ "machine", sizeof(struct fair_machine_config) },
	{ "maui", sizeof(struct fair_maui_config) },
	{ "credential", sizeof(struct fair_maui_credential) },
};

static const struct field {
	const char *name;
	size_t offset, bytes;
	bool is_signed;
} fields[] = {
	{ "job.number", offsetof(struct fair_job, number),
	  sizeof(((struct fair_job *)0)->number), false },
	{ "job.cookie", offsetof(struct fair_job, cookie),
	  sizeof(((struct fair_job *)0)->cookie), false },
	{ "job.submit", offsetof(struct fair_job, submit),
	  sizeof(((struct fair_job *)0)->submit), true },
	{ "job.walltime", offsetof(struct fair_job, walltime),
	  sizeof(((struct fair_job *)0)->walltime), true },
	{ "job.procs", offsetof(struct fair_job, procs),
	  sizeof(((struct fair_job *)0)->procs), true },
	{ "job.user", offsetof(struct fair_job, user),
	  sizeof(((struct fair_job *)0)->user), false },
	{ "job.group", offsetof(struct fair_job, group),
	  sizeof(((struct fair_job *)0)->group), false },
	{ "job.account", offsetof(struct fair_job, account),
	  sizeof(((struct fair_job *)0)->account), false },
	{ "job.queue", offsetof(struct fair_job, queue),
	  sizeof(((struct fair_job *)0)->queue), false },
	{ "job.qos", offsetof(struct fair_job, qos),
	  sizeof(((struct fair_job *)0)->qos), false },
	{ "job.penalty", offsetof(struct fair_job, penalty),
	  sizeof(((struct fair_job *)0)->penalty), true },
	{ "job.nodes", offsetof(struct fair_job, nodes),
	  sizeof(((struct fair_job *)0)->nodes), true },
	{ "job.memory", offsetof(struct fair_job, memory),
	  sizeof(((struct fair_job *)0)->memory), true },
	{ "job.swap", offsetof(struct fair_job, swap),
	  sizeof(((struct fair_job *)0)->swap), true },
	{ "job.disk", offsetof(struct fair_job, disk),
	  sizeof(((struct fair_job *)0)->disk), true },
	{ "job.rate", offsetof(struct fair_job, rate),
	  sizeof(((struct fair_job *)0)->rate), true },
	{ "job.tasks", offsetof(struct fair_job, tasks),
	  sizeof(((struct fair_job *)0)->tasks), false },
	{ "job.advance", offsetof(struct fair_job, advance),
	  sizeof(((struct fair_job *)0)->advance), false },
	{ "job.class_count", offsetof(struct fair_job, class_count),
	  sizeof(((struct fair_job *)0)->class_count), false },
	{ "job.amount", offsetof(struct fair_job, amount),
	  sizeof(((struct fair_job *)0)->amount), false },
	{ "job.classes", offsetof(struct fair_job, classes),
	  sizeof(((struct fair_job *)0)->classes), false },
	{ "advance.amount", offsetof(struct fair_advance, amount),
	  sizeof(((struct fair_advance *)0)->amount), false },
	{ "advance.node_class", offsetof(struct fair_advance, node_class),
	  sizeof(((struct fair_advance *)0)->node_class), false },
	{ "config.machine", offsetof(struct fair_config, machine),
	  sizeof(((struct fair_config *)0)->machine), false },
	{ "config.key", offsetof(struct fair_config, key),
	  sizeof(((struct fair_config *)0)->key), false },
	{ "config.key", offsetof(struct fair_config, key),
	  sizeof(((struct fair_config *)0)->key), false },
	{ "config.maui", offsetof(struct fair_config, maui),
	  sizeof(((struct fair_config *)0)->maui), false },
	{ "machine.resources", offsetof(struct fair_machine_config, resources),
	  sizeof(((struct fair_machine_config *)0)->resources), false },
	{ "machine.classes", offsetof(struct fair_machine_config, classes),
	  sizeof(((struct fair_machine_config *)0)->classes), false },
	{ "machine.amount", offsetof(struct fair_machine_config, amount),
	  sizeof(((struct fair_machine_config *)0)->amount), false },
	{ "maui.usage", offsetof(struct fair_maui_config, usage),
	  sizeof(((struct fair_maui_config *)0)->usage), false },
	{ "maui.windows", offsetof(struct fair_maui_config, windows),
	  sizeof(((struct fair_maui_config *)0)->windows), false },
	{ "maui.interval", offsetof(struct fair_maui_config, interval),
	  sizeof(((struct fair_maui_config *)0)->interval), true },
	{ "maui.decay", offsetof(struct fair_maui_config, decay),
	  sizeof(((struct fair_maui_config *)0)->decay), false },
	{ "maui.users", offsetof(struct fair_maui_config, count[FAIR_THROTTLE_USER]),
	  sizeof(((struct fair_maui_config *)0)->count[FAIR_THROTTLE_USER]), false },
	{ "maui.groups", offsetof(struct fair_maui_config, count[FAIR_THROTTLE_GROUP]),
	  sizeof(((struct fair_maui_config *)0)->count[FAIR_THROTTLE_GROUP]), false },
	{ "maui.accounts", offsetof(struct fair_maui_config, count[FAIR_THROTTLE_ACCOUNT]),
	  sizeof(((struct fair_maui_config *)0)->count[FAIR_THROTTLE_ACCOUNT]), false },
	{ "maui.qos", offsetof(struct fair_maui_config, count[FAIR_THROTTLE_QOS]),
	  sizeof(((struct fair_maui_config *)0)->count[FAIR_THROTTLE_QOS]), false },
	{ "maui.queues", offsetof(struct fair_maui_config, count[FAIR_THROTTLE_QUEUE]),
	  sizeof(((struct fair_maui_config *)0)->count[FAIR_THROTTLE_QUEUE]), false },
	{ "credential.priority", offsetof(struct fair_maui_credential, priority),
	  sizeof(((struct fair_maui_credential *)0)->priority), true },
	{ "credential.has_target", offsetof(struct fair_maui_credential, has_target),
	  sizeof(((struct fair_maui_credential *)0)->has_target), false },
	{ "credential.target.kind", offsetof(struct fair_maui_credential, target.kind),
	  sizeof(((struct fair_maui_credential *)0)->target.kind), false },
	{ "credential.target.points", offsetof(struct fair_maui_credential, target.points),
	  sizeof(((struct fair_maui_credential *)0)->target.points), true },
	{ "credential.soft.procs", offsetof(struct fair_maui_credential, soft[FAIR_THROTTLE_PROCS]),
	  sizeof(((struct fair_maui_credential *)0)->soft[FAIR_THROTTLE_PROCS]), true },
	{ "credential.hard.procs", offsetof(struct fair_maui_credential, hard[FAIR_THROTTLE_PROCS]),
	  sizeof(((struct fair_maui_credential *)0)->hard[FAIR_THROTTLE_PROCS]), true },
	{ "credential.soft.jobs", offsetof(struct fair_maui_credential, soft[FAIR_THROTTLE_JOBS]),
	  sizeof(((struct fair_maui_credential *)0)->soft[FAIR_THROTTLE_JOBS]), true },
	{ "credential.hard.jobs", offsetof(struct fair_maui_credential, hard[FAIR_THROTTLE_JOBS]),
	  sizeof(((struct fair_maui_credential *)0)->hard[FAIR_THROTTLE_JOBS]), true },
	{ "eligibility.begin", offsetof(struct fair_eligibility, begin),
	  sizeof(((struct fair_eligibility *)0)->begin), true },
	{ "eligibility.after", offsetof(struct fair_eligibility, after),
	  sizeof(((struct fair_eligibility *)0)->after), false },
	{ "eligibility.end", offsetof(struct fair_eligibility, end),
	  sizeof(((struct fair_eligibility *)0)->end), false },
	{ "eligibility.held", offsetof(struct fair_eligibility, held),
	  sizeof(((struct fair_eligibility *)0)->held), false },
	{ "dependency.after", offsetof(struct fair_dependency, after),
	  sizeof(((struct fair_dependency *)0)->after), false },
	{ "dependency.end", offsetof(struct fair_dependency, end),
	  sizeof(((struct fair_dependency *)0)->end), false },
	{ "dependency.ended", offsetof(struct fair_dependency, ended),
	  sizeof(((struct fair_dependency *)0)->ended), false },
	{ "dependencies.on", offsetof(struct fair_dependencies, on),
	  sizeof(((struct fair_dependencies *)0)->on), false },
	{ "dependencies.count", offsetof(struct fair_dependencies, count),
	  sizeof(((struct fair_dependencies *)0)->count), false },
	{ "dependencies.any", offsetof(struct fair_dependencies, any),
	  sizeof(((struct fair_dependencies *)0)->any), false },
	{ "advance.number", offsetof(struct fair_advance, number),
	  sizeof(((struct fair_advance *)0)->number), false },
	{ "advance.from", offsetof(struct fair_advance, from),
	  sizeof(((struct fair_advance *)0)->from), true },
	{ "advance.to", offsetof(struct fair_advance, to),
	  sizeof(((struct fair_advance *)0)->to), true },
	{ "advance.procs", offsetof(struct fair_advance, procs),
	  sizeof(((struct fair_advance *)0)->procs), true },
	{ "advance.kind", offsetof(struct fair_advance, kind),
	  sizeof(((struct fair_advance *)0)->kind), false },
	{ "advance.user", offsetof(struct fair_advance, user),
	  sizeof(((struct fair_advance *)0)->user), false },
	{ "config.dependencies", offsetof(struct fair_config, dependencies),
	  sizeof(((struct fair_config *)0)->dependencies), false },
	{ "config.task_limits", offsetof(struct fair_config, task_limits),
	  sizeof(((struct fair_config *)0)->task_limits), false },
	{ "config.policy", offsetof(struct fair_config, policy),
	  sizeof(((struct fair_config *)0)->policy), false },
	{ "config.order", offsetof(struct fair_config, order),
	  sizeof(((struct fair_config *)0)->order), false },
	{ "config.depth", offsetof(struct fair_config, depth),
	  sizeof(((struct fair_config *)0)->depth), false },
	{ "config.select", offsetof(struct fair_config, select),
	  sizeof(((struct fair_config *)0)->select), false },
	{ "config.metric", offsetof(struct fair_config, metric),
	  sizeof(((struct fair_config *)0)->metric), false },
	{ "config.longest", offsetof(struct fair_config, longest),
	  sizeof(((struct fair_config *)0)->longest), false },
	{ "config.procs", offsetof(struct fair_config, procs),
	  sizeof(((struct fair_config *)0)->procs), true },
	{ "config.origin", offsetof(struct fair_config, origin),
	  sizeof(((struct fair_config *)0)->origin), true },
	{ "config.jobs", offsetof(struct fair_config, jobs),
	  sizeof(((struct fair_config *)0)->jobs), false },
	{ "config.ineligible", offsetof(struct fair_config, ineligible),
	  sizeof(((struct fair_config *)0)->ineligible), false },
	{ "config.advances", offsetof(struct fair_config, advances),
	  sizeof(((struct fair_config *)0)->advances), false },
	{ "config.accounts", offsetof(struct fair_config, accounts),
	  sizeof(((struct fair_config *)0)->accounts), false },
	{ "config.weight", offsetof(struct fair_config, weight),
	  sizeof(((struct fair_config *)0)->weight), true },
	{ "config.half_life", offsetof(struct fair_config, half_life),
	  sizeof(((struct fair_config *)0)->half_life), true },
	{ "config.users", offsetof(struct fair_config, users),
	  sizeof(((struct fair_config *)0)->users), false },
	{ "config.window", offsetof(struct fair_config, window),
	  sizeof(((struct fair_config *)0)->window), true },
	{ "config.window_origin", offsetof(struct fair_config, window_origin),
	  sizeof(((struct fair_config *)0)->window_origin), true },
	{ "config.only_used", offsetof(struct fair_config, only_used),
	  sizeof(((struct fair_config *)0)->only_used), false },
	{ "config.by_group", offsetof(struct fair_config, by_group),
	  sizeof(((struct fair_config *)0)->by_group), false },
	{ "config.by_difference", offsetof(struct fair_config, by_difference),
	  sizeof(((struct fair_config *)0)->by_difference), false },
	{ "config.decays", offsetof(struct fair_config, decays),
	  sizeof(((struct fair_config *)0)->decays), false },
	{ "config.ids", offsetof(struct fair_config, ids),
	  sizeof(((struct fair_config *)0)->ids), false },
	{ "config.credits", offsetof(struct fair_config, credits),
	  sizeof(((struct fair_config *)0)->credits), false },
	{ "status.job.number", offsetof(struct fair_job_status, job.number),
	  sizeof(((struct fair_job_status *)0)->job.number), false },
	{ "status.job.user", offsetof(struct fair_job_status, job.user),
	  sizeof(((struct fair_job_status *)0)->job.user), false },
	{ "status.job.account", offsetof(struct fair_job_status, job.account),
	  sizeof(((struct fair_job_status *)0)->job.account), false },
	{ "status.job.procs", offsetof(struct fair_job_status, job.procs),
	  sizeof(((struct fair_job_status *)0)->job.procs), true },
	{ "status.job.walltime", offsetof(struct fair_job_status, job.walltime),
	  sizeof(((struct fair_job_status *)0)->job.walltime), true },
	{ "status.state", offsetof(struct fair_job_status, state),
	  sizeof(((struct fair_job_status *)0)->state), false },
	{ "status.waits", offsetof(struct fair_job_status, waits),
	  sizeof(((struct fair_job_status *)0)->waits), false },
	{ "status.cause", offsetof(struct fair_job_status, cause),
	  sizeof(((struct fair_job_status *)0)->cause), false },
	{ "status.moves", offsetof(struct fair_job_status, moves),
	  sizeof(((struct fair_job_status *)0)->moves), false },
	{ "status.node_class", offsetof(struct fair_job_status, node_class),
	  sizeof(((struct fair_job_status *)0)->node_class), false },
	{ "status.start", offsetof(struct fair_job_status, start),
	  sizeof(((struct fair_job_status *)0)->start), true },
	{ "status.end", offsetof(struct fair_job_status, end),
	  sizeof(((struct fair_job_status *)0)->end), true },
	{ "status.first_promise", offsetof(struct fair_job_status, first_promise),
	  sizeof(((struct fair_job_status *)0)->first_promise), true },
	{ "status.ran", offsetof(struct fair_job_status, ran),
	  sizeof(((struct fair_job_status *)0)->ran), true },
	{ "status.not_before", offsetof(struct fair_job_status, not_before),
	  sizeof(((struct fair_job_status *)0)->not_before), true },
	{ "entity.id", offsetof(struct fair_entity, id),
	  sizeof(((struct fair_entity *)0)->id), false },
	{ "entity.index", offsetof(struct fair_entity, index),
	  sizeof(((struct fair_entity *)0)->index), false },
	{ "entity.usage", offsetof(struct fair_entity, usage),
	  sizeof(((struct fair_entity *)0)->usage), false },
	{ "entity.fraction", offsetof(struct fair_entity, fraction),
	  sizeof(((struct fair_entity *)0)->fraction), false },
	{ "entity.share", offsetof(struct fair_entity, share),
	  sizeof(((struct fair_entity *)0)->share), true },
	{ "credit.time", offsetof(struct fair_credit, time),
	  sizeof(((struct fair_credit *)0)->time), true },
	{ "credit.id", offsetof(struct fair_credit, id),
	  sizeof(((struct fair_credit *)0)->id), false },
	{ "credit.kind", offsetof(struct fair_credit, kind),
	  sizeof(((struct fair_credit *)0)->kind), false },
	{ "credit.reason", offsetof(struct fair_credit, reason),
	  sizeof(((struct fair_credit *)0)->reason), false },
	{ "credit.amount", offsetof(struct fair_credit, amount),
	  sizeof(((struct fair_credit *)0)->amount), false },
	{ "credit.taken", offsetof(struct fair_credit, taken),
	  sizeof(((struct fair_credit *)0)->taken), false },
};

/* Bytes of a structure, as "job"; 0: there is none. */
size_t foreign_size(const char *name)
{
	size_t i;

	for (i = 0; i < sizeof(structures) / sizeof(*structures); i++)
		if (is_same_text(structures[i].name, name))
			return structures[i].bytes;
	return 0;
}

static const struct field *find_field(const char *name)
{
	size_t i;

	for (i = 0; i < sizeof(fields) / sizeof(*fields); i++)
		if (is_same_text(fields[i].name, name))
			return fields + i;
	return NULL;
}

/* Set a field, as "job.walltime"; 0: there is none, or it is too small. */
int foreign_set(void *structure, const char *name, int64_t value)
{
	const struct field *f = find_field(name);
	char *at = (char *)structure;

	if (!f)
		return 0;
	at += f->offset;
	if (f->bytes == 1) {
		*(bool *)at = value != 0;
	} else if (f->bytes == 4) {
		if (f->is_signed ? value < INT32_MIN || value > INT32_MAX
				 : value < 0 || value > UINT32_MAX)
			return 0;
		*(uint32_t *)(void *)at = (uint32_t)value;
	} else {
		*(int64_t *)(void *)at = value;
	}
	return 1;
}

/* Read a field; 0 if there is none. */
int64_t foreign_get(const void *structure, const char *name)
{
	const struct field *f = find_field(name);
	const char *at = (const char *)structure;

	if (!f)
		return 0;
	at += f->offset;
	if (f->bytes == 1)
		return *(const bool *)at;
	if (f->bytes == 8)
		return *(const int64_t *)(const void *)at;
	return f->is_signed ? *(const int32_t *)(const void *)at
			    : (int64_t)*(const uint32_t *)(const void *)at;
}

/* Maui's defaults, and a credential without limits, are no zeros. */
void foreign_maui_defaults(struct fair_maui_config *maui)
{
	*maui = fair_maui_defaults();
}

void foreign_credential_defaults(struct fair_maui_credential *credential)
{
	*credential = fair_maui_credential_defaults();
}

/* Words of memory for a scheduler with this configuration; 0: not valid. */
size_t foreign_config_words(const struct fair_config *config)
{
	size_t bytes = fair_sched_size(config);

	return bytes ? (fair_sched_struct_size() + bytes + 7) / 8 : 0;
}

/* Make one in them; NULL: it is not possible. */
struct fair_sched *foreign_config_open(uint64_t *memory,
				       const struct fair_config *config)
{
	struct fair_sched *s = (struct fair_sched *)(void *)memory;

	if (fair_sched_init(s, sizeof(*s), s + 1, fair_sched_size(config),
			    config))
		return NULL;
	return s;
}

/* Go on from a checkpoint in such words; an error of fairsched.h. */
int foreign_load(uint64_t *memory, const struct fair_config *config,
		 const void *checkpoint, size_t bytes)
{
	struct fair_sched *s = (struct fair_sched *)(void *)memory;

	return fair_sched_load(s, sizeof(*s), s + 1, fair_sched_size(config),
			       config, checkpoint, bytes, NULL);
}

static struct fair_config configure(uint32_t policy, int32_t procs,
				    uint32_t jobs)
{
	struct fair_config config = { 0 };

	config.policy = policy;
	config.procs = procs;
	config.jobs = jobs;
	return config;
}

/* Words of memory for a scheduler; 0: the configuration is not valid. */
size_t foreign_words(uint32_t policy, int32_t procs, uint32_t jobs)
{
	struct fair_config config = configure(policy, procs, jobs);
	size_t bytes = fair_sched_size(&config);

	return bytes ? (sizeof(struct fair_sched) + bytes + 7) / 8 : 0;
}

/* Make a scheduler in foreign_words() words; NULL: it is not possible. */
struct fair_sched *foreign_open(uint64_t *memory, uint32_t policy,
				int32_t procs, uint32_t jobs)
{
	struct fair_config config = configure(policy, procs, jobs);
	struct fair_sched *s = (struct fair_sched *)(void *)memory;

	if (fair_sched_init(s, sizeof(*s), s + 1, fair_sched_size(&config),
			    &config))
		return NULL;
	return s;
}

int foreign_submit(struct fair_sched *s, int64_t now, uint64_t number,
		   int64_t walltime, int32_t procs)
{
	struct fair_job job = { 0 };

	job.number = number;
	job.submit = now;
	job.walltime = walltime;
	job.procs = procs;
	return fair_sched_submit(s, now, &job);
}

/* The number of a job to start now; -1: no more jobs, or an error. */
int64_t foreign_start(struct fair_sched *s, int64_t now)
{
	struct fair_decision start;
	size_t n;

	if (fair_sched_step(s, now, &start, 1, &n) || !n)
		return -1;
	return (int64_t)start.number;
}
