/* SPDX-License-Identifier: MIT OR Unlicense */
#include "html.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <string.h>

#include "tools/fairsched/base/text.h"

static void put_text(FILE *f, const char *text, size_t n)
{
	size_t k;

	for (; n; n -= k, text += k) {
		k = text_character(text, n);
		if (!k || !text_is_plain(text, k))
			fputs("&#xfffd;", f);
		else if (strchr("<>&\"", *text))
			fprintf(f, "&#%d;", *text);
		else
			fwrite(text, 1, k, f);
		k = k ? k : 1;
	}
}

void html_text(FILE *f, const char *text)
{
	put_text(f, text, strlen(text));
}

static size_t without(const char *text, size_t n, const char *end)
{
	size_t k = strlen(end);

	return n > k && !memcmp(text + n - k, end, k) ? n - k : n;
}

void html_name(FILE *f, const struct report *r)
{
	const char *slash = strrchr(r->name, '/');
	const char *name = slash ? slash + 1 : r->name;
	size_t n = without(name, strlen(name), ".gz");

	put_text(f, name, without(name, n, ".swf"));
	if (r->tells_procs)
		fprintf(f, ", %" PRId32 " processors", r->trace->procs);
}

void html_figure(FILE *f, const char *kind, const char *unit, const char *title,
		 const char *note)
{
	fprintf(f,
		"<figure data-kind=\"%s\" data-unit=\"%s\">\n"
		"<figcaption><b>%s</b> %s</figcaption>\n"
		"<details><summary>The numbers</summary>\n",
		kind, unit, title, note);
}

void html_figure_end(FILE *f)
{
	fputs("</details>\n</figure>\n", f);
}

void html_table(FILE *f, const char *rows, const struct report *r, size_t n)
{
	char text[64];
	size_t i;

	fprintf(f,
		"<div class=\"scroll\"><table>\n<thead><tr><th scope=\"col\">"
		"%s</th>",
		rows);
	for (i = 0; i < n; i++) {
		report_policy(&r[i], text, sizeof(text));
		fprintf(f, "<th scope=\"col\">%s</th>", text);
	}
	fputs("</tr></thead>\n<tbody>\n", f);
}

void html_table_end(FILE *f)
{
	fputs("</tbody>\n</table></div>\n", f);
}

void html_base(FILE *f, const char *tag, const struct report *base,
	       const struct report *first)
{
	char text[64];

	report_policy(base, text, sizeof(text));
	fprintf(f, "<%s data-base=\"%s\"%s>", tag, text,
		base == first ? "" : " hidden");
}

void html_row(FILE *f, const double *x, const char *text, const char *help)
{
	fputs("<tr><th scope=\"row\"", f);
	if (x)
		fprintf(f, " data-x=\"%.17g\"", *x);
	putc('>', f);
	html_text(f, text);
	if (help)
		fprintf(f, "<small>%s</small>", help);
	fputs("</th>", f);
}

void html_row_of(FILE *f, const struct report *r, const char *more)
{
	fputs("<tr><th scope=\"row\">", f);
	html_name(f, r);
	fprintf(f, "%s</th>", more);
}

void html_row_end(FILE *f)
{
	fputs("</tr>\n", f);
}

void html_cell(FILE *f, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	fputs("<td>", f);
	vfprintf(f, format, args);
	va_end(args);
	fputs("</td>", f);
}

void html_value(FILE *f, double value, int digits, double error)
{
	if (isinf(value))
		html_cell(f, "worse");
	else if (error > 0)
		html_cell(f, "%.*f &plusmn; %.*f", digits, value, digits,
			  error);
	else
		html_cell(f, "%.*f", digits, value);
}

void html_sample(FILE *f, double value, int digits, double error, double none)
{
	if (none > 0 && !isinf(value))
		html_cell(f,
			  "%.*f <small>(none late: &lt; %.2g %% of all)"
			  "</small>",
			  digits, value, none);
	else
		html_value(f, value, digits, error);
}
