/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Windows to true user time. */
#include "probe/windows.h"
#include "tests/unit.h"

static double scratch[16];

static void test_quiet(void **state)
{
	const uint64_t w[] = { 400, 410, 390, 400, 400 };
	struct windows_sum r = windows_reduce(w, 5, 0.5, scratch);

	(void)state;
	assert_close(r.true_ns, 1000, 1e-9);
	assert_close(r.median_ns, 200, 1e-9);
	assert_int_equal(r.interrupted, 0);
	assert_close(r.excess_ns, 0, 0);
	assert_int_equal(r.n, 5);
}

static void test_interrupted(void **state)
{
	/* Median 200: the bound is 1200; 5000 is broken, 1200 is not. */
	const uint64_t w[] = { 200, 5000, 200, 1200, 200 };
	struct windows_sum r = windows_reduce(w, 5, 1, scratch);

	(void)state;
	assert_int_equal(r.interrupted, 1);
	assert_close(r.true_ns, 200 * 4 + 1200, 1e-9);
	assert_close(r.excess_ns, 4800, 1e-9);
}

static void test_long_windows(void **state)
{
	/* Median 3000, above the bound: broken is what exceeds twice the median. */
	const uint64_t w[] = { 3000, 3000, 6000, 6001, 3000 };
	struct windows_sum r = windows_reduce(w, 5, 1, scratch);

	(void)state;
	assert_int_equal(r.interrupted, 1);
	assert_close(r.true_ns, 3000 * 4 + 6000, 1e-9);
	assert_close(r.excess_ns, 3001, 1e-9);
}

static void test_few(void **state)
{
	const uint64_t one[] = { 123456 };
	struct windows_sum r = windows_reduce(one, 1, 1, scratch);

	(void)state;
	assert_close(r.true_ns, 123456, 1e-9); /* alone it is its own median */
	assert_int_equal(r.interrupted, 0);
	r = windows_reduce(one, 0, 1, scratch);
	assert_close(r.true_ns, 0, 0);
	assert_close(r.median_ns, 0, 0);
	assert_int_equal(r.n, 0);
}

static void test_extreme(void **state)
{
	const uint64_t w[] = { 0, 0, 0, UINT64_MAX };
	struct windows_sum r = windows_reduce(w, 4, 0.4, scratch);

	(void)state;
	assert_int_equal(r.interrupted, 1);
	assert_close(r.true_ns, 0, 0);
	assert_true(isfinite(r.excess_ns));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_quiet),        cmocka_unit_test(test_interrupted),
		cmocka_unit_test(test_long_windows), cmocka_unit_test(test_few),
		cmocka_unit_test(test_extreme),
	};

	return cmocka_run_group_tests_name("windows", tests, NULL, NULL);
}
