/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * maui_config_fuzz.c - the reader of Maui's configuration
 *
 * It must not crash, and must name the line of each error. An accepted
 * configuration is written from the structs and read again: it must not change.
 */
#include <inttypes.h>
#include <string.h>

#include "fuzz.h"
#include "tools/fairsched/trace/maui_config.h"

/* ---- the writer ---- */

struct field {
	const char *name;
	int index;
};

static const struct field components[] = {
	{ "SERVICEWEIGHT", FAIR_PRIORITY_SERVICE },
	{ "RESOURCEWEIGHT", FAIR_PRIORITY_RESOURCE },
	{ "FAIRSHAREWEIGHT", FAIR_PRIORITY_FAIRSHARE },
	{ "DIRECTSPECWEIGHT", FAIR_PRIORITY_DIRECTSPEC },
	{ "TARGETWEIGHT", FAIR_PRIORITY_TARGET },
	{ "BYPASSWEIGHT", FAIR_PRIORITY_BYPASS },
};

static const struct field parts[] = {
	{ "QUEUETIMEWEIGHT", FAIR_PRIORITY_QUEUE_TIME },
	{ "XFACTORWEIGHT", FAIR_PRIORITY_XFACTOR },
	{ "NODEWEIGHT", FAIR_PRIORITY_NODES },
	{ "PROCWEIGHT", FAIR_PRIORITY_PROCS },
	{ "MEMWEIGHT", FAIR_PRIORITY_MEMORY },
	{ "SWAPWEIGHT", FAIR_PRIORITY_SWAP },
	{ "DISKWEIGHT", FAIR_PRIORITY_DISK },
	{ "PEWEIGHT", FAIR_PRIORITY_PE },
	{ "USERFSWEIGHT", FAIR_PRIORITY_FS_USER },
	{ "GROUPFSWEIGHT", FAIR_PRIORITY_FS_GROUP },
	{ "ACCOUNTFSWEIGHT", FAIR_PRIORITY_FS_ACCOUNT },
	{ "QOSFSWEIGHT", FAIR_PRIORITY_FS_QOS },
	{ "CLASSFSWEIGHT", FAIR_PRIORITY_FS_QUEUE },
	{ "USERWEIGHT", FAIR_PRIORITY_USER },
	{ "GROUPWEIGHT", FAIR_PRIORITY_GROUP },
	{ "ACCOUNTWEIGHT", FAIR_PRIORITY_ACCOUNT },
	{ "QOSWEIGHT", FAIR_PRIORITY_QOS },
	{ "CLASSWEIGHT", FAIR_PRIORITY_QUEUE },
};

static const char *const limits[] = { "MAXJOB", "MAXPROC", "MAXNODE", "MAXMEM",
				      "MAXPS",  "MAXIJOB" };
static const char *const owners[] = { "USERCFG", "GROUPCFG", "ACCOUNTCFG",
				      "QOSCFG", "CLASSCFG" };

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* Writes @v, in 2^-bits, to the nearest 9 decimals. */
static void write_fixed(FILE *f, const char *name, int64_t v, int bits)
{
	uint64_t part = (uint64_t)v & ((UINT64_C(1) << bits) - 1);

	/* 10^9 < 2^30 */
	part = part * 1000000000 + (UINT64_C(1) << (bits - 1));
	part >>= bits;
	if (part == 1000000000)
		fprintf(f, "%s%" PRId64, name, (v >> bits) + 1);
	else
		fprintf(f, "%s%" PRId64 ".%09" PRIu64, name, v >> bits, part);
}

static void write_priority(FILE *f, const struct fair_priority_config *p)
{
	size_t i;

	for (i = 0; i < COUNT(components); i++)
		fprintf(f, "%s %" PRId64 "\n", components[i].name,
			p->component_weight[components[i].index]);
	for (i = 0; i < COUNT(parts); i++)
		fprintf(f, "%s %" PRId64 "\n", parts[i].name,
			p->weight[parts[i].index]);
	write_fixed(f, "QUEUETIMECAP ", p->cap[FAIR_PRIORITY_QUEUE_TIME], 20);
	write_fixed(f, "\nXFCAP ", p->cap[FAIR_PRIORITY_XFACTOR], 20);
	write_fixed(f, "\nRESOURCECAP ",
		    p->component_cap[FAIR_PRIORITY_RESOURCE], 20);
	write_fixed(f, "\nFSCAP ", p->component_cap[FAIR_PRIORITY_FAIRSHARE],
		    20);
	fputc('\n', f);
}

