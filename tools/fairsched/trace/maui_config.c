/* SPDX-License-Identifier: MIT OR Unlicense */
#include "maui_config.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/fairsched/base/read_file.h"
#include "tools/fairsched/base/words.h"

#define LONGEST (INT64_C(1) << 34) /* seconds; the library's limit */
#define MANY 1000000000

/* ---- what there is ---- */

/* How a value is read, and what is stored at the offset. */
enum form {
	INTEGER,  /* int64_t */
	COUNT,	  /* int64_t, 0 .. MANY */
	POSITIVE, /* int64_t >= 1 */
	DEPTH,	  /* int64_t, 1 .. FAIR_USAGE_DEPTH */
	DURATION, /* int64_t seconds >= 1 */
	DECIMAL,  /* int64_t >= 0, in 2^-20 */
	FACTOR,	  /* int64_t, 1 or more, in 2^-20 */
	DECAY,	  /* int64_t, 0 .. 1, in 2^-32 */
	WORD,	  /* int */
	TARGET,	  /* struct fair_usage_target */
	LIMIT,	  /* struct maui_limit */
	NAME,	  /* const char * */
	NAMES,	  /* const char *, a list */
	FLAGS,	  /* bits of the next table, in flags and exempt */
	IGNORED
};

struct word {
	const char *name;
	int value;
};

/* Rows of one offset are spellings of one parameter. */
struct row {
	const char *name;
	enum form form;
	size_t offset;
	const struct word *words;
	unsigned int kinds; /* attributes: bits of the kinds that have them */
};

static const struct word backfills[] = {
	{ "FIRSTFIT", MAUI_FIRSTFIT },
	{ "BESTFIT", MAUI_BESTFIT },
	{ "GREEDY", MAUI_GREEDY },
	{ "NONE", MAUI_NO_BACKFILL },
	{ NULL, 0 },
};

static const struct word metrics[] = {
	{ "PROCS", MAUI_PROCS },
	{ "SECONDS", MAUI_SECONDS },
	{ "PROCSECONDS", MAUI_PROCSECONDS },
	{ NULL, 0 },
};

static const struct word windows[] = {
	{ "WIDEST", MAUI_WIDEST },
	{ "LONGEST", MAUI_LONGEST },
	{ NULL, 0 },
};

static const struct word reservations[] = {
	{ "CURRENTHIGHEST", MAUI_CURRENTHIGHEST },
	{ "HIGHEST", MAUI_HIGHEST },
	{ "NEVER", MAUI_NEVER },
	{ NULL, 0 },
};

static const struct word fs_policies[] = {
	{ "NONE", MAUI_FS_NONE },
	{ "DEDICATEDPS", MAUI_FS_DEDICATED },
	{ "PSDEDICATED", MAUI_FS_DEDICATED },
	{ "DEDICATEDPES", MAUI_FS_EQUIVALENTS },
	{ "PESDEDICATED", MAUI_FS_EQUIVALENTS },
	{ "UTILIZEDPS", MAUI_FS_UTILIZED },
	{ "PSUTILIZED", MAUI_FS_UTILIZED },
	{ NULL, 0 },
};

/* Exemptions are above the privileges. */
#define EXEMPT(kind) (1 << (8 + (kind)))

static const struct word flag_words[] = {
	{ "NOBF", MAUI_NOBF },
	{ "NORESERVATION", MAUI_NORESERVATION },
	{ "RESERVEALWAYS", MAUI_RESERVEALWAYS },
	{ "IGNUSER", EXEMPT(MAUI_USER) },
	{ "IGNGROUP", EXEMPT(MAUI_GROUP) },
	{ "IGNACCOUNT", EXEMPT(MAUI_ACCOUNT) },
	{ "IGNALL",
	  EXEMPT(MAUI_USER) | EXEMPT(MAUI_GROUP) | EXEMPT(MAUI_ACCOUNT) },
	{ NULL, 0 },
};

#define AT(field) offsetof(struct maui, field)
#define COMPONENT(name) AT(priority.component_weight[FAIR_PRIORITY_##name])
#define PART(name) AT(priority.weight[FAIR_PRIORITY_##name])
#define PLAIN NULL, 0

