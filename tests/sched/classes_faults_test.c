/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * Each error of a scheduler of several resources and node classes changes
 * nothing: what it is asked to submit, to lose, to load and to convert.
 */
#include "fairsched.h"
#include "tests/leaf_faults.h"

/* Two classes with processors, GPUs in the second, licences for both. */
static const int32_t amounts[] = { 10, 0, 3, 8, 2, 0 };
static const struct fair_machine_config machine = { 3, 2, 4, amounts };

static struct fair_config config_of(uint32_t policy)
{
	struct fair_config config;

	memset(&config, 0, sizeof(config));
	config.policy = policy;
	config.procs = 18;
	config.machine = &machine;
	config.jobs = 8;
	config.users = config.accounts = 2;
	config.window = 1000;
	return config;
}

static struct fair_job job_of(uint64_t number, int32_t procs,
			      const int32_t *amount)
{
	struct fair_job job;

	memset(&job, 0, sizeof(job));
	job.number = number;
	job.walltime = 100;
	job.procs = procs;
	job.amount = amount;
	return job;
}

static struct fair_space *a_space(const struct fair_sched *s)
{
	(void)s;
	return NULL;
}

static size_t a_size(const struct fair_config *config)
{
	return config->jobs;
}

TEST(configurations)
{
	static const struct fair_planner_ops no_space = { .name = "none" };
	static const struct fair_planner_ops spacious = { .size = a_size,
							  .space = a_space };
	struct fair_config config = config_of(FAIR_DC);
	struct fair_machine_config other = machine;

	TEST_CHECK(!fair_sched_config_error(&config));
	config.procs = 17;
	TEST_CHECK(fair_sched_config_error(&config));
	config.procs = 18;
	config.advances = 1;
	TEST_CHECK(!fair_sched_config_error(&config));
	config.advances = 0;
	other.resources = 9;
	config.machine = &other;
	TEST_CHECK(fair_sched_config_error(&config));
	TEST_EQ(fair_sched_size(&config), 0);
	config.machine = &machine;
	config.policy = FAIR_CUSTOM;
	config.planner = &no_space;
	TEST_CHECK(strstr(fair_sched_config_error(&config), "no space"));
	config.planner = &spacious;
	TEST_CHECK(!fair_sched_config_error(&config));
	config.planner = &no_space; /* which only FAIR_CUSTOM asks */
	config.policy = FAIR_DC;
	TEST_CHECK(!fair_sched_config_error(&config));
	config.jobs = UINT32_MAX / 4; /* more steps than a profile can have */
	TEST_EQ(fair_sched_size(&config), 0);
	config.policy = FAIR_FCFS; /* one of a class, not that of the planner */
	config.jobs--;
	TEST_EQ(fair_sched_size(&config), 0);
}

/* No scheduler is of such a machine. */
static void is_no_machine(uint32_t resources, uint32_t classes, uint32_t wide,
			  const int32_t *amount)
{
	struct fair_machine_config other = { resources, classes, wide, amount };
	struct fair_config config = config_of(FAIR_CONSERVATIVE);
	static char memory[1 << 16];
	struct fair_sched s;

	config.machine = &other;
	TEST_CHECK(fair_sched_config_error(&config));
	TEST_EQ(fair_sched_size(&config), 0);
	TEST_EQ(fair_sched_fst_size(&config), 0);
	TEST_EQ(fair_sched_init(&s, sizeof(s), memory, sizeof(memory), &config),
		-FAIR_EINVAL);
}

TEST(machines)
{
	static const int32_t no_procs[] = { 18, 0, 3, 0, 2, 0 };
	static const int32_t scattered[] = { 10, 0, 3, 8, 2, 1 };
	static const int32_t negative[] = { 10, 0, 3, 8, -2, 0 };

	is_no_machine(0, 2, 0, amounts);
	is_no_machine(FAIR_MACHINE_RESOURCES + 1, 2, 4, amounts);
	is_no_machine(3, 0, 4, amounts);
	is_no_machine(3, FAIR_MACHINE_CLASSES + 1, 4, amounts);
	is_no_machine(3, 2, 1, amounts); /* processors are of a class */
	is_no_machine(3, 2, 8, amounts);
	is_no_machine(3, 2, 4, NULL);
	is_no_machine(3, 2, 4, no_procs);
	is_no_machine(3, 2, 4, scattered);
	is_no_machine(3, 2, 4, negative);
}

