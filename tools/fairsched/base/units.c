/* SPDX-License-Identifier: MIT OR Unlicense */
#include "units.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#define DAY 86400

static const struct unit {
	char name;
	int64_t seconds;
} unit[] = {
	{ 'w', 7 * DAY }, { 'd', DAY }, { 'h', 3600 }, { 'm', 60 }, { 's', 1 },
};
#define UNITS (sizeof(unit) / sizeof(*unit))

/* Digits at *@text, which moves behind them. */
static bool read_digits(const char **text, int64_t *number)
{
	const char *p = *text;
	int64_t n = 0;

	for (; *p >= '0' && *p <= '9'; p++) {
		if (n > UNITS_LARGEST / 10)
			return false;
		n = 10 * n + (*p - '0');
	}
	if (p == *text)
		return false;
	*text = p;
	*number = n;
	return true;
}

/* One number with its unit, which must be smaller than unit[*@next - 1]. */
static bool read_part(const char **text, size_t *next, int64_t *seconds)
{
	int64_t n;
	size_t i;

	if (!read_digits(text, &n))
		return false;
	for (i = *next; i < UNITS && unit[i].name != **text; i++)
		;
	if (i == UNITS || n > UNITS_LARGEST / unit[i].seconds)
		return false;
	++*text;
	*next = i + 1;
	*seconds += n * unit[i].seconds;
	return true;
}

bool units_seconds(const char *text, int64_t *seconds)
{
	bool negative = *text == '-';
	const char *p = text + negative;
	int64_t sum = 0;
	size_t next = 0;

	if (!read_digits(&p, &sum) || *p) {
		p = text + negative;
		sum = 0;
		do {
			if (!read_part(&p, &next, &sum))
				return false;
		} while (*p);
	}
	if (sum > UNITS_LARGEST)
		return false;
	*seconds = negative ? -sum : sum;
	return true;
}

bool units_share(const char *text, uint32_t *millionths)
{
	uint32_t part = UNITS_SHARE, sum;

	if (*text != '0' && *text != '1')
		return false;
	sum = (uint32_t)(*text++ - '0') * part;
	if (*text == '.')
		while (*++text >= '0' && *text <= '9' && part > 1) {
			part /= 10;
			sum += (uint32_t)(*text - '0') * part;
		}
	if (*text || !sum || sum > UNITS_SHARE)
		return false;
	*millionths = sum;
	return true;
}

static const struct {
	int64_t seconds;
	const char *name;
} named[] = { { DAY, "d" }, { 3600, "h" }, { 60, "min" }, { 1, "s" } };

const char *units_text(double seconds, char *text, size_t size)
{
	int64_t n = (int64_t)llround(seconds), rest;
	size_t i = 0;

	while (i < 3 && n < named[i].seconds)
		i++;
	/* To the second unit, which may carry into the first one. */
	if (i < 2)
		n = (n + named[i + 1].seconds / 2) / named[i + 1].seconds *
		    named[i + 1].seconds;
	if (i && n >= named[i - 1].seconds)
		i--;
	rest = n % named[i].seconds / named[i < 3 ? i + 1 : i].seconds;
	if (i < 3 && rest)
		snprintf(text, size, "%" PRId64 " %s %" PRId64 " %s",
			 n / named[i].seconds, named[i].name, rest,
			 named[i + 1].name);
	else
		snprintf(text, size, "%" PRId64 " %s", n / named[i].seconds,
			 named[i].name);
	return text;
}

const char *units_exact(int64_t seconds, char *text, size_t size)
{
	size_t i, n = 0;

	snprintf(text, size, "0 s");
	for (i = 0; i < 4; i++) {
		if (seconds >= named[i].seconds)
			n += (size_t)snprintf(text + n, size - n,
					      "%s%" PRId64 " %s", n ? " " : "",
					      seconds / named[i].seconds,
					      named[i].name);
		seconds %= named[i].seconds;
	}
	return text;
}

bool units_date(int64_t seconds, char *text, size_t size)
{
	time_t t = (time_t)seconds;
	struct tm tm;

	return gmtime_r(&t, &tm) &&
	       strftime(text, size, "%Y-%m-%d %H:%M", &tm);
}

static bool is_leap(int64_t year)
{
	return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
}

static int64_t days_of(int64_t year, int64_t month)
{
	static const int days[] = { 31, 28, 31, 30, 31, 30,
				    31, 31, 30, 31, 30, 31 };

	return days[month - 1] + (month == 2 && is_leap(year));
}

/* Days from 1970-01-01 to the first of January. */
static int64_t days_before(int64_t year)
{
	int64_t y = year - 1;

	return 365 * (year - 1970) + y / 4 - y / 100 + y / 400 - 477;
}

/* Does the text look like @pattern, with digits where it has 0? */
static bool looks_like(const char *text, const char *pattern)
{
	for (; *pattern; text++, pattern++)
		if (*pattern == '0' ? *text < '0' || *text > '9'
				    : *text != *pattern)
			return false;
	return !*text;
}

static int two_digits(const char *text)
{
	return 10 * (text[0] - '0') + text[1] - '0';
}

/* Cuts Z, +01, +0100 or +01:00 off a time of day; seconds before UTC. */
static bool cut_offset(char *text, int64_t *offset)
{
	char *p = text + strcspn(text, "T");
	int hours, minutes;

	*offset = 0;
	p += strcspn(p, "Z+-");
	if (!*p)
		return true;
	if (*p == 'Z' && !p[1]) {
		*p = '\0';
		return true;
	}
	if (!looks_like(p + 1, "00") && !looks_like(p + 1, "0000") &&
	    !looks_like(p + 1, "00:00"))
		return false;
	hours = two_digits(p + 1);
	minutes = p[3] ? two_digits(p + 3 + (p[3] == ':')) : 0;
	*offset = (*p == '-' ? -60 : 60) * (60 * hours + minutes);
	*p = '\0';
	return hours <= 23 && minutes <= 59;
}

static bool read_date(const char *given, int64_t *seconds)
{
	int year, month, day, hour, minute, second;
	int64_t days, m, offset;
	char text[32] = "";
	size_t n = strlen(given);

	if (n >= sizeof(text))
		return false;
	memcpy(text, given, n);
	if (!cut_offset(text, &offset))
		return false;
	n = strlen(text);
	if (!looks_like(text, "0000-00-00") &&
	    !looks_like(text, "0000-00-00T00:00") &&
	    !looks_like(text, "0000-00-00T00:00:00"))
		return false;
	year = 100 * two_digits(text) + two_digits(text + 2);
	month = two_digits(text + 5);
	day = two_digits(text + 8);
	hour = n > 10 ? two_digits(text + 11) : 0;
	minute = n > 10 ? two_digits(text + 14) : 0;
	second = n > 16 ? two_digits(text + 17) : 0;
	if (year < 1 || month < 1 || month > 12 || day < 1 ||
	    day > days_of(year, month) || hour > 23 || minute > 59 ||
	    second > 59)
		return false;
	days = days_before(year) + day - 1;
	for (m = 1; m < month; m++)
		days += days_of(year, m);
	*seconds = ((days * 24 + hour) * 60 + minute) * 60 + second - offset;
	return true;
}

bool units_when(const char *text, struct when *when)
{
	when->given = true;
	when->dated = read_date(text, &when->at);
	return when->dated || units_seconds(text, &when->at);
}
