/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Numbers, durations, lists, CPU lists; every message names option, value and what is allowed.
 */
#include "base/cpulist.h"
#include "base/err.h"
#include "base/parse.h"
#include "tests/unit.h"

static void test_int(void **state)
{
	static const char *const bad[] = { "",   " 1", "+1", "1 ",  "x",
					   "1x", "-1", "11", "1.0", "99999999999999999999",
					   "0x1" };
	struct err e;
	int64_t v = 42;

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		assert_int_equal(parse_int("--runs", bad[i], 0, 10, &v, &e), -1);
		assert_int_equal(e.code, EXIT_USAGE);
		assert_says(e.text, "--runs");
		assert_says(e.text, bad[i]);
		assert_says(e.text, "0 to 10");
		assert_int_equal(v, 42);
	}
	assert_int_equal(parse_int("--runs", "10", 0, 10, &v, &e), 0);
	assert_int_equal(v, 10);
	assert_int_equal(parse_int("--runs", "-3", -5, 10, &v, &e), 0);
	assert_int_equal(v, -3);
}

static void test_duration(void **state)
{
	static const struct {
		const char *text;
		int64_t ns;
	} good[] = { { "1ms", 1000000 },
		     { "2", 2000000000 },
		     { "1.5s", 1500000000 },
		     { "2min", INT64_C(120000000000) },
		     { "1h", INT64_C(3600000000000) } };
	static const char *const bad[] = { "",    "s",     "0",    "-1s",  "1y",   "inf",
					   "nan", "0x1p3", "1e9s", "721h", "0.5ms" };
	struct err e;
	int64_t ns;

	(void)state;
	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		assert_int_equal(parse_duration_ns("--time", good[i].text, &ns, &e), 0);
		assert_int_equal(ns, good[i].ns);
	}
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		if (!parse_duration_ns("--time", bad[i], &ns, &e))
			fail_msg("'%s' was taken for a duration", bad[i]);
		assert_says(e.text, "--time");
		assert_says(e.text, "ms, s, min, h");
	}
}

static void test_split(void **state)
{
	static const char *const bad[] = { "", ",", "a,", ",a", "a,,b" };
	struct err e;
	char **items;
	size_t n;

	(void)state;
	assert_int_equal(split_list("--ops", "a,bc,d", &items, &n, &e), 0);
	assert_int_equal(n, 3);
	assert_string_equal(items[1], "bc");
	split_free(items, n);
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		if (!split_list("--ops", bad[i], &items, &n, &e))
			fail_msg("'%s' was split", bad[i]);
		assert_says(e.text, "--ops");
	}
}

static void test_cpulist(void **state)
{
	static const struct {
		const char *text, *again;
	} good[] = { { "", "" },
		     { "\n", "" },
		     { "0", "0" },
		     { "0-3,8\n", "0-3,8" },
		     { "8,0-3", "0-3,8" },
		     { "1,1,1", "1" },
		     { "0-7:2/4", "0-1,4-5" },
		     { "5-5", "5" } };
	static const char *const bad[] = { ",",    "0,",      "0-",      "1,0-",   "3-1",
					   "x",    "-1",      "8192",    "0--1",   "0 1",
					   "0-7:", "0-7:3/2", "0-7:0/2", "0-7:1/0" };
	struct cpulist l;
	struct err e;

	(void)state;
	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		char *text;

		assert_int_equal(cpulist_parse("--cpus", good[i].text, &l, &e), 0);
		text = cpulist_format(&l);
		assert_string_equal(text, good[i].again);
		free(text);
		cpulist_free(&l);
	}
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		if (!cpulist_parse("--cpus", bad[i], &l, &e))
			fail_msg("'%s' was taken for a list of CPUs", bad[i]);
		assert_int_equal(l.n, 0);
		assert_says(e.text, "--cpus");
		assert_says(e.text, bad[i]);
	}
}

static void test_prefix(void **state)
{
	struct err e;
	char path[2000];

	(void)state;
	err_set(&e, EXIT_MEASURE, "no %s", "way");
	err_prefix(&e, "block %d", 3);
	assert_string_equal(e.text, "block 3: no way");
	assert_int_equal(e.code, EXIT_MEASURE);
	memset(path, 'x', sizeof(path));
	path[sizeof(path) - 1] = '\0';
	err_set(&e, EXIT_USAGE, "%s", path);
	err_prefix(&e, "%s", path);
	assert_true(strlen(e.text) < sizeof(e.text));
	assert_int_equal(err_set(NULL, EXIT_USAGE, "nobody wants to know"), -1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_int),    cmocka_unit_test(test_duration),
		cmocka_unit_test(test_split),  cmocka_unit_test(test_cpulist),
		cmocka_unit_test(test_prefix),
	};

	return cmocka_run_group_tests_name("base", tests, NULL, NULL);
}
