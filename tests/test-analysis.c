/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A fake tracer: scripted samples drive plan, campaign, groups, figures, verdicts and every
 * report, in milliseconds and without a process.
 */
#include <fcntl.h>
#include <gsl/gsl_randist.h>
#include <signal.h>
#include <unistd.h>

#include "analysis/distortion.h"
#include "analysis/report.h"
#include "base/xalloc.h"
#include "probe/campaign.h"
#include "tests/unit.h"

enum { TICK = 4000000 };

/* What the script says a run takes: ns, for the untraced run and the traced one. */
struct script {
	double utime, traced_utime; /* reported, before ticks */
	double true_user, traced_true;
	double stime, traced_stime;
	bool ticks;    /* round utime to ticks, at random */
	double spread; /* relative, of everything */
	/* Faults. */
	int fail_at;  /* the how-manyth run fails, from 1; 0: none */
	int break_at; /* that run can't be made at all */
	int end_at;   /* after that run a signal has come */
	int runs;     /* made so far */
	gsl_rng *rng;
};

static double vary(struct script *x, double ns)
{
	return ns * (1 + x->spread * gsl_ran_gaussian(x->rng, 1));
}

/* As many ticks as fit, one more by chance, so that the mean is right. */
static double to_ticks(struct script *x, double ns)
{
	double whole = floor(ns / TICK), rest = ns / TICK - whole;

	return TICK * (whole + (gsl_rng_uniform(x->rng) < rest));
}

static int scripted(void *arg, const struct cell *c, struct sample *s, struct err *e)
{
	struct script *x = arg;
	const bool traced = !strcmp(c->tracer, "syscall");
	double utime = vary(x, traced ? x->traced_utime : x->utime);
	double stime = vary(x, traced ? x->traced_stime : x->stime);

	x->runs++;
	if (x->runs == x->break_at)
		return err_set(e, EXIT_MEASURE, "no CPU left");
	sample_init(s);
	snprintf(s->workload, sizeof(s->workload), "%s", c->workload);
	snprintf(s->op, sizeof(s->op), "%s", c->op);
	snprintf(s->child, sizeof(s->child), "%s", c->child);
	snprintf(s->tracer, sizeof(s->tracer), "%s", c->tracer);
	snprintf(s->placement, sizeof(s->placement), "%s", c->place.name);
	s->ops = c->ops;
	s->iterations = c->iterations;
	s->cpu = c->place.cpu;
	s->tracer_cpu = c->place.tracer_cpu;
	if (x->runs == x->fail_at) {
		snprintf(s->failure, sizeof(s->failure), "the child was killed by SIGKILL");
		return 0;
	}
	s->runtime_ns = (int64_t)(utime + stime);
	s->utime_ns = (int64_t)(x->ticks ? to_ticks(x, utime) : utime);
	s->stime_ns = s->runtime_ns - s->utime_ns;
	s->wall_ns = s->runtime_ns * 2;
	s->tracer_utime_ns = s->tracer_stime_ns = traced ? 1000000 : 1000;
	s->khz_before = s->khz_after = 3000000;
	if (!strcmp(c->child, "windows")) {
		s->true_user_ns = (int64_t)vary(x, traced ? x->traced_true : x->true_user);
		s->windows = c->iterations;
		s->interrupted = 3;
		s->window_median_ps = s->true_user_ns * 1000 / c->iterations;
	}
	return 0;
}

static int ended(void *arg)
{
	struct script *x = arg;

	return x->end_at && x->runs >= x->end_at ? SIGINT : 0;
}

static char *const workloads[] = { (char[]) { "pread" } };
static char *const kinds[] = { (char[]) { "reg" } };
static char *const windows[] = { (char[]) { "windows" } };
static char *const both_children[] = { (char[]) { "plain" }, (char[]) { "windows" } };
static char *const names[] = { (char[]) { "none" }, (char[]) { "aa" }, (char[]) { "syscall" } };
static const int64_t ops[] = { 512 };
static const struct place place = { "same", 1, 1 };

static json_t *campaign_of(const char *host, const char *accounting)
{
	return json_pack("{s:s, s:i, s:I, s:{s:s, s:s, s:i}}", "type", "campaign", "schema", 1,
			 "outside_window_ps", (json_int_t)0, "machine", "hostname", host,
			 "accounting", accounting, "hz", 250);
}

