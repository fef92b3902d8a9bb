/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Intervals: against values worked out by hand, and their coverage by simulation. */
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_statistics_double.h>

#include "analysis/stats.h"
#include "analysis/ticks.h"
#include "tests/unit.h"

/* --- the median's interval --- */

/*
 * n = 8, d = 1: P = 1 - 2/256 = 0.992188; d = 2: 1 - 2·9/256 = 0.929688. Interpolation:
 * I = (0.992188 - 0.95)/(0.992188 - 0.929688) = 0.675; lambda = 7·0.675/(1 + 6·0.675) =
 * 0.935644. Of 1…8: lo = (1-lambda)·1 + lambda·2 = 1.935644, hi = 9 - lo.
 */
static void test_median_8(void **state)
{
	double x[] = { 3, 1, 8, 6, 2, 7, 5, 4 };
	struct estimate e = stats_median(x, 8);

	(void)state;
	assert_close(e.mid, 4.5, 1e-12);
	assert_close(e.lo, 1.935644, 1e-6);
	assert_close(e.hi, 7.064356, 1e-6);
}

/*
 * n = 6, d = 1: 1 - 2/64 = 0.96875; d = 2: 1 - 2·7/64 = 0.78125. I = 0.1, lambda =
 * 5·0.1/(1 + 4·0.1) = 0.357143.
 */
static void test_median_6(void **state)
{
	double x[] = { 60, 50, 40, 30, 20, 10 };
	struct estimate e = stats_median(x, 6);

	(void)state;
	assert_close(e.mid, 35, 1e-12);
	assert_close(e.lo, 13.57143, 1e-5);
	assert_close(e.hi, 56.42857, 1e-5);
}

static void test_median_few(void **state)
{
	double x[] = { 1, 2, 3, 4, 5 }, with_nan[] = { 1, NAN, 3, 4, 5, 6, 7 };
	struct estimate e = stats_median(x, 5);

	(void)state;
	assert_close(e.mid, 3, 0);
	assert_true(isnan(e.lo) && isnan(e.hi));
	assert_true(isnan(stats_median(x, 0).mid));
	assert_true(isnan(stats_median(with_nan, 7).mid));
}

static void test_mad(void **state)
{
	/* Median 10; deviations 0 0 1 2 90: their median is 1. */
	double x[] = { 10, 10, 9, 12, 100 };

	(void)state;
	assert_close(stats_relative_mad(x, 5), 0.1, 1e-12);
	assert_true(isnan(stats_relative_mad(x, 0)));
}

/* --- coverage --- */

static double ratio(const double *m, const void *unused)
{
	(void)unused;
	return m[1] / m[0];
}

static double difference(const double *m, const void *unused)
{
	(void)unused;
	return m[1] - m[0];
}

/* A pair of a block: untraced and traced. */
typedef void draw_fn(gsl_rng *rng, double *pair);

static void draw_normal(gsl_rng *rng, double *pair)
{
	pair[0] = 1 + 0.05 * gsl_ran_gaussian(rng, 1);
	pair[1] = 1.3 * (1 + 0.05 * gsl_ran_gaussian(rng, 1));
}

static void draw_lognormal(gsl_rng *rng, double *pair)
{
	pair[0] = exp(0.3 * gsl_ran_gaussian(rng, 1));
	pair[1] = 1.3 * exp(0.3 * gsl_ran_gaussian(rng, 1));
}

static void draw_ticks(gsl_rng *rng, double *pair)
{
	pair[0] = 4 * gsl_ran_poisson(rng, 4);
	pair[1] = 4 * gsl_ran_poisson(rng, 8);
}

static void draw_drift(gsl_rng *rng, double *pair)
{
	double shared = exp(0.2 * gsl_ran_gaussian(rng, 1));

	pair[0] = shared * (1 + 0.02 * gsl_ran_gaussian(rng, 1));
	pair[1] = 1.3 * shared * (1 + 0.02 * gsl_ran_gaussian(rng, 1));
}