/* Jobs 1 (class 0) and 2 (class 1, a GPU) run, job 3 waits for both GPUs. */
static void begin(struct fair_sched *s, void *memory, size_t bytes,
		  const struct fair_config *config)
{
	static const int32_t gpu[] = { 0, 1, 1 }, gpus[] = { 0, 2, 0 };
	struct fair_decision start[8];
	struct fair_job job = job_of(1, 9, NULL);
	size_t n;

	TEST_OK(fair_sched_init(s, sizeof(*s), memory, bytes, config));
	TEST_OK(fair_sched_submit(s, 0, &job));
	job = job_of(2, 4, gpu);
	TEST_OK(fair_sched_submit(s, 0, &job));
	job = job_of(3, 1, gpus);
	TEST_OK(fair_sched_submit(s, 0, &job));
	TEST_OK(fair_sched_step(s, 0, start, 8, &n));
	TEST_CHECK(n == 2 && start[0].node_class == 0 &&
		   start[1].node_class == 1);
}

static void submissions(struct fair_sched *s)
{
	static const int32_t minus[] = { 0, -1, 0 }, gpus[] = { 0, 3, 0 };
	static const int32_t one[] = { 0, 1, 0 };
	static const uint8_t unknown[] = { 2 }, twice[] = { 0, 0 };
	static const uint8_t first[] = { 0 }, all[] = { 0, 1, 0 };
	struct fair_job job = job_of(4, 1, minus);

	FAULT(fair_sched_submit(s, 1, &job), EINVAL, "a negative amount");
	job = job_of(4, 1, NULL);
	job.classes = unknown;
	job.class_count = 1;
	FAULT(fair_sched_submit(s, 1, &job), EINVAL, "no such class");
	job.classes = twice;
	job.class_count = 2;
	FAULT(fair_sched_submit(s, 1, &job), EINVAL, "a class named twice");
	job.classes = all;
	job.class_count = 3;
	FAULT(fair_sched_submit(s, 1, &job),
	      EINVAL, "more classes than there are");
	job = job_of(4, 9, one);
	FAULT(fair_sched_submit(s, 1, &job), ERANGE, "no class has both");
	job = job_of(4, 1, gpus);
	FAULT(fair_sched_submit(s, 1, &job), ERANGE, "more than any class has");
	job = job_of(4, 11, NULL);
	FAULT(fair_sched_submit(s, 1, &job), ERANGE, "spans two classes");
	job = job_of(4, 1, one);
	job.classes = first;
	job.class_count = 1;
	FAULT(fair_sched_submit(s, 1, &job), ERANGE, "the class has none");
	FAULT(fair_sched_modify(s, 1, 3, 9, 100),
	      ERANGE, "more than any class has");
}

