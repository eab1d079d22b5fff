/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * Each field of a checkpoint has a row here that says which invariant a load
 * tests of it. A test forges each field, behind a good checksum, wherever a run
 * has it. A field without a row fails, so that none is forgotten.
 */
#define FAIRSCHED_IMPLEMENTATION
#include "tests/crowd.h"

/*
 * What happens if the field says @value: it is refused; or it is loaded, since
 * any value can be; or either, by what else the checkpoint says, but what is
 * loaded is sound, goes on and loads what it saves then.
 */
enum outcome { REFUSED, LOADED, SOUND };

#define WIDE ((uint64_t)1 << 33) /* no int32_t, and no uint32_t */
#define NONE UINT64_MAX

static const struct field {
	uint64_t section;
	const char *name;
	uint64_t value;
	enum outcome outcome;
	const char *invariant;
} fields[] = {
#define F(section, name, value, outcome, invariant)                            \
	{ section, name, (uint64_t)(value), outcome, invariant },
#define S FAIR_SECTION_CONFIG
	F(S, "policy", 99, REFUSED, "the configuration is valid")
	F(S, "order", 99, REFUSED, "the configuration is valid")
	F(S, "depth", 77, REFUSED, "it is the caller's")
	F(S, "select", 99, REFUSED, "the configuration is valid")
	F(S, "metric", 99, REFUSED, "the configuration is valid")
	F(S, "longest", 2, REFUSED, "true or false")
	F(S, "procs", 0, REFUSED, "the configuration is valid")
	F(S, "origin", INT64_MIN, REFUSED, "a time")
	F(S, "jobs", 0, REFUSED, "the configuration is valid")
	F(S, "accounts", UINT32_MAX, REFUSED, "at most the caller's")
	F(S, "users", UINT32_MAX, REFUSED, "at most the caller's")
	F(S, "window", INT64_MIN, REFUSED, "the configuration is valid")
	F(S, "only_used", 2, REFUSED, "true or false")
	F(S, "weight", 99, REFUSED, "it is the caller's")
	F(S, "half_life", -1, REFUSED, "the configuration is valid")
	F(S, "ineligible", UINT32_MAX, REFUSED, "at most jobs")
	F(S, "advances", UINT32_MAX, REFUSED, "the configuration is valid")
	F(S, "window_origin", INT64_MIN, REFUSED, "it is the caller's")
	F(S, "by_group", 2, REFUSED, "true or false")
	F(S, "decays", 2, REFUSED, "true or false")
	F(S, "dependencies", UINT32_MAX, REFUSED, "the configuration is valid")
	F(S, "by_difference", 2, REFUSED, "true or false")
#undef S
#define S FAIR_SECTION_STATE
	F(S, "now", INT64_MIN, REFUSED, "a time, from the origin on")
	F(S, "procs", WIDE, REFUSED, "at most max_procs")
	F(S, "max_procs", 0, REFUSED, "at least procs, and as configured")
	F(S, "digest", NONE, LOADED, "any")
	F(S, "start_count", 77, LOADED, "any")
	F(S, "is_step_complete", 2, REFUSED, "true or false")
	F(S, "owes_reaction", 2, REFUSED, "true or false")
#undef S
#define S FAIR_SECTION_JOBS
	F(S, "number", NONE, SOUND, "I2, and named by the policy")
	F(S, "key", INT64_MIN, SOUND, "I3, I4; a priority is computed")
	F(S, "walltime", 0, REFUSED, "what a submission accepts")
	F(S, "procs", 0, REFUSED, "what a submission accepts")
	F(S, "not_before", INT64_MAX - 1, SOUND, "a promise is not before")
	F(S, "cookie", NONE, LOADED, "any")
	F(S, "submit", INT64_MAX, REFUSED, "what a submission accepts")
	F(S, "started", INT64_MIN, SOUND, "a time, of a running job")
	F(S, "first_promise", INT64_MIN, REFUSED, "a planned time, or none")
	F(S, "user", WIDE, REFUSED, "what a submission accepts")
	F(S, "group", WIDE, REFUSED, "what a submission accepts")
	F(S, "account", WIDE, REFUSED, "what a submission accepts")
	F(S, "queue", WIDE, REFUSED, "what a submission accepts")
	F(S, "qos", WIDE, REFUSED, "what a submission accepts")
	F(S, "moves", WIDE, REFUSED, "a count")
	F(S, "state", 99, REFUSED, "enum fair_state and marks")
	F(S, "cause", 99, REFUSED, "enum fair_cause")
	F(S, "starts_before", WIDE, REFUSED, "a count")
	F(S, "charged", 2, REFUSED, "true or false")
	F(S, "penalty", -1, SOUND, "what a submission accepts")
	F(S, "tasks_behind", UINT32_MAX, SOUND, "I2: numbers of waiting tasks")
	F(S, "advance", NONE, SOUND, "there is room for such jobs")
	F(S, "ran", -1, REFUSED, "a duration")
	F(S, "turn", INT64_MAX - 1, REFUSED, "a planned time, or none")
	F(S, "refused", INT64_MIN, REFUSED, "a time")
	F(S, "refusals", 61, REFUSED, "at most 60")
	F(S, "resized", -1, REFUSED, "a part of ran")
	F(S, "overran", -1, REFUSED, "a part of ran")
#undef S
#define S FAIR_SECTION_INELIGIBLE
	F(S, "number", NONE, REFUSED, "I2: of an ineligible job")
	F(S, "begin", INT64_MIN, SOUND, "any that keeps it ineligible")
	F(S, "after", NONE, LOADED, "any")
	F(S, "end", 99, REFUSED, "enum fair_after")
	F(S, "held", 2, REFUSED, "true or false")
	F(S, "is_new", 2, REFUSED, "true or false")
	F(S, "is_any", 2, REFUSED, "true or false")
	F(S, "is_suspended", 2, REFUSED, "true or false")
	F(S, "list: after", NONE, LOADED, "any")
	F(S, "list: end", 99, REFUSED, "enum fair_after")
#undef S
#define S FAIR_SECTION_ADVANCES
	F(S, "number", NONE, SOUND, "I2: ordered")
	F(S, "from", INT64_MAX, REFUSED, "what a reservation accepts")
	F(S, "to", INT64_MIN, REFUSED, "what a reservation accepts")
	F(S, "procs", WIDE, REFUSED, "what a reservation accepts")
	F(S, "kind", 99, REFUSED, "what a reservation accepts")
	F(S, "user", 7, LOADED, "any")
#undef S
#define S FAIR_SECTION_TASK_LIMITS
	F(S, "first", NONE, REFUSED, "numbers of tasks")
	F(S, "tasks", 0, REFUSED, "an array")
	F(S, "most", 0, REFUSED, "at least one")
#undef S
#define S FAIR_CONSERVATIVE_SECTION
	F(S, "lost", NONE, LOADED, "any")
	F(S, "freed.from", INT64_MIN, REFUSED, "a planned time, or none")
	F(S, "freed.to", INT64_MIN, LOADED, "any")
	F(S, "freed.most", WIDE, REFUSED, "processors")
	F(S, "filled", INT64_MAX, LOADED, "any")
	F(S, "kind", 99, REFUSED, "6: enum fair_conservative_kind")
	F(S, "walk.from", INT64_MIN, REFUSED, "a planned time, or none")
	F(S, "walk.to", INT64_MIN, LOADED, "any")
	F(S, "walk.longest", -1, LOADED, "any")
	F(S, "walk.most", WIDE, REFUSED, "processors")
	F(S, "next", NONE, SOUND, "6: a queued job, if it scans")
#undef S
#define S FAIR_PROMISING_SECTION
	F(S, "cause", 99, REFUSED, "enum fair_cause")
	F(S, "culprit", NONE, LOADED, "any")
#undef S
#define S FAIR_BACKFILL_WALK
	F(S, "resume.key", INT64_MAX, SOUND, "any rank")
	F(S, "resume.number", NONE, SOUND, "any rank")
	F(S, "last_reserved.key", INT64_MAX, SOUND, "any rank")
	F(S, "last_reserved.number", NONE, SOUND, "with fcfs, of a queued job")
	F(S, "pass", 9999, REFUSED, "one of the walk")
	F(S, "reserved", 9999, REFUSED, "at most depth")
	F(S, "shadow_time", INT64_MIN, REFUSED, "a planned time, or none")
	F(S, "extra_procs", WIDE, REFUSED, "processors")
	F(S, "walk_time", INT64_MAX, SOUND, "not after now")
	F(S, "again", 2, REFUSED, "true or false")
	F(S, "next", 9999, REFUSED, "at most ends")
	F(S, "ends", 9999, REFUSED, "at most the queued jobs")
	F(S, "remaining", 9999, REFUSED, "at most ends")
	F(S, "counted", WIDE, REFUSED, "a count")
	F(S, "limit_reached", 2, REFUSED, "true or false")
	F(S, "chosen_next", 9999, REFUSED, "at most chosen_end")
	F(S, "chosen_end", 9999, REFUSED, "at most FAIR_GREEDY_JOBS")
	F(S, "unsorted", 9999, REFUSED, "a heap of what is left")
	F(S, "paused", 2, REFUSED, "true or false")
	F(S, "pending", 9999, REFUSED, "at most what is left")
	F(S, "kept", 9999, REFUSED, "at most depth")
	F(S, "resume_walltime", INT64_MIN, SOUND, "any")
#undef S
#define S FAIR_BACKFILL_HELD
	F(S, "start", INT64_MIN, SOUND, "it fits into the profile")
	F(S, "walltime", INT64_MIN, SOUND, "it fits into the profile")
	F(S, "procs", WIDE, REFUSED, "processors")
	F(S, "gone", 1, SOUND, "of a plan that is made again")
	F(S, "number", NONE, SOUND, "of a queued job, unless gone")
#undef S
	F(FAIR_BACKFILL_LEFT, "number", NONE, REFUSED, "of a queued job")
	F(FAIR_BACKFILL_CHOSEN, "number", NONE, REFUSED, "of a queued job")
	F(FAIR_BACKFILL_CLASS, "class", 99, REFUSED, "a class")
	F(FAIR_SFS_SECTION, "target", -1, REFUSED, "as init accepts it")
#define S FAIR_RELSHARE_STATE
	F(S, "zero", INT64_MIN, REFUSED, "a window's first second")
	F(S, "begin", INT64_MIN, REFUSED, "a window's first second")
	F(S, "now", INT64_MAX, REFUSED, "not after the scheduler's")
	F(S, "most_share", UINT32_MAX, REFUSED, "at most the largest share")
	F(S, "sum", NONE, SOUND, "relshare.h: the sum of entitlements")
	F(S, "sum", NONE, SOUND, "relshare.h: the sum of entitlements")
	F(S, "sum", NONE, SOUND, "relshare.h: the sum of entitlements")
#undef S
#define S FAIR_RELSHARE_USER
	F(S, "base", NONE, SOUND, "relshare.h: an entitlement")
	F(S, "base", NONE, SOUND, "relshare.h: an entitlement")
	F(S, "base", NONE, SOUND, "relshare.h: an entitlement")
	F(S, "since", INT64_MIN, REFUSED, "from zero to now")
	F(S, "share", UINT32_MAX, REFUSED, "at most most_share")
	F(S, "full", 2, REFUSED, "true or false")
	F(S, "used", NONE, SOUND, "relshare.h: usage")
#undef S
#define S FAIR_MAUI_STATE
	F(S, "zero", INT64_MIN, REFUSED, "a window's first second")
	F(S, "now", INT64_MAX, REFUSED, "not after the scheduler's")
	F(S, "usage", 99, REFUSED, "it is the caller's")
	F(S, "users", 99, REFUSED, "it is the caller's")
	F(S, "groups", 99, REFUSED, "it is the caller's")
	F(S, "accounts", 99, REFUSED, "it is the caller's")
	F(S, "qos", 99, REFUSED, "it is the caller's")
	F(S, "queues", 99, REFUSED, "it is the caller's")
	F(S, "interval", NONE, REFUSED, "as init accepts it")
	F(S, "decay", NONE, REFUSED, "as init accepts it")
	F(S, "skipped_at", -1, REFUSED, "not negative")
#undef S
#define S FAIR_MAUI_JOBS
	F(S, "nodes", WIDE, REFUSED, "what a submission accepts")
	F(S, "memory", -1, REFUSED, "what a submission accepts")
	F(S, "swap", -1, REFUSED, "what a submission accepts")
	F(S, "disk", -1, REFUSED, "what a submission accepts")
	F(S, "rate", -1, REFUSED, "what a submission accepts")
	F(S, "bypassed", -1, REFUSED, "a count")
	F(S, "priority", INT64_MIN, SOUND, "any")
	F(S, "rank", -1, REFUSED, "from 0 to 100 points")
	F(S, "skipped", 1 << 20, REFUSED, "credentials of the job")
#undef S
#define S FAIR_FAIRTREE_STATE
	F(S, "period", NONE, SOUND, "fairtree.h: that of its usage")
	F(S, "weight", NONE, REFUSED, "at most 2^(bits + 1)")
	F(S, "usage", NONE, REFUSED, "fairtree.h: the sum of its nodes")
	F(S, "held", NONE, REFUSED, "the walltimes of charged jobs")
#undef S
#define S FAIR_FAIRTREE_TREE
	F(S, "kind", 99, REFUSED, "enum fair_fairtree_kind")
	F(S, "parent", 99, SOUND, "an account, on a way to the root")
	F(S, "shares", NONE, REFUSED, "an uint32_t")
	F(S, "usage", NONE, SOUND, "fairtree.h: the sum of its nodes")
	F(S, "held", NONE, SOUND, "the walltimes of charged jobs")
	F(S, "waits", 2, REFUSED, "true or false")
#undef S
#define S FAIR_SECTION_MACHINE
	F(S, "resources", 99, REFUSED, "they are the caller's")
	F(S, "classes", 99, REFUSED, "they are the caller's")
	F(S, "wide", 99, REFUSED, "they are the caller's")
#undef S
#define S FAIR_SECTION_AMOUNTS
	F(S, "amount", WIDE, REFUSED, "it is the caller's")
	F(S, "present", WIDE, REFUSED, "at most the most ever")
	F(S, "most", WIDE, REFUSED, "at least what is present")
#undef S
#define S FAIR_SECTION_REQUESTS
	F(S, "count", 99, REFUSED, "at most all classes")
	F(S, "class", 99, REFUSED, "a class")
	F(S, "classes, amounts", NONE, SOUND, "what a submission accepts")
#undef S
#define S FAIR_SECTION_WITHHELD
	F(S, "class", 99, REFUSED, "a class")
	F(S, "amounts", WIDE, REFUSED, "what a reservation accepts")
#undef S
	F(FAIR_SECTION_BILLING, "maximum", 2, REFUSED, "true or false")
	F(FAIR_SECTION_BILLING, "weight", 99, REFUSED, "it is the caller's")
#define S FAIR_SECTION_ROOM
	F(S, "ids", UINT32_MAX, REFUSED, "the configuration is valid")
	F(S, "credits", UINT32_MAX, REFUSED, "the configuration is valid")
	F(S, "so far", 0, SOUND, "at least those that are kept")
#undef S
#define S FAIR_SECTION_IDS
	F(S, "kind", 99, REFUSED, "enum fair_entity_kind")
	F(S, "index", 99999, REFUSED, "there is room for it")
	F(S, "id", FAIR_NO_ENTITY, REFUSED, "an id, of its own")
#undef S
#define S FAIR_SECTION_CREDITS
	F(S, "time", INT64_MIN, REFUSED, "a time")
	F(S, "id", NONE, LOADED, "any")
	F(S, "kind", 99, REFUSED, "enum fair_entity_kind")
	F(S, "reason", 7, LOADED, "any")
	F(S, "amount", NONE, LOADED, "any, not below taken")
	F(S, "taken", NONE, REFUSED, "at most the amount")
#undef S
	F(FAIR_SECTION_NODES, "count", 99, REFUSED, "it is the caller's")
	F(FAIR_SECTION_NODES_DOWN, "node", 99, REFUSED, "a node")
#define S FAIR_SECTION_NODES_SETS
	F(S, "set", 99, REFUSED, "a set")
	F(S, "node", 99, REFUSED, "a node")
#undef S
#define S FAIR_SECTION_NODES_ASKED
	F(S, "chunks", 0, REFUSED, "what a submission accepts")
	F(S, "per_node", -1, REFUSED, "what a submission accepts")
	F(S, "exclusive", 2, REFUSED, "true or false")
	F(S, "span", 2, REFUSED, "true or false")
	F(S, "named", 99, REFUSED, "what a submission accepts")
	F(S, "excluded", 99, REFUSED, "what a submission accepts")
	F(S, "parts", 99, REFUSED, "those of all chunks")
#undef S
#define S FAIR_SECTION_NODES_PARTS
	F(S, "node", 99, REFUSED, "a node that the job may use")
	F(S, "chunks", 99, REFUSED, "what there is room for")
#undef S
#define S FAIR_SECTION_NODES_WITHHELD
	F(S, "place", 99, REFUSED, "of an advance reservation")
	F(S, "node", 99, REFUSED, "a node")
#undef S
#define S FAIR_LIMITS_SECTION
	F(S, "what", FAIR_LIMIT_WHATS, REFUSED, "a kind and a resource")
	F(S, "whose", 9, SOUND, "any, without ids and tree; of what is spent")
	F(S, "amount", FAIR_QUOTAS_NONE, REFUSED, "what a limit accepts")
#undef S
#define S FAIR_SPENT_SECTION
	F(S, "what", FAIR_ENTITY_USER, REFUSED, "a budget")
	F(S, "whose", 9, REFUSED, "one that has it")
	F(S, "amount", -1, REFUSED, "what a caller may set")
#undef S
	F(FAIR_REVOKED_SECTION, "number", 1, REFUSED, "a displaced job")
#undef F
};

