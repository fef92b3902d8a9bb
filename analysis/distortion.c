/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analysis/distortion.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/sentence.h"
#include "analysis/ticks.h"
#include "analysis/verdict.h"
#include "base/xalloc.h"

/* --- the cell's own figures --- */

/* Which quantity a figure is the median of, and whether per iteration. */
static const struct {
	enum quantity q;
	bool per_iteration;
} own[F_OWN] = {
	[F_UTIME] = { Q_UTIME, false },
	[F_STIME] = { Q_STIME, false },
	[F_RUNTIME] = { Q_RUNTIME, false },
	[F_WALL] = { Q_WALL, false },
	[F_TRUE_USER] = { Q_TRUE_USER, false },
	[F_TRACER_UTIME] = { Q_TRACER_UTIME, false },
	[F_TRACER_STIME] = { Q_TRACER_STIME, false },
	[F_GHZ] = { Q_GHZ, false },
	[F_STEAL] = { Q_STEAL, false },
	[F_NS_PER_CALL] = { Q_WALL, true },
	[F_UTIME_PER_CALL] = { Q_UTIME, true },
	[F_TRUE_PER_CALL] = { Q_TRUE_USER, true },
};

static void column_of(const struct group *c, enum quantity q, double *out)
{
	for (size_t i = 0; i < c->n; i++)
		out[i] = c->rows[i].q[q];
}

static double sum_of(const struct group *c, enum quantity q)
{
	double sum = 0;

	for (size_t i = 0; i < c->n; i++)
		sum += c->rows[i].q[q];
	return c->n ? sum : NAN;
}

/* User time of a run outside its windows. */
static double outside_ns(const struct result *r)
{
	return r->machine->outside_ns * (double)r->cell->key.iterations;
}

static void own_figures(struct result *r, double *scratch)
{
	const struct group *c = r->cell;
	const double tick = r->machine->tick_ns;

	for (int f = 0; f < F_OWN; f++) {
		const double per = own[f].per_iteration ? (double)c->key.iterations : 1;
		struct estimate e;

		column_of(c, own[f].q, scratch);
		e = stats_median(scratch, c->n);
		r->figure[f] = (struct estimate) { e.mid / per, e.lo / per, e.hi / per };
	}
	column_of(c, Q_TRUE_USER, scratch);
	r->true_spread =
		isnan(r->figure[F_TRUE_USER].mid) ? NAN : stats_relative_mad(scratch, c->n);
	r->user_ticks_booked = sum_of(c, Q_UTIME) / tick;
	r->user_ticks_due = (sum_of(c, Q_TRUE_USER) + outside_ns(r) * (double)c->n) / tick;
	r->interrupted = sum_of(c, Q_INTERRUPTED);
	r->ticks = sum_of(c, Q_RUNTIME) / tick;
	if (isnan(r->ticks))
		r->ticks = (sum_of(c, Q_UTIME) + sum_of(c, Q_STIME)) / tick;
}

/* --- reported against true, in the same runs --- */

static double reported_to_true(const double *mean, const void *outside)
{
	return mean[0] / (mean[1] + *(const double *)outside);
}

static void compare_with_truth(struct result *r, gsl_rng *rng)
{
	const struct group *c = r->cell;
	const double outside = outside_ns(r);
	double *data = xcalloc(2 * c->n, sizeof(*data));
	struct boot boot;

	for (size_t i = 0; i < c->n; i++) {
		data[2 * i] = c->rows[i].q[Q_UTIME];
		data[2 * i + 1] = c->rows[i].q[Q_TRUE_USER];
	}
	boot_init(&boot, data, c->n, 2, rng);
	r->figure[F_REPORTED_TO_TRUE] =
		c->n ? boot_estimate(&boot, reported_to_true, &outside) : estimate_unknown;
	if (r->machine->sampled)
		r->figure[F_REPORTED_TO_TRUE] = ticks_widen_share(
			r->figure[F_REPORTED_TO_TRUE], r->user_ticks_booked, r->user_ticks_due);
	boot_free(&boot);
	free(data);
}

/* --- against the baseline --- */

/* The columns that are drawn together, the cell's first, the baseline's behind them. */
enum { C_UTIME, C_STIME, C_RUNTIME, C_WALL, C_TRUE, PAIR_COLUMNS };

static const enum quantity paired[PAIR_COLUMNS] = {
	[C_UTIME] = Q_UTIME, [C_STIME] = Q_STIME,    [C_RUNTIME] = Q_RUNTIME,
	[C_WALL] = Q_WALL,   [C_TRUE] = Q_TRUE_USER,
};

