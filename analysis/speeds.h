/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Two speeds of the same work. `++x` on a volatile int runs at one of two speeds on some
 * cores, and flips from run to run; a flip must not be taken for an effect of tracing.
 */
#ifndef TRACETAX_SPEEDS_H
#define TRACETAX_SPEEDS_H

#include <stdbool.h>
#include <stddef.h>

struct speeds {
	bool two;
	double fast; /* the clusters' means, in the unit of the input */
	double slow;
	double border; /* a run at or below it belongs to the fast ones */
};

/*
 * Look for two clusters among n run figures (sorted in place): the split with the least
 * variance within. It counts as two speeds when all of this holds:
 *   - the clusters' means differ by 15 % or more: less is no speed of its own;
 *   - each has at least 2 runs and a tenth of all: one run is an outlier;
 *   - the gap between them is at least half the distance of their means, and max(4, 130/n)
 *     times the standard deviation within. One normal, uniform or exponential sample gets
 *     there less than once in a thousand: the 99.9 % quantile of gap / deviation over 200,000
 *     samples of each was at most 14.5 for n = 8, 9.6 for 12, 8.1 for 16, 4.9 for 24 and 2.7
 *     for 48. tests/test-speeds.c measures the rate.
 */
struct speeds speeds_find(double *x, size_t n);

#endif
