/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * A ledger of the caller's stands beside those of the policy. One that takes no
 * part, because all its operations but three are NULL, changes no decision, no
 * clone and no checkpoint. One that orders, groups, gates or vetoes jobs does
 * so under each policy, or the configuration is refused.
 */
#define FAIRSCHED_IMPLEMENTATION
#include "tests/plain_ledger.h"
#include "tests/site.h"
#include "tests/world.h"

static size_t bytes_of(const struct fair_config *config)
{
	(void)config;
	return sizeof(uint64_t);
}

static int begin(struct fair_sched *s, void *ledger)
{
	(void)s;
	*(uint64_t *)ledger = 7;
	return 0;
}

static void copy(struct fair_sched *to, void *ledger,
		 const struct fair_sched *s, const void *from,
		 const uint32_t *slot)
{
	(void)to;
	(void)s;
	(void)slot;
	*(uint64_t *)ledger = *(const uint64_t *)from;
}

static uint64_t submit_job(struct fair_sched *s, int64_t now, uint64_t number,
			   int32_t procs)
{
	struct fair_job job = { .number = number,
				.submit = now,
				.walltime = 20 + (int64_t)number,
				.procs = procs };

	TEST_EQ(fair_sched_submit(s, now, &job), 0);
	return number;
}

/* Ten jobs, one that ends early, one that shrinks, a clone and a checkpoint on
 * the way. */
static uint64_t play(const struct fair_config *config)
{
	static unsigned char memory[3][1 << 17], bytes[1 << 16];
	struct fair_sched s, clone, loaded;
	struct fair_decision start[16];
	struct fair_job_status second;
	uint64_t number;
	size_t n;

	TEST_CHECK(fair_sched_size(config) <= sizeof(memory[0]));
	TEST_OK(fair_sched_init(&s, sizeof(s), memory[0], sizeof(memory[0]),
				config));
	for (number = 1; number <= 10; number++)
		submit_job(&s, 0, number, 1 + (int32_t)number % 5);
	TEST_EQ(fair_sched_step(&s, 0, start, 16, &n), 0);
	TEST_CHECK(n > 1);
	TEST_EQ(fair_sched_finish(&s, 5, start[0].number), 0);
	TEST_OK(fair_sched_lookup(&s, start[1].number, &second));
	second.job.procs = 1;
	TEST_OK(fair_sched_resize(&s, 5, start[1].number, &second.job));
	TEST_EQ(fair_sched_clone(&clone, memory[1], sizeof(memory[1]), &s), 0);
	TEST_EQ(fair_sched_check(&clone), 0);
	TEST_CHECK(fair_sched_checkpoint_size(&s) <= sizeof(bytes));
	TEST_EQ(fair_sched_save(&s, bytes, sizeof(bytes)), 0);
	TEST_OK(fair_sched_load(&loaded, sizeof(loaded), memory[2],
				sizeof(memory[2]), config, bytes,
				fair_sched_checkpoint_size(&s), NULL));
	TEST_EQ(fair_sched_step(&s, 5, start, 16, &n), 0);
	TEST_EQ(fair_sched_step(&clone, 5, start, 16, &n), 0);
	TEST_EQ(fair_sched_step(&loaded, 5, start, 16, &n), 0);
	TEST_EQ(fair_sched_check(&s), 0);
	TEST_CHECK(fair_sched_digest(&clone) == fair_sched_digest(&s));
	TEST_CHECK(fair_sched_digest(&loaded) == fair_sched_digest(&s));
	return fair_sched_digest(&s);
}

TEST(ledger_without_operations)
{
	struct fair_config with = { 0 }, without;
	struct fair_ledger_ops ops;
	uint32_t policy;

	memset(&ops, 0, sizeof(ops));
	ops.name = "silent";
	ops.size = bytes_of;
	ops.init = begin;
	ops.clone = copy;
	with.procs = 8;
	with.jobs = 16;
	for (policy = FAIR_FCFS; policy <= FAIR_DC; policy++) {
		with.policy = policy;
		without = with;
		with.ledger = &ops;
		without.ledger = NULL;
		TEST_CHECK(play(&with) == play(&without));
	}
}

static bool admits(const struct fair_sched *s, const void *ledger,
		   uint32_t slot)
{
	(void)s;
	(void)ledger;
	(void)slot;
	return true;
}

/* Counts the jobs that are queued. Events of no job have no slot, and few tell
 * what was before. */