static const struct row parameters[] = {
	{ "SERVICEWEIGHT", INTEGER, COMPONENT(SERVICE), PLAIN },
	{ "SERVWEIGHT", INTEGER, COMPONENT(SERVICE), PLAIN },
	{ "RESOURCEWEIGHT", INTEGER, COMPONENT(RESOURCE), PLAIN },
	{ "RESWEIGHT", INTEGER, COMPONENT(RESOURCE), PLAIN },
	{ "FAIRSHAREWEIGHT", INTEGER, COMPONENT(FAIRSHARE), PLAIN },
	{ "FSWEIGHT", INTEGER, COMPONENT(FAIRSHARE), PLAIN },
	{ "DIRECTSPECWEIGHT", INTEGER, COMPONENT(DIRECTSPEC), PLAIN },
	{ "CREDWEIGHT", INTEGER, COMPONENT(DIRECTSPEC), PLAIN },
	{ "TARGETWEIGHT", INTEGER, COMPONENT(TARGET), PLAIN },
	{ "TARGWEIGHT", INTEGER, COMPONENT(TARGET), PLAIN },
	{ "BYPASSWEIGHT", INTEGER, COMPONENT(BYPASS), PLAIN },
	{ "QUEUETIMEWEIGHT", INTEGER, PART(QUEUE_TIME), PLAIN },
	{ "XFACTORWEIGHT", INTEGER, PART(XFACTOR), PLAIN },
	{ "NODEWEIGHT", INTEGER, PART(NODES), PLAIN },
	{ "PROCWEIGHT", INTEGER, PART(PROCS), PLAIN },
	{ "MEMWEIGHT", INTEGER, PART(MEMORY), PLAIN },
	{ "MEMORYWEIGHT", INTEGER, PART(MEMORY), PLAIN },
	{ "SWAPWEIGHT", INTEGER, PART(SWAP), PLAIN },
	{ "DISKWEIGHT", INTEGER, PART(DISK), PLAIN },
	{ "PEWEIGHT", INTEGER, PART(PE), PLAIN },
	{ "FSUSERWEIGHT", INTEGER, PART(FS_USER), PLAIN },
	{ "USERFSWEIGHT", INTEGER, PART(FS_USER), PLAIN },
	{ "FSGROUPWEIGHT", INTEGER, PART(FS_GROUP), PLAIN },
	{ "GROUPFSWEIGHT", INTEGER, PART(FS_GROUP), PLAIN },
	{ "FSACCOUNTWEIGHT", INTEGER, PART(FS_ACCOUNT), PLAIN },
	{ "ACCOUNTFSWEIGHT", INTEGER, PART(FS_ACCOUNT), PLAIN },
	{ "FSQOSWEIGHT", INTEGER, PART(FS_QOS), PLAIN },
	{ "QOSFSWEIGHT", INTEGER, PART(FS_QOS), PLAIN },
	{ "FSCLASSWEIGHT", INTEGER, PART(FS_QUEUE), PLAIN },
	{ "CLASSFSWEIGHT", INTEGER, PART(FS_QUEUE), PLAIN },
	{ "USERWEIGHT", INTEGER, PART(USER), PLAIN },
	{ "GROUPWEIGHT", INTEGER, PART(GROUP), PLAIN },
	{ "ACCOUNTWEIGHT", INTEGER, PART(ACCOUNT), PLAIN },
	{ "QOSWEIGHT", INTEGER, PART(QOS), PLAIN },
	{ "CLASSWEIGHT", INTEGER, PART(QUEUE), PLAIN },
	{ "QUEUETIMECAP", DECIMAL, AT(priority.cap[FAIR_PRIORITY_QUEUE_TIME]),
	  PLAIN },
	{ "XFACTORCAP", DECIMAL, AT(priority.cap[FAIR_PRIORITY_XFACTOR]),
	  PLAIN },
	{ "XFCAP", DECIMAL, AT(priority.cap[FAIR_PRIORITY_XFACTOR]), PLAIN },
	{ "RESOURCECAP", DECIMAL,
	  AT(priority.component_cap[FAIR_PRIORITY_RESOURCE]), PLAIN },
	{ "RESCAP", DECIMAL, AT(priority.component_cap[FAIR_PRIORITY_RESOURCE]),
	  PLAIN },
	{ "FSCAP", DECIMAL, AT(priority.component_cap[FAIR_PRIORITY_FAIRSHARE]),
	  PLAIN },
	{ "RESERVATIONDEPTH", COUNT, AT(depth), PLAIN },
	{ "RESERVATIONPOLICY", WORD, AT(reservations), reservations, 0 },
	{ "BACKFILLPOLICY", WORD, AT(backfill), backfills, 0 },
	{ "BACKFILLMETRIC", WORD, AT(metric), metrics, 0 },
	{ "SCHEDULINGCRITERIA", WORD, AT(metric), metrics, 0 },
	{ "BACKFILLWINDOWORDER", WORD, AT(window), windows, 0 },
	{ "FSPOLICY", WORD, AT(fs_policy), fs_policies, 0 },
	{ "FSDEPTH", DEPTH, AT(fs_depth), PLAIN },
	{ "FSINTERVAL", DURATION, AT(fs_interval), PLAIN },
	{ "FSDECAY", DECAY, AT(fs_decay), PLAIN },
	{ "RMPOLLINTERVAL", DURATION, AT(poll), PLAIN },

	/* Whom it talks to, what it writes down, which node it chooses. */
	{ "ADMIN1", IGNORED, 0, PLAIN },
	{ "ADMIN2", IGNORED, 0, PLAIN },
	{ "ADMIN3", IGNORED, 0, PLAIN },
	{ "ADMINHOST", IGNORED, 0, PLAIN },
	{ "AMCFG", IGNORED, 0, PLAIN },
	{ "CHECKPOINTEXPIRATIONTIME", IGNORED, 0, PLAIN },
	{ "CHECKPOINTFILE", IGNORED, 0, PLAIN },
	{ "CHECKPOINTINTERVAL", IGNORED, 0, PLAIN },
	{ "CLIENTCFG", IGNORED, 0, PLAIN },
	{ "CLIENTTIMEOUT", IGNORED, 0, PLAIN },
	{ "DISPLAYFLAGS", IGNORED, 0, PLAIN },
	{ "FEEDBACKPROGRAM", IGNORED, 0, PLAIN },
	{ "LOGDIR", IGNORED, 0, PLAIN },
	{ "LOGFACILITY", IGNORED, 0, PLAIN },
	{ "LOGFILE", IGNORED, 0, PLAIN },
	{ "LOGFILEMAXSIZE", IGNORED, 0, PLAIN },
	{ "LOGFILEROLLDEPTH", IGNORED, 0, PLAIN },
	{ "LOGLEVEL", IGNORED, 0, PLAIN },
	{ "NODEALLOCATIONPOLICY", IGNORED, 0, PLAIN },
	{ "NOTIFICATIONPROGRAM", IGNORED, 0, PLAIN },
	{ "RMAUTHTYPE", IGNORED, 0, PLAIN },
	{ "RMCFG", IGNORED, 0, PLAIN },
	{ "RMHOST", IGNORED, 0, PLAIN },
	{ "RMNMPORT", IGNORED, 0, PLAIN },
	{ "RMPORT", IGNORED, 0, PLAIN },
	{ "RMSERVER", IGNORED, 0, PLAIN },
	{ "RMTIMEOUT", IGNORED, 0, PLAIN },
	{ "RMTYPE", IGNORED, 0, PLAIN },
	{ "SERVERHOST", IGNORED, 0, PLAIN },
	{ "SERVERMODE", IGNORED, 0, PLAIN },
	{ "SERVERNAME", IGNORED, 0, PLAIN },
	{ "SERVERPORT", IGNORED, 0, PLAIN },
	{ "STATDIR", IGNORED, 0, PLAIN },
	{ "NODEACCESSPOLICY", IGNORED, 0, PLAIN },
	{ "NODECFG", IGNORED, 0, PLAIN },
	{ "NODEPOLLFREQUENCY", IGNORED, 0, PLAIN },
	{ "NODESETPOLICY", IGNORED, 0, PLAIN },
	{ "NODESETATTRIBUTE", IGNORED, 0, PLAIN },
	{ "NODESETLIST", IGNORED, 0, PLAIN },
	{ "NODESETDELAY", IGNORED, 0, PLAIN },
	{ "NODESYNCTIME", IGNORED, 0, PLAIN },
	{ "NODEDOWNSTATEDELAYTIME", IGNORED, 0, PLAIN },
	{ "NODELOADPOLICY", IGNORED, 0, PLAIN },
	{ "NODEMAXLOAD", IGNORED, 0, PLAIN },
	{ "NODEAVAILABILITYPOLICY", IGNORED, 0, PLAIN },
	{ "ENFORCERESOURCELIMITS", IGNORED, 0, PLAIN },
	{ "RESOURCELIMITPOLICY", IGNORED, 0, PLAIN },
	{ "RMPOLLLIMIT", IGNORED, 0, PLAIN },
	{ "RMMSGIGNORE", IGNORED, 0, PLAIN },
	{ "RMRETRYTIMECAP", IGNORED, 0, PLAIN },
	{ "JOBMAXOVERRUN", IGNORED, 0, PLAIN },
	{ "JOBPURGETIME", IGNORED, 0, PLAIN },
	{ "DEFERTIME", IGNORED, 0, PLAIN },
	{ "DEFERCOUNT", IGNORED, 0, PLAIN },
	{ "DEFERSTARTCOUNT", IGNORED, 0, PLAIN },
	{ "PURGETIME", IGNORED, 0, PLAIN },
	{ "STATPROCMAX", IGNORED, 0, PLAIN },
	{ "STATPROCMIN", IGNORED, 0, PLAIN },
	{ "STATTIMEMAX", IGNORED, 0, PLAIN },
	{ "STATTIMEMIN", IGNORED, 0, PLAIN },
	{ "STATPROCSTEPCOUNT", IGNORED, 0, PLAIN },
	{ "STATTIMESTEPCOUNT", IGNORED, 0, PLAIN },
	{ "ALLOWROOTJOBS", IGNORED, 0, PLAIN },
	{ "TOOLSDIR", IGNORED, 0, PLAIN },
	{ "SCHEDCFG", IGNORED, 0, PLAIN },
	{ "USERPRIOMESSAGE", IGNORED, 0, PLAIN },
	{ "MAXSLEEPITERATION", IGNORED, 0, PLAIN },
};