/* Run the script; what it gave is in *g (finished), the outcome in *out. */
static int run_script(struct script *x, char *const *children, size_t n_children, int64_t runs,
		      const char *path, json_t *line, struct groups *g, struct outcome *out,
		      struct err *e)
{
	const struct matrix m = { workloads, 1,   kinds, 1,      children, n_children, names,
				  3,         ops, 1,     &place, 1,        10000 };
	const struct runner runner = { scripted, ended, x };
	struct campaign c = { .runs = runs, .runner = &runner, .sink = &groups_sink, .fd = -1 };
	struct plan p;
	int ret;

	plan_init(&p, 7);
	plan_add(&p, &m);
	c.plan = &p;
	c.sink_arg = g;
	c.path = path;
	if (path)
		c.fd = open(path, O_WRONLY | O_CREAT | O_APPEND, 0600);
	if (!x->rng) {
		x->rng = gsl_rng_alloc(gsl_rng_mt19937);
		gsl_rng_set(x->rng, 11);
	}
	ret = campaign_run(&c, line, out, e);
	if (c.fd >= 0)
		close(c.fd);
	plan_free(&p);
	return ret;
}

/* The usual run: windows, a number of blocks, one machine. */
static void results_of(struct script *x, int64_t runs, const char *accounting, struct groups *g,
		       struct results *r)
{
	json_t *line = campaign_of("box", accounting);
	struct outcome out;
	struct err e;

	groups_init(g);
	if (run_script(x, windows, 1, runs, NULL, line, g, &out, &e))
		fail_msg("%s", e.text);
	groups_finish(g);
	results_make(r, g, 1);
	json_decref(line);
	gsl_rng_free(x->rng);
	x->rng = NULL;
}

static const struct result *find(const struct results *r, const char *tracer)
{
	for (size_t i = 0; i < r->n; i++)
		if (!strcmp(r->list[i].cell->key.tracer, tracer))
			return &r->list[i];
	fail_msg("no cell %s", tracer);
	abort(); /* not reached: fail_msg() leaves the test */
}

static void done(struct groups *g, struct results *r)
{
	results_free(r);
	groups_free(g);
}

/* --- the campaign --- */

static void test_blocks(void **state)
{
	char path[] = "/tmp/tracetax-analysis-XXXXXX";
	struct script x = { 40e6, 60e6, 40e6, 42e6, 40e6, 90e6, .spread = 0.01 };
	json_t *line = campaign_of("box", "tick");
	struct outcome out;
	struct groups g, again;
	struct err e;

	(void)state;
	close(mkstemp(path));
	groups_init(&g);
	assert_int_equal(run_script(&x, both_children, 2, 5, path, line, &g, &out, &e), 0);
	groups_finish(&g);
	assert_int_equal(out.samples, 30);
	assert_int_equal(x.runs, 36);
	assert_int_equal(g.n, 6);
	for (size_t i = 0; i < g.n; i++) {
		assert_int_equal(g.cells[i]->n, 5);
		assert_int_equal(g.cells[i]->warmups, 1);
		for (size_t k = 0; k < 5; k++) /* each block once, in order */
			assert_close(g.cells[i]->rows[k].block, (double)k + 1, 0);
	}
	groups_init(&again);
	assert_int_equal(samples_read(path, &groups_sink, &again, NULL, &e), 0);
	groups_finish(&again);
	assert_int_equal(again.samples, 30);
	assert_memory_equal(again.cells[2]->rows, g.cells[2]->rows, 5 * sizeof(struct row));
	groups_free(&g);
	groups_free(&again);
	json_decref(line);
	gsl_rng_free(x.rng);
	unlink(path);
}

