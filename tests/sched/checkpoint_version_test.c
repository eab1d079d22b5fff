/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * A checkpoint loads that an earlier program of the same version wrote; no other
 * version does. They are frozen in tests/golden/checkpoints.
 * With FAIRSCHED_FREEZE in the environment it writes them anew.
 */
#define FAIRSCHED_IMPLEMENTATION
#include "tests/checkpoints.h"

/*
 * Records become as wide as @width: of a program that did not know the last
 * fields yet, or of one that knows more of them.
 */
static unsigned char *rewidened(unsigned char *checkpoint, size_t *bytes,
				uint64_t what, uint64_t width)
{
	uint64_t was, i, records;
	unsigned char *p = section(checkpoint, what, &was), *to, *q;
	size_t before = (size_t)(p - checkpoint), after;

	records = fair_get_word(p - 16);
	after = *bytes - before - 8 * (size_t)(records * was);
	to = calloc(1, *bytes + 8 * (size_t)(records * width));
	memcpy(to, checkpoint, before);
	fair_put_word(to + before - 8, width);
	for (q = to + before, i = 0; i < records; i++, q += 8 * width)
		memcpy(q, p + 8 * i * was, (size_t)(8 * (was < width ? was : width)));
	memcpy(q, p + 8 * records * was, after);
	*bytes = (size_t)(q - to) + after;
	fair_put_word(to + 16, *bytes);
	good_again(to, *bytes);
	free(checkpoint);
	return to;
}

/* Words that a checkpoint does not have are 0; unknown ones do no harm. */
TEST(other_widths)
{
	struct fair_job_status a, b;
	struct fair_queue_place at = { 0, 0 };
	unsigned char *checkpoint;
	struct drive d;
	size_t bytes;

	checkpoint = some_checkpoint(&d, FAIR_PC, &bytes);
	do
		TEST_REQUIRE(fair_sched_each(&d.sched[0], FAIR_QUEUED, &at,
					     &a));
	while (!a.job.account);
	checkpoint = rewidened(checkpoint, &bytes, FAIR_SECTION_STATE, 9);
	checkpoint = rewidened(checkpoint, &bytes, FAIR_SECTION_JOBS,
			       FAIR_JOB_WORDS + 3);
	load(&d, checkpoint, bytes, 0);
	TEST_EQ(fair_sched_lookup(&d.sched[1], a.job.number, &b), 0);
	TEST_CHECK(a.start == b.start && a.first_promise == b.first_promise);
	TEST_CHECK(a.job.cookie == b.job.cookie && a.job.submit == b.job.submit);
	checkpoint =
		rewidened(checkpoint, &bytes, FAIR_CONSERVATIVE_SECTION, 3);
	load(&d, checkpoint, bytes, 0);
	TEST_EQ(promising_of(&d.sched[1])->filled, 0);
	checkpoint = rewidened(checkpoint, &bytes, FAIR_SECTION_JOBS, 3);
	load(&d, checkpoint, bytes, FAIR_CHECKPOINT_BROKEN); /* no processors */
	free(checkpoint);
	drive_free(&d);
}

static void freeze(const char *path, const unsigned char *checkpoint,
		   size_t bytes)
{
	FILE *f = fopen(path, "wb");

	TEST_REQUIRE(f);
	TEST_EQ(fwrite(checkpoint, 1, bytes, f), bytes);
	TEST_EQ(fclose(f), 0);
}

/* The frozen checkpoint; it is written first if @checkpoint is to be frozen. */
static size_t frozen(unsigned char *to, size_t room, uint32_t version,
		     uint32_t policy, const unsigned char *checkpoint,
		     size_t bytes)
{
	char path[128];
	FILE *f;

	snprintf(path, sizeof(path),
		 "tests/golden/checkpoints/version-%u-policy-%u.checkpoint",
		 (unsigned int)version, (unsigned int)policy);
	test_case(path);
	if (checkpoint && getenv("FAIRSCHED_FREEZE"))
		freeze(path, checkpoint, bytes);
	f = fopen(path, "rb");
	if (!f) {
		TEST_CHECK(f);
		return 0;
	}
	bytes = fread(to, 1, room, f);
	fclose(f);
	return bytes;
}

/*
 * One of this version goes on as the scheduler does from which it was saved. An
 * earlier one, which does not say the turns of the jobs, is refused.
 */
static void thaw(uint32_t version, uint32_t policy)
{
	static unsigned char old[1 << 16];
	const bool present = version == FAIR_SCHED_CHECKPOINT;
	unsigned char *checkpoint;
	struct drive d;
	size_t bytes;

	checkpoint = some_checkpoint(&d, policy, &bytes);
	bytes = frozen(old, sizeof(old), version, policy,
		       present ? checkpoint : NULL, bytes);
	if (!load(&d, old, bytes, present ? 0 : FAIR_CHECKPOINT_VERSION)) {
		d.schedulers = 2;
		while (fuzz_more(&d.in))
			drive_event(&d);
		TEST_EQ(fair_sched_check(&d.sched[1]), 0);
	}
	free(checkpoint);
	drive_free(&d);
}

TEST_EACH(thaw_all)
{
	uint32_t version, policy;

	for (version = 3; version <= FAIR_SCHED_CHECKPOINT; version++)
		for (policy = 0; policy < POLICIES; policy++)
			thaw(version, policy);
}