static void write_site(FILE *f, const struct maui *m)
{
	static const char *const backfill[] = { "FIRSTFIT", "BESTFIT", "GREEDY",
						"NONE" };
	static const char *const metric[] = { "PROCS", "SECONDS",
					      "PROCSECONDS" };
	static const char *const window[] = { "WIDEST", "LONGEST" };
	static const char *const reservations[] = { "CURRENTHIGHEST", "HIGHEST",
						    "NEVER" };
	static const char *const policy[] = { "NONE", "PSDEDICATED",
					      "PESDEDICATED", "PSUTILIZED" };

	write_priority(f, &m->priority);
	fprintf(f, "RESERVATIONDEPTH %" PRId64 "\nBACKFILLPOLICY %s\n",
		m->depth, backfill[m->backfill]);
	fprintf(f, "RESERVATIONPOLICY %s\n", reservations[m->reservations]);
	fprintf(f, "SCHEDULINGCRITERIA %s\nBACKFILLWINDOWORDER %s\n",
		metric[m->metric], window[m->window]);
	fprintf(f, "FSPOLICY %s\nFSDEPTH %" PRId64 "\nFSINTERVAL %" PRId64 "\n",
		policy[m->fs_policy], m->fs_depth, m->fs_interval);
	write_fixed(f, "FSDECAY ", m->fs_decay, 32);
	fputc('\n', f);
	if (m->poll)
		fprintf(f, "RMPOLLINTERVAL %" PRId64 "\n", m->poll);
}

static void write_names(FILE *f, const char *name, const char *list)
{
	if (list)
		fprintf(f, " %s=%s", name, list);
}

static void write_number(FILE *f, const char *name, int64_t v, int64_t unset)
{
	if (v != unset)
		fprintf(f, " %s=%" PRId64, name, v);
}

static void write_qos(FILE *f, const struct maui_credential *c)
{
	static const char *const flag[] = { "NOBF",	     "NORESERVATION",
					    "RESERVEALWAYS", "IGNUSER",
					    "IGNGROUP",	     "IGNACCOUNT" };
	uint32_t bits = c->flags | c->exempt << 3;
	int i;

	fprintf(f, " QTWEIGHT=%" PRId64 " XFWEIGHT=%" PRId64,
		c->queue_time_weight, c->xfactor_weight);
	write_number(f, "QTTARGET", c->queue_time_target, 0);
	if (c->xfactor_target)
		write_fixed(f, " XFTARGET=", c->xfactor_target, 20);
	FUZZ_ASSERT(!(bits >> 6));
	for (i = 0; i < 6; i++)
		if (bits >> i & 1)
			fprintf(f, "%s%s",
				bits & ((1u << i) - 1) ? ":" : " QFLAGS=",
				flag[i]);
}

static void write_class(FILE *f, const struct maui_credential *c)
{
	write_number(f, "MIN.PROC", c->procs.least, 0);
	write_number(f, "MAX.PROC", c->procs.most, INT64_MAX);
	write_number(f, "MIN.NODE", c->nodes.least, 0);
	write_number(f, "MAX.NODE", c->nodes.most, INT64_MAX);
	write_number(f, "MIN.WCLIMIT", c->walltime.least, 0);
	write_number(f, "MAX.WCLIMIT", c->walltime.most, INT64_MAX);
	write_names(f, "REQUIREDUSERLIST", c->required[MAUI_USER]);
	write_names(f, "REQUIREDGROUPLIST", c->required[MAUI_GROUP]);
	write_names(f, "REQUIREDACCOUNTLIST", c->required[MAUI_ACCOUNT]);
	write_names(f, "EXCLUDEUSERLIST", c->excluded[MAUI_USER]);
	write_names(f, "EXCLUDEGROUPLIST", c->excluded[MAUI_GROUP]);
	write_names(f, "EXCLUDEACCOUNTLIST", c->excluded[MAUI_ACCOUNT]);
}

