/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analysis/table.h"

#include <libsmartcols.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/xalloc.h"

void table_init(struct table *t, size_t cols, size_t rows)
{
	*t = (struct table) {
		.cols = cols,
		.rows = rows,
		.titles = xcalloc(cols, sizeof(*t->titles)),
		.right = xcalloc(cols, sizeof(*t->right)),
		.cell = xcalloc(rows * cols, sizeof(*t->cell)),
	};
}

void table_free(struct table *t)
{
	for (size_t i = 0; i < t->rows * t->cols; i++)
		free(t->cell[i]);
	free(t->cell);
	free(t->right);
	free(t->titles);
}

/* libsmartcols reports nothing but a lack of memory, as a negative errno or NULL. */
static void check(int bad)
{
	if (!bad)
		return;
	fputs("tracetax: out of memory for a table\n", stderr);
	exit(EXIT_MEASURE);
}

/* Columns that a text takes: UTF-8 continuation bytes take none. */
static size_t columns_of(const char *text, size_t n)
{
	size_t columns = 0;

	for (size_t i = 0; i < n; i++)
		columns += ((unsigned char)text[i] & 0xc0) != 0x80;
	return columns;
}

/* How wide the table is if nothing is broken. */
static size_t natural_width(const struct table *t)
{
	size_t width = t->cols - 1; /* a blank between columns */

	for (size_t c = 0; c < t->cols; c++) {
		size_t widest = columns_of(t->titles[c], strlen(t->titles[c]));

		for (size_t r = 0; r < t->rows; r++) {
			const char *text = t->cell[r * t->cols + c];
			size_t columns = columns_of(text, strlen(text));

			widest = columns > widest ? columns : widest;
		}
		width += widest;
	}
	return width;
}

/* In a table that is too wide an interval goes below its figure: "1.97 [0.00, 3.96]". */
static void break_interval(char *text)
{
	char *interval = strstr(text, " [");

	if (interval)
		*interval = '\n';
}

static void add_columns(struct libscols_table *s, const struct table *t)
{
	for (size_t c = 0; c < t->cols; c++) {
		struct libscols_column *column = scols_table_new_column(
			s, t->titles[c], 0, (t->right[c] ? SCOLS_FL_RIGHT : 0) | SCOLS_FL_WRAP);

		check(!column);
		check(scols_column_set_wrapfunc(column, scols_wrapnl_chunksize,
						scols_wrapnl_nextchunk, NULL));
		check(scols_column_set_safechars(column, "\n"));
	}
}

void table_text(FILE *out, const struct table *t, size_t width)
{
	struct libscols_table *s = scols_new_table();
	const bool broken = width && natural_width(t) > width;

	check(!s);
	scols_table_set_stream(s, out);
	/* Never cut to the terminal: a figure that is broken in the middle is a wrong figure.
	 */
	check(scols_table_set_termforce(s, SCOLS_TERMFORCE_NEVER));
	add_columns(s, t);
	for (size_t r = 0; r < t->rows; r++) {
		struct libscols_line *line = scols_table_new_line(s, NULL);

		check(!line);
		for (size_t c = 0; c < t->cols; c++) {
			if (broken)
				break_interval(t->cell[r * t->cols + c]);
			check(scols_line_set_data(line, c, t->cell[r * t->cols + c]));
		}
	}
	check(scols_print_table(s));
	scols_unref_table(s);
}

/* A bar would end the cell. */
static void put_escaped(FILE *out, const char *text)
{
	for (; *text; text++) {
		if (*text == '|')
			fputc('\\', out);
		fputc(*text, out);
	}
}

void table_markdown(FILE *out, const struct table *t)
{
	for (size_t c = 0; c < t->cols; c++) {
		fputs("| ", out);
		put_escaped(out, t->titles[c]);
		fputc(' ', out);
	}
	fputs("|\n", out);
	for (size_t c = 0; c < t->cols; c++)
		fputs(t->right[c] ? "| ---: " : "| --- ", out);
	fputs("|\n", out);
	for (size_t r = 0; r < t->rows; r++) {
		for (size_t c = 0; c < t->cols; c++) {
			fputs("| ", out);
			put_escaped(out, t->cell[r * t->cols + c]);
			fputc(' ', out);
		}
		fputs("|\n", out);
	}
}

void table_wrapped(FILE *out, const char *text, size_t width, size_t indent)
{
	size_t at = 0;

	for (;;) {
		size_t n = strcspn(text, " "), columns = columns_of(text, n);

		if (width && at && at + 1 + columns > width) {
			fprintf(out, "\n%*s", (int)indent, "");
			at = indent;
		} else if (at) {
			fputc(' ', out);
			at++;
		}
		fwrite(text, 1, n, out);
		at += columns;
		if (!text[n])
			break;
		text += n + 1;
	}
	fputc('\n', out);
}
