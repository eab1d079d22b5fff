/* SPDX-License-Identifier: MIT OR Unlicense */
#include "tests/test.h"
#include "tools/fairsched/base/read_file.h"
#include "tools/fairsched/trace/accounts.h"

static int parse(struct accounts *a, const char *text)
{
	return accounts_parse(a, "file", text, strlen(text));
}

static const struct account *find(const struct accounts *a, const char *name)
{
	int64_t i = accounts_find(a, name, strlen(name));

	return i < 0 ? NULL : a->account + i;
}

TEST(targets)
{
	struct accounts a;

	TEST_OK(parse(&a, "account,target\nbob,58\n\n# no\r\n 12 , 57.5 \r\n"
			  "alice,2147483647\nnobody,0"));
	TEST_EQ(a.accounts, 4);
	TEST_REQUIRE(a.accounts == 4);
	TEST_EQ(find(&a, "bob")->target, 58);
	TEST_EQ(find(&a, "alice")->target, INT32_MAX);
	TEST_EQ(find(&a, "nobody")->target, 0);
	TEST_EQ(accounts_find_number(&a, 12),
		accounts_find(&a, "12", strlen("12")));
	TEST_EQ(find(&a, "12")->target, 57);
	TEST_EQ(find(&a, "12")->allocation.award, 575);
	TEST_EQ(find(&a, "12")->allocation.unit, 10);
	TEST_CHECK(!find(&a, "bo"));
	TEST_CHECK(!find(&a, "bobby"));
	TEST_CHECK(!find(&a, ""));
	TEST_EQ(accounts_find_number(&a, -12), -1);
	accounts_free(&a);
}

/* [SFS] equations 1 and 2, in another order of columns. */
TEST(awards)
{
	struct accounts a;

	TEST_OK(parse(&a, "factor,account,period,award\n2,alice,365,1000000\n"
			  "1.5,bob,182.25,250000.75\n"));
	TEST_REQUIRE(a.accounts == 2);
	TEST_EQ(find(&a, "alice")->target, 228);
	TEST_EQ(find(&a, "bob")->allocation.award, INT64_C(900002700));
	TEST_EQ(find(&a, "bob")->allocation.period, 15746400);
	TEST_EQ(find(&a, "bob")->allocation.factor, 15);
	TEST_EQ(find(&a, "bob")->allocation.unit, 10);
	TEST_EQ(find(&a, "bob")->target, 85); /* 85.73 */
	accounts_free(&a);
}

TEST(errors)
{
	static const struct {
		const char *text, *error;
	} bad[] = {
		{ "", "file:0: the header line is missing" },
		{ "\n#\n", "file:2: the header line is missing" },
		{ "account,limit\n", "file:1: unknown column 'limit'" },
		{ "account,target,target\n",
		  "file:1: column target appears twice" },
		{ "account,target,award\n",
		  "file:1: the columns must be account,target or "
		  "account,award,period,factor" },
		{ "account,award,period\n",
		  "file:1: the columns must be account,target or "
		  "account,award,period,factor" },
		{ "account,target\n", "file:1: the file has no account" },
		{ "account,target\na\n", "file:2: 1 fields instead of 2" },
		{ "account,target\na,1,2\n", "file:2: 3 fields instead of 2" },
		{ "account,target\n,1\n",
		  "file:2: account: the name is missing" },
		{ "account,target\na,\n",
		  "file:2: target: '' is not a number of processors" },
		{ "account,target\na,-1\n",
		  "file:2: target: '-1' is not a number of processors" },
		{ "account,target\na,1.\n",
		  "file:2: target: '1.' is not a number of processors" },
		{ "account,target\na,.5\n",
		  "file:2: target: '.5' is not a number of processors" },
		{ "account,target\na,1.0000000000\n",
		  "file:2: target: '1.0000000000' is not a number of "
		  "processors" },
		{ "account,target\n\na,1e6\n",
		  "file:3: target: '1e6' is not a number of processors" },
		{ "account,target\na,99999999999999999999\n",
		  "file:2: target: '99999999999999999999' is not a number of "
		  "processors" },
		{ "account,target\na,2147483648\n",
		  "file:2: target: a target above 2147483647 processors" },
		{ "account,award,period,factor\na,1.001,1,1\n",
		  "file:2: award: '1.001' is not a number of processor-hours" },
		{ "account,award,period,factor\na,9999999999999999,1,1\n",
		  "file:2: award: '9999999999999999' is not a number of "
		  "processor-hours" },
		{ "account,award,period,factor\na,1,0,1\n",
		  "file:2: period: '0' is not a number of days" },
		{ "account,award,period,factor\na,1,x,1\n",
		  "file:2: period: 'x' is not a number of days" },
		{ "account,award,period,factor\na,1,1,1234567890\n",
		  "file:2: factor: '1234567890' is not a factor" },
		{ "account,award,period,factor\na,1,1,\n",
		  "file:2: factor: '' is not a factor" },
		{ "account,award,period,factor\na,999999999999,0.01,9\n",
		  "file:2: award: a target above 2147483647 processors" },
		{ "account,target\nb,1\na,1\nb,1\na,1\n",
		  "file:4: account: 'b' appears twice" },
	};
	struct accounts a;
	size_t i;

	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		TEST_EQ(parse(&a, bad[i].text), -1);
		if (strcmp(a.error, bad[i].error))
			printf("%s\n", a.error);
		TEST_CHECK(!strcmp(a.error, bad[i].error));
		TEST_CHECK(!a.account && !a.accounts && !a.text);
	}
}

