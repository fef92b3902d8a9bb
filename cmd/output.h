/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The options that every command with a report has (--format, --columns), and writing it.
 */
#ifndef TRACETAX_CMD_OUTPUT_H
#define TRACETAX_CMD_OUTPUT_H

#include <argp.h>

#include "analysis/report.h"

struct output {
	const struct format *format;
	const struct column **columns; /* NULL: the format's own choice */
	size_t n_columns;
};

/* For argp_child; its input is a struct output, which it initialises. */
extern const struct argp output_argp;

/* The usual way out of a parser on a wrong value: print the error and exit 2. */
_Noreturn void output_usage_error(const struct err *e);

/*
 * Analyse the groups (finished) and write the report to stdout, in text and Markdown with what
 * their experiment has to say before it (analysis/lead.h). The exit code.
 */
int output_report(const struct output *o, const struct groups *g, uint32_t bootstrap_seed);

/*
 * Make sure that what was printed on stdout got there: EXIT_FINE, or EXIT_MEASURE after a
 * message.
 */
int output_done(void);

/* The same at exit, for what a library prints (argp its help): ends with EXIT_MEASURE. */
void output_at_exit(void);

void output_free(struct output *o);

#endif
