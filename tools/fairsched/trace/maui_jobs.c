/* SPDX-License-Identifier: MIT OR Unlicense */
#include "maui_jobs.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "names.h"
#include "tools/fairsched/base/messages.h"

/* ---- names ---- */

/* The owners of the job, by the names of the configuration. */
struct name_list {
	char text[MAUI_KINDS][256];
	struct maui_owner owner;
};

/* What the trace calls them; Slurm's account is the group of a trace. */
static const enum sacct_kind kind_in_trace[MAUI_KINDS] = {
	SACCT_USER, SACCT_ACCOUNT, SACCT_ACCOUNT, SACCT_KINDS, SACCT_PARTITION
};

static int64_t number_of(const struct swf_job *j, int kind)
{
	if (kind == MAUI_USER)
		return j->user_id;
	return kind == MAUI_CLASS ? j->queue : j->group;
}

/* A trace of numbers has no accounts. */
static bool has_kind(const struct swf_job *j, int kind)
{
	return kind != MAUI_QOS && (kind != MAUI_ACCOUNT || j->has_account);
}

static void name_job(struct name_list *n, const struct swf_job *j,
		     const struct names *names)
{
	int kind;

	memset(&n->owner, 0, sizeof(n->owner));
	for (kind = 0; kind < MAUI_KINDS; kind++) {
		if (!has_kind(j, kind))
			continue;
		names_text(names, kind_in_trace[kind], number_of(j, kind),
			   n->text[kind], sizeof(n->text[kind]));
		n->owner.name[kind] = n->text[kind];
	}
}

/* By the entries that it has. */
static const char *default_qos(const struct maui *m, const struct swf_job *j)
{
	struct maui_owner owner;
	int kind;

	memset(&owner, 0, sizeof(owner));
	for (kind = 0; kind < MAUI_KINDS; kind++)
		if (has_kind(j, kind))
			owner.name[kind] =
				m->credential[kind][j->entry[kind]].name;
	return maui_default_qos(m, &owner);
}

/* A QoS without QOSCFG is DEFAULT. */
static const struct maui_credential *qos_of(const struct maui *m,
					    const struct swf_job *j)
{
	if (j->qos)
		return &m->credential[MAUI_QOS][j->qos - 1];
	return maui_settings(m, MAUI_QOS, default_qos(m, j));
}

const char *maui_jobs_qos(const struct maui *m, const struct swf_job *j)
{
	return qos_of(m, j)->name;
}

/* ---- credentials ---- */

