/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Maui's configuration, for the jobs of Slurm. */
#include "maui.h"

#include "src/common/log.h"
#include "src/common/uid.h"
#include "src/common/xmalloc.h"
#include "src/common/xstring.h"

#include "tools/fairsched/trace/maui_jobs.h"

#define GROUPS 1024 /* whose names are known */
#define KNOWN 65536 /* users, groups ..., that the scheduler knows */

static struct maui file;
static struct maui_jobs site;
static uint64_t configured; /* the digest of the file that the scheduler has */
static uint64_t known[KNOWN]; /* since then; 0: none */

const char *load_maui(const char *path)
{
	static struct maui next;

	if (maui_load(&next, path))
		return next.error;
	maui_free(&file);
	file = next;
	if (*file.notes)
		info("fairsched: %s", file.notes);
	return NULL;
}

void free_maui(void)
{
	maui_jobs_close(&site);
	maui_free(&file);
}

static uint64_t hash(uint64_t h, const void *data, size_t bytes)
{
	for (const unsigned char *p = data; bytes--; p++)
		h = (h ^ *p) * 1099511628211u; /* FNV-1a */
	return h;
}

uint64_t hash_maui(void)
{
	const int64_t of[] = { file.fs_policy, file.fs_depth, file.fs_interval,
			       file.fs_decay };
	uint64_t h = hash(14695981039346656037u, of, sizeof(of));

	for (size_t i = 0; i < file.credentials[MAUI_QOS]; i++) {
		const char *name = file.credential[MAUI_QOS][i].name;

		h = hash(h, name, strlen(name) + 1);
	}
	return h;
}

bool has_new_maui(void)
{
	return file.digest != configured;
}

const struct fair_maui_config *configure_maui(const struct slurm_machine *m,
					      uint32_t rooms)
{
	file.memory = 0;
	for (uint32_t k = 0; k < m->classes; k++)
		for (uint32_t r = 0; r < m->resources; r++)
			if (m->kind[r] == MEMORY)
				file.memory +=
					(int64_t)m->count[k] *
					m->amount[k * m->resources + r];
	maui_jobs_close(&site);
	if (maui_jobs_begin(&site, &file))
		fatal("fairsched: out of memory");
	for (int kind = 0; kind < MAUI_KINDS; kind++)
		if (kind != MAUI_QOS)
			site.config.count[kind] = rooms;
	memset(known, 0, sizeof(known));
	configured = file.digest;
	return &site.config;
}

/* ---- jobs ---- */

static const char *name_of_group(uint32_t gid)
{
	static struct {
		uint32_t gid;
		char *name;
	} last[GROUPS];
	size_t at = gid % GROUPS;

	if (!last[at].name || last[at].gid != gid) {
		xfree(last[at].name);
		last[at].name = gid_to_string(gid);
		last[at].gid = gid;
	}
	return last[at].name;
}

static struct maui_owner find_owner(const job_record_t *j)
{
	struct maui_owner o = { { uid_to_string_cached(j->user_id),
				  name_of_group(j->group_id), j->account, NULL,
				  j->part_ptr ? j->part_ptr->name : NULL } };

	if (j->qos_ptr)
		o.name[MAUI_QOS] = j->qos_ptr->name;
	return o;
}

static uint64_t number_of_qos(const struct maui_owner *o)
{
	const char *qos = o->name[MAUI_QOS];

	if (!qos || !maui_may_use(&file, qos, o))
		qos = maui_default_qos(&file, o);
	return (uint64_t)(maui_settings(&file, MAUI_QOS, qos) -
			  file.credential[MAUI_QOS]);
}

static uint64_t number_of_name(const char *name)
{
	return name ? hash(14695981039346656037u, name, strlen(name)) | 1
		    : FAIR_NO_ENTITY;
}

const char *read_credentials(const struct slurm_machine *m,
			     const job_record_t *j, struct fair_job *job)
{
	struct maui_owner o = find_owner(j);
	static char why[128];
	const char *refusal;

	job->user = j->user_id;
	job->group = j->group_id;
	job->account = number_of_name(j->account);
	job->qos = number_of_qos(&o);
	job->queue = number_of_name(o.name[MAUI_CLASS]);
	job->nodes = job->chunks;
	for (uint32_t r = 0; r < m->resources; r++)
		if (m->kind[r] == MEMORY)
			job->memory = job->amount[r];
	job->rate = (int64_t)MIN(job->procs, 1 << 24) << 8;
	refusal = maui_refuses(&file, &o, job->procs, job->nodes,
			       job->walltime);
	if (!refusal)
		return NULL;
	snprintf(why, sizeof(why), "%s of its class forbids it", refusal);
	return why;
}

/* Whether an entity was not named since the scheduler was configured; of KNOWN
 * ones the last are known. */
static bool is_new(uint32_t kind, uint64_t id)
{
	uint64_t key = (id * 8 + kind) * 0x9e3779b97f4a7c15u | 1;
	size_t at = (size_t)(key >> 40) % KNOWN;

	if (known[at] == key)
		return false;
	known[at] = key;
	return true;
}

void add_credentials(struct fair_sched *s, int64_t now, const job_record_t *j,
		     const struct fair_job *job)
{
	const uint64_t id[MAUI_KINDS] = { job->user, job->group, job->account,
					  job->qos, job->queue };
	struct maui_owner o = find_owner(j);
	struct fair_maui_credential c;
	uint32_t kind;

	/* They have the numbers of their rows. */
	for (uint64_t i = 0; i < file.credentials[MAUI_QOS]; i++)
		if (is_new(MAUI_QOS, i))
			fair_sched_add_entity(s, now, MAUI_QOS, i);
	for (kind = 0; kind < MAUI_KINDS; kind++) {
		if (kind == MAUI_QOS || id[kind] == FAIR_NO_ENTITY ||
		    !is_new(kind, id[kind]))
			continue;
		fair_sched_add_entity(s, now, kind, id[kind]);
		c = maui_jobs_settings(&file, (int)kind, o.name[kind]);
		fair_sched_set_credential(s, now, kind, id[kind], &c);
	}
}
