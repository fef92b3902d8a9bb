/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analysis/lkml2011.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/columns.h"
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

enum { N_PUBLISHED = sizeof(published) / sizeof(published[0]), COLUMNS = 9 };

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
	cell[8] = xstrdup("not known");
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
	cell[6] = column_format_estimate(r->figure[F_UTIME_RATIO], 1);
	cell[7] = column_format_estimate(r->figure[F_TRUE_USER_RATIO], 1);
	cell[8] = column_format_estimate(r->figure[F_REPORTED_TO_TRUE], 1);
}

static bool traced(const struct result *r)
{
	return !strcmp(r->cell->key.tracer, "syscall");
}

static void print_legend(FILE *out, size_t width)
{
	char *text = xasprintf("2011: means of 8 runs of %d iterations. Now: means, scaled "
			       "from the iterations of the "
			       "tables below to as many. utime ×, true user ×: traced / "
			       "untraced [95%% interval]; true "
			       "user time is the child's own clock. utime / own clock: what is "
			       "reported of the traced "
			       "runs over what the child spent.",
			       LKML2011_ITERATIONS);

	table_wrapped(out, text, width, 0);
	free(text);
}

/* Whether both cells have ticks enough for their ratio to mean anything. */
static bool evident(const struct result *r)
{
	return traced(r) && r->base_result && r->ticks >= DISTORTION_MIN_TICKS &&
	       r->base_result->ticks >= DISTORTION_MIN_TICKS;
}

/* What the ticks say where the child does next to nothing in user mode. */
static void print_ticks(FILE *out, const struct results *r, size_t width)
{
	for (size_t i = 0; i < r->n; i++) {
		const struct result *one = &r->list[i];
		char *text;

		if (!evident(one) || one->cell->key.ops || isnan(one->user_ticks_due))
			continue;
		text = xasprintf(
			"Traced, N = 0, %s CPU: of %.0f ticks %.1f were booked as user time; "
			"by the child's own clock %.1f were due, and %.0f of its windows were "
			"interrupted by anything at all.",
			one->cell->key.placement, one->ticks, one->user_ticks_booked,
			one->user_ticks_due, one->interrupted);
		table_wrapped(out, text, width, 0);
		free(text);
	}
}

/* The least or the largest of a figure over the evident cells; NaN without any. */
static double extreme(const struct results *r, enum figure f, double (*pick)(double, double))
{
	double v = NAN;

	for (size_t i = 0; i < r->n; i++)
		if (evident(&r->list[i]))
			v = pick(v, r->list[i].figure[f].mid);
	return v;
}

static size_t count_verdicts(const struct results *r, enum verdict v)
{
	size_t n = 0;

	for (size_t i = 0; i < r->n; i++)
		n += evident(&r->list[i]) && r->list[i].verdict == v;
	return n;
}

static void print_summary(FILE *out, const struct results *r, size_t width)
{
	size_t cells = 0, all = 0;
	char *text;

	for (size_t i = 0; i < r->n; i++) {
		cells += evident(&r->list[i]);
		all += traced(&r->list[i]);
	}
	if (!cells) {
		table_wrapped(out, "No cell has the ticks to tell; give it more --time.", width,
			      0);
		return;
	}
	text = xasprintf(
		"In 2011 the reported user time changed by factors from 0.13 to 2.21, and "
		"nobody could "
		"say how much of that was real. Here %zu of the %zu traced cells have the "
		"ticks to "
		"tell. Their reported user time changes by factors from %.2f to %.2f (%zu "
		"inflated, "
		"%zu deflated, %zu unchanged, %zu inconclusive); by the child's own clock it "
		"changes by "
		"%.2f to %.2f. What the kernel reports of these traced runs is %.2f to %.2f "
		"times what "
		"the child spent by its own clock.",
		cells, all, extreme(r, F_UTIME_RATIO, fmin), extreme(r, F_UTIME_RATIO, fmax),
		count_verdicts(r, VERDICT_INFLATED), count_verdicts(r, VERDICT_DEFLATED),
		count_verdicts(r, VERDICT_UNCHANGED), count_verdicts(r, VERDICT_INCONCLUSIVE),
		extreme(r, F_TRUE_USER_RATIO, fmin), extreme(r, F_TRUE_USER_RATIO, fmax),
		extreme(r, F_REPORTED_TO_TRUE, fmin), extreme(r, F_REPORTED_TO_TRUE, fmax));
	table_wrapped(out, text, width, 0);
	free(text);
}

void lkml2011_print(FILE *out, const struct results *r, size_t width)
{
	static const char *const titles[COLUMNS] = {
		"machine", "N",       "untraced µs", "traced µs",         "untraced ns/iter",
		"ns/iter", "utime ×", "true user ×", "utime / own clock",
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
	print_legend(out, text_width);
	fputc('\n', out);
	print_summary(out, r, text_width);
	print_ticks(out, r, text_width);
	fputc('\n', out);
	table_free(&t);
}