enum { PARAMETERS = sizeof(parameters) / sizeof(parameters[0]) };

/* By enum maui_kind, then SYSCFG. */
static const char *const owners[] = { "USERCFG", "GROUPCFG", "ACCOUNTCFG",
				      "QOSCFG",	 "CLASSCFG", "SYSCFG" };

enum { SYSTEM = MAUI_KINDS, OWNERS };

#define OF(field) offsetof(struct maui_credential, field)
#define ANY 31u
#define QOS (1u << MAUI_QOS)
#define CLASS (1u << MAUI_CLASS)
#define HAS_QOS ((ANY & ~QOS) | 1u << SYSTEM)
#define LIMITED(name) LIMIT, OF(limit[FAIR_THROTTLE_##name]), NULL, ANY

static const struct row attributes[] = {
	{ "PRIORITY", INTEGER, OF(priority), NULL, ANY },
	{ "FSTARGET", TARGET, OF(target), NULL, ANY },
	{ "MAXJOB", LIMITED(JOBS) },
	{ "MAXPROC", LIMITED(PROCS) },
	{ "MAXNODE", LIMITED(NODES) },
	{ "MAXMEM", LIMITED(MEMORY) },
	{ "MAXPS", LIMITED(PROC_SECONDS) },
	{ "MAXIJOB", LIMITED(IDLE_JOBS) },
	{ "QDEF", NAME, OF(qos), NULL, HAS_QOS },
	{ "QLIST", NAMES, OF(qos_list), NULL, HAS_QOS },
	{ "QTWEIGHT", INTEGER, OF(queue_time_weight), NULL, QOS },
	{ "XFWEIGHT", INTEGER, OF(xfactor_weight), NULL, QOS },
	{ "QTTARGET", DURATION, OF(queue_time_target), NULL, QOS },
	{ "XFTARGET", FACTOR, OF(xfactor_target), NULL, QOS },
	{ "QFLAGS", FLAGS, OF(flags), flag_words, QOS },
	{ "MIN.PROC", POSITIVE, OF(procs.least), NULL, CLASS },
	{ "MAX.PROC", POSITIVE, OF(procs.most), NULL, CLASS },
	{ "MIN.NODE", POSITIVE, OF(nodes.least), NULL, CLASS },
	{ "MAX.NODE", POSITIVE, OF(nodes.most), NULL, CLASS },
	{ "MIN.WCLIMIT", DURATION, OF(walltime.least), NULL, CLASS },
	{ "MAX.WCLIMIT", DURATION, OF(walltime.most), NULL, CLASS },
	{ "DEFAULT.MEM", POSITIVE, OF(default_memory), NULL, CLASS },
	{ "DEFAULT.WCLIMIT", DURATION, OF(default_walltime), NULL, CLASS },
	{ "REQUIREDUSERLIST", NAMES, OF(required[MAUI_USER]), NULL, CLASS },
	{ "REQUIREDGROUPLIST", NAMES, OF(required[MAUI_GROUP]), NULL, CLASS },
	{ "REQUIREDACCOUNTLIST", NAMES, OF(required[MAUI_ACCOUNT]), NULL,
	  CLASS },
	{ "EXCLUDEUSERLIST", NAMES, OF(excluded[MAUI_USER]), NULL, CLASS },
	{ "EXCLUDEGROUPLIST", NAMES, OF(excluded[MAUI_GROUP]), NULL, CLASS },
	{ "EXCLUDEACCOUNTLIST", NAMES, OF(excluded[MAUI_ACCOUNT]), NULL,
	  CLASS },
};