/* The rows of a ledger of usage.h, behind its own checksum. */
static const struct field ledger_fields[] = {
	{ 0, "magic", 0, REFUSED, "usage.h: a ledger" },
	{ 0, "version", 99, REFUSED, "usage.h: the version" },
	{ 0, "entities", 0, REFUSED, "usage.h: I1" },
	{ 0, "depth", 9999, REFUSED, "usage.h: I1" },
	{ 0, "length", NONE, REFUSED, "usage.h: I1" },
	{ 0, "decay", NONE, REFUSED, "usage.h: I1" },
	{ 0, "sources_max", NONE, REFUSED, "usage.h: I1" },
	{ 0, "sources", 0, REFUSED, "usage.h: I2" },
	{ 0, "id", 7, REFUSED, "of the only source: 0" },
	{ 0, "changes", NONE, SOUND, "usage.h: I7" },
	{ 0, "clock", NONE, REFUSED, "usage.h: I3" },
	{ 0, "period", NONE, REFUSED, "usage.h: I4" },
	{ 0, "provisional", 1, REFUSED, "usage.h: I6; of charged jobs" },
	{ 0, "usage", NONE, REFUSED, "usage.h: I5, I7" },
	{ 0, "more usage", NONE, SOUND, "usage.h: I4 to I7" },
};

