/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Two speeds are found where there are two, and not where there is one. */
#include <gsl/gsl_randist.h>

#include "analysis/speeds.h"
#include "tests/unit.h"

/* n runs, `fast` of them at 164 ns (0.32 ns × 512), the others at 282, with 1 % noise. */
static struct speeds mixed(size_t n, size_t fast, gsl_rng *rng)
{
	double x[64];

	for (size_t i = 0; i < n; i++)
		x[i] = (i < fast ? 164 : 282) * (1 + 0.01 * gsl_ran_gaussian(rng, 1));
	gsl_ran_shuffle(rng, x, n, sizeof(*x));
	return speeds_find(x, n);
}

static void test_two(void **state)
{
	gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);

	(void)state;
	gsl_rng_set(rng, 1);
	for (size_t fast = 3; fast <= 21; fast++) {
		struct speeds s = mixed(24, fast, rng);

		if (!s.two)
			fail_msg("%zu of 24 fast runs: not seen", fast);
		assert_close(s.fast, 164, 5);
		assert_close(s.slow, 282, 9);
		assert_true(s.border > 170 && s.border < 275);
	}
	assert_true(mixed(8, 2, rng).two);
	assert_true(mixed(8, 6, rng).two);
	/* One run is an outlier, not a speed. */
	assert_false(mixed(24, 23, rng).two);
	assert_false(mixed(24, 1, rng).two);
	assert_false(mixed(24, 24, rng).two);
	gsl_rng_free(rng);
}

typedef double draw_fn(gsl_rng *rng);

static double draw_normal(gsl_rng *rng)
{
	return 200 * (1 + 0.1 * gsl_ran_gaussian(rng, 1));
}

static double draw_uniform(gsl_rng *rng)
{
	return 100 + 200 * gsl_rng_uniform(rng);
}

static double draw_skewed(gsl_rng *rng)
{
	return 200 + gsl_ran_exponential(rng, 20);
}

/*
 * 20,000 samples each. At a rate of 1e-3 at most 20 are expected; more than 50 have a
 * probability below 1e-8. The seed is fixed.
 */
static void test_one(void **state)
{
	static draw_fn *const models[] = { draw_normal, draw_uniform, draw_skewed };
	gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);

	(void)state;
	gsl_rng_set(rng, 2);
	for (size_t m = 0; m < 3; m++)
		for (size_t n = 8; n <= 24; n += 8) {
			int found = 0;

			for (int i = 0; i < 20000; i++) {
				double x[24];

				for (size_t k = 0; k < n; k++)
					x[k] = models[m](rng);
				found += speeds_find(x, n).two;
			}
			if (found > 50)
				fail_msg("model %zu, n = %zu: two speeds in %d of 20000", m, n,
					 found);
		}
	gsl_rng_free(rng);
}

static void test_edges(void **state)
{
	double same[] = { 5, 5, 5, 5, 5, 5 }, few[] = { 1, 9, 9 },
	       exact[] = { 1, 1, 1, 2, 2, 2 };
	double near[] = { 100, 100, 100, 110, 110, 110 };

	(void)state;
	assert_false(speeds_find(same, 6).two);
	assert_false(speeds_find(few, 3).two);
	assert_false(speeds_find(NULL, 0).two);
	assert_true(speeds_find(exact, 6).two);
	assert_false(speeds_find(near, 6).two); /* less than 15 % apart */
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_two),
		cmocka_unit_test(test_one),
		cmocka_unit_test(test_edges),
	};

	return cmocka_run_group_tests_name("speeds", tests, NULL, NULL);
}