enum { ATTRIBUTES = sizeof(attributes) / sizeof(attributes[0]) };

/* ---- errors ---- */

struct reader {
	struct maui *m;
	const char *name;
	unsigned long line;
	/* Where each was set, by the first row of its offset. */
	unsigned long seen[PARAMETERS];
	bool is_counted[PARAMETERS]; /* of those without an effect */
	bool has_nodes; /* a limit of nodes was read */
};

/* A line of the errors or of the notes, as long as there is room. */
static void add_text(struct reader *r, char *text, size_t room,
		     const char *format, va_list args)
{
	size_t n = strlen(text);

	if (room - n < 400)
		return;
	n += (size_t)snprintf(text + n, room - n, "%s%.150s:%lu: ",
			      n ? "\n" : "", r->name, r->line);
	vsnprintf(text + n, room - n, format, args);
}

static int fail(struct reader *r, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	add_text(r, r->m->error, sizeof(r->m->error), format, args);
	va_end(args);
	return -1;
}

static void remark(struct reader *r, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	add_text(r, r->m->notes, sizeof(r->m->notes), format, args);
	va_end(args);
}

/* @what is "parameter"; @names end with NULL. */
static int unknown(struct reader *r, const char *what, const char *word,
		   const char *const *names)
{
	const char *meant = closest_word(word, names);

	if (meant && (meant[0] == word[0] || strcmp(what, "parameter")))
		return fail(r, "unknown %s '%.40s': did you mean %s?", what,
			    word, meant);
	return fail(r, "unknown %s '%.40s'", what, word);
}

/* ---- values: each takes all of a text, or returns false ---- */

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static void upper(char *p)
{
	for (; *p; p++)
		if (*p >= 'a' && *p <= 'z')
			*p = (char)(*p - 'a' + 'A');
}

/* Digits, up to INT64_MAX, at *p, which moves past them. */
static bool read_digits(const char **p, int64_t *value)
{
	const char *s = *p;
	int64_t v = 0;

	for (; is_digit(*s); s++) {
		if (v > (INT64_MAX - (*s - '0')) / 10)
			return false;
		v = 10 * v + (*s - '0');
	}
	if (s == *p)
		return false;
	*p = s;
	*value = v;
	return true;
}

static bool read_integer(const char *p, int64_t *value)
{
	bool negative = *p == '-';
	int64_t v;

	p += *p == '-' || *p == '+';
	if (!read_digits(&p, &v) || *p)
		return false;
	*value = negative ? -v : v;
	return true;
}