static double ratio(const double *mean, const void *column)
{
	int c = *(const int *)column;

	return mean[c] / mean[PAIR_COLUMNS + c];
}

static double change(const double *mean, const void *column)
{
	int c = *(const int *)column;

	return mean[c] - mean[PAIR_COLUMNS + c];
}

static const int c_utime = C_UTIME, c_stime = C_STIME, c_runtime = C_RUNTIME, c_wall = C_WALL,
		 c_true = C_TRUE;

static double misattributed(const double *mean, const void *unused)
{
	(void)unused;
	return change(mean, &c_utime) - change(mean, &c_true);
}

static double real_share(const double *mean, const void *unused)
{
	(void)unused;
	return change(mean, &c_true) / change(mean, &c_utime);
}

static const struct {
	double (*f)(const double *mean, const void *arg);
	const int *column;
} against[N_FIGURES] = {
	[F_UTIME_RATIO] = { ratio, &c_utime },
	[F_STIME_RATIO] = { ratio, &c_stime },
	[F_RUNTIME_RATIO] = { ratio, &c_runtime },
	[F_WALL_RATIO] = { ratio, &c_wall },
	[F_TRUE_USER_RATIO] = { ratio, &c_true },
	[F_UTIME_CHANGE] = { change, &c_utime },
	[F_REAL] = { change, &c_true },
	[F_MISATTRIBUTED] = { misattributed, NULL },
	[F_REAL_SHARE] = { real_share, NULL },
};

/* Rows of the blocks that both cells have: the cell's columns, then the baseline's. */
static double *pair_rows(const struct group *c, const struct group *base, size_t *pairs)
{
	const size_t width = (size_t)2 * PAIR_COLUMNS;
	double *data = xcalloc(c->n * width, sizeof(*data));
	size_t n = 0;

	for (size_t i = 0, j = 0; i < c->n && j < base->n;) {
		const struct row *a = &c->rows[i], *b = &base->rows[j];

		if (a->block < b->block) {
			i++;
		} else if (a->block > b->block) {
			j++;
		} else {
			for (size_t k = 0; k < PAIR_COLUMNS; k++) {
				data[n * width + k] = a->q[paired[k]];
				data[n * width + PAIR_COLUMNS + k] = b->q[paired[k]];
			}
			n++;
			i++;
			j++;
		}
	}
	*pairs = n;
	return data;
}

/* Where times are sampled, no interval is narrower than the ticks behind it allow. */
static void widen_by_ticks(struct result *r, const struct boot *b)
{
	const double runs = (double)r->pairs, tick = r->machine->tick_ns;
	const double user = b->point[C_UTIME] * runs / tick,
		     base_user = b->point[PAIR_COLUMNS + C_UTIME] * runs / tick,
		     system = b->point[C_STIME] * runs / tick,
		     base_system = b->point[PAIR_COLUMNS + C_STIME] * runs / tick;
	struct estimate *f = r->figure;

	f[F_UTIME_RATIO] = ticks_widen_ratio(f[F_UTIME_RATIO], user, base_user);
	f[F_STIME_RATIO] = ticks_widen_ratio(f[F_STIME_RATIO], system, base_system);
	f[F_UTIME_CHANGE] =
		ticks_widen_difference(f[F_UTIME_CHANGE], user, base_user, tick / runs);
	f[F_MISATTRIBUTED] =
		ticks_widen_difference(f[F_MISATTRIBUTED], user, base_user, tick / runs);
}

static void compare(struct result *r, gsl_rng *rng)
{
	struct boot boot;
	double *data;

	for (int f = F_UTIME_RATIO; f < N_FIGURES; f++)
		r->figure[f] = estimate_unknown;
	r->utime_mean = r->base_utime_mean = r->true_mean = r->base_true_mean = NAN;
	if (!r->base || r->base == r->cell)
		return;
	data = pair_rows(r->cell, r->base, &r->pairs);
	if (r->pairs) {
		boot_init(&boot, data, r->pairs, (size_t)2 * PAIR_COLUMNS, rng);
		for (int f = F_UTIME_RATIO; f < N_FIGURES; f++)
			r->figure[f] = boot_estimate(&boot, against[f].f, against[f].column);
		if (r->machine->sampled)
			widen_by_ticks(r, &boot);
		r->utime_mean = boot.point[C_UTIME];
		r->base_utime_mean = boot.point[PAIR_COLUMNS + C_UTIME];
		r->true_mean = boot.point[C_TRUE];
		r->base_true_mean = boot.point[PAIR_COLUMNS + C_TRUE];
		boot_free(&boot);
	}
	free(data);
}

