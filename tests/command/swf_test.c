/* SPDX-License-Identifier: MIT OR Unlicense */
/* The reader of traces: counts of real ones, numbers, errors, writing. */
#include "tools/fairsched/trace/swf.h"

#include <stdlib.h>
#include <string.h>

#include "tests/test.h"

#define RECORD " -1 10 1 -1 -1 1 10 -1 1 1 1 -1 -1 -1 -1 -1\n"

static int parse(struct swf *t, const char *text, const struct swf_options *o)
{
	return swf_parse(t, "text", text, strlen(text), o);
}

TEST_EACH(counts_of_real_traces)
{
	static const struct {
		const char *file;
		size_t jobs;
		int32_t procs;
		bool given;
	} real[] = {
		{ "KTH-SP2-1996-2", 28489, 100, false },
		{ "LLNL-Thunder-2007-1.1-cln", 118754, 4008, false },
		{ "CTC-SP2-1996-3.1-cln", 77222, 338, false },
		{ "LANL-CM5-1994-4.1-cln", 122057, 1024, false },
		{ "SDSC-SP2-1998-4.2-cln", 54034, 128, false },
		{ "SDSC-BLUE-2000-4.2-cln", 232540, 1152, false },
		{ "SDSC-DS-2004-2.1-cln", 84969, 1664, false },
		{ "LLNL-Atlas-2006-2.1-cln", 39139, 9216, false },
		{ "HPC2N-2002-2.2-cln", 202871, 240, false },
		{ "RICC-2010-2", 447786, 8192, false },
		{ "NASA-iPSC-1993-3.1-cln", 18239, 128, false },
		{ "CERIT-SC-wagap-2013Q1-21col", 17898, 20 * 80 + 48 * 12,
		  true },
	};
	struct swf_options o;
	char path[4096], name[128];
	struct swf t;
	size_t i;
	FILE *f;

	for (i = 0; i < sizeof(real) / sizeof(*real); i++) {
		snprintf(name, sizeof(name), "traces/%s.swf.gz", real[i].file);
		snprintf(path, sizeof(path), "%s", test_shared(name));
		test_case(real[i].file);
		f = fopen(path, "rb");
		if (!f) {
			test_skip("no trace");
			continue;
		}
		fclose(f);
		memset(&o, 0, sizeof(o));
		o.procs = real[i].given ? real[i].procs : 0;
		TEST_EQ(swf_read(&t, path, &o), 0);
		TEST_EQ(t.jobs, real[i].jobs);
		TEST_EQ(t.procs, real[i].procs);
		TEST_EQ(t.jobs + swf_dropped(&t), t.records);
		TEST_EQ(t.damaged, 0);
		swf_free(&t);
	}
}

TEST(numbers)
{
	static const struct {
		const char *text;
		int64_t value; /* -99: an error */
	} number[] = {
		{ "0", 0 },
		{ "7", 7 },
		{ "+7", 7 },
		{ "-7", -7 },
		{ "007", 7 },
		{ "0.5", 1 },
		{ "0.49999999999999999999999", 0 },
		{ "1.5", 2 },
		{ "2.5", 3 },
		{ "-0.5", 0 },
		{ "-0.51", -1 },
		{ "-1.5", -1 },
		{ "-2.5", -2 },
		{ "-2.50001", -3 },
		{ "-2.6", -3 },
		{ ".5", 1 },
		{ "5.", 5 },
		{ "1099511627776", INT64_C(1) << 40 },
		{ "1099511627777", -99 },
		{ "-1099511627777", -99 },
		{ "9223372036854775807", -99 },
		{ "18446744073709551616", -99 },
		{ "1099511627776.4", INT64_C(1) << 40 },
		{ ".", -99 },
		{ "-", -99 },
		{ "--1", -99 },
		{ "1-", -99 },
		{ "1e3", -99 },
		{ "0x1", -99 },
		{ "nan", -99 },
		{ "inf", -99 },
		{ "1.2.3", -99 },
		{ "1,000", -99 },
		{ "1;", -99 },
	};
	const struct swf_options o = { 0 };
	char text[256];
	struct swf t;
	size_t i;
	int status;

	for (i = 0; i < sizeof(number) / sizeof(*number); i++) {
		snprintf(text, sizeof(text), ";MaxProcs:1\n1 %s" RECORD,
			 number[i].text);
		status = parse(&t, text, &o);
		TEST_EQ(status, number[i].value == -99 ? -1 : 0);
		if (!status)
			TEST_EQ(t.job[0].submit, number[i].value);
		else
			TEST_CHECK(strstr(t.error, "text:2: field 2 (submit"));
		swf_free(&t);
	}
}