/* DD:HH:MM:SS, of which only SS must be there. */
static bool read_duration(const char *p, int64_t *seconds)
{
	static const int64_t unit[4] = { 1, 60, 3600, 86400 };
	int64_t field[4], sum = 0;
	int fields = 0, i;

	for (;; p++) {
		if (fields == 4 || !read_digits(&p, &field[fields]))
			return false;
		if (field[fields++] > LONGEST)
			return false;
		if (*p != ':')
			break;
	}
	for (i = 0; i < fields; i++)
		sum += field[i] * unit[fields - 1 - i];
	*seconds = sum;
	return !*p && sum <= LONGEST;
}

/* A decimal of up to @most at *p, in 2^-bits, to nearest, halves up. */
static bool read_fixed(const char **p, int64_t most, int bits, int64_t *value)
{
	uint64_t part = 0, unit = 1;
	const char *s = *p;
	int64_t whole;

	if (!read_digits(&s, &whole) || whole > most)
		return false;
	if (*s == '.') {
		for (s++; is_digit(*s) && unit < 1000000000; s++) {
			part = part * 10 + (uint64_t)(*s - '0');
			unit *= 10;
		}
		if (unit == 1)
			return false;
	}
	if (whole == most && part)
		return false;
	*p = s;
	*value = (int64_t)(((uint64_t)whole << bits) +
			   ((part << bits) + unit / 2) / unit);
	return true;
}

static bool read_decimal(const char *p, int64_t most, int bits, int64_t *value)
{
	int64_t v;

	if (!read_fixed(&p, most, bits, &v) || *p)
		return false;
	*value = v;
	return true;
}

static bool read_target(const char *p, struct fair_usage_target *target)
{
	static const char suffix[] = "+-^";
	int64_t points;
	const char *s;

	if (!read_fixed(&p, 100, 20, &points))
		return false;
	s = *p ? strchr(suffix, *p) : NULL;
	if (*p && (!s || p[1]))
		return false;
	target->points = points;
	target->kind =
		!s ? FAIR_USAGE_TARGET
		   : (enum fair_usage_kind)(FAIR_USAGE_FLOOR + (s - suffix));
	return true;
}

/* [soft,]hard */
static bool read_limit(const char *p, struct maui_limit *limit)
{
	int64_t soft, hard;

	if (!read_digits(&p, &soft))
		return false;
	hard = soft;
	if (*p == ',') {
		p++;
		if (!read_digits(&p, &hard))
			return false;
	}
	if (*p || soft < 1 || hard < 1)
		return false;
	limit->soft = soft < hard ? soft : hard;
	limit->hard = hard;
	return true;
}

/* Names between commas or colons; none is empty. */
static bool is_list(const char *p)
{
	size_t n;

	for (;; p += n + 1) {
		n = strcspn(p, ",:");
		if (!n)
			return false;
		if (!p[n])
			return true;
	}
}

static const char *expected(enum form form)
{
	switch (form) {
	case INTEGER:
		return "an integer";
	case COUNT:
		return "an integer from 0 to 1000000000";
	case POSITIVE:
		return "an integer, 1 or more";
	case DEPTH:
		return "an integer from 1 to 1024";
	case DURATION:
		return "a time of 1 s or more, [[[DD:]HH:]MM:]SS";
	case DECIMAL:
		return "a decimal, 0 or more";
	case FACTOR:
		return "a decimal, 1 or more";
	case DECAY:
		return "a decimal from 0 to 1";
	case TARGET:
		return "a percentage, with + (floor), - (ceiling) or ^ (cap)";
	case LIMIT:
		return "[SOFT,]HARD, integers of 1 or more";
	case NAME:
		return "a name";
	default:
		return "names with commas between them";
	}
}

static bool read_number(enum form form, const char *text, int64_t *value)
{
	switch (form) {
	case INTEGER:
		return read_integer(text, value);
	case COUNT:
		return read_integer(text, value) && *value >= 0 &&
		       *value <= MANY;
	case POSITIVE:
		return read_integer(text, value) && *value >= 1;
	case DEPTH:
		return read_integer(text, value) && *value >= 1 &&
		       *value <= FAIR_USAGE_DEPTH;
	case DURATION:
		return read_duration(text, value) && *value >= 1;
	case DECIMAL:
		return read_decimal(text, INT64_C(1) << 42, 20, value);
	case FACTOR:
		return read_decimal(text, INT64_C(1) << 42, 20, value) &&
		       *value >= FAIR_PRIORITY_ONE;
	default:
		return read_decimal(text, 1, 32, value);
	}
}

enum { MOST_WORDS = 16 };

static int read_word(struct reader *r, const struct row *row, const char *text,
		     int *value)
{
	const char *names[MOST_WORDS + 1];
	char what[64];
	int i;

	for (i = 0; row->words[i].name; i++) {
		names[i] = row->words[i].name;
		if (!strcmp(names[i], text)) {
			*value = row->words[i].value;
			return 0;
		}
	}
	names[i] = NULL;
	snprintf(what, sizeof(what), "value of %s", row->name);
	return unknown(r, what, text, names);
}

