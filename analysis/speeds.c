/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analysis/speeds.h"

#include <gsl/gsl_sort.h>
#include <math.h>

/* Sums of the first k values and of their squares, enough for the variance of any prefix. */
struct sums {
	double n, x, xx;
};

static struct sums add(struct sums s, double x)
{
	return (struct sums) { s.n + 1, s.x + x, s.xx + x * x };
}

static struct sums without(struct sums all, struct sums part)
{
	return (struct sums) { all.n - part.n, all.x - part.x, all.xx - part.xx };
}

static double squares_within(struct sums s)
{
	double v = s.xx - s.x * s.x / s.n;

	return v > 0 ? v : 0;
}

/* How many of the sorted values are in the lower cluster. */
static size_t best_split(const double *x, size_t n, struct sums all)
{
	struct sums low = { 0 };
	double best = INFINITY;
	size_t at = 1;

	for (size_t i = 0; i + 1 < n; i++) {
		double within;

		low = add(low, x[i]);
		within = squares_within(low) + squares_within(without(all, low));
		if (within < best) {
			best = within;
			at = i + 1;
		}
	}
	return at;
}

struct speeds speeds_find(double *x, size_t n)
{
	struct speeds r = { 0 };
	struct sums all = { 0 }, low = { 0 }, high;
	const double fewest = fmax(2, (double)n / 10);
	double gap, spread;
	size_t at;

	if (n < 4)
		return r;
	gsl_sort(x, 1, n);
	for (size_t i = 0; i < n; i++)
		all = add(all, x[i]);
	at = best_split(x, n, all);
	for (size_t i = 0; i < at; i++)
		low = add(low, x[i]);
	high = without(all, low);
	r.fast = low.x / low.n;
	r.slow = high.x / high.n;
	gap = x[at] - x[at - 1];
	r.border = x[at - 1] + gap / 2;
	spread = sqrt((squares_within(low) + squares_within(high)) / (double)(n - 2));
	r.two = low.n >= fewest && high.n >= fewest && r.slow >= 1.15 * r.fast &&
		gap >= (r.slow - r.fast) / 2 && gap >= fmax(4, 130 / (double)n) * spread;
	return r;
}