static void hear(struct fair_sched *s, void *ledger, uint32_t event,
		 uint32_t slot, int64_t was)
{
	uint64_t *queued = (uint64_t *)ledger;

	(void)s;
	*queued += event == FAIR_LEDGER_QUEUED;
	*queued -= event == FAIR_LEDGER_WITHDRAWN ||
		   event == FAIR_LEDGER_STARTED;
	if (event >= FAIR_LEDGER_CAPACITY && event <= FAIR_LEDGER_STEP)
		TEST_EQ(slot, 0);
	if (event != FAIR_LEDGER_EXTENDED && event != FAIR_LEDGER_RESIZED)
		TEST_EQ(was, 0);
}

TEST(what_a_ledger_is_told)
{
	struct fair_ledger_ops ops = { .name = "hears",
				       .size = bytes_of,
				       .init = begin,
				       .clone = copy,
				       .gate = admits,
				       .notify = hear };
	struct fair_config config = { .policy = FAIR_DC, .ledger = &ops };
	const struct fair_job ids = { .user = 1 };
	const struct fair_job size = { .procs = 4, .penalty = 7 };
	struct fair_sched other;
	struct world w;
	char *memory;

	open_world_of(&w, &config);
	memory = (char *)malloc(w.bytes);
	submit(&w, 0, 1, 100, 5);
	TEST_EQ(step(&w, 0), 1);
	submit(&w, 0, 2, 100, 10);
	TEST_OK(fair_sched_capacity(&w.s, 5, 1, NULL, 0));
	TEST_OK(fair_sched_modify(&w.s, 6, 1, 5, 50));
	TEST_OK(fair_sched_reassign(&w.s, 6, 2, &ids));
	TEST_OK(fair_sched_resize(&w.s, 6, 1, &size));
	TEST_EQ(look(&w, 1).job.penalty, 7);
	TEST_EQ(*(uint64_t *)ledger_of(&w.s, "hears"), 8);
	submit(&w, 6, 3, 100, 10);
	TEST_OK(fair_sched_reassign(&w.s, 6, 3, &ids));
	TEST_EQ(*(uint64_t *)ledger_of(&w.s, "hears"), 9);
	submit(&w, 6, 4, 100, 10);
	submit(&w, 6, 5, 100, 10); /* the number of its slot is no event's */
	TEST_OK(fair_sched_reassign(&w.s, 6, 5, &ids));
	TEST_EQ(*(uint64_t *)ledger_of(&w.s, "hears"), 11);
	TEST_OK(fair_sched_cancel(&w.s, 6, 5));
	TEST_OK(fair_sched_cancel(&w.s, 6, 4));
	TEST_OK(fair_sched_cancel(&w.s, 6, 3));
	TEST_OK(fair_sched_convert(&other, sizeof(other), memory, w.bytes,
				   &w.config, &w.s));
	TEST_EQ(step(&w, 50), 0); /* it overruns */
	TEST_OK(fair_sched_finish(&w.s, 51, 1));
	TEST_EQ(step(&w, 51), 2);
	TEST_OK(fair_sched_finish(&w.s, 60, 2));
	free(memory);
	close_world(&w);
}

static void hear_no_filling(struct fair_sched *s, void *ledger, uint32_t event,
			    uint32_t slot, int64_t was)
{
	(void)s;
	(void)ledger;
	(void)slot;
	(void)was;
	TEST_CHECK(event < FAIR_LEDGER_FILLED);
}

/* Job 1 ends early, and two jobs start in its place. */
static void end_early_by(const struct fair_ledger_ops *ops)
{
	struct fair_config config = { .policy = FAIR_DC, .ledger = ops };
	struct world w;

	open_world_of(&w, &config);
	submit(&w, 0, 1, 100, 10);
	TEST_EQ(step(&w, 0), 1);
	submit(&w, 0, 2, 100, 5);
	submit(&w, 0, 3, 100, 5);
	TEST_OK(fair_sched_finish(&w.s, 50, 1));
	TEST_EQ(step(&w, 50), 23);
	close_world(&w);
}

/* Without a gate it is not told that jobs of a plan start now. */
TEST(whether_a_ledger_is_told_of_a_fill)
{
	struct fair_ledger_ops ops = { .name = "hears",
				       .size = bytes_of,
				       .init = begin,
				       .clone = copy,
				       .gate = admits,
				       .notify = hear };

	end_early_by(&ops);
	ops.gate = NULL;
	ops.notify = hear_no_filling;
	end_early_by(&ops);
}

static int accept(struct fair_sched *s, void *ledger, uint32_t slot,
		  int32_t procs, int64_t walltime)
{
	(void)s;
	(void)slot;
	(void)procs;
	(void)walltime;
	++*(uint64_t *)ledger;
	return 0;
}

