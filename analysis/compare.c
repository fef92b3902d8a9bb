/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analysis/compare.h"

#include <math.h>
#include <stdlib.h>

#include "analysis/ticks.h"
#include "base/xalloc.h"

/* --- reported against true, in the same runs --- */

static double reported_to_true(const double *mean, const void *outside)
{
	return mean[0] / (mean[1] + *(const double *)outside);
}

void compare_with_truth(struct result *r, struct draws *draws)
{
	const struct group *c = r->cell;
	const double outside = result_outside_ns(r);
	struct boot boot;
	double *data;

	r->figure[F_REPORTED_TO_TRUE] = estimate_unknown;
	if (isnan(r->figure[F_TRUE_USER].mid))
		return;
	data = xcalloc(2 * c->n, sizeof(*data));
	for (size_t i = 0; i < c->n; i++) {
		data[2 * i] = c->rows[i].q[group_quantity(c, Q_UTIME)];
		data[2 * i + 1] = c->rows[i].q[Q_TRUE_USER];
	}
	boot_init(&boot, data, c->n, 2, draws);
	r->figure[F_REPORTED_TO_TRUE] = boot_estimate(&boot, reported_to_true, &outside);
	if (result_unsplit(r)) /* no count of ticks to give it an interval */
		r->figure[F_REPORTED_TO_TRUE].lo = r->figure[F_REPORTED_TO_TRUE].hi = NAN;
	else if (r->machine->sampled)
		r->figure[F_REPORTED_TO_TRUE] = ticks_widen_share(
			r->figure[F_REPORTED_TO_TRUE], r->user_ticks_booked, r->user_ticks_due);
	boot_free(&boot);
	free(data);
}

/* --- against the baseline --- */

/* The columns that are drawn together, the cell's first, the baseline's behind them. */
enum {
	C_UTIME,
	C_STIME,
	C_RUNTIME,
	C_WALL,
	C_TRUE,
	C_LOOP,
	C_RATE,
	C_TRACER_STIME,
	PAIR_COLUMNS
};

static const enum quantity paired[PAIR_COLUMNS] = {
	[C_UTIME] = Q_UTIME,     [C_STIME] = Q_STIME,
	[C_RUNTIME] = Q_RUNTIME, [C_WALL] = Q_WALL,
	[C_TRUE] = Q_TRUE_USER,  [C_LOOP] = Q_LOOP,
	[C_RATE] = Q_RATE,       [C_TRACER_STIME] = Q_TRACER_STIME,
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
		 c_true = C_TRUE, c_loop = C_LOOP, c_rate = C_RATE;

static double misattributed(const double *mean, const void *unused)
{
	(void)unused;
	return change(mean, &c_utime) - change(mean, &c_true);
}

static double system_sum(const double *mean, const void *unused)
{
	(void)unused;
	return (mean[C_STIME] + mean[C_TRACER_STIME]) / mean[PAIR_COLUMNS + C_STIME];
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
	[F_LOOP_RATIO] = { ratio, &c_loop },
	[F_RATE_RATIO] = { ratio, &c_rate },
	[F_SYSTEM_SUM_RATIO] = { system_sum, NULL },
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
				/* The same of both, whatever else is known of the baseline. */
				const enum quantity q = group_quantity(c, paired[k]);

				data[n * width + k] = a->q[q];
				data[n * width + PAIR_COLUMNS + k] = b->q[q];
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
	f[F_SYSTEM_SUM_RATIO] =
		ticks_widen_ratio(f[F_SYSTEM_SUM_RATIO],
				  system + b->point[C_TRACER_STIME] * runs / tick, base_system);
	f[F_UTIME_CHANGE] =
		ticks_widen_difference(f[F_UTIME_CHANGE], user, base_user, tick / runs);
	f[F_MISATTRIBUTED] =
		ticks_widen_difference(f[F_MISATTRIBUTED], user, base_user, tick / runs);
	f[F_REAL_SHARE] =
		ticks_widen_quotient(f[F_REAL_SHARE], f[F_REAL].mid, f[F_UTIME_CHANGE]);
}

void compare_with_base(struct result *r, struct draws *draws)
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
		boot_init(&boot, data, r->pairs, (size_t)2 * PAIR_COLUMNS, draws);
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
