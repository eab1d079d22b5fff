/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * Under maui users that always have work get what their targets say, and a hog
 * that was idle for as long as usage is remembered starts again.
 */
#include "tests/maui_site.h"

/* Runs for some time less than it asks for. */
struct run {
	uint64_t number;
	int64_t end;
	uint32_t user;
	int32_t procs;
};

struct load {
	struct maui_site site;
	struct run run[JOBS];
	int runs, waiting[3];
	int64_t used[3]; /* processor-seconds */
	uint64_t random;
};

static int64_t some(struct load *x, int64_t most)
{
	x->random = x->random * UINT64_C(6364136223846793005) +
		    UINT64_C(1442695040888963407);
	return (int64_t)((x->random >> 33) % (uint64_t)most) + 1;
}

static void load_open(struct load *x, uint64_t seed)
{
	memset(x, 0, sizeof(*x));
	site_begin(&x->site);
	x->random = seed;
	x->site.sched_config.procs = 64;
	x->site.config.usage = FAIR_MAUI_PROCS;
	x->site.config.priority.component_weight[FAIR_PRIORITY_FAIRSHARE] = 100;
	x->site.config.priority.weight[FAIR_PRIORITY_FS_USER] = 10;
}

static void set_target(struct load *x, int user, int64_t percent)
{
	x->site.user[user].has_target = true;
	x->site.user[user].target.kind = FAIR_USAGE_TARGET;
	x->site.user[user].target.points = percent * FAIR_USAGE_POINT;
}

static void load_submit(struct load *x, uint32_t user, int32_t procs,
			int64_t walltime)
{
	struct fair_job j = job_of(user, procs, walltime);

	j.cookie = user;
	submit(&x->site, j);
	x->waiting[user]++;
}

/* What ends until then, and when the first does of what does not. */
static int64_t load_end(struct load *x, int64_t until)
{
	int64_t next = FAIR_FOREVER;
	int i;

	for (i = x->runs; i-- > 0;) {
		if (x->run[i].end > until) {
			if (x->run[i].end < next)
				next = x->run[i].end;
			continue;
		}
		TEST_OK(fair_sched_finish(&x->site.sched, until,
					  x->run[i].number));
		x->run[i] = x->run[--x->runs];
	}
	return next;
}

static void load_start(struct load *x, int64_t now)
{
	struct fair_decision d[JOBS];
	struct fair_job_status j;
	struct run *r;
	size_t n, i;

	TEST_EQ(fair_sched_step(&x->site.sched, now, d, JOBS, &n), 0);
	for (i = 0; i < n; i++) {
		TEST_EQ(fair_sched_lookup(&x->site.sched, d[i].number, &j), 0);
		r = &x->run[x->runs++];
		r->number = d[i].number;
		r->user = (uint32_t)d[i].cookie;
		r->procs = j.job.procs;
		r->end = now + some(x, j.job.walltime);
		x->waiting[r->user]--;
		x->used[r->user] += r->procs * (r->end - now);
	}
}

/* For @users with always work, @seconds from now on. */
static void load_run(struct load *x, uint32_t users, int64_t seconds)
{
	int64_t end = x->site.now + seconds, next;
	uint32_t user;

	while (x->site.now < end) {
		for (user = 0; user < users; user++)
			while (x->waiting[user] < 10)
				load_submit(x, user, (int32_t)some(x, 16),
					    some(x, 4 * 3600));
		load_start(x, x->site.now);
		next = load_end(x, x->site.now);
		x->site.now = next;
		load_end(x, next);
	}
}

/* Whatever the sizes of the jobs: 70 and 30, within a point. */
TEST(two_users)
{
	static const struct {
		uint32_t windows;
		int64_t interval;
		uint64_t decay;
	} rule[3] = {
		{ 7, DAY, FAIR_USAGE_ONE },
		/* [MAUI] figure 5 */
		{ 14, DAY / 2, FAIR_USAGE_ONE / 5 * 4 },
		/* [MAUI] 6.1.2 */
		{ 8, DAY, FAIR_USAGE_ONE / 4 * 3 },
	};
	static struct load x;
	int64_t share;
	uint64_t seed;

	for (seed = 0; seed < 6; seed++) {
		load_open(&x, seed);
		x.site.config.windows = rule[seed % 3].windows;
		x.site.config.interval = rule[seed % 3].interval;
		x.site.config.decay = rule[seed % 3].decay;
		set_target(&x, 0, 70);
		set_target(&x, 1, 30);
		site_open(&x.site);
		load_run(&x, 2, 30 * DAY);
		share = 10000 * x.used[0] / (x.used[0] + x.used[1]);
		TEST_CHECK(share >= 6900 && share <= 7100);
		site_close(&x.site);
	}
}

/*
 * One had the machine for a week, then was idle for a week while another used a
 * little. With windows of both weeks the other goes first; one window forgets.
 */
TEST(idle_hog_starts_again)
{
	static struct load x;
	struct fair_priority_parts parts;
	uint32_t windows;
	int64_t other;

	for (windows = 1; windows <= 14; windows += 13) {
		load_open(&x, 1);
		x.site.config.windows = windows;
		x.site.config.interval = DAY;
		x.site.config.decay = FAIR_USAGE_ONE / 5 * 4;
		set_target(&x, 0, 50);
		set_target(&x, 1, 50);
		site_open(&x.site);
		submit(&x.site, job_of(0, 64, 7 * DAY));
		TEST_EQ(step(&x.site, 0), 1);
		TEST_EQ(fair_sched_finish(&x.site.sched, 7 * DAY, 0), 0);
		x.site.now = 7 * DAY;
		submit(&x.site, job_of(1, 6, 7 * DAY));
		TEST_EQ(step(&x.site, 7 * DAY), 1);
		TEST_EQ(fair_sched_finish(&x.site.sched, 14 * DAY - 1, 1), 0);
		x.site.now = 14 * DAY - 1;
		submit(&x.site, job_of(0, 64, 60));
		submit(&x.site, job_of(1, 64, 60));
		TEST_EQ(fair_sched_priority_parts(&x.site.sched, 3, &parts), 0);
		other = parts.priority;
		TEST_EQ(fair_sched_priority_parts(&x.site.sched, 2, &parts), 0);
		TEST_EQ(step(&x.site, x.site.now), 1);
		TEST_EQ(parts.priority<other, windows> 1);
		TEST_EQ(x.site.start[windows > 1 ? 3 : 2], x.site.now);
		site_close(&x.site);
	}
}
