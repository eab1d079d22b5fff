/* SPDX-License-Identifier: MIT OR Unlicense */
#include "text.h"

#include <stdint.h>
#include <string.h>
#include <unistd.h>

size_t text_character(const char *p, size_t n)
{
	/* Of 2, 3 and 4 bytes: the first that needs so many, and the last. */
	static const uint32_t least[] = { 0x80, 0x800, 0x10000 };
	const unsigned char *c = (const unsigned char *)p;
	size_t bytes, i;
	uint32_t x;

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
	return bytes;
}

/* C0, DEL, and C1 in UTF-8. */
static int is_control(const char *p)
{
	const unsigned char *c = (const unsigned char *)p;

	return c[0] < ' ' || c[0] == 0x7f || (c[0] == 0xc2 && c[1] < 0xa0);
}

bool text_is_plain(const char *text, size_t n)
{
	size_t k;

	for (; n; n -= k, text += k) {
		k = text_character(text, n);
		if (!k || is_control(text))
			return false;
	}
	return true;
}

static void show(FILE *f, const char *text, const char *escaped)
{
	size_t n;

	for (; *text; text += n) {
		n = text_character(text, strlen(text));
		if (n && !is_control(text)) {
			if (strchr(escaped, *text))
				putc('\\', f);
			fwrite(text, 1, n, f);
			continue;
		}
		fprintf(f, "\\x%02x", (unsigned int)(unsigned char)*text);
		n = 1;
	}
}

void text_show(FILE *f, const char *text)
{
	show(f, text, "");
}

void text_markdown(FILE *f, const char *text)
{
	show(f, text, "|*\\");
}

/* What is read again keeps its bytes; a terminal shall obey none of them. */
void text_bytes(FILE *f, const char *text, size_t n)
{
	static int is_terminal = -1;
	size_t k;

	if (f == stdout && is_terminal < 0)
		is_terminal = isatty(STDOUT_FILENO);
	if (f != stdout || !is_terminal) {
		fwrite(text, 1, n, f);
		return;
	}
	for (; n; n -= k, text += k) {
		k = text_character(text, n);
		if (k && !is_control(text)) {
			fwrite(text, 1, k, f);
			continue;
		}
		fprintf(f, "\\x%02x", (unsigned int)(unsigned char)*text);
		k = 1;
	}
}

void text_csv(FILE *f, const char *text, size_t n)
{
	bool quoted = memchr(text, ',', n) || memchr(text, '"', n) ||
		      memchr(text, '\n', n);
	const char *quote;

	if (quoted)
		putc('"', f);
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

void text_json(FILE *f, const char *text)
{
	size_t n;

	putc('"', f);
	for (; *text; text += n) {
		n = text_character(text, strlen(text));
		if (!n) {
			fputs("\\ufffd", f);
			n = 1;
		} else if (*text == '"' || *text == '\\') {
			fprintf(f, "\\%c", *text);
		} else if (is_control(text)) {
			fprintf(f, "\\u%04x",
				(unsigned int)(unsigned char)text[n - 1]);
		} else {
			fwrite(text, 1, n, f);
		}
	}
	putc('"', f);
}
