/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analysis/distortion.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/compare.h"
#include "analysis/sentence.h"
#include "analysis/ticks.h"
#include "analysis/verdict.h"
#include "base/xalloc.h"

/* --- the cell's own figures --- */

/* Which quantity a figure is the median of. */
static const struct {
	enum figure f;
	enum quantity q;
} medians[] = {
	{ F_UTIME, Q_UTIME },
	{ F_STIME, Q_STIME },
	{ F_RUNTIME, Q_RUNTIME },
	{ F_WALL, Q_WALL },
	{ F_TRUE_USER, Q_TRUE_USER },
	{ F_TRACER_UTIME, Q_TRACER_UTIME },
	{ F_TRACER_STIME, Q_TRACER_STIME },
	{ F_GHZ, Q_GHZ },
	{ F_STEAL, Q_STEAL },
	{ F_LOOP, Q_LOOP },
	{ F_CALL, Q_CALL },
	{ F_RATE, Q_RATE },
};

/* And which is another per iteration. */
static const struct {
	enum figure f, of;
} per_call[] = {
	{ F_NS_PER_CALL, F_WALL },
	{ F_UTIME_PER_CALL, F_UTIME },
	{ F_TRUE_PER_CALL, F_TRUE_USER },
};

enum {
	N_MEDIANS = sizeof(medians) / sizeof(medians[0]),
	N_PER_CALL = sizeof(per_call) / sizeof(per_call[0]),
};

static void column_of(const struct group *c, enum quantity asked, double *out)
{
	const enum quantity q = group_quantity(c, asked);

	for (size_t i = 0; i < c->n; i++)
		out[i] = c->rows[i].q[q];
}

static double sum_of(const struct group *c, enum quantity asked)
{
	const enum quantity q = group_quantity(c, asked);
	double sum = 0;

	for (size_t i = 0; i < c->n; i++)
		sum += c->rows[i].q[q];
	return c->n ? sum : NAN;
}

/* NaN unless every value is known. Reorders x. */
static double known_mad(double *x, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (isnan(x[i]))
			return NAN;
	return stats_relative_mad(x, n);
}

/* Of all runs together, how likely one met no tick. */
static double unmet_share(const struct group *c, double tick)
{
	const enum quantity utime = group_quantity(c, Q_UTIME),
			    stime = group_quantity(c, Q_STIME);
	double sum = 0;

	for (size_t i = 0; i < c->n; i++) {
		const double *q = c->rows[i].q;

		sum += ticks_none(q[utime] + q[stime], q[Q_WALL], tick);
	}
	return sum / (double)c->n;
}

/*
 * What the ticks of a sampled cell are worth. With U the user time that ticks would give on
 * average, R the run time and m the share of runs without a tick, the mean reported is
 * U + m (R - U).
 */
static void sampled_figures(struct result *r, double user, double system)
{
	const double tick = r->machine->tick_ns, runs = (double)r->cell->n;
	const double user_ticks = user / tick, system_ticks = system / tick,
		     mean = (user + system) / runs;
	struct estimate *f = r->figure;
	double unmet;

	f[F_UTIME] = ticks_widen_part(f[F_UTIME], user_ticks, system_ticks, mean);
	f[F_STIME] = ticks_widen_part(f[F_STIME], system_ticks, user_ticks, mean);
	if (isnan(tick))
		return;
	unmet = unmet_share(r->cell, tick);
	r->unsplit = 0;
	if (unmet > 0 && system > 0) /* where all reported 0, against one tick in all runs */
		r->unsplit = fmin(1, unmet / (1 - unmet) * system / fmax(user, tick));
	if (result_unsplit(r))
		r->user_ticks_booked = NAN;
}

static void tick_figures(struct result *r)
{
	const struct group *c = r->cell;
	const double tick = r->machine->tick_ns;
	const double user = sum_of(c, Q_UTIME), system = sum_of(c, Q_STIME);

	r->ticks = sum_of(c, Q_RUNTIME) / tick;
	if (isnan(r->ticks))
		r->ticks = (user + system) / tick;
	r->user_ticks_booked = user / tick;
	r->user_ticks_due =
		(sum_of(c, Q_TRUE_USER) + result_outside_ns(r) * (double)c->n) / tick;
	r->interrupted = sum_of(c, Q_INTERRUPTED);
	r->unsplit = NAN;
	if (r->machine->sampled)
		sampled_figures(r, user, system);
}

/* Of a run; of fixed time about as many as the median run did. Uses scratch. */
static double iterations_of(const struct group *c, double *scratch)
{
	if (c->key.iterations)
		return (double)c->key.iterations;
	for (size_t i = 0; i < c->n; i++)
		scratch[i] = c->rows[i].q[Q_RATE] * c->rows[i].q[Q_LOOP] / 1e9;
	return stats_median(scratch, c->n).mid;
}

static void own_figures(struct result *r, double *scratch)
{
	const struct group *c = r->cell;
	const double iterations = iterations_of(c, scratch);

	for (int i = 0; i < N_MEDIANS; i++) {
		column_of(c, medians[i].q, scratch);
		r->figure[medians[i].f] = stats_median(scratch, c->n);
	}
	tick_figures(r);
	for (int i = 0; i < N_PER_CALL; i++) {
		const struct estimate e = r->figure[per_call[i].of];

		r->figure[per_call[i].f] =
			(struct estimate) { e.mid / iterations, e.lo / iterations,
					    e.hi / iterations };
	}
	column_of(c, Q_TRUE_USER, scratch);
	r->true_spread = known_mad(scratch, c->n);
	for (size_t i = 0; i < c->n; i++)
		scratch[i] = c->rows[i].q[Q_TRUE_USER] * c->rows[i].q[Q_GHZ];
	r->true_cycles_spread = known_mad(scratch, c->n);
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

static void family_figures(struct result *list, size_t n, double *scratch, struct draws *draws)
{
	const struct result *base = NULL;

	for (size_t k = 0; k < n; k++)
		if (!strcmp(list[k].cell->key.tracer, "none"))
			base = &list[k];
	for (size_t k = 0; k < n; k++) {
		list[k].base_result = base;
		list[k].base = base ? base->cell : NULL;
		own_figures(&list[k], scratch);
		compare_with_truth(&list[k], draws);
		compare_with_base(&list[k], draws);
	}
}

void results_make(struct results *r, const struct groups *g, uint32_t seed)
{
	struct draws draws;
	double *scratch = xcalloc(g->samples + 1, sizeof(*scratch));

	draws_init(&draws, seed);
	*r = (struct results) { g, xcalloc(g->n, sizeof(*r->list)), g->n, seed };
	for (size_t i = 0; i < g->n; i++) {
		r->list[i].cell = g->cells[i];
		r->list[i].machine = &g->machines[g->cells[i]->machine];
	}
	for (size_t i = 0, k; i < g->n; i += k) {
		k = family_size(r->list + i, g->n - i);
		family_figures(r->list + i, k, scratch, &draws);
		family_speeds(r->list + i, k, scratch);
		verdict_family(r->list + i, k);
	}
	for (size_t i = 0; i < g->n; i++)
		sentence_make(&r->list[i]);
	draws_free(&draws);
	free(scratch);
}

void results_free(struct results *r)
{
	free(r->list);
	*r = (struct results) { 0 };
}