static void write_credential(FILE *f, int kind, const struct maui_credential *c)
{
	static const char *const suffix[] = { "", "+", "-", "^" };
	int i;

	fprintf(f, "%s[%s] PRIORITY=%" PRId64, owners[kind], c->name,
		c->priority);
	if (c->has_target) {
		write_fixed(f, " FSTARGET=", c->target.points, 20);
		fputs(suffix[c->target.kind], f);
	}
	for (i = 0; i < FAIR_THROTTLE_RESOURCES; i++) {
		const struct maui_limit *l = &c->limit[i];

		FUZZ_ASSERT(l->soft >= 1 && l->soft <= l->hard);
		fprintf(f, " %s=%" PRId64 ",%" PRId64, limits[i], l->soft,
			l->hard);
	}
	if (kind == MAUI_QOS) {
		write_qos(f, c);
	} else {
		write_names(f, "QDEF", c->qos);
		write_names(f, "QLIST", c->qos_list);
	}
	if (kind == MAUI_CLASS)
		write_class(f, c);
	fputc('\n', f);
}

static void write_all(FILE *f, const struct maui *m)
{
	size_t i;
	int kind;

	write_site(f, m);
	for (kind = 0; kind < MAUI_KINDS; kind++)
		for (i = 0; i < m->credentials[kind]; i++)
			write_credential(f, kind, &m->credential[kind][i]);
	if (m->system.qos)
		fprintf(f, "SYSCFG QDEF=%s\n", m->system.qos);
	if (m->system.qos_list)
		fprintf(f, "SYSCFG QLIST=%s\n", m->system.qos_list);
}

/* ---- comparison ---- */

static bool same_text(const char *a, const char *b)
{
	return a && b ? !strcmp(a, b) : a == b;
}

static void same_credential(const struct maui_credential *a,
			    const struct maui_credential *b)
{
	int i;

	FUZZ_ASSERT(same_text(a->name, b->name));
	FUZZ_ASSERT(a->priority == b->priority);
	FUZZ_ASSERT(a->has_target == b->has_target);
	FUZZ_ASSERT(a->target.points == b->target.points);
	FUZZ_ASSERT(a->target.kind == b->target.kind);
	FUZZ_ASSERT(!memcmp(a->limit, b->limit, sizeof(a->limit)));
	FUZZ_ASSERT(same_text(a->qos, b->qos));
	FUZZ_ASSERT(same_text(a->qos_list, b->qos_list));
	FUZZ_ASSERT(a->queue_time_weight == b->queue_time_weight);
	FUZZ_ASSERT(a->xfactor_weight == b->xfactor_weight);
	FUZZ_ASSERT(a->queue_time_target == b->queue_time_target);
	FUZZ_ASSERT(a->xfactor_target == b->xfactor_target);
	FUZZ_ASSERT(a->flags == b->flags && a->exempt == b->exempt);
	FUZZ_ASSERT(!memcmp(&a->procs, &b->procs, sizeof(a->procs)));
	FUZZ_ASSERT(!memcmp(&a->nodes, &b->nodes, sizeof(a->nodes)));
	FUZZ_ASSERT(!memcmp(&a->walltime, &b->walltime, sizeof(a->walltime)));
	for (i = 0; i < MAUI_QOS; i++) {
		FUZZ_ASSERT(same_text(a->required[i], b->required[i]));
		FUZZ_ASSERT(same_text(a->excluded[i], b->excluded[i]));
	}
}

