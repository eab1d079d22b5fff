/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * classes_small_test.c - every small workload on two classes, or on three nodes,
 * under every policy
 *
 * Class a has 2 processors, b has 2 and a GPU. 3 jobs (light: 2), each from a
 * menu: arrives with the one before, or a second later; asks for 1 processor, 2,
 * or 1 and the GPU; of any class, or of b rather than a; runs 3 s of 3, or 1 of 3.
 * Starts and classes, and the places of the jobs that wait, are the model's.
 *
 * On nodes: of 2 processors, two in class a and one in b. 4 jobs (light: 3), each
 * 1 processor; 2 chunks of 1; 3 of 1 on as many nodes of any class; or a node.
 */
#include "fairsched.h"
#include "fuzz/maui_pair.h"
#include "tests/model/classes_model.h"
#include "tests/test.h"

enum { MOST = 4, BYTES = 65536, JOBS = TEST_ROUNDS(8) > 1 ? 3 : 2, MENU = 24,
       NODES_MENU = 16 };

static const int32_t amounts[] = { 2, 0, 2, 1 };
static const struct fair_machine_config machine = { 2, 2, 0, amounts };
static const int32_t of_nodes[] = { 4, 2 }, count[] = { 2, 1 };
static const struct fair_machine_config machine_of_nodes = { 1, 2, 0,
							     of_nodes };
static const struct fair_node_config best_fit = { count, 0, 3 * MOST, false };
static const struct fair_node_config first_fit = { count, 0, 3 * MOST, true };

struct rules {
	struct fair_config ours;
	struct classes_rules model;
};

struct play {
	struct fair_sched sched;
	struct classes *model;
	struct classes_job job[MOST];
	int64_t run[MOST], end[MOST]; /* FAIR_FOREVER: it does not run */
	uint64_t memory[BYTES / 8];
};

static void draw(struct play *p, uint32_t workload, uint32_t n)
{
	static const int32_t asks[][2] = { { 1, 0 }, { 2, 0 }, { 1, 1 } };
	struct classes_job *j = p->job;
	uint32_t i;
	int kind;

	memset(p->job, 0, sizeof(p->job));
	for (i = 0; i < n; i++, j++, workload /= MENU) {
		j->submit = (i ? j[-1].submit : 0) + workload % 2;
		memcpy(j->amount, asks[workload / 2 % 3], sizeof(asks[0]));
		j->wants = workload / 6 % 2 * 2;
		j->wanted[0] = 1;
		j->walltime = 3;
		j->tasks = 1;
		j->user = i % 2;
		for (kind = 0; kind < MODEL_KINDS; kind++)
			j->asks.id[kind] = MODEL_NO_JOB;
		j->asks.id[0] = i % 2;
		p->run[i] = workload / 12 % 2 ? 1 : 3;
		p->end[i] = FAIR_FOREVER;
	}
}

static void draw_on_nodes(struct play *p, uint32_t workload, uint32_t n)
{
	struct classes_job *j = p->job;
	uint32_t i, kind;

	memset(p->job, 0, sizeof(p->job));
	for (i = 0; i < n; i++, j++, workload /= NODES_MENU) {
		kind = workload / 2 % 4;
		j->submit = (i ? j[-1].submit : 0) + workload % 2;
		j->chunks = kind < 3 ? (int32_t)kind + 1 : 1;
		j->amount[0] = j->chunks;
		j->per_node = j->span = kind == 2;
		j->exclusive = kind == 3;
		j->walltime = 3;
		j->tasks = 1;
		j->user = i % 2;
		p->run[i] = workload / 8 % 2 ? 1 : 3;
		p->end[i] = FAIR_FOREVER;
	}
}

static void submit(struct play *p, uint32_t i)
{
	const struct classes_job *asks = &p->job[i];
	struct fair_job j = { .number = i,
			      .submit = asks->submit,
			      .walltime = asks->walltime,
			      .procs = asks->amount[0],
			      .amount = asks->amount,
			      .classes = asks->wanted,
			      .class_count = asks->wants,
			      .user = asks->user,
			      .account = asks->user };

	j.chunks = asks->chunks;
	j.per_node = asks->per_node;
	j.exclusive = asks->exclusive;
	j.span = asks->span;
	j.group = j.qos = j.queue = MODEL_NO_JOB;
	if (p->sched.config.maui)
		j.account = MODEL_NO_JOB;
	TEST_EQ(fair_sched_submit(&p->sched, j.submit, &j), 0);
	TEST_EQ(classes_submit(p->model, j.submit, i, asks, false), 0);
}

static void finish_due(struct play *p, uint32_t n, int64_t now)
{
	uint32_t i;

	for (i = 0; i < n; i++) {
		if (p->end[i] > now)
			continue;
		p->end[i] = FAIR_FOREVER;
		TEST_EQ(fair_sched_finish(&p->sched, now, i), 0);
		TEST_EQ(classes_finish(p->model, now, i), 0);
	}
}