static void test_failures(void **state)
{
	json_t *line = campaign_of("box", "tick");
	struct script late = { 40e6, 60e6, 40e6, 42e6, 40e6, 90e6, .fail_at = 8 };
	struct script early = { 40e6, 60e6, 40e6, 42e6, 40e6, 90e6, .fail_at = 2 };
	struct script broken = { 40e6, 60e6, 40e6, 42e6, 40e6, 90e6, .break_at = 8 };
	struct script asked = { 40e6, 60e6, 40e6, 42e6, 40e6, 90e6, .end_at = 8 };
	struct outcome out;
	struct groups g;
	struct err e;

	(void)state;
	groups_init(&g); /* in a counted block: recorded, and the campaign goes on */
	assert_int_equal(run_script(&late, windows, 1, 4, NULL, line, &g, &out, &e), 0);
	assert_int_equal(out.failures, 1);
	assert_int_equal(out.samples, 11);
	assert_int_equal(g.failures, 1);
	groups_free(&g);
	groups_init(&g); /* in the warm-up: the end */
	assert_int_equal(run_script(&early, windows, 1, 4, NULL, line, &g, &out, &e), -1);
	assert_int_equal(e.code, EXIT_MEASURE);
	assert_says(e.text, "killed by SIGKILL");
	assert_int_equal(early.runs, 2);
	assert_int_equal(g.samples, 0);
	groups_free(&g);
	groups_init(&g); /* no run can be made: the end, what there is stays */
	assert_int_equal(run_script(&broken, windows, 1, 4, NULL, line, &g, &out, &e), -1);
	assert_says(e.text, "no CPU left");
	assert_int_equal(g.samples, 4);
	groups_free(&g);
	groups_init(&g); /* a signal: the end, without an error */
	assert_int_equal(run_script(&asked, windows, 1, 4, NULL, line, &g, &out, &e), 0);
	assert_int_equal(out.ended_by, SIGINT);
	assert_int_equal(asked.runs, 8);
	assert_int_equal(g.samples, 5);
	groups_free(&g);
	json_decref(line);
	gsl_rng_free(late.rng);
	gsl_rng_free(early.rng);
	gsl_rng_free(broken.rng);
	gsl_rng_free(asked.rng);
}

/* --- verdicts --- */

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
	results_of(&x, 20, "tick", &g, &r);
	t = find(&r, "syscall");
	f = t->figure;
	assert_int_equal(find(&r, "none")->verdict, VERDICT_BASELINE);
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
	done(&g, &r);
}

static void test_deflated(void **state)
{
	struct script x = { 300e6, 150e6, 300e6,         300e6,
			    200e6, 900e6, .ticks = true, .spread = 0.01 };
	struct groups g;
	struct results r;

	(void)state;
	results_of(&x, 20, "tick", &g, &r);
	assert_int_equal(find(&r, "syscall")->verdict, VERDICT_DEFLATED);
	assert_says(find(&r, "syscall")->sentence, "booked as system time and was user time");
	assert_says(find(&r, "syscall")->sentence, "can be shown to be real");
	done(&g, &r);
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
	results_of(&x, 20, "virt-gen", &g, &r);
	t = find(&r, "syscall");
	assert_int_equal(t->verdict, VERDICT_INFLATED);
	assert_true(isnan(t->resolution)); /* measured, not sampled */
	assert_true(t->figure[F_MISATTRIBUTED].lo < 0 && t->figure[F_MISATTRIBUTED].hi > 0);
	assert_close(t->figure[F_REAL_SHARE].mid, 1, 0.1);
	done(&g, &r);
}