/* What one ledger refuses the next one is not asked. */
TEST(a_change_that_is_refused)
{
	struct fair_maui_credential user = fair_maui_credential_defaults();
	struct fair_maui_config maui = fair_maui_defaults();
	struct fair_ledger_ops ops = { .name = "accepts",
				       .size = bytes_of,
				       .init = begin,
				       .clone = copy,
				       .modify = accept };
	struct fair_config config = { .policy = FAIR_MAUI,
				      .maui = &maui,
				      .ledger = &ops };
	struct world w;
	int kind;

	for (kind = 0; kind < FAIR_THROTTLE_KINDS; kind++)
		maui.count[kind] = 1;
	user.hard[FAIR_THROTTLE_PROCS] = 3;
	maui.credential[FAIR_THROTTLE_USER] = &user;
	open_world_of(&w, &config);
	submit(&w, 0, 1, 100, 2);
	TEST_EQ(fair_sched_modify(&w.s, 0, 1, 4, 100), -FAIR_ERANGE);
	TEST_EQ(*(uint64_t *)ledger_of(&w.s, "accepts"), 7);
	TEST_OK(fair_sched_modify(&w.s, 0, 1, 3, 100));
	TEST_EQ(*(uint64_t *)ledger_of(&w.s, "accepts"), 8);
	close_world(&w);
}

static int takes_size(struct fair_sched *s, void *ledger, uint32_t slot,
		      const struct fair_job *job)
{
	(void)s;
	(void)slot;
	*(uint64_t *)ledger += 100 * (uint64_t)job->procs;
	return 0;
}

static void counts(struct fair_sched *s, void *ledger, uint32_t event,
		   uint32_t slot, int64_t was)
{
	(void)s;
	(void)slot;
	(void)was;
	*(uint64_t *)ledger += event == FAIR_LEDGER_ENDED ||
			       event == FAIR_LEDGER_QUEUED ||
			       event == FAIR_LEDGER_STARTED;
}

/* That is in place of the job's end, arrival and start. */
TEST(a_ledger_that_is_told_of_sizes)
{
	struct fair_ledger_ops ops = { .name = "sizes",
				       .size = bytes_of,
				       .init = begin,
				       .clone = copy,
				       .notify = counts,
				       .resize = takes_size };
	struct fair_config config = { .policy = FAIR_DC, .ledger = &ops };
	const struct fair_job size = { .procs = 4 };
	uint64_t was;
	struct world w;

	open_world_of(&w, &config);
	submit(&w, 0, 1, 100, 5);
	TEST_EQ(step(&w, 0), 1);
	was = *(uint64_t *)ledger_of(&w.s, "sizes");
	TEST_OK(fair_sched_resize(&w.s, 6, 1, &size));
	TEST_EQ(*(uint64_t *)ledger_of(&w.s, "sizes"), was + 400);
	close_world(&w);
}

/* What a ledger says of each job, in its state: a copy of what is asked for. */
struct rules {
	int64_t until[8];	/* a veto, by number */
	uint32_t waits;		/* bits: jobs that its gate does not admit */
	int32_t backwards;	/* of two jobs or users the later goes first */
	uint32_t prepared;	/* bits: jobs */
};

static struct rules asked;

static size_t bytes_of_rules(const struct fair_config *config)
{
	(void)config;
	return sizeof(struct rules);
}

static int begin_rules(struct fair_sched *s, void *ledger)
{
	(void)s;
	memcpy(ledger, &asked, sizeof(asked));
	return 0;
}

static void copy_rules(struct fair_sched *to, void *ledger,
		       const struct fair_sched *s, const void *from,
		       const uint32_t *slot)
{
	(void)to;
	(void)s;
	(void)slot;
	memcpy(ledger, from, sizeof(asked));
}

static uint64_t number_of(const struct fair_sched *s, uint32_t slot)
{
	return s->live[slot].queued.rank.number;
}

static int by_number(const struct fair_sched *s, const void *ledger, uint32_t a,
		     uint32_t b)
{
	const struct rules *r = (const struct rules *)ledger;

	TEST_CHECK(r->prepared >> number_of(s, a) & 1);
	return number_of(s, a) < number_of(s, b) ? r->backwards : -r->backwards;
}

static uint32_t user_of(const struct fair_sched *s, const void *ledger,
			uint32_t slot)
{
	(void)ledger;
	return s->live[slot].user;
}

static int by_user(const struct fair_sched *s, const void *ledger, uint32_t a,
		   uint32_t b)
{
	const struct rules *r = (const struct rules *)ledger;

	(void)s;
	return ((a < b) - (a > b)) * r->backwards;
}

static void prepare(struct fair_sched *s, void *ledger, uint32_t slot)
{
	((struct rules *)ledger)->prepared |= 1U << number_of(s, slot);
}

