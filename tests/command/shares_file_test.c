/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * A file of shares is CSV with a header line; an error names the file, the
 * line and what is wrong.
 */
#include "tests/test.h"
#include "tools/fairsched/trace/shares.h"

#define TEXT39 "123456789 123456789 123456789 123456789"
#define TEXT40 TEXT39 "0"

static int parse(struct shares *s, const char *text)
{
	return shares_parse(s, "s.csv", text, strlen(text));
}

TEST(reads_shares)
{
	struct shares s;

	TEST_REQUIRE(!parse(&s, "# ours\nuser, shares\r\n\n 17 ,70\r\n-1,0\n"
				"9000000000,1048576\n4,30"));
	TEST_EQ(s.n, 4);
	TEST_EQ(shares_of(&s, 17), 70);
	TEST_EQ(shares_of(&s, 4), 30);
	TEST_EQ(shares_of(&s, -1), 0);
	TEST_EQ(shares_of(&s, INT64_C(9000000000)), 1048576);
	TEST_EQ(shares_of(&s, 5), 1);
	TEST_EQ(shares_of(&s, INT64_MAX), 1);
	shares_free(&s);
	TEST_REQUIRE(!parse(&s, "shares,user\n70,17\n"));
	TEST_EQ(shares_of(&s, 17), 70);
	TEST_EQ(shares_of(&s, 70), 1);
	shares_free(&s);
	TEST_REQUIRE(!parse(&s, "user,shares\n"));
	TEST_EQ(shares_of(&s, 17), 1);
	shares_free(&s);
}

TEST(reads_many_shares)
{
	static char text[1 << 16];
	struct shares s;
	size_t n = 0;
	int i;

	n += (size_t)sprintf(text, "user,shares\n");
	for (i = 0; i < 1000; i++)
		n += (size_t)sprintf(text + n, "%d,%d\n", i * 7 % 1000, i);
	TEST_REQUIRE(!shares_parse(&s, "s.csv", text, n));
	for (i = 0; i < 1000; i++)
		TEST_EQ(shares_of(&s, i * 7 % 1000), i);
	shares_free(&s);
}

TEST(names_what_is_wrong)
{
	static const char *const wrong[][2] = {
		{ "", "s.csv:0: the header line is missing" },
		{ "# x\n", "s.csv:1: the header line is missing" },
		{ "user\n", "s.csv:1: 1 field instead of 2" },
		{ "user,user\n", "s.csv:1: the columns must be user,shares" },
		{ "user,share\n", "s.csv:1: the columns must be user,shares" },
		{ "user,shares\n1,2,3\n", "s.csv:2: 3 fields instead of 2" },
		{ "user,shares\n\n7\n", "s.csv:3: 1 field instead of 2" },
		{ "user,shares\nx,2\n",
		  "s.csv:2: user: 'x' is not an integer" },
		{ "user,shares\n" TEXT39 ",2\n",
		  "s.csv:2: user: '" TEXT39 "' is not an integer" },
		{ "user,shares\n" TEXT40 "x,2\n",
		  "s.csv:2: user: '" TEXT40 "' is not an integer" },
		{ "user,shares\n" TEXT39 "\xc3\xa9,2\n",
		  "s.csv:2: user: '" TEXT39 "' is not an integer" },
		{ "user,shares\n,2\n", "s.csv:2: user: '' is not an integer" },
		{ "user,shares\n-,2\n",
		  "s.csv:2: user: '-' is not an integer" },
		{ "user,shares\n9223372036854775808,2\n",
		  "s.csv:2: user: '9223372036854775808' is not an integer" },
		{ "user,shares\n1,-1\n",
		  "s.csv:2: shares: '-1' is not an integer from 0 to 1048576" },
		{ "user,shares\n1,1048577\n",
		  "s.csv:2: shares: '1048577' is "
		  "not an integer from 0 to 1048576" },
		{ "user,shares\n1,1.5\n", "s.csv:2: shares: '1.5' is not an "
					  "integer from 0 to 1048576" },
		{ "user,shares\n1,\n",
		  "s.csv:2: shares: '' is not an integer from 0 to 1048576" },
		{ "user,shares\n1,2\n3,4\n1,2\n",
		  "s.csv:4: user: 1 appears twice, first in line 2" },
	};
	struct shares s;
	size_t i;

	for (i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		TEST_EQ(parse(&s, wrong[i][0]), -1);
		TEST_CHECK(!strcmp(s.error, wrong[i][1]));
		if (strcmp(s.error, wrong[i][1]))
			printf("\"%s\", not \"%s\"\n", s.error, wrong[i][1]);
	}
	TEST_EQ(shares_read(&s, "no/such/file.csv"), -1);
	TEST_CHECK(strstr(s.error, "no/such/file.csv"));
}
