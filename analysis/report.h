/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Results written out: text, Markdown, CSV, JSON. Writers only write; every figure is finished
 * before.
 */
#ifndef TRACETAX_REPORT_H
#define TRACETAX_REPORT_H

#include <stdio.h>

#include "analysis/columns.h"
#include "base/err.h"

struct report_options {
	/* The columns to show, in order; NULL: each format's own choice. */
	const struct column **columns;
	size_t n_columns;
	bool brief;   /* text: the machine and the notes only; a table of its own precedes it */
	size_t width; /* of the terminal; 0: not a terminal, as wide as need be */
};

struct format {
	const char *name;
	const char *summary;
	void (*write)(FILE *out, const struct results *r, const struct report_options *o);
};

/* Ended by a row without a name. */
extern const struct format formats[];

const struct format *format_find(const char *name);

/* The writers, each in a file of its own. */
void report_text(FILE *out, const struct results *r, const struct report_options *o);
void report_markdown(FILE *out, const struct results *r, const struct report_options *o);
void report_csv(FILE *out, const struct results *r, const struct report_options *o);
void report_json(FILE *out, const struct results *r, const struct report_options *o);

/*
 * Write to `out` and make sure that it got there: a full disk or a closed pipe is an error
 * (EXIT_MEASURE).
 */
int report_write(FILE *out, const char *name, const struct format *f, const struct results *r,
		 const struct report_options *o, struct err *e);

#endif
