/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reading what people type: whole numbers, durations and comma lists. Every message names
 * the option, the value and what is allowed.
 */
#ifndef TRACETAX_PARSE_H
#define TRACETAX_PARSE_H

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

/*
 * A whole decimal number from min to max, nothing before or behind it. `what` is the option
 * as the user typed it ("--runs"). 0, or -1 with `e` set (EXIT_USAGE) and *out untouched.
 */
int parse_int(const char *what, const char *text, int64_t min, int64_t max, int64_t *out,
	      struct err *e);

/*
 * A duration: a number, fractions allowed, with ms, s, min or h behind it; plain numbers are
 * seconds. At least 1 ms, at most 30 days. In nanoseconds.
 */
int parse_duration_ns(const char *what, const char *text, int64_t *out, struct err *e);

/*
 * Split "a,b,c" at the commas. Empty items ("a,,b", a trailing comma, an empty text) are an
 * error. The caller frees the list with split_free().
 */
int split_list(const char *what, const char *text, char ***items, size_t *n, struct err *e);
void split_free(char **items, size_t n);

#endif
