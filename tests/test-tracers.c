/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What tracers share: the set of tracees, counts, command lines, who spent what. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/parse.h"
#include "probe/filter.h"
#include "probe/judge.h"
#include "probe/outside.h"
#include "probe/record.h"
#include "probe/tracees.h"
#include "probe/tracer.h"
#include "tests/unit.h"

/* --- the set of tracees --- */

static void test_tracees_announced_first(void **state)
{
	struct tracees t = { 0 };

	(void)state;
	tracees_announced(&t, 10);
	assert_int_equal(t.alive, 1);
	assert_non_null(tracees_reported(&t, 10));
	assert_int_equal(t.alive, 1);
	tracees_gone(&t, 10);
	assert_int_equal(t.alive, 0);
	assert_null(tracees_find(&t, 10));
	tracees_gone(&t, 10); /* nothing twice */
	assert_int_equal(t.alive, 0);
	tracees_free(&t);
}

/* It reports, and is gone, before its parent's event says that it is there. */
static void test_tracees_gone_before_announced(void **state)
{
	struct tracees t = { 0 };

	(void)state;
	tracees_announced(&t, 10);
	tracees_reported(&t, 11);
	assert_int_equal(t.alive, 2);
	tracees_gone(&t, 11);
	assert_int_equal(t.alive, 1);
	tracees_announced(&t, 11);
	assert_int_equal(t.alive, 1);
	assert_null(tracees_find(&t, 11));
	/* The number comes back: a new one. */
	tracees_announced(&t, 11);
	assert_int_equal(t.alive, 2);
	tracees_free(&t);
}

/* The number is used again before the first one was announced. */
static void test_tracees_number_again(void **state)
{
	struct tracees t = { 0 };
	struct tracee *x;

	(void)state;
	x = tracees_reported(&t, 11);
	x->state = 5;
	tracees_gone(&t, 11);
	x = tracees_reported(&t, 11);
	assert_int_equal(x->state, 0);
	assert_int_equal(t.alive, 1);
	tracees_free(&t);
}

static void count_alive(struct tracee *x, void *arg)
{
	*(size_t *)arg += !x->gone;
}

static void test_tracees_many(void **state)
{
	struct tracees t = { 0 };
	size_t alive = 0;

	(void)state;
	for (int i = 1; i <= 10000; i++)
		tracees_announced(&t, i);
	for (int i = 1; i <= 10000; i += 2)
		tracees_gone(&t, i);
	tracees_each(&t, count_alive, &alive);
	assert_int_equal(alive, 5000);
	assert_int_equal(t.alive, 5000);
	tracees_free(&t);
	assert_int_equal(t.alive, 0);
}

/* --- whether a run is a sample --- */

static const char *judged(int64_t traced, int64_t lost, uint64_t made, enum judge_seen seen)
{
	static struct sample s;
	const struct cell c = { .workload = "pread", .iterations = 50, .threads = 1 };
	const struct child_report r = { .iterations_done = 50, .syscalls = made };

	sample_init(&s);
	s.calls_traced = traced;
	s.events_lost = lost;
	judge_work(&s, &c, &r, seen);
	return s.failure;
}

static void test_judge(void **state)
{
	(void)state;
	assert_string_equal(judged(1000, SAMPLE_UNKNOWN, 1000, JUDGE_ALL), "");
	assert_string_equal(judged(1000 + 2 * JUDGE_STARTUP_CALLS, 0, 1000, JUDGE_ALL), "");
	assert_string_equal(judged(SAMPLE_UNKNOWN, SAMPLE_UNKNOWN, 1000, JUDGE_ALL), "");
	/* One call less than was made, one more than can have been. */
	assert_non_null(strstr(judged(999, 0, 1000, JUDGE_ALL), "saw 999"));
	assert_non_null(
		strstr(judged(1001 + 2 * JUDGE_STARTUP_CALLS, 0, 1000, JUDGE_ALL), "at most"));
	/* Those that are known to be lost count as seen. */
	assert_string_equal(judged(900, 100, 1000, JUDGE_ALL), "");
	assert_string_equal(judged(990, 0, 1000, JUDGE_SOME_LOST), "");
	assert_string_not_equal(judged(0, 0, 1000, JUDGE_SOME_LOST), "");
	assert_string_equal(judged(0, 0, 1000, JUDGE_SOME_CHOSEN), "");
}

static void test_judge_work(void **state)
{
	const struct cell fixed = { .workload = "pread", .iterations = 50 },
			  timed = { .workload = "pread", .duration_ns = 1000000 };
	const struct child_report less = { .iterations_done = 49 }, none = { 0 };
	struct sample s;

	(void)state;
	sample_init(&s);
	judge_work(&s, &fixed, &less, JUDGE_ALL);
	assert_non_null(strstr(s.failure, "49 of 50"));
	sample_init(&s);
	judge_work(&s, &timed, &less, JUDGE_ALL);
	assert_string_equal(s.failure, "");
	judge_work(&s, &timed, &none, JUDGE_ALL);
	assert_non_null(strstr(s.failure, "no iteration"));
}

