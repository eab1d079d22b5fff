/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * sacct_fuzz.c - the reader of Slurm's history
 *
 * It must not crash and must count each line once; the records that it keeps
 * must be a valid trace. The first byte chooses the options, the rest is the
 * output of sacct.
 */
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "tools/fairsched/trace/sacct.h"

/* Reads the records as a trace: no job is dropped. */
static void read_again(const struct sacct *s)
{
	struct swf_options o = { 0 };
	char *copy = NULL;
	size_t bytes = 0, i;
	FILE *f = open_memstream(&copy, &bytes);
	struct swf t;

	FUZZ_ASSERT(f);
	for (i = 0; i < s->jobs; i++)
		swf_write_job(f, &s->job[i].swf,
			      s->job[i].start - s->job[i].swf.submit);
	fclose(f);
	o.procs = INT32_MAX;
	FUZZ_ASSERT(!swf_parse(&t, "copy", copy, bytes, &o));
	for (i = 0; i < s->jobs; i++)
		FUZZ_ASSERT(s->job[i].swf.status != 5 || s->job[i].swf.run);
	FUZZ_ASSERT(t.jobs == s->jobs);
	for (i = 0; i < t.jobs; i++)
		FUZZ_ASSERT(t.job[i].procs == s->job[i].swf.procs &&
			    t.job[i].run == s->job[i].swf.run &&
			    t.job[i].user_id == s->job[i].swf.user_id);
	swf_free(&t);
	free(copy);
}

static void check(const struct sacct *s)
{
	size_t i, lines = s->jobs + s->damaged + s->noted[SACCT_TWICE];
	int64_t last = 0;

	for (i = 0; i < SACCT_REASONS; i++)
		lines += s->dropped[i];
	FUZZ_ASSERT(s->jobs && lines == s->records);
	for (i = 0; i < s->jobs; i++) {
		const struct swf_job *j = &s->job[i].swf;

		FUZZ_ASSERT(j->submit >= last && s->job[i].start >= j->submit);
		FUZZ_ASSERT(j->run >= 0 && j->procs > 0 &&
			    j->procs <= s->procs && j->request >= -1);
		last = j->submit;
	}
	for (i = 0; i < s->names; i++)
		FUZZ_ASSERT(s->name[i].n && s->name[i].number >= 1);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fuzz_in in = { data, size };
	uint8_t choice = fuzz_u8(&in);
	struct sacct_options o = { 0 };
	struct sacct s;

	o.eligible = choice & 1;
	o.lenient = choice >> 1 & 1;
	o.used = choice >> 2 & 1;
	if (sacct_parse(&s, "fuzz", (const char *)in.p, in.n, &o)) {
		FUZZ_ASSERT(s.error[0]);
	} else {
		FUZZ_ASSERT(!s.damaged || (o.lenient && s.error[0]));
		check(&s);
		read_again(&s);
	}
	sacct_free(&s);
	return 0;
}
