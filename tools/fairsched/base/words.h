/* SPDX-License-Identifier: MIT OR Unlicense */
/* words.h - the word that is closest to a mistyped one */
#ifndef WORDS_H
#define WORDS_H

#include <stddef.h>

#define LONGEST_WORD 40 /* no longer one is looked for */

/* Of @words, NULL at the end, the one that was probably meant, or NULL. */
const char *closest_word(const char *word, const char *const *words);

#endif /* WORDS_H */
