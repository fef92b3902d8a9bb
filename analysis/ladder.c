/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The ladder: what a system call costs under each mechanism, from the cheapest to the dearest,
 * and what each rung adds to the one below; among them the floor, a pipe round trip between
 * two processes at the same placement.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/columns.h"
#include "analysis/lead.h"
#include "analysis/table.h"
#include "base/xalloc.h"

/* The workloads whose calls are timed; the rungs are ordered by the first. */
static const char *const called[] = { "getpid", "pread" };

enum { CALLED = 2, COLUMNS = 2 + 2 * CALLED, TEXT_WIDTH = 96 };

struct rung {
	const char *name;
	struct estimate ns[CALLED]; /* wall time of the loop for each call */
};

static bool is_floor(const struct result *r)
{
	return !strcmp(r->cell->key.workload, "pipe");
}

/* The rung of that name, made when there is none. */
static struct rung *find_rung(struct rung *rungs, size_t *n, const char *name)
{
	struct rung *new = &rungs[*n];

	for (size_t i = 0; i < *n; i++)
		if (!strcmp(rungs[i].name, name))
			return &rungs[i];
	new->name = name;
	for (int w = 0; w < CALLED; w++)
		new->ns[w] = estimate_unknown;
	++*n;
	return new;
}

static int compare_rungs(const void *a, const void *b)
{
	const double x = ((const struct rung *)a)->ns[0].mid,
		     y = ((const struct rung *)b)->ns[0].mid;

	if (isnan(x) || isnan(y))
		return isnan(x) - isnan(y);
	return x < y ? -1 : x > y;
}

/* A round trip is one call of each side: what is timed is the iteration. */
static void take(struct rung *rung, const struct result *r)
{
	const struct estimate call = r->figure[F_CALL];

	for (int w = 0; w < CALLED; w++) {
		if (is_floor(r))
			rung->ns[w] =
				(struct estimate) { 2 * call.mid, 2 * call.lo, 2 * call.hi };
		else if (!strcmp(r->cell->key.workload, called[w]))
			rung->ns[w] = call;
	}
}

/* The rungs of one placement, of one machine, in order; the caller frees. */
static struct rung *climb(const struct results *r, size_t machine, const char *placement,
			  size_t *n)
{
	json_t *not_here =
		json_object_get(r->groups->machines[machine].campaign, "unavailable");
	struct rung *rungs = xcalloc(r->n + json_object_size(not_here) + 1, sizeof(*rungs));

	*n = 0;
	for (size_t i = 0; i < r->n; i++) {
		const struct result *one = &r->list[i];
		const char *name = is_floor(one) ? "(pipe round trip)" : one->cell->key.tracer;

		if (one->cell->machine == machine &&
		    !strcmp(one->cell->key.placement, placement))
			take(find_rung(rungs, n, name), one);
	}
	/* Never left out silently; the reasons are among the notes. */
	for (void *at = *n ? json_object_iter(not_here) : NULL; at;
	     at = json_object_iter_next(not_here, at))
		find_rung(rungs, n, json_object_iter_key(at));
	qsort(rungs, *n, sizeof(*rungs), compare_rungs);
	return rungs;
}

static char *added(const struct rung *rung, const struct rung *below, int w)
{
	if (!below || isnan(rung->ns[w].mid) || isnan(below->ns[w].mid))
		return xstrdup("-");
	return xasprintf("%+.2f", (rung->ns[w].mid - below->ns[w].mid) / 1e3);
}

/* Of the untraced call, by which the others are measured. */
static double untraced_ns(const struct rung *rungs, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!strcmp(rungs[i].name, "none"))
			return rungs[i].ns[0].mid;
	return NAN;
}

static void put_rungs(FILE *out, const struct rung *rungs, size_t n, size_t width)
{
	static const char *const titles[COLUMNS] = { "rung",     "getpid µs", "adds µs",
						     "pread µs", "adds µs",   "× untraced" };
	const double untraced = untraced_ns(rungs, n);
	struct table t;

	table_init(&t, COLUMNS, n);
	for (size_t c = 0; c < COLUMNS; c++) {
		t.titles[c] = titles[c];
		t.right[c] = c > 0;
	}
	for (size_t i = 0; i < n; i++) {
		char **cell = t.cell + i * COLUMNS;

		cell[0] = xstrdup(rungs[i].name);
		for (int w = 0; w < CALLED; w++) {
			cell[1 + 2 * w] = column_format_estimate(rungs[i].ns[w], 1e3);
			cell[2 + 2 * w] = added(&rungs[i], i ? &rungs[i - 1] : NULL, w);
		}
		cell[COLUMNS - 1] = isnan(rungs[i].ns[0].mid)
					    ? xstrdup("-")
					    : xasprintf("%.1f", rungs[i].ns[0].mid / untraced);
	}
	table_text(out, &t, width);
	table_free(&t);
}

static void put_placement(FILE *out, const struct results *r, size_t machine,
			  const char *placement, size_t width)
{
	size_t n;
	struct rung *rungs = climb(r, machine, placement, &n);

	if (n) {
		fprintf(out, "Tracer on %s CPU:\n",
			!strcmp(placement, "same") ? "the child's" : "another");
		put_rungs(out, rungs, n, width);
		fputc('\n', out);
	}
	free(rungs);
}

void ladder_print(FILE *out, const struct results *r, size_t width)
{
	const size_t text_width = width ? width : TEXT_WIDTH;

	fputs("The ladder: one system call under each mechanism\n\n", out);
	for (size_t i = 0; i < r->groups->n_machines; i++) {
		put_placement(out, r, i, "same", width);
		put_placement(out, r, i, "cross", width);
	}
	table_wrapped(
		out,
		"Median wall time of the loop for each call [95% interval], start-up not "
		"in it; adds: to the rung above it in this table, which is the next "
		"cheaper one. pipe round trip: a byte to another process where the tracer "
		"would be, and back, in the same run: the floor under whatever sleeps "
		"until the child has stopped. × untraced: getpid over getpid.",
		text_width, 0);
	fputc('\n', out);
}
