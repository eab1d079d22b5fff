/* SPDX-License-Identifier: MIT OR Unlicense */
#define FAIR_PENALTY_IMPLEMENTATION
#include "tools/fairsched/trace/node_names.h"

#include "tests/test.h"

static int64_t find(const struct machine *m, const char *name)
{
	return node_names_find(m, name, strlen(name));
}

TEST(names_and_numbers)
{
	static const char text[] = "class,count,cpus\na,3,1\ngpu4,12,1\n"
				   "a-,2,1\n";
	char name[NODE_NAME];
	struct machine m;
	uint32_t i;

	TEST_REQUIRE(!machine_parse(&m, "m.csv", text, strlen(text)));
	for (i = 0; i < 17; i++)
		TEST_EQ(find(&m, node_names_of(&m, i, name)), i);
	TEST_CHECK(!strcmp(node_names_of(&m, 2, name), "a3"));
	TEST_CHECK(!strcmp(node_names_of(&m, 3, name), "gpu4-1"));
	TEST_CHECK(!strcmp(node_names_of(&m, 14, name), "gpu4-12"));
	TEST_CHECK(!strcmp(node_names_of(&m, 16, name), "a-2"));
	TEST_CHECK(!strcmp(node_names_stem(&m, 1, name), "gpu4-"));
	TEST_EQ(find(&m, "a2.cluster.example.org"), 1);
	TEST_EQ(find(&m, "a0"), -1);
	TEST_EQ(find(&m, "a01"), -1);
	TEST_EQ(find(&m, "a4"), -1);
	TEST_EQ(find(&m, "a"), -1);
	TEST_EQ(find(&m, "a1x"), -1);
	TEST_EQ(find(&m, "gpu4"), -1);
	TEST_EQ(find(&m, "gpu41"), -1);
	TEST_EQ(find(&m, "gpu4-99999999999999999999"), -1);
	TEST_EQ(find(&m, ""), -1);
	TEST_EQ(find(&m, ".a1"), -1);
	machine_free(&m);
}