static bool gate(const struct fair_sched *s, const void *ledger, uint32_t slot)
{
	return !(((const struct rules *)ledger)->waits >> number_of(s, slot) &
		 1);
}

static int64_t veto(const struct fair_sched *s, const void *ledger,
		    uint32_t slot, int64_t t)
{
	const struct rules *r = (const struct rules *)ledger;
	int64_t until = r->until[number_of(s, slot)];

	TEST_CHECK(t == s->now || s->planner->promises);
	return until > t ? until : t - 1; /* as good as now */
}

static void save(const struct fair_sched *s, const void *ledger,
		 struct fair_checkpoint *f)
{
	uint64_t all = ((const struct rules *)ledger)->waits;

	(void)s;
	fair_checkpoint_one(f, 1000, 1);
	fair_checkpoint_u64(f, &all);
}

static void load(struct fair_sched *s, void *ledger, struct fair_checkpoint *f)
{
	uint64_t all = 0;

	(void)s;
	fair_checkpoint_one(f, 1000, 1);
	fair_checkpoint_u64(f, &all);
	f->bad |= all != ((const struct rules *)ledger)->waits;
}

static const struct fair_ledger_ops silent = { .name = "rules",
					       .size = bytes_of_rules,
					       .init = begin_rules,
					       .clone = copy_rules,
					       .save = save,
					       .load = load };

/* The policies that plan afresh, and the caller's with the same planner. */
static const struct {
	uint32_t policy, depth, select;
} heeds[] = { { FAIR_FCFS, 0, 0 },     { FAIR_BACKFILL, 1, 0 },
	      { FAIR_BACKFILL, 3, 0 }, { FAIR_BACKFILL, 1, FAIR_BESTFIT },
	      { FAIR_SFS, 1, 0 },      { FAIR_RELSHARE, 1, 0 },
	      { FAIR_MAUI, 0, 0 },     { FAIR_CUSTOM, 0, 0 } };

#define HEEDS (sizeof(heeds) / sizeof(*heeds))

static uint32_t slot_of(const struct world *w, uint64_t number)
{
	return fair_sched_slot(&w->s, fair_sched_find(&w->s, number));
}

static void open_heeding(struct world *w, size_t i, struct fair_ledger_ops *ops,
			 struct fair_config *c)
{
	static const int64_t target[1] = { 1000 };
	static struct fair_planner_ops own;
	static struct site site;

	own = fair_afresh;
	open_site(&site, FAIR_FCFS, PROCS); /* for its configuration of maui */
	*c = site.config;
	close_site(&site);
	c->policy = heeds[i].policy;
	c->depth = heeds[i].depth;
	c->select = heeds[i].select;
	if (c->policy <= FAIR_BACKFILL && ops->order)
		c->order = FAIR_ORDER_LXF;
	c->target = target;
	c->advances = 0;
	c->ledger = ops;
	c->planner = &own;
	if (!w) /* the configuration is refused */
		return;
	open_world_of(w, c);
}

static bool plans_phases(size_t i)
{
	return heeds[i].policy == FAIR_MAUI || heeds[i].select;
}

/* Job 1 needs all processors, 2 and 3 need half of them. */
static void submit_three(struct world *w)
{
	struct fair_job j = a_job(1, 0, 100, PROCS);

	for (; j.number <= 3; j.number++, j.procs = PROCS / 2, j.user = 1)
		TEST_EQ(fair_sched_submit(&w->s, 0, &j), 0);
}

static struct fair_sched continues(const struct world *w, bool saved,
				   void *memory)
{
	unsigned char bytes[1 << 14];
	struct fair_sched s;

	if (saved) {
		TEST_OK(fair_sched_save(&w->s, bytes, sizeof(bytes)));
		TEST_OK(fair_sched_load(&s, sizeof(s), memory, w->bytes,
					&w->config, bytes,
					fair_sched_checkpoint_size(&w->s),
					NULL));
	} else {
		TEST_OK(fair_sched_clone(&s, memory, w->bytes, &w->s));
	}
	return s;
}

