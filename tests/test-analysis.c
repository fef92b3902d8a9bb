/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Figures, verdicts and sentences of scripted runs. */
#include <gsl/gsl_cdf.h>

#include "tests/script.h"
#include "tests/unit.h"

static void test_inflated(void **state)
{
	/* 100 more is reported, 20 of them are real. */
	struct script x = { 200e6, 300e6, 200e6,         220e6,
			    200e6, 900e6, .ticks = true, .spread = 0.01 };
	struct groups g;
	struct results r;
	const struct result *t;
	const struct estimate *f;

	(void)state;
	script_results(&x, 20, "tick", &g, &r);
	t = script_find(&r, "syscall");
	f = t->figure;
	assert_int_equal(script_find(&r, "none")->verdict, VERDICT_BASELINE);
	assert_int_equal(t->verdict, VERDICT_INFLATED);
	assert_true(f[F_UTIME_RATIO].lo < 1.5 && f[F_UTIME_RATIO].hi > 1.5);
	assert_true(f[F_TRUE_USER_RATIO].lo < 1.1 && f[F_TRUE_USER_RATIO].hi > 1.1);
	assert_true(f[F_REAL].lo < 20e6 && f[F_REAL].hi > 20e6);
	assert_true(f[F_MISATTRIBUTED].lo < 80e6 && f[F_MISATTRIBUTED].hi > 80e6);
	assert_close(f[F_REAL].mid + f[F_MISATTRIBUTED].mid, f[F_UTIME_CHANGE].mid, 1);
	assert_true(f[F_REPORTED_TO_TRUE].lo < 300 / 220.0 &&
		    f[F_REPORTED_TO_TRUE].hi > 300 / 220.0);
	assert_says(t->sentence, "%) is real");
	assert_says(t->sentence, "was booked as user time and was not");
	assert_close(t->ticks, 20 * 1200e6 / TICK, 200);
	script_done(&g, &r);
}

static void test_deflated(void **state)
{
	struct script x = { 300e6, 150e6, 300e6,         300e6,
			    200e6, 900e6, .ticks = true, .spread = 0.01 };
	struct groups g;
	struct results r;

	(void)state;
	script_results(&x, 20, "tick", &g, &r);
	assert_int_equal(script_find(&r, "syscall")->verdict, VERDICT_DEFLATED);
	assert_says(script_find(&r, "syscall")->sentence,
		    "booked as system time and was user time");
	assert_says(script_find(&r, "syscall")->sentence, "can be shown to be real");
	script_done(&g, &r);
}

/* All of it real: nothing is misattributed. */
static void test_real(void **state)
{
	struct script x = { 200e6, 300e6, 200e6,          300e6,
			    200e6, 900e6, .ticks = false, .spread = 0.005 };
	struct groups g;
	struct results r;
	const struct result *t;

	(void)state;
	script_results(&x, 20, "virt-gen", &g, &r);
	t = script_find(&r, "syscall");
	assert_int_equal(t->verdict, VERDICT_INFLATED);
	assert_true(isnan(t->resolution)); /* measured, not sampled */
	assert_true(t->figure[F_MISATTRIBUTED].lo < 0 && t->figure[F_MISATTRIBUTED].hi > 0);
	assert_close(t->figure[F_REAL_SHARE].mid, 1, 0.1);
	script_done(&g, &r);
}

static void test_unchanged(void **state)
{
	struct script x = { 200e6, 202e6, 200e6,          201e6,
			    200e6, 900e6, .ticks = false, .spread = 0.01 };
	struct groups g;
	struct results r;

	(void)state;
	script_results(&x, 30, "virt-gen", &g, &r);
	assert_int_equal(script_find(&r, "syscall")->verdict, VERDICT_UNCHANGED);
	assert_says(script_find(&r, "syscall")->sentence, "no change worth the name");
	script_done(&g, &r);
}

