/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The files of /proc, from recorded text and from a root of our own. */
#include <sys/stat.h>
#include <unistd.h>

#include "base/xalloc.h"
#include "probe/witness.h"
#include "tests/unit.h"

static void test_schedstat(void **state)
{
	struct schedstat s;

	(void)state;
	witness_parse_schedstat("17527218 59919 12\n", &s);
	assert_int_equal(s.run_ns, 17527218);
	assert_int_equal(s.wait_ns, 59919);
	witness_parse_schedstat("17527218\n", &s);
	assert_int_equal(s.run_ns, SAMPLE_UNKNOWN);
	witness_parse_schedstat("", &s);
	assert_int_equal(s.wait_ns, SAMPLE_UNKNOWN);
}

#define STAT_REST                                                                              \
	" Z 1 2 3 0 -1 4 5 6 7 8 111 222 9 10 20 0 1 0 3456 0 0 18446744073709551615 0 0 0 0 " \
	"0 "                                                                                   \
	"0 0 0 0 0 0 0 17 3 0 0 0 0 0 0 0 0 0 0 0 0 0\n"

static void test_stat(void **state)
{
	static const char *const names[] = { "sh", "a b", ") (", "x) R 1 2" };
	struct pidstat s;

	(void)state;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		char *text = xasprintf("4242 (%s)" STAT_REST, names[i]);

		witness_parse_stat(text, &s);
		assert_int_equal(s.utime_ticks, 111);
		assert_int_equal(s.stime_ticks, 222);
		assert_int_equal(s.cpu, 3);
		free(text);
	}
	witness_parse_stat("4242 (sh) Z 1", &s);
	assert_int_equal(s.utime_ticks, SAMPLE_UNKNOWN);
	witness_parse_stat("", &s);
	assert_int_equal(s.cpu, SAMPLE_UNKNOWN);
}

static const char proc_stat[] = "cpu  10 0 20 300 4 5 6 7 0 0\n"
				"cpu0 1 0 2 30 4 1 2 3 0 0\n"
				"cpu1 9 0 18 270 0 4 4 4 0 0\n"
				"cpu10 9 0 18 270 0 40 41 42 0 0\n"
				"intr 12345\n";

static void test_cpustat(void **state)
{
	const int64_t tick = 1000000000 / sysconf(_SC_CLK_TCK);
	struct cpustat s;

	(void)state;
	witness_parse_cpustat(proc_stat, 1, &s);
	assert_int_equal(s.irq_ns, 4 * tick);
	assert_int_equal(s.softirq_ns, 4 * tick);
	assert_int_equal(s.steal_ns, 4 * tick);
	witness_parse_cpustat(proc_stat, -1, &s);
	assert_int_equal(s.steal_ns, 7 * tick);
	witness_parse_cpustat(proc_stat, 2, &s);
	assert_int_equal(s.steal_ns, SAMPLE_UNKNOWN);
}

static void test_migrations(void **state)
{
	(void)state;
	assert_int_equal(witness_parse_migrations("x (1, #threads: 1)\n"
						  "se.nr_migrations      :     17\n"),
			 17);
	assert_int_equal(witness_parse_migrations("nothing\n"), SAMPLE_UNKNOWN);
}

static void put(const char *root, const char *name, const char *text)
{
	char *path = xasprintf("%s/%s", root, name);
	FILE *f = fopen(path, "w");

	assert_non_null(f);
	fputs(text, f);
	fclose(f);
	free(path);
}

/* Readers look below their root and nowhere else. */
static void test_root(void **state)
{
	char root[] = "/tmp/tracetax-test-XXXXXX";
	const int64_t tick = 1000000000 / sysconf(_SC_CLK_TCK);
	struct schedstat ss;
	struct pidstat ps;
	struct cpustat cs;
	char *dir;

	(void)state;
	assert_non_null(mkdtemp(root));
	witness_schedstat(root, 1, &ss); /* this machine's process 1 must not leak in */
	assert_int_equal(ss.run_ns, SAMPLE_UNKNOWN);
	dir = xasprintf("%s/proc", root);
	assert_int_equal(mkdir(dir, 0755), 0);
	put(root, "proc/stat", proc_stat);
	witness_cpustat(root, 0, 1, &cs);
	assert_int_equal(cs.steal_ns, 7 * tick);
	witness_cpustat(root, 1, 1, &cs);
	assert_int_equal(cs.steal_ns, 4 * tick);
	witness_cpustat(root, 0, 2, &cs); /* a CPU that is not there */
	assert_int_equal(cs.steal_ns, SAMPLE_UNKNOWN);
	free(dir);
	dir = xasprintf("%s/proc/1", root);
	assert_int_equal(mkdir(dir, 0755), 0);
	put(root, "proc/1/schedstat", "5 6 7\n");
	put(root, "proc/1/stat", "1 (x)" STAT_REST);
	put(root, "proc/1/sched", "se.nr_migrations : 2\n");
	witness_schedstat(root, 1, &ss);
	witness_stat(root, 1, &ps);
	assert_int_equal(ss.run_ns, 5);
	assert_int_equal(ps.utime_ticks, 111);
	assert_int_equal(witness_migrations(root, 1), 2);
	free(dir);
	dir = xasprintf("rm -r '%s'", root);
	assert_int_equal(system(dir), 0);
	free(dir);
}

static void test_cpuclock(void **state)
{
	int64_t before = witness_cpuclock(getpid()), after;

	(void)state;
	assert_true(before >= 0);
	for (volatile int i = 0; i < 1000000; i++)
		;
	after = witness_cpuclock(getpid());
	assert_true(after > before);
	assert_int_equal(witness_cpuclock(0x3ffffff), SAMPLE_UNKNOWN);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_schedstat), cmocka_unit_test(test_stat),
		cmocka_unit_test(test_cpustat),   cmocka_unit_test(test_migrations),
		cmocka_unit_test(test_root),      cmocka_unit_test(test_cpuclock),
	};

	return cmocka_run_group_tests_name("witness", tests, NULL, NULL);
}
