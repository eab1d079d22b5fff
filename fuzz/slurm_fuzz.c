/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * slurm_fuzz.c - the readers of squeue and sinfo
 *
 * Every record is a job within its bounds or counted as damaged, and no job
 * occurs twice. For every job Maui's configuration gives a valid request, and
 * the charge rate is within its bounds. The input is the text; "|END" ends each
 * of the three last fields of a record.
 */
#include <stdlib.h>
#include <string.h>

#include "../tools/slurm/credentials.h"
#include "../tools/slurm/price.h"
#include "../tools/slurm/slurm.h"
#include "fuzz.h"

#define END "|END"

/* Counts the records without the reader. */
static size_t count(const char *text)
{
	size_t n = 0;

	for (; (text = strstr(text, END)); text += strlen(END))
		n++;
	return n / 3;
}

static void check_text(struct csv_field f, const char *text, size_t n)
{
	FUZZ_ASSERT(!f.n || (f.p >= text && f.p + f.n <= text + n));
}

static void check_job(const struct slurm_job *j, const char *text, size_t n)
{
	char name[SLURM_NAME];

	FUZZ_ASSERT(j->number &&
		    slurm_number(csv_column(slurm_name(j->number, name))) ==
			    j->number);
	FUZZ_ASSERT((uint32_t)j->number < SLURM_JOB_IDS);
	FUZZ_ASSERT(j->number >> 32 <= SLURM_TASKS);
	FUZZ_ASSERT(j->procs >= 1 && j->limit >= -1 &&
		    j->limit <= SLURM_LONGEST);
	FUZZ_ASSERT(j->submit >= 0 && j->submit <= INT64_C(1) << 40);
	FUZZ_ASSERT(j->eligible >= -1 && j->start >= -1);
	FUZZ_ASSERT(j->nodes >= 0 && j->memory >= 0 &&
		    j->memory <= INT64_C(1) << 40);
	check_text(j->account, text, n);
	check_text(j->features, text, n);
	check_text(j->reason, text, n);
	check_text(j->dependency, text, n);
	FUZZ_ASSERT(!j->held ||
		    (j->state != SLURM_BUSY && j->state != SLURM_ADMIN &&
		     j->state != SLURM_USER && j->state != SLURM_NEVER &&
		     j->state != SLURM_RELEASED));
}

#define ROWS 3 /* few, so that they run out */

static const char config[] = "USERCFG[ann] MAXJOB=2\nUSERCFG[bob] QDEF=low\n"
			     "QOSCFG[low] PRIORITY=1\n"
			     "QOSCFG[high] PRIORITY=2\n"
			     "ACCOUNTCFG[a] QLIST=high\n"
			     "CLASSCFG[batch] MAX.PROC=9 "
			     "EXCLUDEACCOUNTLIST=b,c\n";

/* Two requests of a job are equal: names keep their rows. */
static void check_request(struct credentials *p, struct fair_maui *maui,
		      const struct slurm_job *j)
{
	struct fair_maui_request r, again;
	int kind, full = credentials_make_request(p, j, "Def", &r);

	credentials_refusal(p, j, "Def", 60);
	FUZZ_ASSERT(credentials_make_request(p, j, "Def", &again) == full);
	for (kind = 0; kind < MAUI_KINDS; kind++)
		FUZZ_ASSERT(p->kind[kind].names <= ROWS);
	if (full)
		return;
	r.walltime = again.walltime = 60;
	FUZZ_ASSERT(!memcmp(r.id, again.id, sizeof(r.id)));
	FUZZ_ASSERT(r.id[MAUI_QOS] < p->site.maui->credentials[MAUI_QOS]);
	FUZZ_ASSERT(fair_maui_admit(maui, &r) != -FAIR_EINVAL);
}