/* A job with a veto is passed over, has no reservation and delays no other. */
TEST(vetoes)
{
	struct fair_ledger_ops ops = silent;
	struct fair_config c;
	struct fair_why why;
	struct world w;
	char text[300];
	int64_t start;
	void *memory;
	size_t bytes, i;

	ops.veto = veto;
	for (i = 0; i < 2 * HEEDS; i++) {
		memset(&asked, 0, sizeof(asked));
		asked.until[1] = 50;
		open_heeding(&w, i / 2, &ops, &c);
		submit_three(&w);
		if (heeds[i / 2].policy < FAIR_RELSHARE)
			TEST_EQ(fair_ledgers_order(&w.s, slot_of(&w, 1),
						   slot_of(&w, 2)), 0);
		/* Under FAIR_MAUI user 1 has one job at a time. */
		TEST_EQ(step(&w, 0), heeds[i / 2].policy == FAIR_MAUI ? 2 : 23);
		TEST_EQ(fair_sched_next(&w.s), 50);
		memory = malloc(2 * w.bytes + (1 << 16));
		TEST_REQUIRE(memory);
		w.s = continues(&w, i % 2, memory);
		free(w.memory);
		w.memory = memory;
		TEST_EQ(fair_sched_check(&w.s), 0);
		TEST_EQ(fair_sched_next(&w.s), 50);
		bytes = fair_sched_fst_size(&w.config);
		memory = malloc(bytes);
		TEST_OK(fair_sched_why(&w.s, 1, memory, bytes, &why));
		TEST_CHECK(why.reasons & FAIR_WHY_VETO);
		TEST_CHECK(!(why.reasons & FAIR_WHY_NOTHING));
		TEST_EQ(why.vetoed_until, 50);
		TEST_CHECK(!strcmp(why.vetoed_by, "rules"));
		TEST_EQ(why.procs, 0);
		TEST_EQ(why.until, 100);
		(void)fair_why_text(&why, text, sizeof(text));
		TEST_CHECK(strstr(text, "rules vetoes its start until 50."));
		TEST_OK(fair_sched_estimate(&w.s, 1, memory, bytes, &start));
		TEST_EQ(start, 100);
		free(memory);
		TEST_OK(fair_sched_finish(&w.s, 40, 2));
		if (!fair_sched_finish(&w.s, 40, 3))
			TEST_EQ(step(&w, 40), 0);
		else
			TEST_EQ(step(&w, 40), 3);
		TEST_EQ(fair_sched_next(&w.s), 50);
		(void)fair_sched_finish(&w.s, 45, 3);
		TEST_EQ(step(&w, 50), 1);
		close_world(&w);
	}
}

/* Without the ledger job 1 starts now, with it never. */
static void is_freed(void *context, const struct fair_change *change)
{
	++*(int *)context;
	TEST_EQ(change->start[0], FAIR_FOREVER);
	TEST_EQ(change->start[1], 0);
}

static void convert_without_ledger(const struct world *w)
{
	struct fair_config c = w->config;
	struct fair_sched other;
	void *memory[2];
	size_t bytes;
	int changes = 0;

	c.ledger = NULL;
	bytes = fair_sched_whatif_size(&w->config, &c);
	memory[0] = malloc(w->bytes);
	memory[1] = malloc(bytes);
	TEST_OK(fair_sched_convert(&other, sizeof(other), memory[0], w->bytes,
				   &c, &w->s));
	TEST_OK(fair_sched_whatif(&w->s, &other, memory[1], bytes, is_freed,
				  &changes));
	TEST_EQ(changes, 1);
	free(memory[0]);
	free(memory[1]);
}

/* No time is known: the job never starts by itself, and runs no clock. */
TEST(veto_without_an_end)
{
	struct fair_ledger_ops ops = silent;
	struct fair_config c;
	struct fair_why why;
	struct world w;
	int64_t start;
	void *memory;
	char text[300];
	size_t bytes, i;

	ops.veto = veto;
	for (i = 0; i < HEEDS; i++) {
		memset(&asked, 0, sizeof(asked));
		asked.until[1] = i % 2 ? FAIR_FOREVER : FAIR_FOREVER - 1;
		open_heeding(&w, i, &ops, &c);
		submit(&w, 0, 1, 100, PROCS);
		TEST_EQ(step(&w, 0), 0);
		TEST_EQ(fair_sched_next(&w.s), FAIR_FOREVER);
		bytes = fair_sched_fst_size(&w.config);
		memory = malloc(bytes);
		TEST_OK(fair_sched_estimate(&w.s, 1, memory, bytes, &start));
		TEST_EQ(start, FAIR_FOREVER);
		TEST_OK(fair_sched_why(&w.s, 1, NULL, 0, &why));
		TEST_EQ(why.reasons, FAIR_WHY_VETO);
		TEST_EQ(why.vetoed_until, FAIR_FOREVER);
		(void)fair_why_text(&why, text, sizeof(text));
		TEST_CHECK(strstr(text, "ledger rules vetoes its start."));
		convert_without_ledger(&w);
		/* It waits no more once it does not belong to the queue. */
		TEST_OK(fair_sched_defer(&w.s, 0, 1,
					 &(struct fair_eligibility){
						 .held = true }));
		TEST_EQ(step(&w, 0), 0);
		TEST_OK(fair_sched_why(&w.s, 1, NULL, 0, &why));
		TEST_EQ(why.reasons, FAIR_WHY_INELIGIBLE);
		free(memory);
		close_world(&w);
	}
}