TEST(files)
{
	const char *folder = getenv("TEST_TMPDIR");
	char path[4096];
	struct accounts a;
	FILE *f;

	snprintf(path, sizeof(path), "%s/accounts_test.%ld.csv",
		 folder ? folder : ".", (long)rand());
	TEST_EQ(accounts_read(&a, path), -1);
	TEST_CHECK(strstr(a.error, path) != NULL);
	f = fopen(path, "w");
	TEST_REQUIRE(f);
	fputs("account,target\nbob,58\n", f);
	fclose(f);
	TEST_EQ(accounts_read(&a, path), 0);
	remove(path);
	TEST_EQ(a.accounts, 1);
	TEST_EQ(find(&a, "bob")->target, 58);
	accounts_free(&a);
}

/* What fails leaves the pointers as they were, so that all is freed once. */
TEST(a_file_that_cannot_be_read)
{
	static const char gzip[] = "\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03K";
	const char *folder = getenv("TEST_TMPDIR");
	char path[4096], error[512], *text = strdup("mine");
	size_t bytes = 4;
	FILE *f;

	TEST_REQUIRE(text);
	snprintf(path, sizeof(path), "%s/accounts_test.%ld.gz",
		 folder ? folder : ".", (long)rand());
	TEST_EQ(read_file(path, &text, &bytes, error, sizeof(error)), -1);
	f = fopen(path, "wb");
	TEST_REQUIRE(f);
	fwrite(gzip, 1, sizeof(gzip) - 1, f);
	fclose(f);
	TEST_EQ(read_file(path, &text, &bytes, error, sizeof(error)), -1);
	remove(path);
	TEST_CHECK(strstr(error, "gzip data") != NULL);
	TEST_EQ(read_file("/dev/zero", &text, &bytes, error, sizeof(error)),
		-1);
	TEST_CHECK(strstr(error, "larger than 64 MiB") != NULL);
	TEST_EQ(bytes, 4);
	TEST_CHECK(!strcmp(text, "mine"));
	free(text);
}

/* Every account is found, whatever the order of the file. */
TEST(many)
{
	const int n = 20000;
	char *text = malloc(32 * (size_t)n), *at = text;
	struct accounts a;
	int64_t i;

	TEST_REQUIRE(text);
	at += sprintf(at, "account,target\n");
	for (i = 0; i < n; i++)
		at += sprintf(at, "%d,%d\n", (int)(i * 7919 % n), (int)i);
	TEST_EQ(parse(&a, text), 0);
	free(text);
	TEST_REQUIRE(a.accounts == (size_t)n);
	for (i = 0; i < n; i++) {
		int64_t found = accounts_find_number(&a, i * 7919 % n);

		TEST_CHECK(found >= 0 && a.account[found].target == i);
	}
	accounts_free(&a);
}