static void test_inconclusive(void **state)
{
	/* Twice, but 4 ticks in all untraced runs; and 5 % at a resolution that is worse. */
	struct script few = { 1e6, 2e6, 1e6, 1e6, 1e6, 90e6, .ticks = true, .spread = 0.01 };
	struct script small = { 40e6, 43e6, 40e6,          40e6,
				40e6, 90e6, .ticks = true, .spread = 0.01 };
	/* A real change under a control that strays more: aa is untraced, but the block's
	 * noise. */
	struct groups g;
	struct results r;
	const struct result *t;

	(void)state;
	script_results(&few, 8, "tick", &g, &r);
	t = script_find(&r, "syscall");
	assert_int_equal(t->verdict, VERDICT_INCONCLUSIVE);
	assert_says(t->reason, "below 30");
	assert_says(t->sentence, "proves nothing");
	script_done(&g, &r);
	script_results(&small, 8, "tick", &g, &r);
	t = script_find(&r, "syscall");
	assert_int_equal(t->verdict, VERDICT_INCONCLUSIVE);
	assert_true(t->resolution > 0.05);
	script_done(&g, &r);
	small.traced_utime = 80e6; /* the same with an effect that is none of it */
	script_results(&small, 8, "tick", &g, &r);
	assert_int_equal(script_find(&r, "syscall")->verdict, VERDICT_INFLATED);
	script_done(&g, &r);
}

/*
 * No effect, sampled by ticks: 200 campaigns. A verdict of inflated or deflated needs an
 * interval of 95 % to exclude 1, so at most one in 20 is expected, 10; over 24 has a
 * probability below 1e-4 at that rate (Poisson). The seeds are fixed.
 */
static void test_no_effect(void **state)
{
	int called = 0, control_called = 0;

	(void)state;
	for (unsigned i = 0; i < 200; i++) {
		struct script x = { 40e6, 40e6, 40e6,          40e6,
				    40e6, 40e6, .ticks = true, .spread = 0.02 };
		struct groups g;
		struct results r;
		enum verdict v;

		x.rng = gsl_rng_alloc(gsl_rng_mt19937);
		gsl_rng_set(x.rng, 100 + i);
		script_results(&x, 8, "tick", &g, &r);
		v = script_find(&r, "syscall")->verdict;
		called += v == VERDICT_INFLATED || v == VERDICT_DEFLATED;
		v = script_find(&r, "aa")->verdict;
		control_called += v == VERDICT_INFLATED || v == VERDICT_DEFLATED;
		script_done(&g, &r);
	}
	if (called > 24)
		fail_msg("%d of 200 campaigns without an effect were called", called);
	assert_int_equal(control_called, 0); /* the control never is */
}

/* Two speeds in the untraced and the traced runs alike are named; a tracer's own are not. */
static void set_speed(struct groups *g, const char *tracer, size_t slow_every)
{
	for (size_t i = 0; i < g->n; i++)
		for (size_t k = 0; k < g->cells[i]->n; k++)
			if (!strcmp(g->cells[i]->key.tracer, tracer))
				g->cells[i]->rows[k].q[Q_WINDOW_MEDIAN] =
					slow_every && k % slow_every == 0
						? 282
						: 164 + (double)(k % 3);
}

static void test_speeds(void **state)
{
	struct script x = { 200e6, 200e6, 200e6,         200e6,
			    200e6, 900e6, .ticks = true, .spread = 0.01 };
	struct groups g;
	struct results r;

	(void)state;
	script_results(&x, 12, "tick", &g, &r);
	results_free(&r);
	set_speed(&g, "none", 2);
	set_speed(&g, "aa", 3);
	set_speed(&g, "syscall", 4);
	results_make(&r, &g, 1);
	assert_true(script_find(&r, "syscall")->speeds.two);
	assert_int_equal(script_find(&r, "syscall")->slow, 3);
	assert_close(script_find(&r, "none")->speeds.fast, 165 / 512.0, 0.01);
	assert_says(script_find(&r, "syscall")->sentence, "two speeds");
	results_free(&r);
	set_speed(&g, "none", 0);
	set_speed(&g, "aa", 0);
	set_speed(&g, "syscall", 1); /* all slow: it goes with the tracer */
	results_make(&r, &g, 1);
	assert_false(script_find(&r, "syscall")->speeds.two);
	script_done(&g, &r);
}

/*
 * Runs of 0.4 ticks, a tenth of each spent in user mode: six in ten meet no tick and are
 * reported as all user time, in the others the tick fell into the system call. No figure of
 * theirs is a split, however many runs there are; of runs twelve times as long it is.
 */
