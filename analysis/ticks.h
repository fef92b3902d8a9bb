/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a count of ticks can tell.
 *
 * A sampled user or system time is a number of ticks. The bootstrap sees only how runs differ:
 * eight runs that all report 0 would have an interval of no width. So where times are sampled,
 * no interval of a report is narrower than the exact one of the tick counts behind it, taken
 * as Poisson counts; ticks fall into K slots, so the truth is binomial and this errs on the
 * wide side.
 */
#ifndef TRACETAX_TICKS_H
#define TRACETAX_TICKS_H

#include "analysis/stats.h"

/* 95 % bounds of the mean behind a count k >= 0 (Garwood 1936). */
void ticks_bounds(double k, double *lo, double *hi);

/*
 * Widen the estimate of a ratio of two counts' means to the exact interval (Clopper and Pearson
 * 1934, of a/(a+b)). Unknown estimates stay so.
 */
struct estimate ticks_widen_ratio(struct estimate e, double a, double b);

/* Widen the estimate of a count's mean over a known amount (both in ticks). */
struct estimate ticks_widen_share(struct estimate e, double count, double known);

/*
 * Widen the estimate of the difference of two counts' means, `unit` being one tick in the
 * estimate's unit (square-and-add of the two exact intervals: Zou and Donner 2008).
 */
struct estimate ticks_widen_difference(struct estimate e, double a, double b, double unit);

#endif