/* A field at @word of a record of @section; NULL: it has no row. */
static const struct field *find_field(uint64_t section, size_t word)
{
	const size_t n = sizeof(fields) / sizeof(*fields);
	size_t from = 0, rows = 0;

	while (from < n && fields[from].section != section)
		from++;
	while (from + rows < n && fields[from + rows].section == section)
		rows++;
	if (section == FAIR_SECTION_INELIGIBLE && word >= rows)
		word = rows - 2 + word % 2; /* lists */
	else if ((section == FAIR_SECTION_REQUESTS ||
		  section == FAIR_SECTION_WITHHELD ||
		  section == FAIR_SECTION_BILLING) &&
		 word >= rows)
		word = rows - 1;
	return word < rows ? fields + from + word : NULL;
}

struct forge {
	const struct fair_config *config;
	unsigned char *checkpoint;
	size_t bytes;
	bool seen[sizeof(fields) / sizeof(*fields)];
};

/* Whether it loads; then it goes on, and loads what it saves. */
static bool loads(const struct forge *f, bool goes_on)
{
	size_t size = fair_sched_size(f->config), bytes;
	void *memory = malloc(size), *other = malloc(size);
	unsigned char *again;
	struct fair_sched s;
	bool loaded;

	good_again(f->checkpoint, f->bytes);
	loaded = !fair_sched_load(&s, sizeof(s), memory, size, f->config,
				  f->checkpoint, f->bytes, NULL);
	if (loaded)
		TEST_EQ(fair_sched_check(&s), 0);
	if (loaded && goes_on) {
		struct fair_decision start[DRIVE_JOBS];
		int64_t now = s.now;
		size_t n;

		TEST_OK(fair_sched_step(&s, now, start, DRIVE_JOBS, &n));
		if (fair_sched_next(&s) <= FAIR_TIME_MAX)
			now = fair_sched_next(&s);
		TEST_OK(fair_sched_step(&s, now, start, DRIVE_JOBS, &n));
		TEST_EQ(fair_sched_check(&s), 0);
		bytes = fair_sched_checkpoint_size(&s);
		again = (unsigned char *)malloc(bytes);
		TEST_OK(fair_sched_save(&s, again, bytes));
		TEST_OK(fair_sched_load(&s, sizeof(s), other, size, f->config,
					again, bytes, NULL));
		free(again);
	}
	free(memory);
	free(other);
	return loaded;
}