/* --- programs --- */

/* What they really wrote: strace 6.1, perf 6.1, bpftrace 0.17, gdb 13.1, ltrace 0.7.3. */
static const struct {
	const struct tracer_ops *tracer;
	const char *wrote;
	int64_t calls, lost;
} wrote[] = {
	{ &tracer_strace,
	  "77 execve(\"/x\", [\"x\"], 0x7ffd /* 3 vars */) = 0\n"
	  "77 pread64(3,  <unfinished ...>\n"
	  "78 getpid()                    = 77\n"
	  "77 <... pread64 resumed>\"\\177ELF\", 128, 0) = 128\n"
	  "77 --- SIGUSR1 {si_signo=SIGUSR1, si_code=SI_TKILL} ---\n"
	  "77 exit_group(0)                    = ?\n"
	  "77 +++ exited with 0 +++\n",
	  4, SAMPLE_UNKNOWN },
	{ &tracer_strace_c,
	  "% time     seconds  usecs/call     calls    errors syscall\n"
	  "------ ----------- ----------- --------- --------- ----------------\n"
	  " 99.99    1.298000          12    100000           pread64\n"
	  "------ ----------- ----------- --------- --------- ----------------\n"
	  "100.00    1.298935          12    100016           total\n",
	  100016, SAMPLE_UNKNOWN },
	{ &tracer_strace_cw, "100.00    0.082702          20      4033      4000 total\n", 4033,
	  SAMPLE_UNKNOWN },
	{ &tracer_perf_stat,
	  "# started on Mon Dec  7 11:34:40 2026\n\n"
	  "100016,,raw_syscalls:sys_enter,59125292,100.00,,\n",
	  100016, SAMPLE_UNKNOWN },
	{ &tracer_perf_trace,
	  "         ? (         ): child/21860  ... [continued]: execve())            = 0\n"
	  "     1.422 ( 0.021 ms): child/21967 pread64(fd: 4, count: 128) = 128\n"
	  "LOST 810 events!\nLOST 5 events!\n"
	  "    32.507 (         ): child/21860 exit_group()                           = ?\n",
	  2, 815 },
	{ &tracer_perf_trace_s,
	  "LOST 998 events!\n Summary of events:\n\n child (22085), 200032 events, 100.0%\n\n"
	  "   syscall            calls  errors  total       min       avg       max\n"
	  "                                     (msec)    (msec)    (msec)    (msec)\n"
	  "   --------------- --------  ------ -------- --------- --------- ---------\n"
	  "   pread64           100000      0  1149.280     0.003     0.011     0.412\n"
	  "   brk                    3      0     0.010     0.001     0.003     0.006\n",
	  100003, 998 },
	{ &tracer_bpftrace_count, "{\"type\": \"map\", \"data\": {\"@n\": 4038}}\n", 4038,
	  SAMPLE_UNKNOWN },
	{ &tracer_gdb,
	  "1       catchpoint     keep y  syscall \"<any syscall>\"\n"
	  "\tcatchpoint already hit 200031 times\n",
	  100016, SAMPLE_UNKNOWN },
	{ &tracer_ltrace,
	  "27472 SYS_pread(3, 0x7ffd, 100, 1) = 100\n27472 strlen(\"x\") = 1\n"
	  "27472 +++ exited (status 7) +++\n",
	  1, SAMPLE_UNKNOWN },
};

static void test_what_programs_write(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(wrote) / sizeof(wrote[0]); i++) {
		int fd = memfd_create("wrote", MFD_CLOEXEC);
		int64_t calls, lost;
		struct err e;

		assert_int_equal(write(fd, wrote[i].wrote, strlen(wrote[i].wrote)),
				 strlen(wrote[i].wrote));
		assert_int_equal(outside_read(wrote[i].tracer->outside, fd, &calls, &lost, &e),
				 0);
		if (calls != wrote[i].calls)
			fail_msg("%s: %lld calls", wrote[i].tracer->name, (long long)calls);
		assert_true(lost == wrote[i].lost);
		close(fd);
	}
}

static void test_argv(void **state)
{
	static const char *const command[] = { "/c", "--x", "1", NULL };
	size_t n;
	char **argv = outside_argv(tracer_strace_seccomp.outside, "/bin/strace", command,
				   "read,write", &n);

	(void)state;
	assert_string_equal(argv[0], "/bin/strace");
	assert_string_equal(argv[4], "trace=read,write");
	assert_string_equal(argv[6], "/dev/fd/4");
	assert_string_equal(argv[7], "/c");
	assert_string_equal(argv[9], "1");
	assert_int_equal(n, 10);
	assert_null(argv[n]);
	split_free(argv, n);
	argv = outside_argv(tracer_bpftrace_count.outside, "/b", command, "", &n);
	assert_string_equal(argv[n - 1], "/c --x 1");
	split_free(argv, n);
}

