/* SPDX-License-Identifier: MIT OR Unlicense */
#include "words.h"

#include <stdint.h>
#include <string.h>

static size_t least(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* Insertions, deletions, changes and swaps of neighbours from @a to @b. */
static size_t distance(const char *a, const char *b)
{
	size_t d[LONGEST_WORD + 1][LONGEST_WORD + 1];
	size_t n = strlen(a), m = strlen(b), i, j;

	if (n > LONGEST_WORD || m > LONGEST_WORD)
		return SIZE_MAX;
	for (i = 0; i <= n; i++)
		d[i][0] = i;
	for (j = 0; j <= m; j++)
		d[0][j] = j;
	for (i = 1; i <= n; i++) {
		for (j = 1; j <= m; j++) {
			d[i][j] =
				least(least(d[i - 1][j], d[i][j - 1]) + 1,
				      d[i - 1][j - 1] + (a[i - 1] != b[j - 1]));
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] &&
			    a[i - 2] == b[j - 1])
				d[i][j] = least(d[i][j], d[i - 2][j - 2] + 1);
		}
	}
	return d[n][m];
}

const char *closest_word(const char *word, const char *const *words)
{
	size_t limit = strlen(word) < 5 ? 1 : 2, best = limit + 1, d;
	const char *closest = NULL;

	for (; *words; words++) {
		d = distance(word, *words);
		/* The beginning of a word may be meant, too. */
		if (d > limit && !strncmp(word, *words, strlen(word)))
			d = limit;
		if (d < best) {
			best = d;
			closest = *words;
		}
	}
	return closest;
}
