/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The command line of tracetax-child for a cell (child/main.c).
 */
#ifndef TRACETAX_CHILD_ARGV_H
#define TRACETAX_CHILD_ARGV_H

#include <stdbool.h>

#include "probe/cell.h"

enum { CHILD_ARGV_WORDS = 24, CHILD_ARGV_NUMBERS = 8 };

struct child_argv {
	const char *word[CHILD_ARGV_WORDS]; /* NULL-ended */
	int n;
	/* Private: the numbers as text. */
	char number[CHILD_ARGV_NUMBERS][24];
	int numbers;
};

/*
 * Fill *a for the cell: of the same length whatever the tracer, since the child's stack, and
 * with it the speed of memory operations, begins below its arguments. Texts of the cell and
 * `path`, the first word, are kept; *a must not be moved.
 */
void child_argv_fill(struct child_argv *a, const char *path, const struct cell *c,
		     bool dispatch, double ns_per_count);

#endif