static void test_custom(void **state)
{
	static const char *const command[] = { "/c", "a b", NULL };
	struct outside *o;
	struct err e;
	char **argv;
	size_t n;

	(void)state;
	assert_null(outside_custom("strace -c", &e));
	assert_non_null(strstr(e.text, "{}"));
	assert_int_equal(e.code, EXIT_USAGE);
	o = outside_custom("nice {} 2>&1", &e);
	argv = outside_argv(o, "/bin/sh", command, "", &n);
	assert_string_equal(argv[2], "exec nice \"$@\" 2>&1");
	assert_string_equal(argv[4], "/c");
	assert_string_equal(argv[5], "a b");
	split_free(argv, n);
	free(o);
}

static void test_takes(void **state)
{
	char plain[] = "x", space[] = "a b";
	char *const words[] = { plain, NULL }, *const spaced[] = { plain, space, NULL };
	char why[256];

	(void)state;
	assert_true(outside_takes(tracer_strace.outside, spaced, why, sizeof(why)));
	assert_true(outside_takes(tracer_bpftrace_count.outside, words, why, sizeof(why)));
	assert_false(outside_takes(tracer_bpftrace_count.outside, spaced, why, sizeof(why)));
	assert_non_null(strstr(why, "a b"));
	assert_false(outside_takes(tracer_gdb.outside, words, why, sizeof(why)));
}

/* --- whose CPU time is whose --- */

static void test_told_apart(void **state)
{
	/* 3 s user and 2 s system of which the child had 1 s each. */
	const struct rusage both = { .ru_utime = { 3, 0 }, .ru_stime = { 2, 0 } },
			    alone = { .ru_utime = { 2, 0 }, .ru_stime = { 1, 0 } };
	const struct child_times child = { 1000000000, 1000000000, 2000000000 };
	struct sample s;

	(void)state;
	sample_init(&s);
	record_outside(&s, 3000000000, &both, &child);
	assert_int_equal(s.tracer_utime_ns, 2000000000);
	assert_int_equal(s.tracer_stime_ns, 1000000000);
	/* It has left the child to another to reap: none of it is in its rusage. */
	record_outside(&s, 3000000000, &alone, &child);
	assert_int_equal(s.tracer_utime_ns, 2000000000);
	assert_int_equal(s.tracer_stime_ns, 1000000000);
	/* What the ticks split askew adds up all the same. */
	record_outside(&s, 500000000, &both,
		       &(struct child_times) { 2900000000, 1600000000, 0 });
	assert_int_equal(s.tracer_utime_ns + s.tracer_stime_ns, 500000000);
	assert_true(s.tracer_utime_ns >= 0 && s.tracer_stime_ns >= 0);
}

/* --- filters --- */

static void test_filter(void **state)
{
	struct filter f;
	struct err e;

	(void)state;
	assert_int_equal(filter_make(&f, FILTER_TRACE, "read,pread64,read", &e), 0);
	assert_true(f.has_read);
	assert_false(f.has_ppoll);
	assert_true(f.program.len > 4);
	filter_free(&f);
	assert_int_equal(filter_make(&f, FILTER_ALLOW, "", &e), 0);
	filter_free(&f);
	assert_int_equal(filter_make(&f, FILTER_TRACE, "pread64,nonesuch", &e), -1);
	assert_int_equal(e.code, EXIT_USAGE);
	assert_non_null(strstr(e.text, "nonesuch"));
	assert_int_equal(filter_make(&f, FILTER_TRACE, "read,,write", &e), -1);
	assert_null(f.program.filter);
}

/* Every row is whole: what a newcomer forgets. */
static void test_rows(void **state)
{
	(void)state;
	for (size_t i = 0; tracers[i]; i++) {
		const struct tracer_ops *t = tracers[i];

		assert_true(t->name && t->summary && t->needs && t->follow);
		assert_true(t->outside || t->supported);
		assert_ptr_equal(tracer_find(tracers, t->name), t);
		assert_true(strlen(t->name) < sizeof(((struct sample *)0)->tracer));
	}
	assert_null(tracer_find(tracers, "nonesuch"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_tracees_announced_first),
		cmocka_unit_test(test_tracees_gone_before_announced),
		cmocka_unit_test(test_tracees_number_again),
		cmocka_unit_test(test_tracees_many),
		cmocka_unit_test(test_judge),
		cmocka_unit_test(test_judge_work),
		cmocka_unit_test(test_what_programs_write),
		cmocka_unit_test(test_argv),
		cmocka_unit_test(test_custom),
		cmocka_unit_test(test_takes),
		cmocka_unit_test(test_told_apart),
		cmocka_unit_test(test_filter),
		cmocka_unit_test(test_rows),
	};

	return cmocka_run_group_tests_name("tracers", tests, NULL, NULL);
}