static void forge_as(struct forge *f, const struct field *is, uint64_t value,
		     unsigned char *word, unsigned char *ledger, size_t words)
{
	uint64_t was = fair_get_word(word);
	bool loaded;

	if (was == value)
		return;
	fair_put_word(word, value);
	if (ledger)
		fair_put_word(ledger + 8 * words - 8,
				    fair_fnv(ledger, 8 * words - 8));
	loaded = loads(f, is->outcome == SOUND);
	if (is->outcome != SOUND && loaded != (is->outcome == LOADED)) {
		printf("%s (%s): %s\n", is->name, is->invariant,
		       loaded ? "loaded" : "refused");
		TEST_CHECK(is->outcome == SOUND);
	}
	fair_put_word(word, was);
	if (ledger)
		fair_put_word(ledger + 8 * words - 8,
				    fair_fnv(ledger, 8 * words - 8));
	if (!ledger)
		f->seen[is - fields] = true;
}

/* Where 99 is refused, the field has 32 bits, but for lists of classes. */
static void forge(struct forge *f, const struct field *is, unsigned char *word,
		  unsigned char *ledger, size_t words)
{
	forge_as(f, is, is->value, word, ledger, words);
	if (is->value == 99 && is->outcome == REFUSED &&
	    strcmp(is->name, "class"))
		forge_as(f, is, WIDE, word, ledger, words);
	if (is->section == FAIR_REVOKED_SECTION) /* there is no such job */
		forge_as(f, is, NONE, word, ledger, words);
}

