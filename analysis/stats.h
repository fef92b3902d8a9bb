/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The two intervals that every figure of a report has.
 *
 * A cell's own quantities: the median with an interval from order statistics, interpolated
 * (Hettmansperger and Sheather, Statistics & Probability Letters 4, 1986). Distribution-free;
 * at 8 runs the order statistics alone offer 93.0 % or 99.2 %, the interpolation 95 %.
 *
 * Traced against untraced: ratios and differences of *means*, not of medians. A reported utime
 * is a number of ticks; its mean over runs that each met one is an unbiased estimate, however
 * few they are, its median is a whole tick or nothing (runs that met none: analysis/ticks.h).
 * Runs of the same block are paired: the bootstrap draws blocks, so what both share (frequency,
 * neighbours) cancels. The interval is the expanded percentile interval (Hesterberg, "What
 * Teachers Should Know About the Bootstrap", The American Statistician 69, 2015), since the
 * plain percentile interval of a ratio of means covers only 88 to 90 % at 8 blocks;
 * tests/test-stats.c measures the coverage.
 */
#ifndef TRACETAX_STATS_H
#define TRACETAX_STATS_H

#include <stddef.h>
#include <stdint.h>

/* A figure with its 95 % interval. NaN: unknown. An interval may be open: hi = +inf. */
struct estimate {
	double mid;
	double lo;
	double hi;
};

extern const struct estimate estimate_unknown;

/* The fewest runs whose extremes enclose the median with at least 95 %: 1 - 2/2^n. */
enum { STATS_MIN_RUNS = 6 };

/*
 * The median of n values, reordering them. lo and hi are unknown below STATS_MIN_RUNS;
 * everything is when n is 0 or a value is NaN.
 */
struct estimate stats_median(double *x, size_t n);

/* Median absolute deviation from the median, relative to it; not scaled. Reorders x. */
double stats_relative_mad(double *x, size_t n);

enum {
	BOOT_REPS = 2000,
	/*
	 * More blocks than this are first averaged in runs of consecutive ones, so that a
	 * million samples cost no more than a thousand; the mean is linear, and runs of
	 * neighbours keep what drifts together. The t interval of so many batches is 2 % wider
	 * than that of endlessly many.
	 */
	BOOT_MAX_ROWS = 64,
};

/*
 * Which rows each resample has. Drawn once for each number of rows, from a seed that depends
 * on nothing else, and used for all cells that have as many: a cell's intervals are then the
 * same whatever other cells a report has.
 */
struct draws {
	uint32_t seed;
	size_t rows;  /* of which `row` holds the draws; 0: none yet */
	uint8_t *row; /* BOOT_REPS × rows */
};

void draws_init(struct draws *d, uint32_t seed);
void draws_free(struct draws *d);

/* The means of some columns, of the sample and of BOOT_REPS resamples of its rows. */
struct boot {
	size_t cols;
	size_t rows;   /* after averaging */
	double *point; /* cols means */
	double *means; /* BOOT_REPS × cols */
};

/* `data` is rows × cols, a row a block. Free with boot_free(). */
void boot_init(struct boot *b, const double *data, size_t rows, size_t cols,
	       struct draws *draws);
void boot_free(struct boot *b);

/*
 * The estimate of a function of the column means. f gets the means and arg; where it is not a
 * number in a resample (0/0) the interval is open on that side. Unknown where it is none for
 * the sample itself. No resampled mean is beyond the extremes, so lo and hi are unknown below
 * STATS_MIN_RUNS rows, for the same reason as the median's.
 */
struct estimate boot_estimate(const struct boot *b, double (*f)(const double *, const void *),
			      const void *arg);

#endif