/* --- two speeds --- */

/* Windows shorter than this are a few steps of the counter: their lengths prove no speed. */
static const double shortest_window_ns = 100;

/* The family of cells that starts at list[0]: how many there are. */
static size_t family_size(const struct result *list, size_t n)
{
	size_t k = 1;

	while (k < n && group_same_family(list[0].cell, list[k].cell))
		k++;
	return k;
}

/*
 * Look for two speeds in all runs of a family. They are the work's own only if some cell ran at
 * both: speeds that go with the tracer are an effect of tracing.
 */
static void family_speeds(struct result *list, size_t n, double *scratch)
{
	const double ops = (double)list[0].cell->key.ops;
	struct speeds s;
	size_t used = 0;
	bool both = false;

	for (size_t k = 0; k < n; k++) {
		column_of(list[k].cell, Q_WINDOW_MEDIAN, scratch + used);
		used += list[k].cell->n;
	}
	for (size_t i = 0; i < used; i++)
		if (!(scratch[i] >= shortest_window_ns) || ops < 1)
			return;
	s = speeds_find(scratch, used);
	for (size_t k = 0; k < n && s.two; k++) {
		for (size_t i = 0; i < list[k].cell->n; i++)
			list[k].fast += list[k].cell->rows[i].q[Q_WINDOW_MEDIAN] <= s.border;
		list[k].slow = list[k].cell->n - list[k].fast;
		both |= list[k].fast && list[k].slow;
	}
	s.two = both;
	s.fast /= ops;
	s.slow /= ops;
	s.border /= ops;
	for (size_t k = 0; k < n; k++)
		list[k].speeds = s;
}

/* --- all of it --- */

static void family_figures(struct result *list, size_t n, double *scratch, gsl_rng *rng)
{
	const struct result *base = NULL;

	for (size_t k = 0; k < n; k++)
		if (!strcmp(list[k].cell->key.tracer, "none"))
			base = &list[k];
	for (size_t k = 0; k < n; k++) {
		list[k].base_result = base;
		list[k].base = base ? base->cell : NULL;
		own_figures(&list[k], scratch);
		compare_with_truth(&list[k], rng);
		compare(&list[k], rng);
	}
}

void results_make(struct results *r, const struct groups *g, uint32_t seed)
{
	gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
	double *scratch = xcalloc(g->samples + 1, sizeof(*scratch));

	gsl_rng_set(rng, seed);
	*r = (struct results) { g, xcalloc(g->n, sizeof(*r->list)), g->n, seed };
	for (size_t i = 0; i < g->n; i++) {
		r->list[i].cell = g->cells[i];
		r->list[i].machine = &g->machines[g->cells[i]->machine];
	}
	for (size_t i = 0, k; i < g->n; i += k) {
		k = family_size(r->list + i, g->n - i);
		family_figures(r->list + i, k, scratch, rng);
		family_speeds(r->list + i, k, scratch);
		verdict_family(r->list + i, k);
	}
	for (size_t i = 0; i < g->n; i++)
		sentence_make(&r->list[i]);
	gsl_rng_free(rng);
	free(scratch);
}

void results_free(struct results *r)
{
	free(r->list);
	*r = (struct results) { 0 };
}

static bool needs_true_user(enum figure f)
{
	return f == F_TRUE_USER || f == F_TRUE_PER_CALL || f == F_TRUE_USER_RATIO ||
	       f == F_REAL || f == F_MISATTRIBUTED || f == F_REAL_SHARE;
}

const char *result_why(const struct result *r, enum figure f, bool interval)
{
	const struct estimate *e = &r->figure[f];
	const bool own_figure = f <= F_REPORTED_TO_TRUE;

	if (!isnan(e->mid) && !(interval && (isnan(e->lo) || isnan(e->hi))))
		return NULL;
	if (!r->cell->n)
		return "no counted run";
	if (!own_figure && r->base == r->cell)
		return "this is the baseline";
	if (!own_figure && !r->base)
		return "no untraced cell (tracer none) to compare with";
	if (!own_figure && !r->pairs)
		return "no block in which both this cell and its baseline ran";
	if (needs_true_user(f) && !strcmp(r->cell->key.child, "plain"))
		return "the plain child does not clock itself";
	if (!isnan(e->mid))
		return own_figure ? "fewer than 6 runs" : "fewer than 3 blocks";
	if (!own_figure)
		return "the baseline's mean is 0, or a sample lacks the figure";
	return "not every sample has it";
}