/* How many of `campaigns` campaigns of n blocks have the true ratio inside the interval. */
static int covered(draw_fn *draw, double truth, size_t n, int campaigns, gsl_rng *rng)
{
	struct draws draws;
	double data[64];
	int inside = 0;

	draws_init(&draws, 7);
	for (int i = 0; i < campaigns; i++) {
		struct estimate e;
		struct boot b;

		for (size_t k = 0; k < n; k++)
			draw(rng, data + 2 * k);
		boot_init(&b, data, n, 2, &draws);
		e = boot_estimate(&b, ratio, NULL);
		inside += e.lo <= truth && e.hi >= truth;
		boot_free(&b);
	}
	draws_free(&draws);
	return inside;
}

/*
 * 400 campaigns each. An interval whose coverage is between 92 % and 98 % is inside the bounds
 * below with a probability of 1 - 1e-6 (binomial tails), and the seed is fixed: the plain
 * percentile interval (88 % at 8 blocks, see stats.h) falls out of them.
 */
static void test_coverage(void **state)
{
	static const struct {
		draw_fn *draw;
		double truth;
	} model[] = { { draw_normal, 1.3 },
		      { draw_lognormal, 1.3 },
		      { draw_ticks, 2 },
		      { draw_drift, 1.3 } };
	const int campaigns = 400;
	gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
	int least = campaigns, most = 0;

	(void)state;
	while (gsl_cdf_binomial_P((unsigned)least - 1, 0.92, (unsigned)campaigns) > 1e-6)
		least--;
	while (gsl_cdf_binomial_Q((unsigned)most, 0.98, (unsigned)campaigns) > 1e-6)
		most++;
	assert_in_range(least, 330, 345);
	gsl_rng_set(rng, 2011);
	for (size_t m = 0; m < sizeof(model) / sizeof(model[0]); m++)
		for (size_t n = 8; n <= 16; n += 8) {
			int inside = covered(model[m].draw, model[m].truth, n, campaigns, rng);

			if (inside < least || inside > most)
				fail_msg("model %zu, %zu blocks: %d of %d, not %d to %d", m, n,
					 inside, campaigns, least, most);
		}
	gsl_rng_free(rng);
}

/* All models at 8 blocks together: the plain percentile interval would be seen. */
static void test_coverage_pooled(void **state)
{
	gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
	const int campaigns = 1500;
	int inside;

	(void)state;
	gsl_rng_set(rng, 8);
	inside = covered(draw_normal, 1.3, 8, campaigns, rng);
	/* 89 % would be 1335 ± 12; 95 % is 1425 ± 8: five standard errors from both. */
	assert_in_range(inside, 1383, 1470);
	gsl_rng_free(rng);
}

/* --- the bootstrap's edges --- */

static struct estimate estimate_of(const double *data, size_t rows)
{
	struct draws draws;
	struct estimate e;
	struct boot b;

	draws_init(&draws, 5);
	boot_init(&b, data, rows, 2, &draws);
	e = boot_estimate(&b, ratio, NULL);
	boot_free(&b);
	draws_free(&draws);
	return e;
}

/* Nor does it matter what was estimated before, of as many rows or of others. */
static void test_same_seed(void **state)
{
	double data[20];
	struct estimate e[2];
	struct draws draws;

	(void)state;
	for (int i = 0; i < 20; i++)
		data[i] = 1 + i % 7;
	e[0] = estimate_of(data, 10);
	draws_init(&draws, 5);
	for (size_t rows = 7; rows <= 10; rows++) {
		struct boot b;

		boot_init(&b, data, rows, 2, &draws);
		e[1] = boot_estimate(&b, ratio, NULL);
		boot_free(&b);
	}
	draws_free(&draws);
	assert_memory_equal(&e[0], &e[1], sizeof(e[0]));
	assert_true(e[0].lo < e[0].mid && e[0].mid < e[0].hi);
}