static void test_unchanged(void **state)
{
	struct script x = { 200e6, 202e6, 200e6,          201e6,
			    200e6, 900e6, .ticks = false, .spread = 0.01 };
	struct groups g;
	struct results r;

	(void)state;
	results_of(&x, 30, "virt-gen", &g, &r);
	assert_int_equal(find(&r, "syscall")->verdict, VERDICT_UNCHANGED);
	assert_says(find(&r, "syscall")->sentence, "no change worth the name");
	done(&g, &r);
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
	results_of(&few, 8, "tick", &g, &r);
	t = find(&r, "syscall");
	assert_int_equal(t->verdict, VERDICT_INCONCLUSIVE);
	assert_says(t->reason, "below 30");
	assert_says(t->sentence, "proves nothing");
	done(&g, &r);
	results_of(&small, 8, "tick", &g, &r);
	t = find(&r, "syscall");
	assert_int_equal(t->verdict, VERDICT_INCONCLUSIVE);
	assert_true(t->resolution > 0.05);
	done(&g, &r);
	small.traced_utime = 80e6; /* the same with an effect that is none of it */
	results_of(&small, 8, "tick", &g, &r);
	assert_int_equal(find(&r, "syscall")->verdict, VERDICT_INFLATED);
	done(&g, &r);
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
		results_of(&x, 8, "tick", &g, &r);
		v = find(&r, "syscall")->verdict;
		called += v == VERDICT_INFLATED || v == VERDICT_DEFLATED;
		v = find(&r, "aa")->verdict;
		control_called += v == VERDICT_INFLATED || v == VERDICT_DEFLATED;
		done(&g, &r);
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
	results_of(&x, 12, "tick", &g, &r);
	results_free(&r);
	set_speed(&g, "none", 2);
	set_speed(&g, "aa", 3);
	set_speed(&g, "syscall", 4);
	results_make(&r, &g, 1);
	assert_true(find(&r, "syscall")->speeds.two);
	assert_int_equal(find(&r, "syscall")->slow, 3);
	assert_close(find(&r, "none")->speeds.fast, 165 / 512.0, 0.01);
	assert_says(find(&r, "syscall")->sentence, "two speeds");
	results_free(&r);
	set_speed(&g, "none", 0);
	set_speed(&g, "aa", 0);
	set_speed(&g, "syscall", 1); /* all slow: it goes with the tracer */
	results_make(&r, &g, 1);
	assert_false(find(&r, "syscall")->speeds.two);
	done(&g, &r);
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
	results_of(&x, 200, "tick", &g, &r);
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
		assert_int_equal(result_unsplit(find(&r, "none")), times == 1);
		assert_int_equal(isnan(find(&r, "none")->user_ticks_booked), times == 1);
		assert_int_equal(isnan(find(&r, "none")->figure[F_REPORTED_TO_TRUE].lo),
				 times == 1);
		if (times == 1) {
			assert_int_equal(find(&r, "syscall")->verdict, VERDICT_INCONCLUSIVE);
			assert_says(find(&r, "syscall")->sentence, "meets none");
			assert_says(find(&r, "none")->sentence, "That is no split");
		}
	}
	done(&g, &r);
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
	results_of(&x, 20, "tick", &g, &r);
	f = find(&r, "syscall")->figure;
	assert_int_equal(find(&r, "syscall")->verdict, VERDICT_DEFLATED);
	assert_says(find(&r, "syscall")->sentence, "the untraced runs that are booked wrong");
	/* The share is no better known than the change it is a share of. */
	assert_true(f[F_REAL_SHARE].hi >= f[F_REAL].mid / f[F_UTIME_CHANGE].lo);
	assert_true(f[F_REAL_SHARE].hi >= f[F_REAL].mid / f[F_UTIME_CHANGE].hi);
	/* Eight runs that all report nothing are not known to be nothing. */
	for (size_t i = 0; i < g.n; i++)
		for (size_t k = 0; k < g.cells[i]->n; k++)
			g.cells[i]->rows[k].q[Q_UTIME] = 0;
	results_free(&r);
	results_make(&r, &g, 1);
	assert_close(find(&r, "syscall")->figure[F_UTIME].mid, 0, 0);
	assert_true(find(&r, "syscall")->figure[F_UTIME].hi > 3 * TICK / 20.0);
	done(&g, &r);
}

/* The same work at a clock that changes: spread in time, none in cycles. */
static void test_clock(void **state)
{
	struct script x = { 200e6, 200e6, 200e6, 200e6, 200e6, 900e6, .ticks = true };
	struct groups g;
	struct results r;

	(void)state;
	results_of(&x, 12, "tick", &g, &r);
	results_free(&r);
	for (size_t i = 0; i < g.n; i++)
		for (size_t k = 0; k < g.cells[i]->n; k++) {
			double ghz = 3 + 0.05 * (double)k;

			g.cells[i]->rows[k].q[Q_GHZ] = ghz;
			g.cells[i]->rows[k].q[Q_TRUE_USER] = 600e6 / ghz;
		}
	results_make(&r, &g, 1);
	/* 3 to 3.55 GHz: the middle is 3.275, half of the rows are within 0.15 of it. */
	assert_close(find(&r, "syscall")->true_spread, 0.15 / 3.275, 0.01);
	assert_close(find(&r, "syscall")->true_cycles_spread, 0, 1e-9);
	results_free(&r);
	for (size_t i = 0; i < g.n; i++)
		g.cells[i]->rows[3].q[Q_GHZ] = NAN;
	results_make(&r, &g, 1);
	assert_false(isnan(find(&r, "syscall")->true_spread));
	assert_true(isnan(find(&r, "syscall")->true_cycles_spread));
	done(&g, &r);
}

/* --- machines --- */