static void capacities(struct fair_sched *s)
{
	static const uint64_t one[] = { 1 }, two[] = { 2 }, waits[] = { 3 };
	static const uint64_t none[] = { 9 };

	FAULT(fair_sched_capacity(s, 1, -1, NULL, 0),
	      EINVAL, "there are classes");
	FAULT(fair_sched_capacity(s, -1, -1, NULL, 0),
	      ETIME, "the clock goes back");
	FAULT(fair_sched_class_capacity(s, -1, 0, 0, -1, NULL, 0),
	      ETIME, "the clock goes back");
	FAULT(fair_sched_class_capacity(s, 1, 0, 0, -1, none, 1),
	      ENOENT, "a victim that is not");
	FAULT(fair_sched_class_capacity(s, 1, 2, 0, -1, NULL, 0),
	      EINVAL, "no such class");
	FAULT(fair_sched_class_capacity(s, 1, 2, 2, 1, NULL, 0),
	      EINVAL, "no class of a wide one");
	FAULT(fair_sched_class_capacity(s, 1, 0, 3, -1, NULL, 0),
	      EINVAL, "no such resource");
	FAULT(fair_sched_class_capacity(s, 1, 0, 0, 0, NULL, 0),
	      EINVAL, "no change");
	FAULT(fair_sched_class_capacity(s, 1, 0, 0, 1, one, 1),
	      EINVAL, "victims of a gain");
	FAULT(fair_sched_class_capacity(s, 1, 0, 0, -1, NULL, 1),
	      EINVAL, "no list of victims");
	FAULT(fair_sched_class_capacity(s, 1, 0, 0, -1, waits, 1),
	      EINVAL, "a victim that waits");
	FAULT(fair_sched_class_capacity(s, 1, 0, 1, 1, NULL, 0),
	      ERANGE, "never had any");
	FAULT(fair_sched_class_capacity(s, 1, 0, 0, -2, NULL, 0),
	      ERANGE, "in use");
	FAULT(fair_sched_class_capacity(s, 1, 0, 0, -2, two, 1),
	      ERANGE, "a victim elsewhere");
	FAULT(fair_sched_class_capacity(s, 1, 0, 0, -11, one, 1),
	      ERANGE, "more than the victim's");
	FAULT(fair_sched_class_capacity(s, 1, 1, 2, -3, NULL, 0),
	      ERANGE, "licences in use");
	FAULT(fair_sched_class_capacity(s, 1, 1, 1, INT32_MAX - 1, NULL, 0),
	      EOVERFLOW, "one too many");
	FAULT(fair_sched_class_capacity(s, 1, 1, 0, INT32_MAX - 17, NULL, 0),
	      EOVERFLOW, "all together");
}

static void checkpoints(const struct fair_sched *s,
			const struct fair_config *config)
{
	size_t bytes = fair_sched_size(config);
	size_t size = fair_sched_checkpoint_size(s);
	static const int32_t others[] = { 10, 0, 3, 8, 3, 0 };
	struct fair_machine_config more = machine;
	struct fair_config other = *config;
	void *file = malloc(size), *memory = malloc(2 * bytes);
	struct fair_sched copy;
	int damage = 0;

	TEST_REQUIRE(file && memory);
	TEST_OK(fair_sched_save(s, file, size));
	more.amount = others;
	other.machine = &more;
	TEST_EQ(fair_sched_load(&copy, sizeof(copy), memory, 2 * bytes, &other,
				file, size, &damage),
		-FAIR_EINVAL);
	TEST_EQ(damage, FAIR_CHECKPOINT_CONFIG);
	TEST_OK(fair_sched_convert(&copy, sizeof(copy), memory, 2 * bytes,
				   &other, s)); /* a licence is lost */
	TEST_OK(fair_sched_check(&copy));
	other.machine = NULL;
	TEST_EQ(fair_sched_load(&copy, sizeof(copy), memory, 2 * bytes, &other,
				file, size, &damage),
		-FAIR_EINVAL);
	TEST_EQ(damage, FAIR_CHECKPOINT_CONFIG);
	TEST_EQ(fair_sched_convert(&copy, sizeof(copy), memory, 2 * bytes,
				   &other, s),
		-FAIR_EINVAL);
	TEST_OK(fair_sched_load(&copy, sizeof(copy), memory, 2 * bytes, config,
				file, size, &damage));
	TEST_OK(fair_sched_check(&copy));
	TEST_EQ(fair_sched_digest(&copy), fair_sched_digest(s));
	free(file);
	free(memory);
}

TEST_EACH(faults)
{
	uint32_t policy;

	for (policy = FAIR_FCFS; policy <= FAIR_RELSHARE; policy++) {
		struct fair_config config = config_of(policy);
		size_t bytes = fair_sched_size(&config);
		void *memory = room(bytes);
		struct fair_sched s;

		test_case(fair_policy_name(policy));
		begin(&s, memory, bytes, &config);
		keep(&s, sizeof(s));
		keep(memory, bytes);
		submissions(&s);
		capacities(&s);
		checkpoints(&s, &config);
		TEST_CHECK(unchanged());
		TEST_OK(fair_sched_check(&s));
		TEST_OK(fair_sched_class_capacity(&s, 1, 1, 1, INT32_MAX - 2,
						  NULL, 0));
		leave();
	}
}
