/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a count of ticks can tell.
 *
 * A sampled user or system time is a number of ticks. Order statistics and the bootstrap see
 * only how runs differ: eight runs that all report 0 would have an interval of no width. So
 * where times are sampled, no interval of a report is narrower than the exact one of the tick
 * counts behind it. A cell's own split of K ticks is binomial; counts of two cells are taken as
 * Poisson counts, which errs on the wide side.
 *
 * All this holds for runs that met a tick. One that met none is not split by any: the kernel
 * reports all of it as user time (kernel/sched/cputime.c cputime_adjust(), 6.1: utime = rtime
 * where stime is 0), however it was spent.
 */
#ifndef TRACETAX_TICKS_H
#define TRACETAX_TICKS_H

#include "analysis/stats.h"

/* 95 % bounds of the mean behind a count k >= 0 (Garwood 1936). */
void ticks_bounds(double k, double *lo, double *hi);

/*
 * How likely no tick meets a run that was on its CPU for run_ns of wall_ns, ticks coming each
 * tick_ns there and at no fixed phase of the run: (1 - q)^n (1 - f q), where q is the share of
 * the time that it ran, and the wall time n whole ticks and the fraction f of one. 0 for a
 * run that is never off its CPU for a whole tick, exp(-run/tick) for one that seldom is on it;
 * that is also what is returned where the wall time is not known (NaN).
 */
double ticks_none(double run_ns, double wall_ns, double tick_ns);

/*
 * Widen the estimate of the part of `whole` that a of a + b ticks give, to the exact interval
 * (Clopper and Pearson 1934). Unknown estimates stay so.
 */
struct estimate ticks_widen_part(struct estimate e, double a, double b, double whole);

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

/*
 * Widen the estimate of part / whole by what is known of the whole. Where the whole may be 0
 * the quotient has no bounds, and its interval is unknown.
 */
struct estimate ticks_widen_quotient(struct estimate e, double part, struct estimate whole);

#endif
