/* SPDX-License-Identifier: MIT OR Unlicense */
#include "text.h"

#include <stdint.h>
#include <string.h>
#include <unistd.h>

/* Bytes of the character at @p, and which one it is; 0: it is none. */
static size_t decode(const char *p, size_t n, uint32_t *code)
{
	/* Of 2, 3 and 4 bytes: the first that needs so many, and the last. */
	static const uint32_t least[] = { 0x80, 0x800, 0x10000 };
	const unsigned char *c = (const unsigned char *)p;
	size_t bytes, i;
	uint32_t x;

	*code = n ? c[0] : 0;
	if (!n || c[0] < 0x80)
		return n != 0;
	bytes = c[0] >= 0xf0 ? 4 : c[0] >= 0xe0 ? 3 : 2;
	if (c[0] < 0xc0 || c[0] >= 0xf8 || bytes > n)
		return 0;
	x = c[0] & (0x7fu >> bytes);
	for (i = 1; i < bytes; i++) {
		if ((c[i] & 0xc0) != 0x80)
			return 0;
		x = x << 6 | (c[i] & 0x3f);
	}
	if (x < least[bytes - 2] || x > 0x10ffff || (x >> 11) == 0x1b)
		return 0;
	*code = x;
	return bytes;
}

size_t text_character(const char *p, size_t n)
{
	uint32_t code;

	return decode(p, n, &code);
}

/* C0, DEL, C1, ends of lines and paragraphs, and marks of direction. */
static bool is_control(uint32_t c)
{
	return c < ' ' || (c >= 0x7f && c < 0xa0) || c == 0x61c ||
	       c == 0x200e || c == 0x200f || (c >= 0x2028 && c <= 0x202e) ||
	       (c >= 0x2066 && c <= 0x2069);
}

/* Bytes of the character at @p that may be shown as it is; 0: it may not. */
static size_t plain(const char *p, size_t n)
{
	uint32_t code;
	size_t bytes = decode(p, n, &code);

	return bytes && !is_control(code) ? bytes : 0;
}

bool text_is_plain(const char *text, size_t n)
{
	size_t k = 1;

	for (; n && k; n -= k, text += k)
		k = plain(text, n);
	return !n;
}

static void show(FILE *f, const char *text, size_t n, const char *escaped)
{
	size_t k;

	for (; n; n -= k, text += k) {
		k = plain(text, n);
		if (k && strchr(escaped, *text))
			putc('\\', f);
		if (k) {
			fwrite(text, 1, k, f);
			continue;
		}
		fprintf(f, "\\x%02x", (unsigned int)(unsigned char)*text);
		k = 1;
	}
}

void text_show(FILE *f, const char *text)
{
	show(f, text, strlen(text), "");
}

size_t text_wide(const char *text)
{
	size_t n = strlen(text), wide = 0, k;

	for (; n; n -= k, text += k) {
		k = plain(text, n);
		wide += k ? 1 : 4;
		k = k ? k : 1;
	}
	return wide;
}

void text_markdown(FILE *f, const char *text)
{
	show(f, text, strlen(text), "|*\\");
}

/* What is read again keeps its bytes; a terminal shall obey none of them. */
void text_bytes(FILE *f, const char *text, size_t n)
{
	static int is_terminal = -1;

	if (f == stdout && is_terminal < 0)
		is_terminal = isatty(STDOUT_FILENO);
	if (f == stdout && is_terminal)
		show(f, text, n, "");
	else
		fwrite(text, 1, n, f);
}

/* ---- CSV ---- */

/* What a spreadsheet may compute, and the same behind apostrophes. */
static bool is_formula(const char *text, size_t n)
{
	for (; n && *text == '\''; n--)
		text++;
	return n && memchr("=+-@\t\r\n", *text, 8); /* and a NUL */
}

static bool is_number(const char *text, size_t n)
{
	if (*text != '+' && *text != '-')
		return false;
	while (--n && ((*++text >= '0' && *text <= '9') || *text == '.'))
		;
	return !n;
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

void text_csv(FILE *f, const char *text, size_t n)
{
	bool formula = is_formula(text, n) && !is_number(text, n);
	bool quoted = formula || memchr(text, ',', n) ||
		      memchr(text, '"', n) || memchr(text, '\n', n) ||
		      memchr(text, '\r', n) ||
		      (n && (is_blank(*text) || is_blank(text[n - 1])));
	const char *quote;

	if (quoted)
		putc('"', f);
	if (formula)
		putc('\'', f);
	while ((quote = memchr(text, '"', n)) != NULL) {
		text_bytes(f, text, (size_t)(quote + 1 - text));
		putc('"', f);
		n -= (size_t)(quote + 1 - text);
		text = quote + 1;
	}
	text_bytes(f, text, n);
	if (quoted)
		putc('"', f);
}

bool text_csv_marked(const char *text, size_t n)
{
	return n && *text == '\'' && is_formula(text + 1, n - 1);
}

void text_wrap(FILE *f, const char *text, size_t column, size_t room)
{
	size_t wide = room > column + 20 ? room - column : 20, n;
	char line[256];

	wide = wide < sizeof(line) - 1 ? wide : sizeof(line) - 1;
	for (;;) {
		n = strlen(text);
		if (n > wide) {
			for (n = wide; n && text[n] != ' '; n--)
				;
			for (n = n ? n : wide; (text[n] & 0xc0) == 0x80 && n;)
				n--;
			n = n ? n : wide; /* of bytes that are no text */
		}
		snprintf(line, sizeof(line), "%.*s", (int)n, text);
		text_show(f, line);
		putc('\n', f);
		text += n;
		text += *text == ' ';
		if (!*text)
			return;
		fprintf(f, "%*s", (int)column, "");
	}
}

/* @slash is what each backslash is: two of them where JavaScript takes one. */
static void put_json(FILE *f, const char *text, size_t n, const char *slash)
{
	const char *escaped = slash[1] ? "\"\\`$" : "\"\\";
	uint32_t code;
	bool is_plain;
	size_t k;

	for (; n; n -= k, text += k) {
		k = decode(text, n, &code);
		is_plain = k && !is_control(code);
		if (is_plain && !strchr(escaped, *text))
			fwrite(text, 1, k, f);
		else if (is_plain && !slash[1])
			fprintf(f, "\\%c", *text);
		else
			fprintf(f, "%su%04x", slash,
				(unsigned int)(k ? code : 0xfffd));
		k = k ? k : 1;
	}
}

void text_json(FILE *f, const char *text)
{
	putc('"', f);
	put_json(f, text, strlen(text), "\\");
	putc('"', f);
}

void text_json_quoted(FILE *f, const char *text, size_t n)
{
	putc('"', f);
	put_json(f, text, n, "\\\\");
	putc('"', f);
}