static int ascending(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

int maui_jobs_rows(struct maui_jobs *s, int kind, size_t rows)
{
	size_t i;

	s->credential[kind] = malloc(rows * sizeof(*s->credential[kind]));
	if (!s->credential[kind])
		return -1;
	for (i = 0; i < rows; i++)
		maui_jobs_name(s, kind, i, NULL);
	s->config.count[kind] = (uint32_t)rows;
	s->config.credential[kind] = s->credential[kind];
	return 0;
}

void maui_jobs_name(struct maui_jobs *s, int kind, size_t row, const char *name)
{
	s->credential[kind][row] = maui_jobs_settings(s->maui, kind, name);
}

/* The row of a job's user, group or class; NULL: it has none. */
static const int64_t *row_of(const struct maui_jobs *s,
			     const struct swf_job *j, int kind)
{
	int64_t number = number_of(j, kind);

	return bsearch(&number, s->number[kind], s->config.count[kind],
		       sizeof(number), ascending);
}

/* Those of a kind that the trace names. */
static int open_kind(struct maui_jobs *s, int kind, const struct swf_job *job,
		     size_t jobs)
{
	int64_t *number = malloc((jobs + 1) * sizeof(*number));
	size_t i, n = 0, kept = 0;

	s->number[kind] = number;
	if (!number)
		return -1;
	for (i = 0; i < jobs; i++)
		if (has_kind(&job[i], kind))
			number[n++] = number_of(&job[i], kind);
	if (!n)
		return 0;
	qsort(number, n, sizeof(*number), ascending);
	for (i = 0; i < n; i++)
		if (!kept || number[i] != number[kept - 1])
			number[kept++] = number[i];
	if (maui_jobs_rows(s, kind, kept))
		return -1;
	for (i = 0; i < kept; i++)
		maui_jobs_name(s, kind, i, NULL);
	for (i = 0; i < jobs; i++)
		if (job[i].entry[kind])
			maui_jobs_name(s, kind,
				       (size_t)(row_of(s, &job[i], kind) -
						number),
				       s->maui->credential[kind]
							  [job[i].entry[kind]]
								  .name);
	return 0;
}

int maui_jobs_open(struct maui_jobs *s, const struct maui *m,
		   const struct swf_job *job, size_t jobs)
{
	int kind;

	if (maui_jobs_begin(s, m))
		return -1;
	for (kind = 0; kind < MAUI_KINDS; kind++)
		if (kind != MAUI_QOS && open_kind(s, kind, job, jobs))
			return -1;
	return 0;
}

int maui_jobs_by_node(struct maui_jobs *s, const struct swf_job *job,
		      size_t jobs, uint32_t nodes)
{
	struct fair_maui_credential *user = s->credential[MAUI_USER];
	struct maui_jobs rows = *s;
	size_t i;

	if (maui_jobs_rows(&rows, MAUI_USER, nodes))
		return -1;
	for (i = 0; i < jobs; i++)
		rows.credential[MAUI_USER][job[i].node] =
			user[row_of(s, &job[i], MAUI_USER) -
			     s->number[MAUI_USER]];
	free(user);
	*s = rows;
	s->by_node = true;
	return 0;
}

void maui_jobs_unlimit(struct maui_jobs *s)
{
	struct fair_maui_credential *c, bare;
	uint32_t i;
	int kind;

	for (kind = 0; kind < MAUI_KINDS; kind++) {
		for (i = 0; i < s->config.count[kind]; i++) {
			c = &s->credential[kind][i];
			bare = fair_maui_credential_defaults();
			bare.priority = c->priority;
			bare.target = c->target;
			/* A cap changes no priority. */
			bare.has_target = c->has_target &&
					  c->target.kind != FAIR_USAGE_CAP;
			*c = bare;
		}
	}
	for (i = 0; i < s->config.count[MAUI_QOS]; i++)
		s->qos[i].flags = s->qos[i].exempt = 0;
	s->config.poll = 0;
	s->config.soft_only = false;
}

/* ---- jobs ---- */

/* MB of all processors, 0 where the record gives none. */
static int64_t megabytes(const struct swf *t, const struct swf_job *j)
{
	int64_t kb = swf_memory_kb(t, j);

	if (kb <= 0)
		return 0;
	if (kb > MAUI_JOBS_MB / j->procs)
		return MAUI_JOBS_MB;
	return (kb * j->procs + 1023) / 1024;
}

/* What it used of its processors, in 2^-8; all, where that is not known. */
static int64_t cpu_rate(const struct swf_job *j)
{
	int64_t all = (int64_t)j->procs << 8;

	if (j->cpu_time < 0 || j->cpu_time >= j->run)
		return all;
	return (int64_t)((double)all * (double)j->cpu_time / (double)j->run);
}

void maui_jobs_request(const struct maui_jobs *s, const struct swf_job *j,
		       struct fair_maui_request *request)
{
	const int64_t *at;
	int kind;

	memset(request, 0, sizeof(*request));
	for (kind = 0; kind < MAUI_KINDS; kind++) {
		request->id[kind] = FAIR_THROTTLE_NONE;
		if (!has_kind(j, kind))
			continue;
		if (s->by_node && kind == MAUI_USER) {
			request->id[kind] = j->node;
			continue;
		}
		at = row_of(s, j, kind);
		if (at)
			request->id[kind] = (uint32_t)(at - s->number[kind]);
	}
	request->id[MAUI_QOS] =
		(uint32_t)(qos_of(s->maui, j) - s->maui->credential[MAUI_QOS]);
	request->procs = request->nodes = j->procs;
	request->walltime = j->estimate;
	request->memory = j->memory;
	request->rate = cpu_rate(j);
}

void maui_jobs_ask(const struct fair_maui_request *r, struct fair_job *j)
{
	j->user = r->id[MAUI_USER];
	j->group = r->id[MAUI_GROUP];
	j->account = r->id[MAUI_ACCOUNT];
	j->qos = r->id[MAUI_QOS];
	j->queue = r->id[MAUI_CLASS];
	j->nodes = r->nodes;
	j->memory = r->memory;
	j->swap = r->swap;
	j->disk = r->disk;
	j->rate = r->rate;
}

/* ---- admission ---- */

static bool admits(const struct maui_jobs *s, const struct fair_maui *limits,
		   const struct names *names, const struct swf_job *j)
{
	struct fair_maui_request request;
	struct name_list n;

	name_job(&n, j, names);
	maui_jobs_request(s, j, &request);
	return !maui_refuses(s->maui, &n.owner, j->procs, j->procs,
			     j->estimate) &&
	       !fair_maui_admit(limits, &request);
}

/* [MAUI 2.2]: what the job does not ask for is that of its class. */
static void add_defaults(const struct maui *m, struct swf_job *j)
{
	const struct maui_credential *c =
		&m->credential[MAUI_CLASS][j->entry[MAUI_CLASS]];

	if (!j->memory)
		j->memory = c->default_memory < MAUI_JOBS_MB ? c->default_memory
							: MAUI_JOBS_MB;
	if (j->request <= 0 && c->default_walltime > j->estimate)
		j->estimate = c->default_walltime;
}

/* [MAUI 2.3]: a job that may not have the QoS that it asks for has another. */
static void assign_qos(const struct maui *m, const struct asks *a,
		       const struct names *names, struct swf_job *j)
{
	struct csv_field asked = asks_of_qos(a, j->ask);
	struct name_list n;
	char name[256];

	j->qos = 0;
	if (!asked.n || asked.n >= sizeof(name))
		return;
	snprintf(name, sizeof(name), "%.*s", (int)asked.n, asked.p);
	name_job(&n, j, names);
	if (maui_may_use(m, name, &n.owner))
		j->qos = 1 + (uint32_t)(maui_settings(m, MAUI_QOS, name) -
					m->credential[MAUI_QOS]);
}

static int admit(const struct maui_jobs *s, struct swf *t)
{
	size_t bytes = fair_maui_size(&s->config, 1), i, kept = 0;
	void *memory = bytes ? malloc(bytes) : NULL;
	struct fair_maui limits;

	if (!memory || fair_maui_init(&limits, sizeof(limits), memory, bytes,
				      &s->config, 1, t->procs, 0)) {
		free(memory);
		return -1;
	}
	for (i = 0; i < t->jobs; i++) {
		t->job[i].memory = megabytes(t, &t->job[i]);
		assign_qos(s->maui, &t->asks, t->names, &t->job[i]);
		add_defaults(s->maui, &t->job[i]);
		if (admits(s, &limits, t->names, &t->job[i]))
			t->job[kept++] = t->job[i];
		else
			t->dropped[SWF_REFUSED]++;
	}
	t->jobs = kept;
	free(memory);
	return 0;
}

/* Finds the entries of each job by its names. */
static void find_entries(const struct maui *m, struct swf *t)
{
	bool has_accounts = names_has(t->names, SACCT_ACCOUNT);
	const struct maui_credential *c;
	struct name_list n;
	size_t i;
	int kind;

	for (i = 0; i < t->jobs; i++) {
		t->job[i].has_account = has_accounts;
		memset(t->job[i].entry, 0, sizeof(t->job[i].entry));
		name_job(&n, &t->job[i], t->names);
		for (kind = 0; kind < MAUI_KINDS; kind++) {
			if (!n.owner.name[kind])
				continue;
			c = maui_settings(m, kind, n.owner.name[kind]);
			t->job[i].entry[kind] =
				(uint32_t)(c - m->credential[kind]);
		}
	}
}

static bool is_known(const struct swf *t, int kind, const char *name)
{
	enum sacct_kind k = kind_in_trace[kind];
	int64_t number;
	char *end;
	size_t i;

	if (names_number(t->names, k, name) >= 0)
		return true;
	number = strtoll(name, &end, 10);
	for (i = 0; i < t->jobs && !*end && !names_has(t->names, k); i++)
		if (kind != MAUI_ACCOUNT && number_of(&t->job[i], kind) == number)
			return true;
	return false;
}

static void tell_unknown(const struct swf *t, int kind, const char *name,
			 const char *path, unsigned long line, const char *what)
{
	if (strcmp(name, "DEFAULT") && strcmp(name, "ALL") &&
	    !is_known(t, kind, name))
		note("%s:%lu: %s[%s] matches no job", path, line, what, name);
}

/* Does a job ask for it, or a QDEF or QLIST name it? */
static bool is_qos_named(const struct maui *m, const struct swf *t,
			 const char *name)
{
	const struct maui_credential *c;
	size_t i;
	int kind;

	if (!strcmp(name, "DEFAULT") ||
	    asks_know_qos(&t->asks, csv_column(name)) ||
	    maui_lists(m->system.qos, name) ||
	    maui_lists(m->system.qos_list, name))
		return true;
	for (kind = 0; kind < MAUI_KINDS; kind++)
		for (i = 0; i < m->credentials[kind]; i++) {
			c = &m->credential[kind][i];
			if (maui_lists(c->qos, name) ||
			    maui_lists(c->qos_list, name))
				return true;
		}
	return false;
}

void maui_jobs_tell(const struct maui *m, const struct swf *t, const char *path)
{
	static const char *const what[MAUI_KINDS] = {
		"USERCFG", "GROUPCFG", "ACCOUNTCFG", NULL, "CLASSCFG"
	};
	static const char *const list_of[] = { "user list", "group list",
					       "account list" };
	const struct maui_credential *c;
	const char *list;
	char name[256];
	size_t i, n;
	int kind, k;

	for (i = 1; i < m->credentials[MAUI_QOS]; i++) {
		c = &m->credential[MAUI_QOS][i];
		if (c->line && !is_qos_named(m, t, c->name))
			note("%s:%lu: QOSCFG[%s] is of no job, QDEF or QLIST",
			     path, c->line, c->name);
	}
	for (kind = 0; kind < MAUI_KINDS; kind++)
		for (i = 1; what[kind] && i < m->credentials[kind]; i++)
			tell_unknown(t, kind, m->credential[kind][i].name, path,
				     m->credential[kind][i].line, what[kind]);
	for (i = 0; i < m->credentials[MAUI_CLASS]; i++) {
		c = &m->credential[MAUI_CLASS][i];
		for (k = 0; k < 2 * MAUI_QOS && c->line; k++) {
			kind = k % MAUI_QOS;
			list = k < MAUI_QOS ? c->required[kind]
					    : c->excluded[kind];
			for (; list && *list; list += n + (list[n] != '\0')) {
				n = strcspn(list, ",:");
				snprintf(name, sizeof(name), "%.*s", (int)n,
					 list);
				tell_unknown(t, kind, name, path, c->line,
					     list_of[kind]);
			}
		}
	}
}

int maui_jobs_admit(const struct maui *m, struct swf *t, const char *path,
		    char *error)
{
	struct maui_jobs s;
	int status;

	find_entries(m, t);
	status = maui_jobs_open(&s, m, t->job, t->jobs);

	if (!status)
		status = admit(&s, t);
	maui_jobs_close(&s);
	if (status)
		snprintf(error, MAUI_JOBS_ERROR, "%.300s: out of memory", path);
	if (status || t->jobs)
		return status;
	snprintf(error, MAUI_JOBS_ERROR,
		 "%.300s: the configuration rejects every job", path);
	return -1;
}