/* Forges each field of the first record and the last one of a section. */
static void forge_section(struct forge *f, unsigned char *p)
{
	const size_t rows = sizeof(ledger_fields) / sizeof(*ledger_fields);
	uint64_t number = fair_get_word(p);
	uint64_t records = fair_get_word(p + 8), r, i;
	uint64_t width = fair_get_word(p + 16);
	const struct field *is;

	p += 8 * FAIR_CHECKPOINT_HEADER;
	if (records && fair_get_word(p) == FAIR_USAGE_MAGIC) {
		for (i = 0; i + 1 < width; i++)
			forge(f, ledger_fields + (i < rows ? i : rows - 1),
			      p + 8 * i, p, (size_t)width);
		return;
	}
	for (i = 0; i < width; i++) {
		is = find_field(number, (size_t)i);
		if (f->config->nodes && number == FAIR_SECTION_WITHHELD && !i)
			continue; /* its nodes tell the class */
		if (!is)
			printf("word %d of section %d has no row\n", (int)i,
			       (int)number);
		TEST_REQUIRE(is);
		for (r = 0; r < records; r += records > 1 ? records - 1 : 1)
			forge(f, is, p + 8 * (r * width + i), NULL, 0);
	}
}

static void forge_all(struct forge *f, const struct fair_config *config,
		      const struct fair_sched *s)
{
	unsigned char *p;

	f->config = config;
	f->bytes = fair_sched_checkpoint_size(s);
	f->checkpoint = (unsigned char *)malloc(f->bytes);
	TEST_OK(fair_sched_save(s, f->checkpoint, f->bytes));
	TEST_CHECK(loads(f, true));
	p = f->checkpoint + 8 * FAIR_CHECKPOINT_HEADER;
	for (; p < f->checkpoint + f->bytes - 8;
	     p += 8 * fair_checkpoint_extent(p))
		forge_section(f, p);
	TEST_CHECK(loads(f, true)); /* nothing is left of it */
	free(f->checkpoint);
}