/* The rules are others: job @number may not run until @until. */
static void forbid(struct world *w, int64_t now, uint64_t number, int64_t until)
{
	((struct rules *)w->s.ledger[w->s.ledgers - 1].state)->until[number] =
		until;
	TEST_OK(fair_sched_replan(&w->s, now));
	TEST_EQ(fair_sched_check(&w->s), 0);
}

/* Job 1 may not run before 50, then now; and 2 not before 400. */
TEST(promises_keep_vetoes)
{
	struct fair_ledger_ops ops = silent;
	struct fair_config c;
	struct fair_why why;
	struct world w;
	int64_t third;
	void *memory;
	uint32_t i;

	ops.veto = veto;
	for (i = 0; i < 6; i++) {
		memset(&asked, 0, sizeof(asked));
		asked.until[1] = 50;
		open_heeding(NULL, 0, &ops, &c);
		c.policy = FAIR_CONSERVATIVE + i % 3;
		third = c.policy == FAIR_DC ? 150 : 100; /* dc only to now */
		c.order = FAIR_ORDER_FCFS;
		open_world_of(&w, &c);
		submit_three(&w);
		TEST_EQ(look(&w, 1).start, 50);
		TEST_EQ(look(&w, 2).start, 150);
		TEST_EQ(step(&w, 0), 0);
		TEST_EQ(fair_sched_next(&w.s), 50);
		TEST_OK(fair_sched_why(&w.s, 1, NULL, 0, &why));
		TEST_EQ(why.reasons, FAIR_WHY_VETO);
		memory = malloc(2 * w.bytes + (1 << 16));
		TEST_REQUIRE(memory);
		w.s = continues(&w, i / 3, memory);
		free(w.memory);
		w.memory = memory;
		forbid(&w, 0, 1, 0);
		TEST_EQ(look(&w, 1).start, 0);
		TEST_EQ(look(&w, 3).start, third);
		TEST_EQ(step(&w, 0), 1);
		forbid(&w, 10, 2, 400);
		TEST_EQ(look(&w, 2).start, 400);
		TEST_EQ(look(&w, 2).cause, FAIR_CAUSE_LIMIT);
		TEST_EQ(look(&w, 3).start, third);
		close_world(&w);
	}
}

/* The rules are others, but nothing was made anew: a retry finds no earlier
 * start, and job 2 keeps the one that it has. */
TEST(a_retry_takes_no_promise)
{
	struct fair_ledger_ops ops = silent;
	struct fair_config c;
	struct world w;
	uint32_t policy;

	ops.veto = veto;
	for (policy = FAIR_CONSERVATIVE; policy <= FAIR_DC; policy++) {
		memset(&asked, 0, sizeof(asked));
		open_heeding(NULL, 0, &ops, &c);
		c.policy = policy;
		c.order = FAIR_ORDER_FCFS;
		open_world_of(&w, &c);
		submit_three(&w);
		TEST_EQ(step(&w, 0), 1);
		TEST_EQ(look(&w, 2).start, 100);
		((struct rules *)w.s.ledger[w.s.ledgers - 1].state)->until[2] =
			400;
		TEST_OK(fair_sched_retry(&w.s, 10, 2));
		TEST_EQ(look(&w, 2).start, 100);
		close_world(&w);
	}
}

static int never_asked(void *context, int64_t now, const struct fair_job *a,
		       const struct fair_job *b)
{
	(void)context;
	(void)now;
	(void)a;
	(void)b;
	TEST_CHECK(false);
	return 0;
}

/* Where a ledger orders, the caller's comparison is not asked. */
TEST(a_ledger_before_a_comparison)
{
	struct fair_ledger_ops ops = silent;
	struct fair_config c;
	struct world w;

	ops.order = by_number;
	ops.prepare = prepare;
	memset(&asked, 0, sizeof(asked));
	asked.backwards = 1;
	open_heeding(NULL, 0, &ops, &c);
	c.policy = FAIR_PC;
	c.order = FAIR_ORDER_COMPARE;
	c.compare = never_asked;
	open_world_of(&w, &c);
	submit_three(&w);
	TEST_EQ(step(&w, 0), 1);
	submit(&w, 0, 4, 10, PROCS);
	TEST_OK(fair_sched_finish(&w.s, 20, 1));
	TEST_EQ(look(&w, 4).start, 20);
	close_world(&w);
}

