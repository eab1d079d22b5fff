/* SPDX-License-Identifier: MIT OR Unlicense */
#include "clock.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "fairsched.h"
#include "tools/fairsched/base/units.h"

static bool has_dates(const struct clock *c)
{
	return c->epoch != INT64_MIN && !c->seconds;
}

const char *clock_date(const struct clock *c, int64_t at, char *text)
{
	if (at == FAIR_FOREVER)
		snprintf(text, CLOCK_TEXT, "never");
	else if (!has_dates(c) || !units_date(c->epoch + at, text, CLOCK_TEXT))
		snprintf(text, CLOCK_TEXT, "%" PRId64, at);
	return text;
}

const char *clock_time(const struct clock *c, int64_t at, char *text)
{
	int64_t far = at > c->now ? at - c->now : c->now - at;
	char duration[CLOCK_TEXT];
	size_t n;

	clock_date(c, at, text);
	n = strlen(text);
	if (!has_dates(c) || at == FAIR_FOREVER)
		return text;
	units_text((double)far, duration, sizeof(duration));
	if (!far)
		snprintf(text + n, CLOCK_TEXT - n, ", now");
	else if (at > c->now)
		snprintf(text + n, CLOCK_TEXT - n, ", in %s", duration);
	else
		snprintf(text + n, CLOCK_TEXT - n, ", %s ago", duration);
	return text;
}

const char *clock_about(const struct clock *c, double seconds, char *text)
{
	if (has_dates(c))
		return units_text(seconds, text, CLOCK_TEXT);
	snprintf(text, CLOCK_TEXT, "%.0f s", seconds);
	return text;
}

const char *clock_duration(const struct clock *c, int64_t seconds, char *text)
{
	if (has_dates(c))
		return units_exact(seconds, text, CLOCK_TEXT);
	snprintf(text, CLOCK_TEXT, "%" PRId64 " s", seconds);
	return text;
}

void json_time(FILE *f, int64_t at)
{
	if (at == FAIR_FOREVER)
		fputs("null", f);
	else
		fprintf(f, "%" PRId64, at);
}

static bool ends_in(const char *text, size_t n, const char *end)
{
	size_t k = strlen(end);

	return n >= k && !memcmp(text + n - k, end, k);
}

/* Is the number before it one of seconds? */
static bool is_duration(const char *rest)
{
	return !strncmp(rest, " s", 2) && strchr(" .,", rest[2]);
}

/* What has no room is left out. */
static size_t put(char *said, size_t n, size_t room, const char *p, size_t more)
{
	more = more < room - n ? more : room - n - 1;
	memcpy(said + n, p, more);
	said[n + more] = '\0';
	return n + more;
}

/* "due to start at 9000", "enough from 9000 on", "a walltime of 6400 s" */
void clock_sentence(const struct clock *c, const char *sentence, char *said,
		    size_t room)
{
	static const char *const before[] = { " at ", " from ", " until ",
					      " time is " };
	char text[CLOCK_TEXT], *end;
	const char *p = sentence;
	size_t i, n = 0;
	int64_t number;
	bool time;

	*said = '\0';
	while (*p) {
		i = strcspn(p, "0123456789");
		n = put(said, n, room, p, i);
		p += i;
		if (!*p)
			break;
		for (i = 0, time = false; i < 4; i++)
			time = time || ends_in(sentence, (size_t)(p - sentence),
					       before[i]);
		number = strtoll(p, &end, 10);
		if (time && has_dates(c)) {
			(strncmp(end, " on", 3) ? clock_time : clock_date)(
				c, number, text);
			n = put(said, n, room, text, strlen(text));
		} else if (is_duration(end) && has_dates(c)) {
			clock_duration(c, number, text);
			n = put(said, n, room, text, strlen(text));
			end += 2;
		} else {
			n = put(said, n, room, p, (size_t)(end - p));
		}
		p = end;
	}
}
