/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * CSV (RFC 4180): a header, then a row a cell. An estimate takes three columns: NAME, NAME_lo
 * and NAME_hi. An unknown value is empty.
 */
#include <math.h>
#include <string.h>

#include "analysis/report.h"

static void put_text(FILE *out, const char *text)
{
	if (!strpbrk(text, ",\"\n\r")) {
		fputs(text, out);
		return;
	}
	fputc('"', out);
	for (; *text; text++) {
		if (*text == '"')
			fputc('"', out);
		fputc(*text, out);
	}
	fputc('"', out);
}

static void put_number(FILE *out, double v)
{
	if (isinf(v))
		fputs("inf", out);
	else if (!isnan(v))
		fprintf(out, "%.10g", v);
}

static void put_value(FILE *out, const struct column *c, const struct result *r)
{
	const struct estimate *e;

	switch (c->kind) {
	case COLUMN_TEXT:
		put_text(out, c->text(r));
		return;
	case COLUMN_COUNT:
	case COLUMN_NUMBER:
		put_number(out, c->number(r));
		return;
	case COLUMN_ESTIMATE:
		break;
	}
	e = &r->figure[c->figure];
	put_number(out, e->mid);
	fputc(',', out);
	put_number(out, e->lo);
	fputc(',', out);
	put_number(out, e->hi);
}

static const struct column *nth(const struct report_options *o, size_t i)
{
	if (o->columns)
		return i < o->n_columns ? o->columns[i] : NULL;
	return columns[i].name ? &columns[i] : NULL;
}

void report_csv(FILE *out, const struct results *r, const struct report_options *o)
{
	const struct column *c;

	for (size_t i = 0; (c = nth(o, i)); i++) {
		fprintf(out, "%s%s", i ? "," : "", c->name);
		if (c->kind == COLUMN_ESTIMATE)
			fprintf(out, ",%s_lo,%s_hi", c->name, c->name);
	}
	fputc('\n', out);
	for (size_t k = 0; k < r->n; k++) {
		for (size_t i = 0; (c = nth(o, i)); i++) {
			if (i)
				fputc(',', out);
			put_value(out, c, &r->list[k]);
		}
		fputc('\n', out);
	}
}
