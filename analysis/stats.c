/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analysis/stats.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_rng.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>

#include "base/xalloc.h"

const struct estimate estimate_unknown = { NAN, NAN, NAN };

static const double confidence = 0.95;

/* The probability that the median lies between the d-th smallest and the d-th largest. */
static double coverage(size_t d, size_t n)
{
	return d ? 1 - 2 * gsl_cdf_binomial_P((unsigned)(d - 1), 0.5, (unsigned)n) : 1;
}

/* The largest d whose order statistics still cover `confidence`; n >= STATS_MIN_RUNS. */
static size_t order_for(size_t n)
{
	double guess = (double)n / 2 - sqrt((double)n);
	size_t d = guess > 1 ? (size_t)guess : 1;

	while (coverage(d + 1, n) >= confidence)
		d++;
	return d;
}

static double kth(double *x, size_t n, size_t k)
{
	return gsl_stats_select(x, 1, n, k - 1);
}

struct estimate stats_median(double *x, size_t n)
{
	struct estimate e = estimate_unknown;
	double above, below, share, lambda;
	size_t d;

	for (size_t i = 0; i < n; i++)
		if (isnan(x[i]))
			return e;
	if (!n)
		return e;
	e.mid = gsl_stats_median(x, 1, n);
	if (n < STATS_MIN_RUNS)
		return e;
	d = order_for(n);
	above = coverage(d, n);
	below = coverage(d + 1, n);
	share = (above - confidence) / (above - below);
	lambda = (double)(n - d) * share / ((double)d + (double)(n - 2 * d) * share);
	e.lo = (1 - lambda) * kth(x, n, d) + lambda * kth(x, n, d + 1);
	e.hi = (1 - lambda) * kth(x, n, n - d + 1) + lambda * kth(x, n, n - d);
	return e;
}

double stats_relative_mad(double *x, size_t n)
{
	double median = n ? gsl_stats_median(x, 1, n) : 0;

	if (!n || median == 0)
		return NAN;
	for (size_t i = 0; i < n; i++)
		x[i] = fabs(x[i] - median);
	return gsl_stats_median(x, 1, n) / fabs(median);
}

/* Average runs of consecutive rows until at most BOOT_MAX_ROWS are left. */
static double *average_rows(const double *data, size_t rows, size_t cols, size_t *left)
{
	size_t groups = rows < BOOT_MAX_ROWS ? rows : BOOT_MAX_ROWS;
	double *out = xcalloc(groups * cols, sizeof(*out));

	for (size_t g = 0; g < groups; g++) {
		size_t from = g * rows / groups, to = (g + 1) * rows / groups;

		for (size_t r = from; r < to; r++)
			for (size_t c = 0; c < cols; c++)
				out[g * cols + c] += data[r * cols + c] / (double)(to - from);
	}
	*left = groups;
	return out;
}

void draws_init(struct draws *d, uint32_t seed)
{
	*d = (struct draws) { .seed = seed };
}

void draws_free(struct draws *d)
{
	free(d->row);
}

static const uint8_t *draw(struct draws *d, size_t rows)
{
	const size_t n = BOOT_REPS * rows;
	gsl_rng *rng;

	if (d->rows == rows)
		return d->row;
	free(d->row);
	d->row = xcalloc(n, sizeof(*d->row));
	d->rows = rows;
	rng = gsl_rng_alloc(gsl_rng_mt19937);
	gsl_rng_set(rng, d->seed);
	for (size_t i = 0; i < n; i++)
		d->row[i] = (uint8_t)gsl_rng_uniform_int(rng, rows);
	gsl_rng_free(rng);
	return d->row;
}

void boot_init(struct boot *b, const double *data, size_t rows, size_t cols,
	       struct draws *draws)
{
	double *averaged = average_rows(data, rows, cols, &b->rows);
	const uint8_t *next = b->rows ? draw(draws, b->rows) : NULL;

	b->cols = cols;
	b->point = xcalloc(cols, sizeof(*b->point));
	b->means = xcalloc((size_t)BOOT_REPS * cols, sizeof(*b->means));
	for (size_t r = 0; r < rows; r++)
		for (size_t c = 0; c < cols; c++)
			b->point[c] += data[r * cols + c] / (double)rows;
	for (size_t i = 0; b->rows && i < BOOT_REPS; i++) {
		double *mean = b->means + i * cols;

		for (size_t r = 0; r < b->rows; r++) {
			const double *drawn = averaged + *next++ * cols;

			for (size_t c = 0; c < cols; c++)
				mean[c] += drawn[c];
		}
		for (size_t c = 0; c < cols; c++)
			mean[c] /= (double)b->rows;
	}
	free(averaged);
}

void boot_free(struct boot *b)
{
	free(b->point);
	free(b->means);
}

/*
 * The tail of the expanded percentile interval at n rows: as far out in the bootstrap
 * distribution as the t interval with its n/(n-1) is in the normal one.
 */
static double expanded_tail(size_t n)
{
	double t = gsl_cdf_tdist_Pinv((1 + confidence) / 2, (double)(n - 1));

	return gsl_cdf_ugaussian_P(-t * sqrt((double)n / (double)(n - 1)));
}

/*
 * The value at `from_end` of the sorted ones, counted from one end, 0 the outermost; `outer`
 * holds those outermost in order. Open where it falls among infinite ones.
 */
static double quantile(const double *outer, double from_end)
{
	size_t i = (size_t)from_end;

	if (isinf(outer[i]) || isinf(outer[i + 1]))
		return outer[i];
	return outer[i] + (from_end - (double)i) * (outer[i + 1] - outer[i]);
}

struct estimate boot_estimate(const struct boot *b, double (*f)(const double *, const void *),
			      const void *arg)
{
	struct estimate e = { f(b->point, arg), NAN, NAN };
	double *value, from_end;
	double outer[BOOT_REPS / 20]; /* no tail is wider than 2.5 % */

	if (!isfinite(e.mid))
		return estimate_unknown;
	if (b->rows < STATS_MIN_RUNS)
		return e;
	value = xcalloc(BOOT_REPS, sizeof(*value));
	for (size_t i = 0; i < BOOT_REPS; i++) {
		value[i] = f(b->means + i * b->cols, arg);
		if (isnan(value[i]))
			value[i] = INFINITY;
	}
	from_end = expanded_tail(b->rows) * (BOOT_REPS - 1);
	gsl_sort_smallest(outer, (size_t)from_end + 2, value, 1, BOOT_REPS);
	e.lo = quantile(outer, from_end);
	gsl_sort_largest(outer, (size_t)from_end + 2, value, 1, BOOT_REPS);
	e.hi = quantile(outer, from_end);
	free(value);
	return e;
}