TEST(memory)
{
	static const char text[] =
		";MaxProcs:64\n"
		"1 0 -1 10 3 -1 700 3 10 4000 1 1 1 -1 -1 -1 -1 -1 a b c\n"
		"2 0 -1 10 3 -1 700 3 10 -1 1 1 1 -1 -1 -1 -1 -1 a b c\n"
		"3 0 -1 10 3 -1 -1 3 10 0 1 1 1 -1 -1 -1 -1 -1 a b c\n";
	struct swf_options o = { 0 };
	struct swf t;

	TEST_REQUIRE(!parse(&t, text, &o));
	TEST_EQ(swf_memory_kb(&t, &t.job[0]), 2); /* 4 KB of 3 processors */
	TEST_EQ(swf_memory_kb(&t, &t.job[1]), 700);
	TEST_EQ(swf_memory_kb(&t, &t.job[2]), -1);
	swf_free(&t);
	o.memory = SWF_MEMORY_KB;
	TEST_REQUIRE(!parse(&t, text, &o));
	TEST_EQ(swf_memory_kb(&t, &t.job[0]), 4000);
	swf_free(&t);
}

TEST(header_values)
{
	const struct swf_options o = { 0 };
	struct swf t;

	TEST_REQUIRE(!parse(
		&t, ";UnixStartTime:  843480031\n;MaxProcs:2\n1 0" RECORD, &o));
	TEST_EQ(t.unix_start, 843480031);
	swf_free(&t);
	TEST_REQUIRE(!parse(
		&t, "; MaxProcs: 2 (1,1)\n1 0" RECORD "; MaxProcs: 2\n", &o));
	TEST_CHECK(t.unix_start == INT64_MIN);
	TEST_EQ(t.procs, 2);
	swf_free(&t);
}

TEST(users_by_first_appearance)
{
	enum { USERS = 5000, STEP = 7919 };
	struct swf_options o = { 0 };
	char *text = malloc(USERS * 2 * 100), *p = text;
	struct swf t;
	int i;

	TEST_REQUIRE(text);
	o.procs = 1;
	/* Each user twice, ids beyond 32 bits in a scattered order. */
	for (i = 0; i < 2 * USERS; i++)
		p += sprintf(p,
			     "%d 0 -1 1 1 -1 -1 1 1 -1 1 10000000%06d 1 -1 -1 "
			     "-1 -1 -1\n",
			     i, i % USERS * STEP % 1000003);
	TEST_EQ(parse(&t, text, &o), 0);
	TEST_EQ(t.users, USERS);
	for (i = 0; i < 2 * USERS && i < (int)t.jobs; i++)
		TEST_EQ(t.job[i].user, i % USERS);
	swf_free(&t);
	free(text);
}

TEST(lenient)
{
	static const char text[] =
		"1 0" RECORD "; MaxProcs: 2\n2 x" RECORD "3 y" RECORD
		"4 0" RECORD "; MaxProcs: no\n5\n";
	struct swf_options o = { 0 };
	struct swf t;

	TEST_EQ(parse(&t, text, &o), -1);
	TEST_CHECK(strstr(t.error, "text:3: field 2 (submit time): 'x'"));
	swf_free(&t);
	o.lenient = true;
	TEST_EQ(parse(&t, text, &o), 0);
	TEST_EQ(t.damaged, 4);
	TEST_EQ(t.records, 2);
	TEST_EQ(t.jobs, 2);
	TEST_CHECK(strstr(t.error, "text:3: field 2 (submit time): 'x'"));
	swf_free(&t);
	TEST_EQ(parse(&t, ";MaxProcs:1\nnothing\n", &o), -1);
	TEST_CHECK(strstr(t.error, "text:2: field 1"));
	swf_free(&t);
}

