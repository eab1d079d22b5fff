/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * slurm_fuzz.c - what squeue and sinfo may say: every record is a job within
 * its bounds or counted as damaged, and no job is there twice
 *
 * The text is used as it is; a record ends with "|END".
 */
#include <stdlib.h>
#include <string.h>

#include "../tools/slurm/slurm.h"
#include "fuzz.h"

#define END "|END"

/* Records, counted without the reader. */
static size_t count(const char *text)
{
	size_t n = 0;

	for (; (text = strstr(text, END)); text += strlen(END))
		n++;
	return n;
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
	FUZZ_ASSERT(!j->account.n || (j->account.p >= text &&
				      j->account.p + j->account.n <= text + n));
	FUZZ_ASSERT(!j->held ||
		    (j->state != SLURM_BUSY && j->state != SLURM_ADMIN &&
		     j->state != SLURM_RELEASED));
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
	}
	slurm_queue_free(&q);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = malloc(size + 1);
	int64_t procs = -1;

	FUZZ_ASSERT(text);
	memcpy(text, data, size);
	text[size] = '\0';
	check_queue(text, size);
	if (!slurm_parse_procs(text, size, &procs))
		FUZZ_ASSERT(procs >= 0 && procs <= INT32_MAX);
	else
		FUZZ_ASSERT(procs == -1);
	free(text);
	return 0;
}