static void check_credentials(const struct slurm_queue *q)
{
	struct credentials p;
	struct maui m;
	struct fair_maui maui;
	size_t bytes, i;
	void *memory;

	FUZZ_ASSERT(!maui_parse(&m, "config", config, sizeof(config) - 1));
	FUZZ_ASSERT(!credentials_open(&p, &m, ROWS) && !credentials_make_site(&p));
	bytes = fair_maui_size(&p.site.config, 1);
	memory = malloc(bytes);
	FUZZ_ASSERT(memory &&
		    !fair_maui_init(&maui, sizeof(maui), memory, bytes,
				    &p.site.config, 1, INT32_MAX, 0));
	for (i = 0; i < q->jobs; i++)
		check_request(&p, &maui, &q->job[i]);
	free(memory);
	credentials_close(&p);
	maui_free(&m);
}

static const char machine[] = "class,count,cpus,ram,gpu,tape?,properties\n"
			      "a,2,8,8G,,1,old\nb,2,8,16G,2,,new:ssd\n";

/* No charge rate is below that of the processors. */
static void check_rates(const struct slurm_queue *q)
{
	struct rules_files files;
	struct rules_args args;
	int64_t rate;
	size_t i;

	memset(&files, 0, sizeof(files));
	memset(&args, 0, sizeof(args));
	args.machine = "machine";
	FUZZ_ASSERT(!machine_parse(&files.machine, "machine", machine,
				   sizeof(machine) - 1));
	for (i = 0; i < q->jobs; i++) {
		rate = -1;
		if (price_job(&files, &args, &q->job[i], &rate))
			FUZZ_ASSERT(rate == -1);
		else
			FUZZ_ASSERT(rate >= q->job[i].procs * FAIR_PENALTY_ONE);
	}
	machine_free(&files.machine);
}

static void check_queue(const char *text, size_t n)
{
	struct slurm_queue q;
	size_t i;

	FUZZ_ASSERT(!slurm_parse_queue(&q, text, n, END, 1700000000));
	FUZZ_ASSERT(strlen(text) < n || q.jobs + q.damaged == count(text));
	for (i = 0; i < q.jobs; i++) {
		check_job(&q.job[i], text, n);
		FUZZ_ASSERT(!i || q.job[i - 1].number < q.job[i].number);
		FUZZ_ASSERT(slurm_find(&q, q.job[i].number) == &q.job[i]);
		FUZZ_ASSERT(slurm_ended_dependencies(&q, &q.job[i]) >= 0);
	}
	check_credentials(&q);
	check_rates(&q);
	slurm_queue_free(&q);
}

static void check_throttles(const char *text, size_t size)
{
	struct slurm_throttle *t = malloc((size + 1) * sizeof(*t));
	size_t n, i;

	FUZZ_ASSERT(t);
	n = slurm_parse_throttles(text, size, t);
	for (i = 0; i < n; i++)
		FUZZ_ASSERT(t[i].id && t[i].id < SLURM_JOB_IDS &&
			    t[i].tasks >= 0 && t[i].tasks <= SLURM_TASKS);
	free(t);
}

static void check_reservations(const char *text, size_t size)
{
	struct slurm_reservation r[4];
	size_t n = slurm_parse_reservations(text, size, r, 4), i;

	FUZZ_ASSERT(n <= 4);
	for (i = 0; i < n; i++) {
		FUZZ_ASSERT(r[i].name >> 62 && r[i].start > 0 &&
			    r[i].end > r[i].start && r[i].procs >= 0 &&
			    r[i].procs <= INT32_MAX);
		check_text(r[i].nodes, text, size);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = malloc(size + 1);
	int64_t procs = -1, all = -1;

	FUZZ_ASSERT(text);
	memcpy(text, data, size);
	text[size] = '\0';
	check_queue(text, size);
	check_throttles(text, size);
	check_reservations(text, size);
	if (!slurm_parse_procs(text, size, &procs, &all))
		FUZZ_ASSERT(procs >= 0 && procs <= INT32_MAX && all >= 0 &&
			    all <= INT32_MAX);
	else
		FUZZ_ASSERT(procs == -1);
	free(text);
	return 0;
}
