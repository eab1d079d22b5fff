/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * fault_fuzz.c - a call that fails changes nothing
 *
 * The calls have too little memory for a scheduler, a clone, a checkpoint or an
 * estimate, invalid jobs, times before the present, or numbers of no live job.
 * After each failure the scheduler saves the same bytes, and so does a clone.
 * Between them run events of checkpoint_drive.h, under any policy.
 */
#define FAIR_QUEUE_BLOCK 4
#define FAIR_CONSERVATIVE_PARTS 2
#define FAIR_CONSERVATIVE_MINIMA 2
#define FAIRSCHED_IMPLEMENTATION
#include "fuzz/checkpoint_drive.h"

/* Draws fewer bytes, often one less. */
static size_t draw_fewer(struct drive *d, size_t bytes)
{
	return fuzz_u8(&d->in) % 2
		       ? bytes - 1
		       : (size_t)fuzz_range(&d->in, 0, (int64_t)bytes - 1);
}

/* Allocates exactly @bytes, so that a sanitizer sees an access beyond them. */
static void *allocate(size_t bytes)
{
	void *memory = malloc(bytes ? bytes : 1);

	FUZZ_ASSERT(memory);
	return memory;
}

static void give_too_little_memory(struct drive *d,
				   const unsigned char *checkpoint,
				   size_t bytes)
{
	size_t less = draw_fewer(d, d->bytes);
	void *memory = allocate(less);
	struct fair_sched s, was;
	int damage = -1;

	memset(&s, 0x5a, sizeof(s));
	was = s;
	FUZZ_ASSERT(fair_sched_init(&s, sizeof(s), memory, less, &d->config) ==
		    -FAIR_ENOMEM);
	FUZZ_ASSERT(fair_sched_clone(&s, memory, less, &d->sched[0]) ==
		    -FAIR_ENOMEM);
	FUZZ_ASSERT(fair_sched_load(&s, sizeof(s), memory, less, &d->config,
				    checkpoint, bytes,
				    &damage) == -FAIR_ENOMEM);
	FUZZ_ASSERT(!memcmp(&s, &was, sizeof(s)) && damage <= 0);
	free(memory);

	less = draw_fewer(d, bytes);
	memory = allocate(less);
	FUZZ_ASSERT(fair_sched_save(&d->sched[0], memory, less) ==
		    -FAIR_ENOSPC);
	free(memory);
}

static void query_with_too_little_memory(struct drive *d)
{
	uint64_t number = drive_draw_job(d, FAIR_QUEUED);
	size_t less = draw_fewer(d, fair_sched_fst_size(&d->config));
	void *memory = allocate(less);
	int64_t start = 77, ours;
	struct fair_why why;

	ours = fair_sched_estimate(&d->sched[0], number, memory, less, &start);
	if (number == UINT64_MAX)
		FUZZ_ASSERT(ours == -FAIR_ENOENT);
	else if (d->config.policy < FAIR_CONSERVATIVE ||
		 d->config.policy > FAIR_DC)
		FUZZ_ASSERT(ours == -FAIR_ENOMEM && start == 77);
	ours = fair_sched_why(&d->sched[0], number, memory, less, &why);
	FUZZ_ASSERT(ours == -FAIR_EINVAL || ours == -FAIR_ENOMEM ||
		    ours == -FAIR_ENOENT);
	free(memory);
}

