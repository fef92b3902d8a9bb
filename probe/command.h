/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The user's own program in the place of the child.
 *
 * Each run has the same input: standard input is opened anew where it is a file, read into
 * memory first where it is a pipe, and nothing where it is a terminal, since a program that
 * waits for its user can't be timed. The environment is ours. What it writes is shown if
 * asked for.
 */
#ifndef TRACETAX_COMMAND_H
#define TRACETAX_COMMAND_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/err.h"

/* The name of the workload in samples. */
#define COMMAND_WORKLOAD "command"

struct command {
	char **argv; /* the caller's, NULL-ended */
	char *path;
	int input;          /* what standard input is, from `offset`; -1: /dev/null */
	off_t input_offset; /* -1: it has none */
	bool show_output;
	bool ignore_failure; /* any end is fine, as long as it is always the same */
	int status;          /* wait status of the first run; -1: none yet */
};

/*
 * Find the program and its input. Blocks until the end of a pipe. 0, or -1 with `e` set:
 * EXIT_USAGE where there is no such program.
 */
int command_open(struct command *c, char **argv, struct err *e);

/* Standard input for one run, close-on-exec, the caller's to close; -1: /dev/null. */
int command_input(const struct command *c);

/*
 * Whether a run that ended with this wait status is a sample: the first one's decides for all.
 * If not, why.
 */
bool command_judge(struct command *c, int status, char *why, size_t size);

void command_close(struct command *c);

/*
 * Run a shell command before a run, its output on our standard error. EXIT_MEASURE where it
 * ends with another status than 0.
 */
int command_prepare(const char *script, struct err *e);

#endif