/* Jobs that the gate admits go first, and then all others. */
TEST(gates)
{
	struct fair_ledger_ops ops = silent;
	struct fair_config c;
	struct world w;
	size_t i;

	ops.gate = gate;
	for (i = 0; i < HEEDS; i++) {
		memset(&asked, 0, sizeof(asked));
		asked.waits = 2;
		if (plans_phases(i))
			continue;
		open_heeding(&w, i, &ops, &c);
		submit_three(&w);
		TEST_EQ(step(&w, 0), 23);
		close_world(&w);
		asked.waits = UINT32_MAX;
		open_heeding(&w, i, &ops, &c);
		submit_three(&w);
		/* The users of FAIR_RELSHARE are equal: by submission. */
		TEST_EQ(step(&w, 0), 1);
		close_world(&w);
	}
}

/* Job 1 starts, and 2 goes before 3, or both are in one group. */
static void is_in_order(struct world *w, bool grouped)
{
	size_t bytes = fair_sched_fst_size(&w->config);
	void *memory = malloc(bytes);
	struct fair_why why;

	TEST_EQ(step(w, 0), 1);
	TEST_EQ(fair_ledgers_order(&w->s, slot_of(w, 2), slot_of(w, 3)),
		grouped ? 0 : -1);
	TEST_OK(fair_sched_why(&w->s, 3, memory, bytes, &why));
	TEST_EQ(why.ahead, 1);
	TEST_EQ(why.procs, 0);
	TEST_EQ(why.until, 100 + 100 * (w->config.policy == FAIR_MAUI));
	free(memory);
}

/* The ledger's order stands before that of the policy, and has its state. */
TEST(orders_and_groups)
{
	struct fair_ledger_ops ops;
	struct fair_config c;
	struct world w;
	size_t i;

	for (i = 0; i < 4 * HEEDS; i++) {
		ops = silent;
		ops.order = i % 2 ? by_user : by_number;
		ops.group = i % 2 ? user_of : NULL;
		ops.prepare = prepare;
		ops.spreads = i % 4 > 1;
		memset(&asked, 0, sizeof(asked));
		asked.backwards = i % 4 > 1 ? 1 : -1;
		if (i % 2 && plans_phases(i / 4))
			continue;
		open_heeding(&w, i / 4, &ops, &c);
		submit_three(&w);
		if (asked.backwards < 0)
			is_in_order(&w, i % 2);
		else if (heeds[i / 4].policy == FAIR_MAUI)
			TEST_EQ(step(&w, 0), 3); /* user 1 has one job */
		else
			TEST_EQ(step(&w, 0), i % 2 ? 23 : 32);
		close_world(&w);
	}
}

static void refused(struct fair_config c, const char *a, const char *b)
{
	const char *error = fair_sched_config_error(&c);

	TEST_REQUIRE(error);
	TEST_CHECK(strstr(error, a) && strstr(error, b));
	TEST_EQ(fair_sched_size(&c), 0);
}

/* Planners that do not heed a ledger refuse it, and name both. */
TEST(refused_ledgers)
{
	static const char *const name[] = { "FAIR_CONSERVATIVE", "FAIR_PC",
					    "FAIR_DC", "FAIR_CUSTOM" };
	struct fair_planner_ops deaf = fair_afresh;
	struct fair_ledger_ops ops;
	struct fair_config c = { 0 };
	size_t i;

	deaf.heeds_ledgers = false;
	for (i = 0; i < 16; i++) {
		ops = silent;
		if (i / 4 == 0)
			ops.order = by_number;
		if (i / 4 == 1)
			ops.gate = gate;
		if (i / 4 == 2)
			ops.veto = veto;
		if (i / 4 == 3)
			ops.prepare = prepare;
		open_heeding(NULL, 0, &ops, &c);
		c.policy = i % 4 == 3 ? (uint32_t)FAIR_CUSTOM
				      : (uint32_t)(FAIR_CONSERVATIVE + i % 4);
		c.planner = &deaf;
		c.order = FAIR_ORDER_FCFS;
		/* pc heeds an order, dc a gate, too, and all a veto. */
		if (i == 1 || i == 2 || i == 6 || (i >= 8 && i < 11) ||
		    i == 13 || i == 14)
			TEST_CHECK(!fair_sched_config_error(&c));
		else
			refused(c, name[i % 4], "ledger");
		c.ledger = &silent;
		TEST_CHECK(!fair_sched_config_error(&c));
	}
	for (i = 0; i < HEEDS; i++) {
		ops = silent;
		ops.gate = gate;
		open_heeding(NULL, i, &ops, &c);
		if (plans_phases(i))
			refused(c, "FAIR_MAUI nor select", "gate");
		ops.gate = NULL;
		ops.order = by_user;
		ops.group = user_of;
		if (plans_phases(i))
			refused(c, "FAIR_MAUI nor select", "groups");
		c.users = 0;
		if (!plans_phases(i) && heeds[i].policy != FAIR_RELSHARE)
			refused(c, "groups", "users");
	}
}