static void submit_invalid_job(struct drive *d)
{
	struct fair_job job;
	uint64_t live = drive_draw_job(d, fuzz_u8(&d->in) % 2);
	int64_t now = d->now;
	int want = -FAIR_EINVAL;

	memset(&job, 0, sizeof(job));
	job.number = d->numbers * UINT64_C(0x9e3779b97f4a7c15);
	job.submit = d->now;
	job.walltime = job.procs = 1;
	job.group = job.queue = job.qos = FAIR_THROTTLE_NONE;
	switch (fuzz_u8(&d->in) % 6) {
	case 0:
		job.walltime = -fuzz_range(&d->in, 0, 9);
		break;
	case 1:
		job.procs = -(int32_t)fuzz_range(&d->in, 0, 9);
		break;
	case 2:
		job.procs = INT32_MAX;
		want = -FAIR_ERANGE;
		break;
	case 3:
		now = d->sched[0].now - 1;
		want = -FAIR_ETIME;
		break;
	case 4:
		job.submit = d->now + 1;
		break;
	default:
		if (live == UINT64_MAX)
			return;
		job.number = live;
	}
	DRIVE_BOTH(d, fair_sched_submit(&d->sched[i], now, &job));
	FUZZ_ASSERT(fair_sched_submit(&d->sched[0], now, &job) == want);
}

static void name_no_live_job(struct drive *d)
{
	struct fair_sched *s = &d->sched[0];
	uint64_t none = d->numbers * UINT64_C(0x9e3779b97f4a7c15), live;
	struct fair_decision start;
	size_t n = 77;

	live = drive_draw_job(d, FAIR_RUNNING);
	FUZZ_ASSERT(fair_sched_finish(s, d->now, none) == -FAIR_ENOENT);
	FUZZ_ASSERT(fair_sched_cancel(s, d->now, none) == -FAIR_ENOENT);
	FUZZ_ASSERT(fair_sched_refuse(s, d->now, none) == -FAIR_ENOENT);
	FUZZ_ASSERT(fair_sched_retry(s, d->now, none) == -FAIR_ENOENT);
	FUZZ_ASSERT(fair_sched_modify(s, d->now, none, 1, 1) == -FAIR_ENOENT);
	FUZZ_ASSERT(fair_sched_finish(s, s->now - 1, live) == -FAIR_ETIME);
	FUZZ_ASSERT(fair_sched_capacity(s, d->now, 0, NULL, 0) == -FAIR_EINVAL);
	FUZZ_ASSERT(fair_sched_capacity(s, d->now, -1, &none, 1) ==
		    -FAIR_ENOENT);
	FUZZ_ASSERT(fair_sched_step(s, s->now - 1, &start, 1, &n) ==
			    -FAIR_ETIME &&
		    n == 77);
}

static void make_fault(struct drive *d)
{
	unsigned char *before, *after;
	size_t bytes, again;

	before = drive_save(d, &bytes);
	switch (fuzz_u8(&d->in) % 4) {
	case 0:
		give_too_little_memory(d, before, bytes);
		break;
	case 1:
		query_with_too_little_memory(d);
		break;
	case 2:
		submit_invalid_job(d);
		break;
	default:
		name_no_live_job(d);
	}
	after = drive_save(d, &again);
	FUZZ_ASSERT(bytes == again && !memcmp(before, after, bytes));
	free(before);
	free(after);
}

/* Clones the first scheduler; the clone gets all further events. */
static void clone_first(struct drive *d)
{
	unsigned char *checkpoint, *again;
	size_t bytes;

	FUZZ_ASSERT(!fair_sched_clone(&d->sched[1], d->memory[1] + 1, d->bytes,
				      &d->sched[0]));
	fair_sched_report_to(&d->sched[1], d->sched[0].config.promised,
			     d->sched[0].promised_context);
	d->schedulers = 2;
	checkpoint = drive_save(d, &bytes);
	again = allocate(bytes);
	FUZZ_ASSERT(fair_sched_checkpoint_size(&d->sched[1]) == bytes);
	FUZZ_ASSERT(!fair_sched_save(&d->sched[1], again, bytes));
	FUZZ_ASSERT(!memcmp(checkpoint, again, bytes));
	free(checkpoint);
	free(again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct drive d;
	uint8_t what;

	drive_new(&d, data, size);
	while (fuzz_more(&d.in)) {
		what = fuzz_u8(&d.in) % 8;
		if (what < 2)
			make_fault(&d);
		else if (what == 2)
			clone_first(&d);
		drive_event(&d);
	}
	FUZZ_ASSERT(!fair_sched_check(&d.sched[0]));
	drive_free(&d);
	return 0;
}