/* The chunks of a job on each node. */
static void compare_nodes(const struct play *p, uint64_t number)
{
	struct classes_place place = classes_place_of(p->model,
						      (uint32_t)number);
	struct fair_nodes_part part;
	uint32_t at = 0;

	while (fair_sched_nodes(&p->sched, number, &at, &part)) {
		TEST_EQ(part.chunks, place.on[part.node]);
		place.on[part.node] = 0;
	}
	for (at = 0; at < CLASSES_NODES; at++)
		TEST_EQ(place.on[at], 0);
}

static void step(struct play *p, int64_t now)
{
	struct fair_decision start[MOST];
	const struct classes_decision *d;
	struct fair_queue_place at = { 0, 0 };
	struct fair_job_status j;
	size_t n, models, i, k = 0;

	TEST_EQ(fair_sched_step(&p->sched, now, start, MOST, &n), 0);
	TEST_EQ(classes_step(p->model, now, &d, &models), 0);
	for (i = 0; i < models; i++) {
		if (d[i].kind != MODEL_START)
			continue;
		TEST_REQUIRE(k < n);
		TEST_EQ(start[k].number, d[i].number);
		TEST_EQ(start[k++].node_class, d[i].place.in);
		compare_nodes(p, d[i].number);
		p->end[d[i].number] = now + p->run[d[i].number];
	}
	TEST_EQ(k, n);
	while (fair_sched_each(&p->sched, FAIR_QUEUED, &at, &j)) {
		struct classes_place place = classes_place_of(
			p->model, (uint32_t)j.job.number);

		TEST_EQ(j.start, place.at);
		TEST_EQ(j.node_class, place.in);
		if (place.at != MODEL_NEVER)
			compare_nodes(p, j.job.number);
	}
}

static int64_t next_instant(const struct play *p, uint32_t n, uint32_t next)
{
	int64_t now = fair_sched_next(&p->sched);
	uint32_t i;

	if (next < n && p->job[next].submit < now)
		now = p->job[next].submit;
	for (i = 0; i < n; i++)
		now = p->end[i] < now ? p->end[i] : now;
	return now;
}

static void play(struct play *p, const struct rules *r, uint32_t n)
{
	uint32_t next = 0;
	int64_t now;

	TEST_REQUIRE(fair_sched_size(&r->ours) <= BYTES);
	TEST_OK(fair_sched_init(&p->sched, sizeof(p->sched), p->memory,
				sizeof(p->memory), &r->ours));
	p->model = classes_new(&r->model, 0);
	while ((now = next_instant(p, n, next)) < FAIR_FOREVER) {
		finish_due(p, n, now);
		for (; next < n && p->job[next].submit <= now; next++)
			submit(p, next);
		step(p, now);
	}
	TEST_EQ(fair_sched_count(&p->sched, FAIR_QUEUED), 0);
	TEST_EQ(fair_sched_check(&p->sched), 0);
	classes_free(p->model);
}

static void every_workload(const struct rules *r)
{
	static struct play p;
	uint32_t x, all = 1, i;

	for (i = 0; i < JOBS; i++)
		all *= MENU;
	for (x = 0; x < all; x++) {
		draw(&p, x, JOBS);
		play(&p, r, JOBS);
	}
}

static void every_workload_on_nodes(struct rules *r)
{
	static struct play p;
	uint32_t x, all = NODES_MENU, i;

	r->ours.procs = 6;
	r->ours.machine = &machine_of_nodes;
	r->model.resources = 1;
	r->model.amount = of_nodes;
	r->model.nodes = count;
	for (i = 0; i < JOBS; i++)
		all *= NODES_MENU;
	for (x = 0; x < all; x++) {
		r->ours.nodes = x % 5 ? &best_fit : &first_fit;
		r->model.first_fit = x % 5 == 0;
		draw_on_nodes(&p, x, JOBS + 1);
		play(&p, r, JOBS + 1);
	}
}

static struct rules of(uint32_t policy, enum model_policy model, uint32_t order)
{
	struct rules r = { .ours.policy = policy, .ours.order = order };

	r.ours.depth = r.model.depth = 1;
	r.ours.procs = 4;
	r.ours.jobs = MOST;
	r.ours.machine = &machine;
	r.model.policy = model;
	r.model.order = (enum model_order)order;
	r.model.resources = r.model.classes = 2;
	r.model.amount = amounts;
	return r;
}

TEST_EACH(in_order)
{
	struct rules r = of(FAIR_FCFS, MODEL_FCFS, FAIR_ORDER_FCFS);

	test_case("fcfs");
	every_workload(&r);
	test_case("easy");
	r = of(FAIR_BACKFILL, MODEL_EASY, FAIR_ORDER_FCFS);
	every_workload(&r);
	test_case("two reservations, the widest first");
	r = of(FAIR_BACKFILL, MODEL_EASY, FAIR_ORDER_WIDEST);
	r.ours.depth = r.model.depth = 2;
	every_workload(&r);
}