/* Words between colons or commas. */
static int read_flags(struct reader *r, const struct row *row, char *text,
		      struct maui_credential *c)
{
	bool last = false;
	int value = 0;
	size_t n;

	if (!is_list(text))
		return fail(r, "%s: '%.40s' has an empty name", row->name,
			    text);
	upper(text);
	for (; !last; text += n + 1) {
		n = strcspn(text, ",:");
		last = !text[n];
		text[n] = '\0';
		if (read_word(r, row, text, &value))
			return -1;
		c->flags |= (uint32_t)value & 255;
		c->exempt |= (uint32_t)value >> 8;
	}
	return 0;
}

static int bad_value(struct reader *r, const struct row *row, const char *text)
{
	return fail(r, "%s: '%.40s' is not %s", row->name, text,
		    expected(row->form));
}

/* Reads @text, to be stored at @row->offset of @base. */
static int read_value(struct reader *r, const struct row *row, char *text,
		      void *base)
{
	void *at = (char *)base + row->offset;

	switch (row->form) {
	case WORD:
		upper(text);
		return read_word(r, row, text, at);
	case FLAGS:
		return read_flags(r, row, text, base);
	case TARGET:
		if (!read_target(text, at))
			return bad_value(r, row, text);
		((struct maui_credential *)base)->has_target = true;
		return 0;
	case LIMIT:
		return read_limit(text, at) ? 0 : bad_value(r, row, text);
	case NAME:
	case NAMES:
		if (!is_list(text) ||
		    (row->form == NAME && text[strcspn(text, ",:")]))
			return bad_value(r, row, text);
		*(const char **)at = text;
		return 0;
	case IGNORED:
		return 0;
	default:
		return read_number(row->form, text, at)
			       ? 0
			       : bad_value(r, row, text);
	}
}

/* ---- lines ---- */

/* The next word of a line, NULL at its end; ends it with a NUL. */
static char *next_word(char **p)
{
	char *word = *p + strspn(*p, " \t\r\f\v");

	if (!*word)
		return NULL;
	*p = word + strcspn(word, " \t\r\f\v");
	if (**p)
		*(*p)++ = '\0';
	return word;
}

static int read_parameter(struct reader *r, size_t i, const char *index,
			  char *rest)
{
	const struct row *row = &parameters[i];
	char *value = next_word(&rest), *more = next_word(&rest);
	size_t first = 0;

	if (row->form == IGNORED) {
		if (!r->is_counted[i])
			remark(r, "%s has no effect here", row->name);
		r->is_counted[i] = true;
		r->m->ignored++;
		return 0;
	}
	if (index && strcmp(index, "0"))
		return fail(r, "%s[%.40s]: only one partition, [0]", row->name,
			    index);
	if (!value)
		return fail(r, "%s has no value", row->name);
	if (more)
		return fail(r, "%s: unexpected value '%.40s'", row->name, more);
	while (parameters[first].offset != row->offset ||
	       parameters[first].form == IGNORED)
		first++;
	if (r->seen[first])
		remark(r, "%s is set again: line %lu has no effect", row->name,
		       r->seen[first]);
	r->seen[first] = r->line;
	return read_value(r, row, value, r->m);
}

static struct maui_credential new_credential(const char *name)
{
	struct maui_credential c;
	int i;

	memset(&c, 0, sizeof(c));
	c.name = name;
	for (i = 0; i < FAIR_THROTTLE_RESOURCES; i++)
		c.limit[i].soft = c.limit[i].hard = FAIR_THROTTLE_UNLIMITED;
	c.procs.most = c.nodes.most = c.walltime.most = INT64_MAX;
	return c;
}

static struct maui_credential *find(const struct maui *m, int kind,
				    const char *name)
{
	size_t i;

	for (i = 0; i < m->credentials[kind]; i++)
		if (!strcmp(m->credential[kind][i].name, name))
			return &m->credential[kind][i];
	return NULL;
}

static struct maui_credential *find_or_add(struct maui *m, int kind,
					   const char *name)
{
	struct maui_credential *c = find(m, kind, name);
	size_t n = m->credentials[kind];

	if (c)
		return c;
	/* Grown at each power of two. */
	if (!(n & (n - 1))) {
		c = realloc(m->credential[kind], (n ? 2 * n : 1) * sizeof(*c));
		if (!c)
			return NULL;
		m->credential[kind] = c;
	}
	m->credential[kind][n] = new_credential(name);
	m->credentials[kind]++;
	return &m->credential[kind][n];
}

static int unknown_attribute(struct reader *r, int owner, const char *word)
{
	const char *names[ATTRIBUTES + 1];
	char what[64];
	size_t i, n = 0;

	for (i = 0; i < ATTRIBUTES; i++)
		if (attributes[i].kinds >> owner & 1)
			names[n++] = attributes[i].name;
	names[n] = NULL;
	snprintf(what, sizeof(what), "attribute of %s", owners[owner]);
	return unknown(r, what, word, names);
}

/* NAME=VALUE; some sites write FLAGS for QFLAGS. */
static int read_attribute(struct reader *r, int owner,
			  struct maui_credential *c, char *word)
{
	char *value = strchr(word, '=');
	size_t i;