static void test_machines(void **state)
{
	static const char *const hosts[] = { "one", "one", "two" };
	struct groups g;
	struct results r;

	(void)state;
	groups_init(&g);
	for (int i = 0; i < 3; i++) {
		struct script x = { 40e6, 60e6, 40e6, 42e6, 40e6, 90e6, .spread = 0.01 };
		json_t *line = campaign_of(hosts[i], "tick");
		struct outcome out;
		struct err e;

		assert_int_equal(run_script(&x, windows, 1, 6, NULL, line, &g, &out, &e), 0);
		json_decref(line);
		gsl_rng_free(x.rng);
	}
	groups_finish(&g);
	assert_int_equal(g.n_machines, 2);
	assert_int_equal(g.n, 6);
	assert_int_equal(g.cells[0]->n, 12); /* pooled */
	assert_int_equal(g.cells[3]->n, 6);
	for (size_t k = 1; k < 12; k++) /* blocks of both campaigns stay apart */
		assert_true(g.cells[0]->rows[k].block > g.cells[0]->rows[k - 1].block);
	results_make(&r, &g, 1);
	assert_int_equal(r.list[2].pairs, 12);
	assert_ptr_equal(r.list[5].base, g.cells[3]);
	done(&g, &r);
}

/* How many machines campaigns make that differ in one field; -1 when one is refused. */
static int machines_of(const char *field, json_t *first, json_t *second, struct err *e)
{
	json_t *const values[] = { first, second };
	struct groups g;
	int n = 0;

	groups_init(&g);
	for (int i = 0; i < 2; i++) {
		json_t *line = campaign_of("one", "tick");

		json_object_set_new(line, field, values[i]);
		if (groups_sink.campaign(&g, line, e))
			n = -1;
		json_decref(line);
	}
	if (!n)
		n = (int)g.n_machines;
	groups_finish(&g);
	groups_free(&g);
	return n;
}

/* Runs that were made in different ways are no repetitions of one another. */
static void test_pooling(void **state)
{
	struct err e;

	(void)state;
	assert_int_equal(machines_of("seed", json_integer(1), json_integer(2), &e), 1);
	assert_int_equal(machines_of("aslr", json_false(), json_true(), &e), 2);
	assert_int_equal(machines_of("rusage_at_stops", json_false(), json_true(), &e), 2);
	assert_int_equal(machines_of("tracetax", json_string("1"), json_string("2"), &e), 2);
	assert_int_equal(machines_of("start", json_string("then"), json_string("now"), &e), 1);
	assert_int_equal(machines_of("start", json_string("now"), json_string("now"), &e), -1);
	assert_int_equal(e.code, EXIT_USAGE);
	assert_non_null(strstr(e.text, "twice"));
}

/* --- reports --- */

static char *written(const char *format, const struct results *r)
{
	const struct report_options o = { 0 };
	char *text = NULL;
	size_t n;
	FILE *f = open_memstream(&text, &n);
	struct err e;

	assert_int_equal(report_write(f, "memory", format_find(format), r, &o, &e), 0);
	fclose(f);
	return text;
}

static size_t count(const char *text, size_t n, char c)
{
	size_t found = 0;
	bool quoted = false;

	for (size_t i = 0; i < n; i++) {
		quoted ^= text[i] == '"';
		found += text[i] == c && !quoted && !(i && text[i - 1] == '\\');
	}
	return found;
}

/* Every line of the kind has as many separators as the first of its table. */
static void assert_rectangular(const char *text, char separator, bool only_rows)
{
	size_t want = 0;

	for (const char *p = text; *p;) {
		size_t n = strcspn(p, "\n"), found = count(p, n, separator);

		if (only_rows && *p != '|') {
			want = 0;
		} else {
			if (want && found != want)
				fail_msg("%zu separators, not %zu: %.*s", found, want, (int)n,
					 p);
			want = found;
		}
		p += n + (p[n] == '\n');
	}
}

