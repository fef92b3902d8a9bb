/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The command line of tracetax-child for a cell (child/main.c).
 */
#ifndef TRACETAX_CHILD_ARGV_H
#define TRACETAX_CHILD_ARGV_H

#include <stdbool.h>

#include "probe/cell.h"
#include "probe/command.h"

enum { CHILD_ARGV_NUMBERS = 10 };

struct child_argv {
	const char **word; /* NULL-ended; free with child_argv_free() */
	size_t n, capacity;
	/* Private: the numbers as text. */
	char number[CHILD_ARGV_NUMBERS][24];
	int numbers;
};

/*
 * Fill *a for the cell: of the same length whatever the tracer, since the child's stack, and
 * with it the speed of memory operations, begins below its arguments. Texts of the cell and
 * `path`, the first word, are kept; *a must not be moved. *a is zeroed, or filled before.
 */
void child_argv_fill(struct child_argv *a, const char *path, const struct cell *c,
		     bool dispatch, double ns_per_count);

/* That of tracetax-child as what starts a command, for tracers that are programs. */
void child_argv_run(struct child_argv *a, const char *path, const struct cell *c,
		    const struct command *command);

void child_argv_free(struct child_argv *a);

#endif