/* Of a machine with two classes, ids, credits and what jobs ask for. */
static void forge_site(struct forge *f, uint32_t policy)
{
	static const int32_t amount[4] = { 3, 8, 2, 4 }, asks[2] = { 2, 3 };
	static const struct fair_machine_config machine = { 2, 2, 0, amount };
	static const struct fair_billing billing = {
		{ FAIR_PENALTY_ONE, FAIR_PENALTY_ONE }, false
	};
	struct fair_advance b = { .number = 1, .from = 20, .to = 30,
				  .procs = 1 };
	struct fair_job j = { .walltime = 10, .procs = 2, .amount = asks };
	struct fair_config c = { .policy = policy };
	struct fair_decision start[8];
	struct fair_sched s;
	void *memory;
	size_t n;

	c.order = policy == FAIR_CONSERVATIVE ? FAIR_ORDER_FCFS
					      : FAIR_ORDER_USAGE;
	c.procs = 5;
	c.machine = &machine;
	c.billing = &billing;
	c.jobs = c.ineligible = c.users = 8;
	c.ids = c.credits = c.advances = c.task_limits = 2;
	memory = malloc(fair_sched_size(&c));
	TEST_OK(fair_sched_init(&s, sizeof(s), memory, fair_sched_size(&c),
				&c));
	for (j.user = 4; j.user < 6; j.user++)
		TEST_OK(fair_sched_add_entity(&s, 0, FAIR_ENTITY_USER, j.user));
	for (j.group = 2; j.group < 3; j.group++)
		TEST_OK(fair_sched_add_entity(&s, 0, FAIR_ENTITY_GROUP, 2));
	j.user = 4;
	j.group = 2;
	j.account = j.queue = j.qos = FAIR_NO_ENTITY;
	b.amount[1] = 1;
	TEST_OK(fair_sched_advance_reserve(&s, 0, &b, true));
	for (j.number = 1; j.number < 6; j.number++)
		TEST_OK(fair_sched_submit(&s, 0, &j));
	TEST_OK(fair_sched_step(&s, 0, start, 8, &n));
	j.tasks = 3;
	TEST_OK(fair_sched_submit(&s, 0, &j));
	TEST_OK(fair_sched_limit_tasks(&s, 0, j.number, 1));
	if (policy != FAIR_CONSERVATIVE)
		TEST_OK(fair_sched_credit(&s, 1, FAIR_ENTITY_USER, 4, 3, 5));
	fair_sched_scan_limit(&s, 1);
	b.number = 2;
	b.from = 2;
	b.to = 900;
	b.procs = 3;
	TEST_OK(fair_sched_advance_reserve(&s, 1, &b, true));
	TEST_EQ(fair_sched_is_unfinished(&s), policy == FAIR_CONSERVATIVE);
	forge_all(f, &c, &s);
	free(memory);
}