/* @rounding: the error of decay in 9 decimals. */
static void same(const struct maui *a, const struct maui *b, int64_t rounding)
{
	int64_t decay = a->fs_decay - b->fs_decay;
	size_t i;
	int kind;

	FUZZ_ASSERT(!memcmp(&a->priority, &b->priority, sizeof(a->priority)));
	FUZZ_ASSERT(a->depth == b->depth && a->backfill == b->backfill);
	FUZZ_ASSERT(a->reservations == b->reservations);
	FUZZ_ASSERT(a->metric == b->metric && a->window == b->window);
	FUZZ_ASSERT(a->fs_policy == b->fs_policy);
	FUZZ_ASSERT(a->fs_depth == b->fs_depth);
	FUZZ_ASSERT(a->fs_interval == b->fs_interval && a->poll == b->poll);
	FUZZ_ASSERT(decay <= rounding && -decay <= rounding);
	for (kind = 0; kind < MAUI_KINDS; kind++) {
		FUZZ_ASSERT(a->credentials[kind] == b->credentials[kind]);
		for (i = 0; i < a->credentials[kind]; i++)
			same_credential(&a->credential[kind][i],
					&b->credential[kind][i]);
	}
	same_credential(&a->system, &b->system);
}

static void write_and_read(const struct maui *m)
{
	char *copy = NULL;
	size_t bytes = 0;
	struct maui again;
	FILE *f = open_memstream(&copy, &bytes);

	FUZZ_ASSERT(f);
	write_all(f, m);
	fclose(f);
	FUZZ_ASSERT(!maui_parse(&again, "again", copy, bytes));
	same(m, &again, 3);
	maui_free(&again);
	free(copy);
}

/* ---- errors ---- */

static size_t count_lines(const char *text, size_t bytes)
{
	size_t i, lines = 1;

	for (i = 0; i < bytes; i++)
		lines += text[i] == '\n';
	return lines;
}

/* The message names an existing line. */
static void check_error(const struct maui *m, const char *text, size_t bytes)
{
	unsigned long line = 0;
	char *end;

	FUZZ_ASSERT(!strncmp(m->error, "fuzz:", 5));
	line = strtoul(m->error + 5, &end, 10);
	FUZZ_ASSERT(line >= 1 && line <= count_lines(text, bytes));
	FUZZ_ASSERT(end[0] == ':' && end[1] == ' ' && end[2]);
	FUZZ_ASSERT(!m->text);
}

/* Adds a line with an error; the message must name that line. */
static void add_bad_line(const char *text, size_t bytes)
{
	static const char mistake[] = "\nFSDEPHT 3";
	size_t size = bytes + sizeof(mistake) - 1;
	char *longer = malloc(size), want[32];
	struct maui m;

	FUZZ_ASSERT(longer);
	memcpy(longer, text, bytes);
	memcpy(longer + bytes, mistake, sizeof(mistake) - 1);
	FUZZ_ASSERT(maui_parse(&m, "fuzz", longer, size));
	snprintf(want, sizeof(want), "fuzz:%zu: ", count_lines(longer, size));
	FUZZ_ASSERT(!strncmp(m.error, want, strlen(want)));
	FUZZ_ASSERT(strstr(m.error, "did you mean FSDEPTH?"));
	free(longer);
}

/* Queries about each configured name, and about none. */
static void query(const struct maui *m)
{
	struct maui_owner owner;
	const char *qos;
	size_t i;
	int kind;

	for (i = 0; i < 4; i++) {
		for (kind = 0; kind < MAUI_KINDS; kind++)
			owner.name[kind] = i < m->credentials[kind]
						 ? m->credential[kind][i].name
						 : NULL;
		qos = maui_default_qos(m, &owner);
		FUZZ_ASSERT(!qos || maui_may_use(m, qos, &owner));
		maui_refuses(m, &owner, 1, 1, 1);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *text = (const char *)data;
	struct maui m, n;
	int error = maui_parse(&m, "fuzz", text, size);

	FUZZ_ASSERT(maui_parse(&n, "fuzz", text, size) == error);
	if (error) {
		FUZZ_ASSERT(!strcmp(m.error, n.error));
		check_error(&m, text, size);
		return 0;
	}
	same(&m, &n, 0);
	maui_free(&n);
	query(&m);
	write_and_read(&m);
	add_bad_line(text, size);
	maui_free(&m);
	return 0;
}
