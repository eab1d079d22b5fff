/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * sched/text.h - a text that grows, for explanations and messages
 *
 * Uses: types.h.
 */

/* Private: a text that grows; @length counts what does not fit, too. */
struct fair_text {
	char *at;
	size_t size, length;
};

static void fair_text_add(struct fair_text *t, const char *more)
{
	for (; *more; more++, t->length++)
		if (t->length < t->size)
			t->at[t->length] = *more;
}

/* Terminate it; return the length of all of it. */
static size_t fair_text_end(struct fair_text *t)
{
	if (t->size)
		t->at[t->length < t->size ? t->length : t->size - 1] = 0;
	return t->length;
}

static void fair_text_number(struct fair_text *t, uint64_t number)
{
	char digit[24];
	size_t i = sizeof(digit) - 1;

	digit[i] = 0;
	do {
		digit[--i] = (char)('0' + number % 10);
		number /= 10;
	} while (number);
	fair_text_add(t, digit + i);
}

/* Add @format; the first % or # is @a, the second @b: % signed, # unsigned. */
static void fair_text_fill(struct fair_text *t, const char *format, int64_t a,
			   int64_t b)
{
	char c[2] = { 0, 0 };

	for (; *format; format++) {
		c[0] = *format;
		if (*format != '%' && *format != '#') {
			fair_text_add(t, c);
			continue;
		}
		if (*format == '%' && a < 0) {
			fair_text_add(t, "-");
			fair_text_number(t, 0 - (uint64_t)a);
		} else {
			fair_text_number(t, (uint64_t)a);
		}
		a = b;
	}
}