	if (!value)
		return fail(r, "%s: '%.40s' is not ATTRIBUTE=VALUE",
			    owners[owner], word);
	*value++ = '\0';
	upper(word);
	if (owner == MAUI_QOS && !strcmp(word, "FLAGS"))
		word = "QFLAGS";
	for (i = 0; i < ATTRIBUTES; i++)
		if (!strcmp(attributes[i].name, word) &&
		    attributes[i].kinds >> owner & 1)
			break;
	if (i == ATTRIBUTES)
		return unknown_attribute(r, owner, word);
	if (c->set >> i & 1)
		remark(r, "%s of %s[%.40s] is set again: the last one counts",
		       word, owners[owner], c->name);
	if (c->set >> i & 1 && attributes[i].form == FLAGS)
		c->flags = c->exempt = 0;
	if (strstr(word, "NODE") && !r->has_nodes) {
		remark(r, "%s counts processors: a trace does not say how many "
			  "nodes a job has",
		       word);
		r->has_nodes = true;
	}
	c->set |= UINT64_C(1) << i;
	return read_value(r, &attributes[i], value, c);
}

static int read_credential(struct reader *r, int owner, const char *index,
			   char *rest)
{
	struct maui_credential *c = &r->m->system;
	char *word = next_word(&rest);

	if (owner == SYSTEM ? index != NULL : index == NULL)
		return fail(r,
			    owner == SYSTEM ? "%s takes no [NAME]"
					    : "%s needs a [NAME]",
			    owners[owner]);
	if (!word)
		return fail(r, "%s has no ATTRIBUTE=VALUE", owners[owner]);
	if (owner != SYSTEM)
		c = find_or_add(r->m, owner, index);
	if (!c)
		return fail(r, "out of memory");
	if (!c->line)
		c->line = r->line;
	for (; word; word = next_word(&rest))
		if (read_attribute(r, owner, c, word))
			return -1;
	return 0;
}

static int unknown_parameter(struct reader *r, const char *word)
{
	const char *names[PARAMETERS + OWNERS + 1];
	size_t i, n = 0;

	for (i = 0; i < OWNERS; i++)
		names[n++] = owners[i];
	for (i = 0; i < PARAMETERS; i++)
		names[n++] = parameters[i].name;
	names[n] = NULL;
	return unknown(r, "parameter", word, names);
}

/* NAME or NAME[INDEX]: cuts the index off; NULL if there is none. */
static int cut_index(struct reader *r, char *word, char **index)
{
	char *open = strchr(word, '['), *close;

	*index = NULL;
	if (!open)
		return 0;
	close = strchr(open, ']');
	if (!close || close[1] || close == open + 1)
		return fail(r, "'%.40s' is not NAME[INDEX]", word);
	*open = *close = '\0';
	*index = open + 1;
	return 0;
}

static int read_line(struct reader *r, char *line)
{
	char *word, *index;
	size_t i;

	line[strcspn(line, "#")] = '\0';
	word = next_word(&line);
	if (!word)
		return 0;
	if (cut_index(r, word, &index))
		return -1;
	upper(word);
	for (i = 0; i < OWNERS; i++)
		if (!strcmp(owners[i], word))
			return read_credential(r, (int)i, index, line);
	for (i = 0; i < PARAMETERS; i++)
		if (!strcmp(parameters[i].name, word))
			return read_parameter(r, i, index, line);
	if (!strncmp(word, "SIM", 3) || !strncmp(word, "RM", 2)) {
		remark(r, "%.40s has no effect here", word);
		r->m->ignored++;
		return 0;
	}
	return unknown_parameter(r, word);
}

/* ---- what was not said ---- */

static size_t size_of(enum form form)
{
	switch (form) {
	case TARGET:
		return sizeof(struct fair_usage_target);
	case LIMIT:
		return sizeof(struct maui_limit);
	case NAME:
	case NAMES:
		return sizeof(const char *);
	case FLAGS:
		return sizeof(uint32_t);
	default:
		return sizeof(int64_t);
	}
}

static void inherit(struct maui_credential *c,
		    const struct maui_credential *from)
{
	const struct row *a;
	size_t i;

	for (i = 0; i < ATTRIBUTES; i++) {
		a = &attributes[i];
		if (c->set >> i & 1 || !(from->set >> i & 1))
			continue;
		memcpy((char *)c + a->offset, (const char *)from + a->offset,
		       size_of(a->form));
		if (a->form == TARGET)
			c->has_target = true;
		if (a->form == FLAGS)
			c->exempt = from->exempt;
	}
}

static void inherit_all(struct maui *m)
{
	size_t i;
	int kind;

	for (kind = 0; kind < MAUI_KINDS; kind++)
		for (i = 1; i < m->credentials[kind]; i++)
			inherit(&m->credential[kind][i],
				&m->credential[kind][0]);
}

static int defaults(struct maui *m)
{
	int kind;

	memset(m, 0, sizeof(*m));
	m->priority = fair_priority_defaults();
	m->depth = 1;
	m->fs_depth = 7;
	m->fs_interval = 86400;
	m->fs_decay = (int64_t)FAIR_USAGE_ONE;
	m->system = new_credential("");
	for (kind = 0; kind < MAUI_KINDS; kind++)
		if (!find_or_add(m, kind, "DEFAULT"))
			return -1;
	return 0;
}