static bool same_job(const struct swf_job *a, const struct swf_job *b)
{
	struct swf_job x = *a, y = *b;

	if (!a->more != !b->more || a->more_bytes != b->more_bytes)
		return false;
	if (a->more && memcmp(a->more, b->more, a->more_bytes))
		return false;
	x.more = y.more = NULL;
	x.wait = y.wait; /* written is another */
	return !memcmp(&x, &y, sizeof(x));
}

static void written_and_read_again(const char *text,
				   const struct swf_options *o)
{
	char *copy = NULL;
	size_t bytes = 0, i;
	struct swf t, u;
	FILE *f = open_memstream(&copy, &bytes);

	TEST_REQUIRE(f);
	TEST_REQUIRE(!parse(&t, text, o));
	swf_write_header(f, &t);
	for (i = 0; i < t.jobs; i++)
		swf_write_job(f, &t.job[i], (int64_t)i);
	fclose(f);
	TEST_CHECK(strstr(copy, "7 8 9 10 11 12 13"));
	TEST_REQUIRE(!swf_parse(&u, "copy", copy, bytes, o));
	TEST_EQ(u.jobs, t.jobs);
	TEST_EQ(swf_dropped(&u), 0);
	TEST_EQ(u.procs, t.procs);
	TEST_CHECK(u.unix_start == t.unix_start);
	for (i = 0; i < u.jobs && i < t.jobs; i++) {
		TEST_CHECK(same_job(&t.job[i], &u.job[i]));
		TEST_EQ(u.job[i].wait, i);
	}
	swf_free(&t);
	swf_free(&u);
	free(copy);
}

TEST(statuses)
{
	static const int kept[] = { 1, 1, 1, 1, 1, 0, 0, 0, 1, 1 };
	struct swf_options o = { 0 };
	char text[128];
	struct swf t;
	int i;

	for (i = 0; i < 10; i++) {
		snprintf(text, sizeof(text),
			 ";MaxProcs:1\n1 0" RECORD
			 "2 0 -1 9 1 -1 -1 1 9 -1 %d 1 1 -1 -1 -1 -1 -1\n",
			 i - 3);
		TEST_REQUIRE(!parse(&t, text, &o));
		TEST_EQ(t.jobs, 1 + kept[i]);
		TEST_EQ(t.dropped[SWF_STATUS], !kept[i]);
		TEST_EQ(t.noted[SWF_ODD_STATUS], i < 2 || i == 9);
		swf_free(&t);
	}
}

TEST(write_then_read)
{
	struct swf_options o = { 0 };
	static const char text[] =
		"; UnixStartTime: 5\n;MaxProcs: 3 (2, 1)\n; Note: x\n"
		"7 0.5 3 -1 -1 9.5 44 2 5 66 0 70000000000007 8 9 10 11 12 13\n"
		"8 9 3 20 2 9.5 44 -1 5 66 5 7 8 9 10 11 12 13\n"
		"9 9 3 20 200 9.5 44 -1 5 66 5 7 8 9 10 11 12 13\n";
	static const char czech[] =
		";MaxProcs: 3\n"
		"7 0 3 1 1 9 44 2 5 66 1 7 8 9 10 11 12 13 {1}  q 1:ppn=1\r\n";

	written_and_read_again(text, &o);
	written_and_read_again(czech, &o);
	o.overrun_kill = true;
	written_and_read_again(text, &o);
	o.exact = true;
	written_and_read_again(text, &o);
	o.procs = 7;
	written_and_read_again(text, &o);
}
