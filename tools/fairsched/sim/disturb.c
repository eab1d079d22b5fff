/* SPDX-License-Identifier: MIT OR Unlicense */
#include "disturb.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/fairsched/base/units.h"
#include "tools/fairsched/trace/random.h"

enum { ENDS = 1, STARTS, PROCESSORS }; /* what is drawn */

const char *const disturb_names[DISTURB_KINDS] = { "end-late", "failures",
						   "refuse" };

const char *disturb_said(const struct disturb_args *args, int kind)
{
	if (kind == DISTURB_END_LATE)
		return args->end_late;
	return kind == DISTURB_FAILURES ? args->failures : args->refuse;
}

bool disturb_is_given(const struct disturb_args *args)
{
	return args->end_late || args->failures || args->refuse;
}

struct disturb disturb_only(const struct disturb *d, int kind)
{
	struct disturb only = *d;

	if (kind != DISTURB_END_LATE)
		only.end_late = 0;
	if (kind != DISTURB_FAILURES)
		only.mtbf = 0;
	if (kind != DISTURB_REFUSE)
		only.refuse_share = 0;
	return only;
}

void disturb_text(const struct disturb_args *args, int kind, char *text,
		  size_t room)
{
	const char *said;
	size_t n = 0;
	int k;

	*text = '\0';
	for (k = 0; k < DISTURB_KINDS && n < room; k++) {
		said = disturb_said(args, k);
		if (said && (k == kind || kind == DISTURB_KINDS))
			n += (size_t)snprintf(text + n, room - n, "%s%s %s",
					      n ? ", " : "", disturb_names[k],
					      said);
	}
}

/* Up to ':', which is skipped: a time from 1 s on. */
static bool parse_time(const char **text, int64_t *seconds)
{
	size_t n = strcspn(*text, ":");
	char part[40];

	if (n >= sizeof(part))
		return false;
	memcpy(part, *text, n);
	part[n] = '\0';
	*text += n + ((*text)[n] == ':');
	return units_seconds(part, seconds) && *seconds > 0 &&
	       *seconds <= RANDOM_MEAN;
}

static bool parse_late(const char *text, struct disturb *d)
{
	bool has_share = strchr(text, ':') != NULL;

	d->late_share = UNITS_SHARE;
	return parse_time(&text, &d->end_late) &&
	       (!has_share || units_share(text, &d->late_share));
}

static bool parse_failures(const char *text, struct disturb *d)
{
	return strchr(text, ':') && parse_time(&text, &d->mtbf) &&
	       !strchr(text, ':') && parse_time(&text, &d->repair);
}

static int refuse(char *error, size_t room, const char *option,
		  const char *value, const char *form)
{
	snprintf(error, room, "--%s: '%.60s' is not %s", option, value, form);
	return -1;
}

int disturb_parse(struct disturb *d, const struct disturb_args *args,
		  char *error, size_t room)
{
	memset(d, 0, sizeof(*d));
	if (args->end_late && !parse_late(args->end_late, d))
		return refuse(error, room, "end-late", args->end_late,
			      "TIME[:SHARE], such as 1s or 1m:0.1");
	if (args->failures && !parse_failures(args->failures, d))
		return refuse(error, room, "failures", args->failures,
			      "MTBF:REPAIR, such as 90d:4h");
	if (args->refuse && !units_share(args->refuse, &d->refuse_share))
		return refuse(error, room, "refuse", args->refuse,
			      "a share from 0.000001 to 1, such as 0.01");
	return 0;
}

static bool is_drawn(const struct disturb *d, uint64_t what,
		     const struct swf_job *job, uint32_t share)
{
	return random_hash(random_hash(d->seed, what), (uint64_t)job->line) %
		       UNITS_SHARE < share;
}

bool disturb_refuses(const struct disturb *d, const struct swf_job *job)
{
	return is_drawn(d, STARTS, job, d->refuse_share);
}

size_t disturb_ends(const struct disturb *d, struct swf_job *job, size_t jobs)
{
	size_t i, n = 0;

	for (i = 0; i < jobs && d->end_late; i++) {
		if (job[i].run < job[i].estimate ||
		    !is_drawn(d, ENDS, &job[i], d->late_share))
			continue;
		job[i].run += d->end_late;
		n++;
	}
	return n;
}

/* ---- failures ---- */

/* Down from the free place @i, until @x fits. */
static void sift(struct failures *f, size_t i, struct failure x)
{
	size_t child;

	for (; (child = 2 * i + 1) < f->n; i = child) {
		child += child + 1 < f->n &&
			 f->next[child + 1].time < f->next[child].time;
		if (f->next[child].time >= x.time)
			break;
		f->next[i] = f->next[child];
	}
	f->next[i] = x;
}

static void plan_failure(const struct failures *f, struct failure *x,
			 int64_t now)
{
	x->time = now + random_seconds(&x->random, f->mtbf);
	if (x->time > f->until)
		x->time = INT64_MAX;
}

int failures_open(struct failures *f, const struct disturb *d, size_t units,
		  int64_t from, int64_t until)
{
	uint64_t seed = random_hash(d->seed, PROCESSORS);
	size_t i;

	memset(f, 0, sizeof(*f));
	if (!d->mtbf)
		return 0;
	f->n = units;
	f->mtbf = d->mtbf;
	f->repair = d->repair;
	f->until = until;
	f->next = calloc(f->n, sizeof(*f->next));
	if (!f->next)
		return -1;
	for (i = 0; i < f->n; i++) {
		f->next[i].random = random_hash(seed, i);
		f->next[i].unit = (uint32_t)i;
		plan_failure(f, &f->next[i], from);
	}
	for (i = f->n / 2; i-- > 0;)
		sift(f, i, f->next[i]);
	return 0;
}

void failures_close(struct failures *f)
{
	free(f->next);
	memset(f, 0, sizeof(*f));
}

int64_t failures_next(const struct failures *f)
{
	return f->n ? f->next->time : INT64_MAX;
}

bool failures_take(struct failures *f, uint32_t *unit, uint64_t *random)
{
	struct failure x = *f->next;
	bool repaired = x.is_down;

	*unit = x.unit;
	*random = random_bits(&x.random);
	x.is_down = !x.is_down;
	if (repaired)
		plan_failure(f, &x, x.time);
	else
		x.time += random_seconds(&x.random, f->repair);
	sift(f, 0, x);
	return repaired;
}
