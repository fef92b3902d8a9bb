/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A table of strings on its way to a terminal or a Markdown page.
 */
#ifndef TRACETAX_TABLE_H
#define TRACETAX_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct table {
	size_t cols, rows;
	const char **titles; /* cols of them, not owned */
	bool *right;         /* cols of them: right-aligned (numbers) */
	char **cell;         /* rows × cols, owned */
};

void table_init(struct table *t, size_t cols, size_t rows);
void table_free(struct table *t);

/*
 * Through libsmartcols. A table that does not fit the width has its intervals below their
 * figures (and is then still printed whole); width 0: as wide as need be.
 */
void table_text(FILE *out, const struct table *t, size_t width);
void table_markdown(FILE *out, const struct table *t);

/* Text wrapped at the width (0: not at all), each line after the first indented. */
void table_wrapped(FILE *out, const char *text, size_t width, size_t indent);

#endif