static void test_short_runs(void **state)
{
	struct script x = { 1e6, 1e6, 1e6, 1e6, 1e6, 1e6, .ticks = false };
	struct groups g;
	struct results r;

	(void)state;
	script_results(&x, 200, "tick", &g, &r);
	for (int times = 1; times <= 12; times += 11) {
		results_free(&r);
		for (size_t i = 0; i < g.n; i++)
			for (size_t k = 0; k < g.cells[i]->n; k++) {
				double *q = g.cells[i]->rows[k].q, run = 0.4 * TICK * times;

				q[Q_UTIME] = times > 1 ? run / 10 : k % 10 < 6 ? run : 0;
				q[Q_STIME] = run - q[Q_UTIME];
				q[Q_RUNTIME] = q[Q_WALL] = run;
				q[Q_TRUE_USER] = run / 10;
			}
		results_make(&r, &g, 1);
		assert_int_equal(result_unsplit(script_find(&r, "none")), times == 1);
		assert_int_equal(isnan(script_find(&r, "none")->user_ticks_booked), times == 1);
		assert_int_equal(isnan(script_find(&r, "none")->figure[F_REPORTED_TO_TRUE].lo),
				 times == 1);
		if (times == 1) {
			assert_int_equal(script_find(&r, "syscall")->verdict,
					 VERDICT_INCONCLUSIVE);
			assert_says(script_find(&r, "syscall")->sentence, "meets none");
			assert_says(script_find(&r, "none")->sentence, "That is no split");
		}
	}
	script_done(&g, &r);
}

/* What the untraced runs report wrong is not laid on the traced ones (as on the E5500). */
static void test_wrong_baseline(void **state)
{
	struct script x = {
		103e6, 13e6, 10e6, 10e6, 50e6, 900e6, .ticks = true, .spread = 0.01
	};
	struct groups g;
	struct results r;
	const struct estimate *f;

	(void)state;
	script_results(&x, 20, "tick", &g, &r);
	f = script_find(&r, "syscall")->figure;
	assert_int_equal(script_find(&r, "syscall")->verdict, VERDICT_DEFLATED);
	assert_says(script_find(&r, "syscall")->sentence,
		    "the untraced runs that are booked wrong");
	/* The share is no better known than the change it is a share of. */
	assert_true(f[F_REAL_SHARE].hi >= f[F_REAL].mid / f[F_UTIME_CHANGE].lo);
	assert_true(f[F_REAL_SHARE].hi >= f[F_REAL].mid / f[F_UTIME_CHANGE].hi);
	/* Eight runs that all report nothing are not known to be nothing. */
	for (size_t i = 0; i < g.n; i++)
		for (size_t k = 0; k < g.cells[i]->n; k++)
			g.cells[i]->rows[k].q[Q_UTIME] = 0;
	results_free(&r);
	results_make(&r, &g, 1);
	assert_close(script_find(&r, "syscall")->figure[F_UTIME].mid, 0, 0);
	assert_true(script_find(&r, "syscall")->figure[F_UTIME].hi > 3 * TICK / 20.0);
	script_done(&g, &r);
}

/* The same work at a clock that changes: spread in time, none in cycles. */
static void test_clock(void **state)
{
	struct script x = { 200e6, 200e6, 200e6, 200e6, 200e6, 900e6, .ticks = true };
	struct groups g;
	struct results r;

	(void)state;
	script_results(&x, 12, "tick", &g, &r);
	results_free(&r);
	for (size_t i = 0; i < g.n; i++)
		for (size_t k = 0; k < g.cells[i]->n; k++) {
			double ghz = 3 + 0.05 * (double)k;

			g.cells[i]->rows[k].q[Q_GHZ] = ghz;
			g.cells[i]->rows[k].q[Q_TRUE_USER] = 600e6 / ghz;
		}
	results_make(&r, &g, 1);
	/* 3 to 3.55 GHz: the middle is 3.275, half of the rows are within 0.15 of it. */
	assert_close(script_find(&r, "syscall")->true_spread, 0.15 / 3.275, 0.01);
	assert_close(script_find(&r, "syscall")->true_cycles_spread, 0, 1e-9);
	results_free(&r);
	for (size_t i = 0; i < g.n; i++)
		g.cells[i]->rows[3].q[Q_GHZ] = NAN;
	results_make(&r, &g, 1);
	assert_false(isnan(script_find(&r, "syscall")->true_spread));
	assert_true(isnan(script_find(&r, "syscall")->true_cycles_spread));
	script_done(&g, &r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_inflated),       cmocka_unit_test(test_deflated),
		cmocka_unit_test(test_real),           cmocka_unit_test(test_unchanged),
		cmocka_unit_test(test_inconclusive),   cmocka_unit_test(test_no_effect),
		cmocka_unit_test(test_speeds),         cmocka_unit_test(test_short_runs),
		cmocka_unit_test(test_wrong_baseline), cmocka_unit_test(test_clock),
	};

	return cmocka_run_group_tests_name("analysis", tests, NULL, NULL);
}
