/* SPDX-License-Identifier: MIT OR Unlicense */
#define FAIR_PENALTY_IMPLEMENTATION
#include "tools/fairsched/trace/machine.h"

#include "tests/test.h"

#define HEAD "class,count,cpus,ram,gpus?,spec,cost,properties\n"

static int parse(struct machine *m, const char *text)
{
	return machine_parse(m, "m.csv", text, strlen(text));
}

TEST(reads_classes)
{
	struct machine m;

	TEST_REQUIRE(!parse(&m, "# ours\n" HEAD
				"zewura, 20,80,512G,,26.4,1,brno:nfs4\r\n"
				"\n"
				"doom,10,16,64G,2,31,2.5,brno:gpu\n"
				"old,1,2,1025K,0,,,"));
	TEST_EQ(m.classes, 3);
	TEST_EQ(m.resources, 3);
	TEST_EQ(m.node[0].count, 20);
	TEST_EQ(m.node[0].amount[0], 80);
	TEST_EQ(m.node[0].amount[1], INT64_C(512) << 30);
	TEST_EQ(m.node[0].amount[2], 0);
	TEST_EQ(m.node[0].spec, 27682406); /* 26.4 * 2^20 = ...406.4 */
	TEST_EQ(m.node[0].cost, FAIR_PENALTY_ONE);
	TEST_EQ(m.node[1].amount[2], 2);
	TEST_EQ(m.node[1].cost, 5 * FAIR_PENALTY_ONE / 2);
	TEST_EQ(m.node[2].amount[1], 1025 * 1024);
	TEST_EQ(m.node[2].spec, FAIR_PENALTY_ONE);
	TEST_EQ(m.node[2].cost, FAIR_PENALTY_ONE);
	TEST_EQ(m.node[2].properties, 0);
	TEST_CHECK(!m.special[0] && !m.special[1] && m.special[2]);
	TEST_EQ(machine_resource(&m, "gpus", 4), 2);
	TEST_EQ(machine_resource(&m, "gpus?", 5), -1);
	TEST_EQ(machine_resource(&m, "cpus", 4), 0);
	TEST_EQ(machine_class(&m, "doom", 4), 1);
	TEST_EQ(machine_class(&m, "doo", 3), -1);
	TEST_EQ(machine_property(&m, "brno", 4), 1);
	TEST_EQ(machine_property(&m, "nfs4", 4), 2);
	TEST_EQ(machine_property(&m, "gpu", 3), 4);
	TEST_EQ(machine_property(&m, "infiniband", 10), 0);
	TEST_EQ(m.node[0].properties, 3);
	TEST_EQ(m.node[1].properties, 5);
	machine_free(&m);
}

/* Columns in another order, and many classes. */
TEST(reads_any_order)
{
	static char text[1 << 16];
	size_t n = 0;
	struct machine m;
	int i;

	n += (size_t)sprintf(text + n, "ram,cpus,class,disk,count\n");
	for (i = 1; i <= 1000; i++)
		n += (size_t)sprintf(text + n, "%dM,%d,c%d,%dT,%d\n", i, 2 * i,
				     i, 3 * i, 4 * i);
	TEST_REQUIRE(!machine_parse(&m, "m.csv", text, n));
	memset(text, 0, sizeof(text)); /* the machine has its own */
	TEST_EQ(m.classes, 1000);
	TEST_EQ(machine_class(&m, "c999", 4), 998);
	for (i = 1; i <= 1000; i++) {
		TEST_EQ(m.node[i - 1].amount[0], 2 * i);
		TEST_EQ(m.node[i - 1].amount[1], INT64_C(1048576) * i);
		TEST_EQ(m.node[i - 1].amount[2], (INT64_C(3) << 40) * i);
		TEST_EQ(m.node[i - 1].count, 4 * i);
	}
	machine_free(&m);
}

TEST(prices_a_job)
{
	static const int64_t request[2] = { 1, INT64_C(16) << 30 };
	struct fair_penalty_chunk job = { 1, 0, 0, 0, 0, request };
	static unsigned char memory[8192];
	struct fair_penalty_machine p;
	struct machine m;
	int64_t penalty = -1;

	TEST_REQUIRE(!parse(&m, "class,count,cpus,ram\n"
				"small,10,8,16G\nlarge,1,80,512G\n"));
	TEST_OK(fair_penalty_init(&p, sizeof(p), memory, sizeof(memory), m.node,
				  m.classes, m.resources, m.special));
	TEST_EQ(fair_penalty(&p, &job, 1, FAIR_PENALTY_ONE, &penalty), 0);
	TEST_EQ(penalty, 5 * FAIR_PENALTY_ONE / 2);
	machine_free(&m);
}