static void test_edges(void **state)
{
	const double zero[] = { 0, 1, 0, 2, 0, 3 };
	const double some[] = { 0, 1, 0, 2, 0, 3, 0, 1, 4, 5, 0, 1 };
	const double with_nan[] = { 1, 1, NAN, 2, 1, 3 };
	struct estimate e = estimate_of(zero, 3);

	(void)state;
	assert_true(isnan(e.mid)); /* the baseline is 0 throughout */
	e = estimate_of(some, 6);
	assert_close(e.mid, 3.25, 1e-12);
	assert_true(isinf(e.hi)); /* resamples without the one that is not 0 */
	assert_true(isfinite(e.lo));
	assert_true(isnan(estimate_of(with_nan, 3).mid));
	e = estimate_of(some, 2);
	assert_true(isnan(e.mid));
	e = estimate_of(some + 2, 5);
	assert_close(e.mid, 3, 1e-12);
	assert_true(isnan(e.lo) && isnan(e.hi));
}

/* Many rows are averaged first: the same estimate, nearly the same interval. */
static void test_many_rows(void **state)
{
	enum { ROWS = 4 * BOOT_MAX_ROWS + 3 };
	gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
	static double data[2 * ROWS];
	double sum[2] = { 0 };
	struct draws draws;
	struct estimate e;
	struct boot b;

	(void)state;
	draws_init(&draws, 5);
	gsl_rng_set(rng, 3);
	for (size_t i = 0; i < ROWS; i++) {
		draw_normal(rng, data + 2 * i);
		sum[0] += data[2 * i];
		sum[1] += data[2 * i + 1];
	}
	boot_init(&b, data, ROWS, 2, &draws);
	assert_int_equal(b.rows, BOOT_MAX_ROWS);
	e = boot_estimate(&b, difference, NULL);
	assert_close(e.mid, (sum[1] - sum[0]) / ROWS, 1e-9);
	/*
	 * Standard error: hypot(0.05, 0.065)/sqrt(259) = 0.0051; 2.0 of them each side (t of
	 * 63). From 64 batches it is known to 1/sqrt(2 × 63) = 9 %: four times that.
	 */
	assert_close(e.hi - e.lo, 2 * 2 * 0.0051, 0.36 * 2 * 2 * 0.0051);
	boot_free(&b);
	draws_free(&draws);
	gsl_rng_free(rng);
}

/* --- ticks --- */

/*
 * Garwood's intervals as tabled: 0: 0 to 3.6889; 1: 0.0253 to 5.5716; 10: 4.7954 to 18.3904. Of
 * 1000 by Wilson and Hilferty: 1000·(1 - 1/9000 - 1.96/(3·√1000))³ = 938.97 and
 * 1001·(1 - 1/9009 + 1.96/(3·√1001))³ = 1063.96.
 */
static void test_ticks_bounds(void **state)
{
	static const double tabled[][3] = { { 0, 0, 3.6889 },
					    { 1, 0.0253, 5.5716 },
					    { 10, 4.7954, 18.3904 },
					    { 1000, 938.97, 1063.96 } };
	double lo, hi;

	(void)state;
	for (size_t i = 0; i < sizeof(tabled) / sizeof(tabled[0]); i++) {
		ticks_bounds(tabled[i][0], &lo, &hi);
		assert_close(lo, tabled[i][1], 0.0002 * (1 + tabled[i][1]));
		assert_close(hi, tabled[i][2], 0.0002 * (1 + tabled[i][2]));
	}
	/* No count that a report can meet makes them fail. */
	for (int i = -24; i < 36; i++) {
		double k = pow(1.78, i);

		ticks_bounds(k, &lo, &hi);
		assert_true(isfinite(lo) && isfinite(hi) && lo <= k && hi > k);
	}
}