static int64_t overdue(const struct fair_sched *s, const void *ledger)
{
	(void)ledger;
	return s->now - 10;
}

/* What was due before is due now. */
TEST(one_that_is_overdue)
{
	struct fair_ledger_ops ops = silent;
	struct fair_config c;
	struct world w;

	ops.next = overdue;
	open_heeding(NULL, 0, &ops, &c);
	open_world_of(&w, &c);
	TEST_EQ(step(&w, 50), 0);
	TEST_EQ(fair_sched_next(&w.s), 50);
	close_world(&w);
}

static void count_steps(struct fair_sched *s, void *ledger, uint32_t event,
			uint32_t slot, int64_t was)
{
	(void)s;
	(void)slot;
	(void)was;
	*(uint64_t *)ledger += event == FAIR_LEDGER_STEP;
}

TEST(a_ledger_is_told_of_steps)
{
	const struct fair_ledger_ops ops = { .name = "steps",
					     .size = bytes_of,
					     .init = begin,
					     .clone = copy,
					     .notify = count_steps };
	struct fair_config config = { .policy = FAIR_BACKFILL, .ledger = &ops };
	struct world w;

	open_world_of(&w, &config);
	submit(&w, 0, 1, 100, 5);
	TEST_EQ(step(&w, 0), 1);
	TEST_EQ(step(&w, 3), 0);
	TEST_EQ(*(uint64_t *)ledger_of(&w.s, "steps"), 7 + 2);
	close_world(&w);
}

static int64_t lost_from;

static void note_end_of_loss(struct fair_sched *s, struct fair_event *e,
			     int64_t from, int64_t end)
{
	lost_from = e->lost;
	fair_promising.end_loss(s, e, from, end);
}

/* A planner is told since when promises may be lost as vetoes change. */
TEST(when_vetoes_are_lost)
{
	struct fair_planner_ops own = fair_promising;
	struct fair_ledger_ops ops = silent;
	struct fair_config c;
	struct world w;

	ops.veto = veto;
	memset(&asked, 0, sizeof(asked));
	open_heeding(NULL, 0, &ops, &c);
	c.policy = FAIR_CONSERVATIVE;
	open_world_of(&w, &c);
	submit_three(&w);
	own.end_loss = note_end_of_loss;
	w.s.planner = &own;
	TEST_OK(fair_sched_replan(&w.s, 5));
	TEST_EQ(lost_from, 5);
	close_world(&w);
}

static uint32_t starts;

static void count_starts(struct fair_sched *s, void *ledger, uint32_t event,
			 uint32_t slot, int64_t was)
{
	(void)s;
	(void)ledger;
	(void)slot;
	(void)was;
	starts += event == FAIR_LEDGER_STARTED;
}

/* By number; from the first start on, backwards. */
static int turns_over(const struct fair_sched *s, const void *ledger,
		      uint32_t a, uint32_t b)
{
	int order = (a > b) - (a < b);

	(void)s;
	(void)ledger;
	return starts ? -order : order;
}

/* A start of user 0 lets user 2 go before user 1, if the ledger says so. */
TEST(a_start_that_changes_the_order_of_others)
{
	struct fair_ledger_ops ops = silent;
	struct fair_config c = { .policy = FAIR_BACKFILL,
				 .users = 3,
				 .ledger = &ops };
	struct world w;
	uint32_t user;

	ops.group = user_of;
	ops.order = turns_over;
	ops.notify = count_starts;
	ops.spreads = true;
	open_world_of(&w, &c);
	starts = 0;
	for (user = 0; user < 3; user++) {
		struct fair_job j = a_job(user + 1, 0, 100, 4);

		j.user = user;
		TEST_OK(fair_sched_submit(&w.s, 0, &j));
	}
	TEST_EQ(step(&w, 0), 13);
	close_world(&w);
}

static uint32_t one_of_a_kind(const struct fair_config *config, uint32_t kind)
{
	(void)config;
	TEST_CHECK(kind < FAIR_ENTITY_KINDS);
	return 1;
}

/* No ledger is asked of kinds that there are not, as all usage is reset. */
TEST(a_ledger_is_asked_of_each_kind)
{
	static const struct fair_ledger_ops ops = { .name = "kinds",
						    .size = plain_size,
						    .init = plain_init,
						    .clone = plain_clone,
						    .entities = one_of_a_kind };
	const struct fair_config c = { .policy = FAIR_BACKFILL,
				       .ledger = &ops };
	struct world w;

	open_world_of(&w, &c);
	TEST_OK(fair_sched_reset_usage(&w.s, 0));
	close_world(&w);
}