static void test_formats(void **state)
{
	static const char *const required[] = {
		"workload",
		"ops",
		"iterations",
		"tracer",
		"placement",
		"cpu",
		"tracer_cpu",
		"runs",
		"ticks",
		"verdict",
		"sentence",
		"utime_ns",
		"stime_ns",
		"runtime_ns",
		"wall_ns",
		"true_user_ns",
		"tracer_utime_ns",
		"tracer_stime_ns",
		"ns_per_call",
		"ghz",
		"utime_ratio",
		"stime_ratio",
		"runtime_ratio",
		"true_user_ratio",
		"misattributed_ns",
		"real_ns",
	};
	struct script x = { 200e6, 300e6, 200e6,         220e6,
			    200e6, 900e6, .ticks = true, .spread = 0.01 };
	struct groups g;
	struct results r;
	json_t *top, *cells, *cell, *figure;
	char *text;
	size_t i;

	(void)state;
	results_of(&x, 8, "tick", &g, &r);
	text = written("json", &r);
	top = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
	assert_non_null(top);
	assert_int_equal(json_integer_value(json_object_get(top, "schema")), 1);
	assert_true(json_is_object(json_object_get(top, "campaign")));
	cells = json_object_get(top, "cells");
	assert_int_equal(json_array_size(cells), 3);
	json_array_foreach(cells, i, cell) for (size_t k = 0;
						k < sizeof(required) / sizeof(required[0]);
						k++) if (!json_object_get(cell, required[k]))
		fail_msg("cell %zu has no %s", i, required[k]);
	cell = json_array_get(cells, 0); /* the baseline has no ratio, and says why */
	figure = json_object_get(cell, "utime_ratio");
	assert_true(json_is_null(json_object_get(figure, "median")));
	assert_string_equal(json_string_value(json_object_get(figure, "why")),
			    "this is the baseline");
	cell = json_array_get(cells, 2);
	figure = json_object_get(cell, "utime_ratio");
	assert_close(json_real_value(json_object_get(figure, "median")),
		     find(&r, "syscall")->figure[F_UTIME_RATIO].mid, 1e-8);
	assert_null(json_object_get(figure, "why"));
	json_decref(top);
	free(text);
	text = written("csv", &r);
	assert_rectangular(text, ',', false);
	assert_says(text, "utime_ratio,utime_ratio_lo,utime_ratio_hi");
	free(text);
	text = written("markdown", &r);
	assert_rectangular(text, '|', true);
	assert_says(text, find(&r, "syscall")->sentence);
	free(text);
	text = written("text", &r);
	assert_says(text, "inflated");
	free(text);
	done(&g, &r);
}

static void test_full(void **state)
{
	const struct report_options o = { 0 };
	struct script x = { 200e6, 300e6, 200e6,         220e6,
			    200e6, 900e6, .ticks = true, .spread = 0.01 };
	struct groups g;
	struct results r;

	(void)state;
	results_of(&x, 8, "tick", &g, &r);
	for (const struct format *f = formats; f->name; f++) {
		FILE *full = fopen("/dev/full", "w");
		struct err e;

		assert_non_null(full);
		assert_int_equal(report_write(full, "/dev/full", f, &r, &o, &e), -1);
		assert_int_equal(e.code, EXIT_MEASURE);
		assert_says(e.text, "/dev/full");
		fclose(full);
	}
	done(&g, &r);
}

/* Reports of next to nothing: no sample, one run, no baseline, no known HZ. */
static void test_sparse(void **state)
{
	struct script x = { 200e6, 300e6, 200e6,         220e6,
			    200e6, 900e6, .ticks = true, .spread = 0.01 };
	struct groups g;
	struct results r;

	(void)state;
	groups_init(&g);
	groups_finish(&g);
	results_make(&r, &g, 1);
	for (const struct format *f = formats; f->name; f++)
		free(written(f->name, &r));
	done(&g, &r);
	results_of(&x, 1, "tick", &g, &r);
	assert_int_equal(find(&r, "syscall")->verdict, VERDICT_INCONCLUSIVE);
	for (const struct format *f = formats; f->name; f++)
		free(written(f->name, &r));
	results_free(&r);
	g.machines[0].tick_ns = NAN;
	snprintf(g.cells[0]->key.tracer, sizeof(g.cells[0]->key.tracer), "other");
	results_make(&r, &g, 1);
	assert_says(find(&r, "syscall")->reason, "no untraced cell");
	for (const struct format *f = formats; f->name; f++)
		free(written(f->name, &r));
	done(&g, &r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_blocks),       cmocka_unit_test(test_failures),
		cmocka_unit_test(test_inflated),     cmocka_unit_test(test_deflated),
		cmocka_unit_test(test_real),         cmocka_unit_test(test_unchanged),
		cmocka_unit_test(test_inconclusive), cmocka_unit_test(test_no_effect),
		cmocka_unit_test(test_speeds),       cmocka_unit_test(test_clock),
		cmocka_unit_test(test_short_runs),   cmocka_unit_test(test_wrong_baseline),
		cmocka_unit_test(test_machines),     cmocka_unit_test(test_pooling),
		cmocka_unit_test(test_formats),      cmocka_unit_test(test_full),
		cmocka_unit_test(test_sparse),
	};

	return cmocka_run_group_tests_name("analysis", tests, NULL, NULL);
}
