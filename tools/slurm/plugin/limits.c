/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Limits of associations and QOS, as limits of the scheduler. */
#include "limits.h"

#include "src/common/assoc_mgr.h"
#include "src/common/xstring.h"
#include "src/slurmctld/acct_policy.h"

static assoc_mgr_lock_t read_locks = { .assoc = READ_LOCK,
				       .qos = READ_LOCK,
				       .tres = READ_LOCK };

static int64_t to_limit(uint64_t n, uint64_t none)
{
	return n == none || n > INT64_MAX ? FAIR_LIMIT_NONE : (int64_t)n;
}

static int64_t jobs_limit(uint32_t n)
{
	return n == NO_VAL ? FAIR_LIMIT_NONE : to_limit(n, INFINITE);
}

/* Where Slurm counts a resource; -1: nowhere. */
static int find_tres(const struct slurm_machine *m, uint32_t r)
{
	slurmdb_tres_rec_t t = { 0 };

	if (m->kind[r] == PROCESSORS)
		return TRES_ARRAY_CPU;
	if (m->kind[r] == MEMORY)
		return TRES_ARRAY_MEM;
	t.type = m->kind[r] == GRES ? "gres" : "license";
	t.name = m->name[r];
	return assoc_mgr_find_tres_pos(&t, true);
}

static size_t add_limits(const struct slurm_machine *m, struct fair_limit *l,
			 uint32_t kind, uint64_t id, int64_t jobs,
			 const uint64_t *tres)
{
	size_t n = 0;

	l[n++] = (struct fair_limit){ kind, FAIR_LIMIT_JOBS, id, jobs };
	for (uint32_t r = 0; tres && r < m->resources; r++) {
		int at = find_tres(m, r);

		if (at >= 0)
			l[n++] = (struct fair_limit){
				kind, FAIR_LIMIT_PROCS + r, id,
				to_limit(tres[at] == NO_VAL64 ? INFINITE64
							      : tres[at],
					 INFINITE64)
			};
	}
	return n;
}

static bool has_group_limit(const slurmdb_assoc_rec_t *a)
{
	bool has = jobs_limit(a->grp_jobs) != FAIR_LIMIT_NONE;

	for (uint32_t i = 0; a->grp_tres_ctld && i < g_tres_count; i++)
		has |= a->grp_tres_ctld[i] != INFINITE64 &&
		       a->grp_tres_ctld[i] != NO_VAL64;
	return has;
}

/* The next account with a limit on the way to the root; NULL: none. */
static const slurmdb_assoc_rec_t *find_above(const slurmdb_assoc_rec_t *a)
{
	do
		a = a->usage ? a->usage->parent_assoc_ptr : NULL;
	while (a && !has_group_limit(a));
	return a;
}

/* The first account of a job: under sfs its own, which has the target. */
static const slurmdb_assoc_rec_t *find_account(const slurmdb_assoc_rec_t *a,
					       uint32_t policy)
{
	if (policy != FAIR_SFS)
		return find_above(a);
	return a->usage ? a->usage->parent_assoc_ptr : NULL;
}

/* Returns why the job cannot be planned, or NULL. */
static const char *read_associations(const slurmdb_assoc_rec_t *a,
				     uint32_t policy, struct fair_job *job)
{
	const slurmdb_assoc_rec_t *b;

	job->group = a->id;
	a = find_account(a, policy);
	b = a ? find_above(a) : NULL;
	if (a)
		job->account = a->id;
	if (b)
		job->queue = b->id;
	return b && find_above(b) ? "more than two of its accounts have limits"
				  : NULL;
}

const char *read_entities(const job_record_t *j, uint32_t policy,
			  struct fair_job *job)
{
	bool has_shares = policy == FAIR_SFS || policy == FAIR_RELSHARE;
	const char *why = NULL;

	job->group = job->account = job->queue = job->qos = FAIR_NO_ENTITY;
	if (has_shares)
		job->group = job->account = 0; /* of jobs without any */
	if (!has_limits() && !has_shares)
		return NULL;
	assoc_mgr_lock(&read_locks);
	if (j->assoc_ptr)
		why = read_associations(j->assoc_ptr, policy, job);
	if (j->qos_ptr)
		job->qos = j->qos_ptr->id;
	assoc_mgr_unlock(&read_locks);
	return why;
}

int64_t read_share(const job_record_t *j, uint32_t policy, int64_t whole)
{
	const slurmdb_assoc_rec_t *a;
	double part;

	assoc_mgr_lock(&read_locks);
	a = j->assoc_ptr;
	part = a ? 1 : 0;
	if (a && policy == FAIR_SFS)
		a = find_account(a, policy);
	for (; a && a->usage; a = a->usage->parent_assoc_ptr)
		if (a->usage->parent_assoc_ptr && a->usage->level_shares &&
		    a->shares_raw != SLURMDB_FS_USE_PARENT)
			part *= (double)a->shares_raw / a->usage->level_shares;
	assoc_mgr_unlock(&read_locks);
	return (int64_t)(part * (double)whole + 0.5);
}

size_t read_limits(const struct slurm_machine *m, const job_record_t *j,
		   uint32_t policy, const struct fair_job *job,
		   struct fair_limit *l)
{
	const slurmdb_assoc_rec_t *a;
	const slurmdb_qos_rec_t *q;
	uint32_t kind = FAIR_ENTITY_ACCOUNT;
	size_t n = 0;

	assoc_mgr_lock(&read_locks);
	a = j->assoc_ptr;
	if (a)
		n += add_limits(m, l, FAIR_ENTITY_GROUP, job->group,
				MIN(jobs_limit(a->max_jobs),
				    jobs_limit(a->grp_jobs)),
				a->grp_tres_ctld);
	for (a = a ? find_account(a, policy) : NULL;
	     a && kind != FAIR_ENTITY_KINDS; a = find_above(a)) {
		n += add_limits(m, l + n, kind, a->id, jobs_limit(a->grp_jobs),
				a->grp_tres_ctld);
		kind = kind == FAIR_ENTITY_ACCOUNT ? FAIR_ENTITY_QUEUE
						   : FAIR_ENTITY_KINDS;
	}
	q = j->qos_ptr;
	if (q) {
		n += add_limits(m, l + n, FAIR_ENTITY_QOS, q->id,
				jobs_limit(q->grp_jobs), q->grp_tres_ctld);
		n += add_limits(m, l + n, FAIR_LIMIT_QOS_USER, q->id,
				jobs_limit(q->max_jobs_pu),
				q->max_tres_pu_ctld);
	}
	assoc_mgr_unlock(&read_locks);
	return n;
}

void name_limit(job_record_t *j)
{
	if (!has_limits() || !acct_policy_job_runnable_pre_select(j, false) ||
	    !j->tres_req_cnt)
		return;
	assoc_mgr_lock(&read_locks);
	acct_policy_job_runnable_post_select(j, j->tres_req_cnt, true);
	assoc_mgr_unlock(&read_locks);
}
