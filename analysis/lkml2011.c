/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analysis/lkml2011.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/table.h"
#include "base/xalloc.h"

/* What the report gave: utime in µs for 262144 iterations. */
static const struct published {
	const char *where;
	int n;
	double untraced_us, traced_us;
} published[] = {
	{ "2011: Pentium M 2.0 GHz, 1 core, i386", 0, 31001, 60503 },
	{ "2011: Pentium M 2.0 GHz, 1 core, i386", 512, 461528, 557034 },
	{ "2011: Intel E5500 2.8 GHz, 2 cores, x86_64", 0, 9873, 1249 },
	{ "2011: Intel E5500 2.8 GHz, 2 cores, x86_64", 512, 298579, 659274 },
};

enum { N_PUBLISHED = sizeof(published) / sizeof(published[0]), COLUMNS = 8 };

static char *interval(struct estimate e)
{
	if (isnan(e.mid))
		return xstrdup("-");
	if (isinf(e.hi))
		return xasprintf("%.2f [%.2f, ∞]", e.mid, e.lo);
	return xasprintf("%.2f [%.2f, %.2f]", e.mid, e.lo, e.hi);
}

static char *scaled_us(const struct result *r, double ns)
{
	if (isnan(ns))
		return xstrdup("-");
	return xasprintf("%.0f",
			 ns / 1e3 * LKML2011_ITERATIONS / (double)r->cell->key.iterations);
}

static char *per_iteration_ns(double us)
{
	return xasprintf("%.0f", us * 1e3 / LKML2011_ITERATIONS);
}

static void published_row(char **cell, const struct published *p)
{
	cell[0] = xstrdup(p->where);
	cell[1] = xasprintf("%d", p->n);
	cell[2] = xasprintf("%.0f", p->untraced_us);
	cell[3] = xasprintf("%.0f", p->traced_us);
	cell[4] = per_iteration_ns(p->untraced_us);
	cell[5] = per_iteration_ns(p->traced_us);
	cell[6] = xasprintf("%.2f", p->traced_us / p->untraced_us);
	cell[7] = xstrdup("not known");
}

static void own_row(char **cell, const struct result *r)
{
	const double iterations = (double)r->cell->key.iterations;

	cell[0] =
		xasprintf("now: %s CPU, %s child", r->cell->key.placement, r->cell->key.child);
	cell[1] = xasprintf("%" PRId64, r->cell->key.ops);
	cell[2] = scaled_us(r, r->base_utime_mean);
	cell[3] = scaled_us(r, r->utime_mean);
	cell[4] = xasprintf("%.0f", r->base_utime_mean / iterations);
	cell[5] = xasprintf("%.0f", r->utime_mean / iterations);
	cell[6] = interval(r->figure[F_UTIME_RATIO]);
	cell[7] = interval(r->figure[F_TRUE_USER_RATIO]);
}

static bool traced(const struct result *r)
{
	return !strcmp(r->cell->key.tracer, "syscall");
}

/* "same CPU: 50000 iterations" for the line below the table. */
static void print_iterations(FILE *out, const struct results *r)
{
	fputs("Scaled from", out);
	for (size_t i = 0; i < r->n; i++) {
		const struct sample *k = &r->list[i].cell->key;

		if (i && !strcmp(k->placement, r->list[i - 1].cell->key.placement))
			continue;
		fprintf(out, "%s %" PRId64 " iterations (%s CPU)", i ? "," : "", k->iterations,
			k->placement);
	}
	fprintf(out, " to the report's %d. Ratios: means of %zu runs [95 %% interval].\n",
		LKML2011_ITERATIONS, r->n ? r->list[0].cell->n : 0);
}

static double extreme(const struct results *r, enum figure f, double (*pick)(double, double))
{
	double v = NAN;

	for (size_t i = 0; i < r->n; i++)
		if (traced(&r->list[i]))
			v = pick(v, r->list[i].figure[f].mid);
	return v;
}

static void print_summary(FILE *out, const struct results *r, size_t width)
{
	char *text = xasprintf(
		"In 2011 the reported user time changed by factors from 0.13 to 2.21, and "
		"nobody could "
		"say how much of that was real. Here it changes by factors from %.2f to %.2f; "
		"by the "
		"child's own clock the factors are %.2f to %.2f. In the traced runs of the "
		"instrumented child the kernel reports %.2f to %.2f times the user time that "
		"the child "
		"spent by its own clock.",
		extreme(r, F_UTIME_RATIO, fmin), extreme(r, F_UTIME_RATIO, fmax),
		extreme(r, F_TRUE_USER_RATIO, fmin), extreme(r, F_TRUE_USER_RATIO, fmax),
		extreme(r, F_REPORTED_TO_TRUE, fmin), extreme(r, F_REPORTED_TO_TRUE, fmax));

	table_wrapped(out, text, width, 0);
	free(text);
}

void lkml2011_print(FILE *out, const struct results *r, size_t width)
{
	static const char *const titles[COLUMNS] = {
		"machine",           "N",
		"utime untraced µs", "traced µs",
		"untraced ns/iter",  "traced ns/iter",
		"utime ×",           "true user ×",
	};
	const size_t text_width = width ? width : 96;
	struct table t;
	size_t rows = N_PUBLISHED;

	for (size_t i = 0; i < r->n; i++)
		rows += traced(&r->list[i]);
	table_init(&t, COLUMNS, rows);
	for (size_t c = 0; c < COLUMNS; c++) {
		t.titles[c] = titles[c];
		t.right[c] = c > 0;
	}
	for (size_t i = 0; i < N_PUBLISHED; i++)
		published_row(t.cell + i * COLUMNS, &published[i]);
	rows = N_PUBLISHED;
	for (size_t i = 0; i < r->n; i++)
		if (traced(&r->list[i]))
			own_row(t.cell + rows++ * COLUMNS, &r->list[i]);
	fputs("The 2011 experiment: user time of pread + N operations, untraced and traced\n\n",
	      out);
	table_text(out, &t, width);
	fputc('\n', out);
	print_iterations(out, r);
	fputc('\n', out);
	print_summary(out, r, text_width);
	fputc('\n', out);
	table_free(&t);
}