static int read_lines(struct reader *r, size_t bytes)
{
	char *line = r->m->text, *end;
	int error = 0;

	for (; (size_t)(line - r->m->text) < bytes; line = end + 1) {
		r->line++;
		end = line + strcspn(line, "\n");
		if (!*end && (size_t)(end - r->m->text) < bytes)
			return fail(r, "a NUL byte");
		*end = '\0';
		error |= read_line(r, line);
	}
	return error;
}

int maui_parse(struct maui *m, const char *name, const char *text, size_t bytes)
{
	struct reader r = { m, name, 0, { 0 }, { false }, false };
	char *copy = malloc(bytes + 1);

	if (defaults(m) || !copy) {
		fail(&r, "out of memory");
		free(copy);
		maui_free(m);
		return -1;
	}
	if (bytes)
		memcpy(copy, text, bytes);
	copy[bytes] = '\0';
	m->text = copy;
	m->digest = text_digest(text, bytes);
	if (read_lines(&r, bytes)) {
		maui_free(m);
		return -1;
	}
	inherit_all(m);
	return 0;
}

int maui_load(struct maui *m, const char *path)
{
	size_t bytes;
	char *text;
	int status;

	memset(m, 0, sizeof(*m));
	if (read_file(path, &text, &bytes, m->error, sizeof(m->error)))
		return -1;
	status = maui_parse(m, path, text, bytes);
	free(text);
	return status;
}

void maui_free(struct maui *m)
{
	int kind;

	for (kind = 0; kind < MAUI_KINDS; kind++) {
		free(m->credential[kind]);
		m->credential[kind] = NULL;
		m->credentials[kind] = 0;
	}
	free(m->text);
	m->text = NULL;
}

/* ---- questions ---- */

const struct maui_credential *maui_settings(const struct maui *m, int kind,
					    const char *name)
{
	const struct maui_credential *c = name ? find(m, kind, name) : NULL;

	return c ? c : &m->credential[kind][0];
}

bool maui_lists(const char *list, const char *name)
{
	size_t n;

	if (!list || !name)
		return false;
	for (;; list += n + 1) {
		n = strcspn(list, ",:");
		if (n == strlen(name) && !strncmp(list, name, n))
			return true;
		if (!list[n])
			return false;
	}
}

/* In the order in which QDEF is looked for. */
static const int askers[] = { MAUI_USER, MAUI_GROUP, MAUI_ACCOUNT, MAUI_CLASS };

enum { ASKERS = sizeof(askers) / sizeof(askers[0]) };

/* One of the askers, then the system; NULL if the job has no such. */
static const struct maui_credential *asker(const struct maui *m,
					   const struct maui_owner *owner,
					   int i)
{
	if (i == ASKERS)
		return &m->system;
	if (!owner->name[askers[i]])
		return NULL;
	return maui_settings(m, askers[i], owner->name[askers[i]]);
}

const char *maui_default_qos(const struct maui *m,
			     const struct maui_owner *owner)
{
	const struct maui_credential *c;
	int i;

	for (i = 0; i <= ASKERS; i++) {
		c = asker(m, owner, i);
		if (c && c->qos)
			return c->qos;
	}
	return NULL;
}

bool maui_may_use(const struct maui *m, const char *qos,
		  const struct maui_owner *owner)
{
	const struct maui_credential *c;
	int i;

	for (i = 0; i <= ASKERS; i++) {
		c = asker(m, owner, i);
		if (c &&
		    (maui_lists(c->qos, qos) || maui_lists(c->qos_list, qos)))
			return true;
	}
	return false;
}

const char *maui_refuses(const struct maui *m, const struct maui_owner *owner,
			 int64_t procs, int64_t nodes, int64_t walltime)
{
	static const char *const required[] = { "REQUIREDUSERLIST",
						"REQUIREDGROUPLIST",
						"REQUIREDACCOUNTLIST" };
	static const char *const excluded[] = { "EXCLUDEUSERLIST",
						"EXCLUDEGROUPLIST",
						"EXCLUDEACCOUNTLIST" };
	const struct maui_credential *c =
		maui_settings(m, MAUI_CLASS, owner->name[MAUI_CLASS]);
	int kind;

	for (kind = MAUI_USER; kind < MAUI_QOS; kind++) {
		if (c->required[kind] &&
		    !maui_lists(c->required[kind], owner->name[kind]))
			return required[kind];
		if (maui_lists(c->excluded[kind], owner->name[kind]))
			return excluded[kind];
	}
	if (procs < c->procs.least || procs > c->procs.most)
		return procs < c->procs.least ? "MIN.PROC" : "MAX.PROC";
	if (nodes < c->nodes.least || nodes > c->nodes.most)
		return nodes < c->nodes.least ? "MIN.NODE" : "MAX.NODE";
	if (walltime < c->walltime.least || walltime > c->walltime.most)
		return walltime < c->walltime.least ? "MIN.WCLIMIT"
						    : "MAX.WCLIMIT";
	return NULL;
}
