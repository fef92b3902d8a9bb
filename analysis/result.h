/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The result of a cell: its figures, what they are worth, its verdict and sentence. Filled by
 * distortion.h, read by every report.
 */
#ifndef TRACETAX_RESULT_H
#define TRACETAX_RESULT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/group.h"
#include "analysis/speeds.h"
#include "analysis/stats.h"

/* What a cell is said to be. The names are those of the reports (verdict_names). */
enum verdict {
	VERDICT_BASELINE,     /* not traced: what the others are compared with */
	VERDICT_INFLATED,     /* reported user time is higher, beyond noise */
	VERDICT_DEFLATED,     /* lower, beyond noise */
	VERDICT_UNCHANGED,    /* within DISTORTION_MARGIN, and that could have been seen */
	VERDICT_INCONCLUSIVE, /* not enough evidence; `reason` says of what */
};

extern const char *const verdict_names[];

/* A change of reported user time by less than this is called unchanged. */
#define DISTORTION_MARGIN 0.05

/*
 * Below this many ticks in all runs of a cell together a split is no evidence: its standard
 * error is sqrt(p(1-p)/K) of the run time, 9 % at p = 0.5.
 */
enum { DISTORTION_MIN_TICKS = 30 };

enum figure {
	/* The cell's own: medians. */
	F_UTIME,
	F_STIME,
	F_RUNTIME,
	F_WALL,
	F_TRUE_USER,
	F_TRACER_UTIME,
	F_TRACER_STIME,
	F_GHZ,
	F_STEAL,
	F_NS_PER_CALL,    /* wall time per iteration */
	F_UTIME_PER_CALL, /* reported user time per iteration */
	F_TRUE_PER_CALL,  /* true user time per iteration */
	F_LOOP,           /* wall time of the loop */
	F_CALL,           /* the same for each system call, ns */
	F_RATE,           /* operations a second of the loop */
	F_OWN,            /* how many are the cell's own */
	/* Of the cell's own means: reported user time / user time by the child's own clock. */
	F_REPORTED_TO_TRUE = F_OWN,
	/* Against the baseline: means over blocks, paired. */
	F_UTIME_RATIO,
	F_STIME_RATIO,
	F_RUNTIME_RATIO,
	F_WALL_RATIO,
	F_TRUE_USER_RATIO,
	F_UTIME_CHANGE,  /* of the mean reported user time, ns */
	F_REAL,          /* of the mean true user time, ns */
	F_MISATTRIBUTED, /* the reported change minus the true one, ns */
	F_REAL_SHARE,    /* F_REAL / F_UTIME_CHANGE */
	F_LOOP_RATIO,
	F_RATE_RATIO,
	F_SYSTEM_SUM_RATIO, /* (stime + the tracer's) / the untraced stime */
	N_FIGURES,
};

/*
 * "By the child's own clock" means its windows and, for each iteration, the user time outside
 * its window that the campaign line states (probe/window-cost.h window_cost_ps()): counter
 * reads and loop, which matter where there are few operations. True user time (F_TRUE_USER)
 * is the windows alone; differences of it are free of that constant.
 */
struct result {
	const struct group *cell;
	const struct group *base;         /* NULL: none */
	const struct result *base_result; /* of `base` */
	const struct machine_group *machine;
	size_t pairs; /* blocks in which both ran */

	struct estimate figure[N_FIGURES];
	/* Means over the pairs, ns; NaN without a baseline. For sentences that add up. */
	double utime_mean, base_utime_mean;
	double true_mean, base_true_mean;

	/*
	 * K, the ticks of all counted runs (run time / tick), and what the ratio of two
	 * tick-sampled times can resolve: 1.96 × sqrt of the summed squares of sqrt((1-p)/(pK))
	 * of both cells, p the user share. NaN when not sampled or not known.
	 */
	double ticks;
	double resolution;
	/*
	 * Of sampled times: the most that runs which no tick met, being reported as all user
	 * time, can have added to the mean reported user time, relative to that. NaN when not
	 * sampled.
	 */
	double unsplit;
	double noise; /* how far the A/A control's utime ratio is from 1; NaN without aa */

	/* Evidence for where ticks landed, summed over counted runs; NaN when unknown. */
	double user_ticks_booked; /* utime / tick; also unknown where result_unsplit() */
	double user_ticks_due;    /* user time by the child's own clock / tick */
	double interrupted;       /* windows that something interrupted */

	double true_spread; /* relative MAD of true user time, and of its cycles (by Q_GHZ) */
	double true_cycles_spread;
	struct speeds speeds; /* of the family, ns per operation */
	size_t fast, slow;    /* this cell's runs at either speed */

	enum verdict verdict;
	char reason[192]; /* of an inconclusive verdict */
	char sentence[768];
};

struct results {
	const struct groups *groups;
	struct result *list; /* one a cell, in the groups' order */
	size_t n;
	uint32_t seed; /* of the bootstrap */
};

/* Why a figure (or, with `interval`, its interval) is unknown; NULL when it is known. */
const char *result_why(const struct result *r, enum figure f, bool interval);

/*
 * Whether the runs are so short that their reported times are not a split by ticks: runs
 * without any may make up more than DISTORTION_MARGIN of the reported user time.
 */
bool result_unsplit(const struct result *r);

/* Ticks a run. */
double result_ticks_a_run(const struct result *r);

/* User time of one run outside its windows, ns. */
double result_outside_ns(const struct result *r);

#endif