/* Of four nodes, one of them down, two sets, what jobs have and ask for, and
 * what is withheld. */
static void forge_nodes(struct forge *f, uint32_t policy)
{
	static const int32_t amount[] = { 12, 4 }, count[] = { 3, 1 };
	static const struct fair_machine_config machine = { 1, 2, 0, amount };
	static const struct fair_node_config nodes = { count, 2, 64, false };
	static const uint8_t first = 0;
	struct fair_job j = { .walltime = 10, .procs = 4, .chunks = 2,
			      .classes = &first, .class_count = 1 };
	struct fair_config c = { .policy = policy, .depth = 2, .advances = 2 };
	struct fair_advance b = { .number = 1, .nodes = 2 };
	struct fair_decision start[8];
	struct fair_sched s;
	void *memory;
	size_t n;

	c.procs = 16;
	c.machine = &machine;
	c.nodes = &nodes;
	c.jobs = 8;
	memory = malloc(fair_sched_size(&c));
	TEST_OK(fair_sched_init(&s, sizeof(s), memory, fair_sched_size(&c),
				&c));
	TEST_OK(fair_sched_set_node(&s, 1, 0, true));
	TEST_OK(fair_sched_set_node(&s, 2, 2, true));
	for (j.number = 1; j.number < 5; j.number++) {
		j.excluded = j.number % 2 ? 2 : 0;
		TEST_OK(fair_sched_submit(&s, 0, &j));
	}
	TEST_OK(fair_sched_step(&s, 0, start, 8, &n));
	TEST_OK(fair_sched_node_down(&s, 1, 3, NULL, 0));
	for (; b.number <= 2; b.number++) {
		b.from = 50 + 20 * (int64_t)b.number;
		b.to = b.from + 10;
		TEST_OK(fair_sched_advance_reserve(&s, 1, &b, false));
	}
	j.exclusive = true;
	j.procs = 8;
	TEST_OK(fair_sched_submit(&s, 1, &j));
	forge_all(f, &c, &s);
	free(memory);
}

/* User 1 has a budget, of which some is spent. It was lowered, and reserved
 * jobs are still to ask for it again, beside the running job 1. */
static void forge_budgets(struct forge *f)
{
	struct fair_limit limit[] = {
		{ FAIR_ENTITY_USER, FAIR_LIMIT_BUDGET, 1, INT64_C(100) << 31 },
		{ FAIR_ENTITY_USER, FAIR_LIMIT_JOBS, 1, 5 }
	};
	struct fair_config c = { .policy = FAIR_CONSERVATIVE,
				 .procs = INT32_MAX,
				 .jobs = 8,
				 .limits = 2,
				 .limit = limit };
	struct fair_job j = { .walltime = 10, .procs = INT32_MAX, .user = 1 };
	const struct field *revoked = find_field(FAIR_REVOKED_SECTION, 0);
	struct fair_decision start[8];
	struct fair_sched s;
	void *memory;
	size_t n;

	memory = malloc(fair_sched_size(&c));
	TEST_OK(fair_sched_init(&s, sizeof(s), memory, fair_sched_size(&c),
				&c));
	TEST_OK(fair_sched_set_spent(&s, 0, limit, 50));
	for (j.number = 1; j.number < 6; j.number++)
		TEST_OK(fair_sched_submit(&s, 0, &j));
	TEST_OK(fair_sched_step(&s, 0, start, 8, &n));
	TEST_EQ(n, 1);
	limit[0].amount = INT64_C(20) << 31;
	fair_sched_scan_limit(&s, 1);
	TEST_OK(fair_sched_limit(&s, 0, limit));
	TEST_CHECK(fair_sched_is_unfinished(&s));
	forge_all(f, &c, &s);
	TEST_CHECK(f->seen[revoked - fields]);
	free(memory);
}

