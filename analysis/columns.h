/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a report can say of a cell: one row a column. Text, Markdown, CSV and JSON, the help
 * and the manual page's table all follow from these rows.
 */
#ifndef TRACETAX_COLUMNS_H
#define TRACETAX_COLUMNS_H

#include "analysis/result.h"

enum column_kind {
	COLUMN_TEXT,     /* text() */
	COLUMN_COUNT,    /* number(), a whole one */
	COLUMN_NUMBER,   /* number() */
	COLUMN_ESTIMATE, /* figure: median (or ratio, difference of means), lo, hi */
};

struct column {
	const char *name;  /* in JSON and CSV, with its unit */
	const char *title; /* above the text column, with its unit after scaling */
	enum column_kind kind;
	double scale; /* text shows the value divided by this */
	const char *(*text)(const struct result *r);
	double (*number)(const struct result *r);
	enum figure figure;
	bool key; /* names the cell; hoisted out of text tables where all rows agree */
	const char *help;
	const char *usual; /* of a key: not worth a word where all rows have it; NULL: none */
};

/* All of them, in order, ended by a row without a name. */
extern const struct column columns[];

const struct column *column_find(const char *name);

/* "36.0 [35.1, 37.2]" of the estimate divided by scale; "[?]": no interval; the caller frees.
 */
char *column_format_estimate(struct estimate e, double scale);

/* The value as a text table shows it ("36.0 [35.1, 37.2]", "-" for unknown); the caller frees.
 */
char *column_format(const struct column *c, const struct result *r);

#endif