/* By hand: half a tick's run, whole ticks, half of the time on the CPU, seldom on it. */
static void test_ticks_none(void **state)
{
	(void)state;
	assert_close(ticks_none(2e6, 2e6, 4e6), 0.5, 1e-12);
	assert_close(ticks_none(9e6, 9e6, 4e6), 0, 1e-12);
	assert_close(ticks_none(4e6, 8e6, 4e6), 0.25, 1e-12);
	assert_close(ticks_none(5e6, 10e6, 4e6), 0.25 * 0.75, 1e-12);
	assert_close(ticks_none(4e6, 4000e6, 4e6), exp(-1), 1e-3);
	assert_close(ticks_none(4e6, NAN, 4e6), exp(-1), 1e-12);
	assert_close(ticks_none(9e6, 8e6, 4e6), 0, 1e-12);
}

/* Clopper and Pearson's tabled bounds: 0 and 5 of 10. */
static void test_ticks_part(void **state)
{
	const struct estimate none = { 0, 0, 0 }, wide = { 50, 1, 99 };
	struct estimate e = ticks_widen_part(none, 0, 10, 100);

	(void)state;
	assert_close(e.lo, 0, 0);
	assert_close(e.hi, 30.85, 0.01);
	e = ticks_widen_part((struct estimate) { 50, 50, 50 }, 5, 5, 100);
	assert_close(e.lo, 18.71, 0.01);
	assert_close(e.hi, 81.29, 0.01);
	e = ticks_widen_part((struct estimate) { 100, 100, 100 }, 10, 0, 100);
	assert_close(e.lo, 69.15, 0.01);
	assert_close(e.hi, 100, 0);
	e = ticks_widen_part(wide, 5, 5, 100);
	assert_close(e.lo, 1, 0);
	assert_close(e.hi, 99, 0);
}

static void test_ticks_widen(void **state)
{
	const struct estimate narrow = { 2, 1.9, 2.1 }, unknown = { 2, NAN, NAN };
	struct estimate e = ticks_widen_ratio(narrow, 20, 10);

	(void)state;
	/* Clopper-Pearson of 20 of 30: 0.4719 to 0.8271, as odds 0.894 to 4.78. */
	assert_close(e.lo, 0.894, 0.003);
	assert_close(e.hi, 4.785, 0.01);
	assert_close(e.mid, 2, 0);
	e = ticks_widen_ratio(narrow, 20000, 10000);
	assert_close(e.lo, 1.9, 0); /* the ticks allow less than it has */
	e = ticks_widen_ratio((struct estimate) { 0, 0, 0 }, 0, 10);
	assert_true(e.lo == 0 && e.hi > 0.3); /* eight runs of 0 prove little */
	e = ticks_widen_ratio(narrow, 5, 0);
	assert_true(isinf(e.hi));
	e = ticks_widen_ratio(unknown, 20, 10);
	assert_true(isnan(e.lo));
	e = ticks_widen_share(narrow, 4, 2);
	assert_close(e.lo, 1.0899 / 2, 0.001); /* Garwood of 4: 1.0899 to 10.2416 */
	assert_close(e.hi, 10.2416 / 2, 0.001);
	e = ticks_widen_difference((struct estimate) { 0, 0, 0 }, 10, 10, 1);
	assert_true(e.lo < -6 && e.hi > 6);
	for (int i = -12; i < 14; i++)
		for (int k = -12; k < 14; k++) {
			double a = pow(3.3, i), b = pow(3.3, k);

			e = ticks_widen_ratio((struct estimate) { a / b, a / b, a / b }, a, b);
			assert_false(isnan(e.lo) || isnan(e.hi));
			assert_true(e.lo <= a / b && e.hi >= a / b);
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_median_8),    cmocka_unit_test(test_median_6),
		cmocka_unit_test(test_median_few),  cmocka_unit_test(test_mad),
		cmocka_unit_test(test_coverage),    cmocka_unit_test(test_coverage_pooled),
		cmocka_unit_test(test_same_seed),   cmocka_unit_test(test_edges),
		cmocka_unit_test(test_many_rows),   cmocka_unit_test(test_ticks_bounds),
		cmocka_unit_test(test_ticks_widen), cmocka_unit_test(test_ticks_none),
		cmocka_unit_test(test_ticks_part),
	};

	return cmocka_run_group_tests_name("stats", tests, NULL, NULL);
}