TEST(every_field)
{
	static uint8_t byte[LENGTH];
	static struct forge f;
	uint32_t run, seen = 0, i;
	struct drive d;

	forge_site(&f, FAIR_BACKFILL);
	forge_site(&f, FAIR_CONSERVATIVE);
	forge_nodes(&f, FAIR_BACKFILL);
	forge_nodes(&f, FAIR_CONSERVATIVE);
	forge_budgets(&f);
	for (run = 0; run < (uint32_t)SOME(12, 2) * POLICIES; run++) {
		script(byte, run % POLICIES, run + 7);
		if (run % 3 == 0)
			byte[2] = 12; /* a tree, or dominant shares */
		drive_new(&d, byte, LENGTH);
		while (d.in.n > LENGTH / 8 * (run % 7)) {
			if (d.in.n % 5 == 0)
				fair_sched_scan_limit(&d.sched[0], 1);
			drive_event(&d);
		}
		forge_all(&f, &d.config, &d.sched[0]);
		drive_free(&d);
	}
	for (i = 0; i < sizeof(fields) / sizeof(*fields); i++) {
		seen += f.seen[i];
		if (!f.seen[i])
			printf("not forged: %d %s\n", (int)fields[i].section,
			       fields[i].name);
	}
	printf("%u of %u fields\n", seen, i);
	TEST_CHECK(seen + SOME(1, 40) >= i); /* few runs have a greedy choice */
}

/* Provisional charges that are no walltime of a running job, though in sum. */
TEST(charges_of_running_jobs)
{
	enum { ROW = 8 + 3, WIDTH = 4, PROVISIONAL = 1 };
	static const uint32_t orders[] = { FAIR_ORDER_USAGE,
					   FAIR_ORDER_DOMINANT };
	struct fair_job j = { .number = 1, .walltime = 10, .procs = 2 };
	struct fair_config c = { .policy = FAIR_BACKFILL, .procs = 4,
				 .jobs = 4, .users = 2 };
	unsigned char *p, *user[2], *total;
	struct fair_decision start;
	struct fair_sched s;
	uint64_t width, was;
	struct forge f;
	void *memory;
	size_t n;
	int i;

	for (i = 0; i < 2; i++) {
		c.order = orders[i];
		memory = malloc(fair_sched_size(&c));
		TEST_OK(fair_sched_init(&s, sizeof(s), memory,
					fair_sched_size(&c), &c));
		TEST_OK(fair_sched_submit(&s, 0, &j));
		TEST_OK(fair_sched_step(&s, 0, &start, 1, &n));
		f.config = &c;
		f.bytes = fair_sched_checkpoint_size(&s);
		f.checkpoint = (unsigned char *)malloc(f.bytes);
		TEST_OK(fair_sched_save(&s, f.checkpoint, f.bytes));
		p = section(f.checkpoint,
			    i ? FAIR_DOMINANT_SECTION : FAIR_USAGE_SECTION,
			    &width);
		user[0] = p + 8 * (ROW + PROVISIONAL);
		user[1] = user[0] + 8 * WIDTH;
		total = user[1] + 8 * WIDTH;
		was = fair_get_word(user[0]);
		TEST_CHECK(was && was == fair_get_word(total));
		fair_put_word(user[0], 0); /* of the other user */
		fair_put_word(user[1], was);
		fair_put_word(p + 8 * width - 8,
				    fair_fnv(p, (size_t)(8 * width - 8)));
		TEST_CHECK(!loads(&f, false));
		fair_put_word(user[0], was); /* more than the job's */
		fair_put_word(user[1], 1);
		fair_put_word(total, was + 1);
		fair_put_word(p + 8 * width - 8,
				    fair_fnv(p, (size_t)(8 * width - 8)));
		TEST_CHECK(!loads(&f, false));
		fair_put_word(user[1], 0);
		fair_put_word(total, was);
		fair_put_word(p + 8 * width - 8,
				    fair_fnv(p, (size_t)(8 * width - 8)));
		TEST_CHECK(loads(&f, true));
		s.live[0].charged = false;
		TEST_EQ(fair_sched_check(&s), 3);
		free(f.checkpoint);
		free(memory);
	}
}