TEST_EACH(promising)
{
	struct rules r = of(FAIR_CONSERVATIVE, MODEL_CONSERVATIVE,
			    FAIR_ORDER_FCFS);

	test_case("conservative");
	every_workload(&r);
	test_case("pc");
	r = of(FAIR_PC, MODEL_PC, FAIR_ORDER_WIDEST);
	every_workload(&r);
	test_case("dc");
	r = of(FAIR_DC, MODEL_DC, FAIR_ORDER_FCFS);
	every_workload(&r);
}

TEST_EACH(chosen)
{
	struct rules r = of(FAIR_BACKFILL, MODEL_EASY, FAIR_ORDER_FCFS);

	for (r.ours.select = FAIR_BESTFIT; r.ours.select <= FAIR_NOFIT;
	     r.ours.select++) {
		test_case(r.ours.select == FAIR_BESTFIT	 ? "best fit"
			  : r.ours.select == FAIR_GREEDY ? "greedy"
							 : "no backfill");
		r.model.select = (enum model_select)r.ours.select;
		r.ours.longest = r.model.longest_first =
			r.ours.select == FAIR_GREEDY;
		every_workload(&r);
	}
}

TEST_EACH(by_users)
{
	static const uint32_t share[] = { 3, 1 };
	static const int64_t target[] = { 1, 2 };
	struct rules r = of(FAIR_SFS, MODEL_SFS, FAIR_ORDER_FCFS);

	r.ours.accounts = 2;
	r.ours.target = r.model.target = target;
	r.model.users = 2;
	test_case("sfs");
	every_workload(&r);
	r = of(FAIR_RELSHARE, MODEL_RELSHARE, FAIR_ORDER_FCFS);
	r.ours.users = r.model.users = 2;
	r.ours.share = r.model.share = share;
	r.ours.window = r.model.window = 4;
	test_case("relshare");
	every_workload(&r);
	r = of(FAIR_BACKFILL, MODEL_EASY, FAIR_ORDER_USAGE);
	r.ours.users = r.model.users = 2;
	test_case("easy by usage");
	every_workload(&r);
	r.ours.order = FAIR_ORDER_DOMINANT;
	r.model.order = MODEL_BY_DOMINANT;
	test_case("easy by dominant share");
	every_workload(&r);
}

/* User 0 runs two jobs at once only if no other user can; narrow jobs go first,
 * and bypassed ones. */
TEST_EACH(limited)
{
	struct rules r = of(FAIR_MAUI, MODEL_EASY, FAIR_ORDER_FCFS);
	static struct maui_pair site;
	struct fair_maui_config *c = &site.config;
	struct fuzz_in none = { NULL, 0 };
	struct model_rules drawn = { 0 };
	int kept;

	maui_pair_new(&site, &none, &drawn);
	c->priority.component_weight[FAIR_PRIORITY_RESOURCE] = -1;
	c->priority.weight[FAIR_PRIORITY_PROCS] = 2;
	c->priority.component_weight[FAIR_PRIORITY_BYPASS] = 1;
	c->priority.weight[FAIR_PRIORITY_BYPASSED] = 1;
	c->depth = site.model.depth = 1;
	site.credential[0][0].soft[FAIR_THROTTLE_JOBS] = 1;
	r.ours.maui = c;
	r.model.maui = &site.model;
	for (kept = 0; kept < 2; kept++) {
		test_case(kept ? "maui, best fit, kept reservations, one idle"
				 " job of user 0"
			       : "maui");
		if (kept)
			site.credential[0][0].hard[FAIR_THROTTLE_IDLE_JOBS] = 1;
		maui_pair_copy_to_model(&site);
		c->reservations = kept ? FAIR_MAUI_HIGHEST
				       : FAIR_MAUI_CURRENTHIGHEST;
		site.model.reservations = (int)c->reservations;
		c->select = kept ? FAIR_BESTFIT : FAIR_FIRSTFIT;
		r.model.select = (enum model_select)c->select;
		every_workload(&r);
	}
}

TEST_EACH(on_nodes)
{
	static const int64_t target[] = { 1, 2 };
	static const struct {
		const char *name;
		uint32_t policy;
		enum model_policy model;
		uint32_t order;
	} each[] = { { "fcfs", FAIR_FCFS, MODEL_FCFS, 0 },
		     { "easy", FAIR_BACKFILL, MODEL_EASY, 0 },
		     { "the widest first", FAIR_BACKFILL, MODEL_EASY,
		       FAIR_ORDER_WIDEST },
		     { "conservative", FAIR_CONSERVATIVE, MODEL_CONSERVATIVE,
		       0 },
		     { "pc", FAIR_PC, MODEL_PC, FAIR_ORDER_WIDEST },
		     { "dc", FAIR_DC, MODEL_DC, 0 },
		     { "sfs", FAIR_SFS, MODEL_SFS, 0 } };
	size_t i;

	for (i = 0; i < sizeof(each) / sizeof(*each); i++) {
		struct rules r = of(each[i].policy, each[i].model,
				    each[i].order);

		test_case(each[i].name);
		r.ours.accounts = r.model.users = 2;
		r.ours.target = r.model.target = target;
		every_workload_on_nodes(&r);
	}
}