TEST(names_what_is_wrong)
{
	static const char *const wrong[][2] = {
		{ "", "m.csv:0: the header line is missing" },
		{ HEAD, "m.csv:1: the file has no node class" },
		{ "class,count\n", "m.csv:1: column cpus is missing" },
		{ "class,cpus\n", "m.csv:1: column count is missing" },
		{ "count,cpus\n", "m.csv:1: column class is missing" },
		{ "class,count,,cpus\n", "m.csv:1: column 3 has no name" },
		{ "class,count,cpus,cpus\n",
		  "m.csv:1: column cpus appears twice" },
		{ HEAD "a,1,8\n", "m.csv:2: 3 fields instead of 8" },
		{ HEAD "\n,1,8,1G,,,,\n",
		  "m.csv:3: class: the name is missing" },
		{ HEAD "a,1,8,1G,,,,\na,1,8,1G,,,,\n",
		  "m.csv:3: class: a appears twice" },
		{ HEAD "a,0,8,1G,,,,\n",
		  "m.csv:2: count: '0' is not a number of this column" },
		{ HEAD "a,-1,8,1G,,,,\n",
		  "m.csv:2: count: '-1' is not a number of this column" },
		{ HEAD "a,2147483648,8,1G,,,,\n",
		  "m.csv:2: count: '2147483648' is not a number of this "
		  "column" },
		{ HEAD "a,1,,1G,,,,\n",
		  "m.csv:2: cpus: '' is not a number of this column" },
		{ HEAD "a,1,0,1G,,,,\n",
		  "m.csv:2: cpus: '0' is not a number of this column" },
		{ HEAD "a,1,8,1X,,,,\n",
		  "m.csv:2: ram: '1X' is not a number of this column" },
		{ HEAD "a,1,8,G,,,,\n",
		  "m.csv:2: ram: 'G' is not a number of this column" },
		{ HEAD "a,1,8,1GB,,,,\n",
		  "m.csv:2: ram: '1GB' is not a number of this column" },
		{ HEAD "a,1,8,4096P,,,,\n",
		  "m.csv:2: ram: '4096P' is not a number of this column" },
		{ HEAD "a,1,8,1,x,,,\n",
		  "m.csv:2: gpus?: 'x' is not a number of this column" },
		{ HEAD "a,1,8,1,,0,,\n",
		  "m.csv:2: spec: '0' is not a number of this column" },
		{ HEAD "a,1,8,1,,1e3,,\n",
		  "m.csv:2: spec: '1e3' is not a number of this column" },
		{ HEAD "a,1,8,1,,1.,,\n",
		  "m.csv:2: spec: '1.' is not a number of this column" },
		{ HEAD "a,1,8,1,,,-1,\n",
		  "m.csv:2: cost: '-1' is not a number of this column" },
		{ HEAD "a,1,8,1,,,,x::y\n",
		  "m.csv:2: properties: a property without a name" },
	};
	struct machine m;
	size_t i;

	for (i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		TEST_EQ(parse(&m, wrong[i][0]), -1);
		TEST_CHECK(!strcmp(m.error, wrong[i][1]));
		if (strcmp(m.error, wrong[i][1]))
			printf("\"%s\", not \"%s\"\n", m.error, wrong[i][1]);
	}
}

TEST(too_many_properties)
{
	char text[4096];
	struct machine m;
	int n, i;

	n = sprintf(text, "class,count,cpus,properties\na,1,8,p0");
	for (i = 1; i < MACHINE_PROPERTIES; i++)
		n += sprintf(text + n, ":p%d", i);
	TEST_EQ(machine_parse(&m, "m.csv", text, (size_t)n), 0);
	TEST_CHECK(m.node[0].properties == UINT64_MAX);
	machine_free(&m);
	n += sprintf(text + n, ":p64");
	TEST_EQ(machine_parse(&m, "m.csv", text, (size_t)n), -1);
	TEST_CHECK(!strcmp(m.error,
			   "m.csv:2: properties: more than 64 properties"));
}

TEST(no_such_file)
{
	struct machine m;

	TEST_EQ(machine_read(&m, "no/such/file.csv"), -1);
	TEST_CHECK(strstr(m.error, "no/such/file.csv"));
}
