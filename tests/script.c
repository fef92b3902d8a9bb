/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/script.h"

#include <fcntl.h>
#include <gsl/gsl_randist.h>
#include <signal.h>
#include <unistd.h>

#include "tests/unit.h"

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
char *const script_windows[] = { (char[]) { "windows" } };
static char *const names[] = { (char[]) { "none" }, (char[]) { "aa" }, (char[]) { "syscall" } };
static const int64_t ops[] = { 512 };
static const struct place place = { "same", 1, 1 };

json_t *script_campaign(const char *host, const char *accounting)
{
	return json_pack("{s:s, s:i, s:I, s:{s:s, s:s, s:i}}", "type", "campaign", "schema", 1,
			 "outside_window_ps", (json_int_t)0, "machine", "hostname", host,
			 "accounting", accounting, "hz", 250);
}

int script_run(struct script *x, char *const *children, size_t n_children, int64_t runs,
	       const char *path, json_t *line, struct groups *g, struct outcome *out,
	       struct err *e)
{
	const struct matrix m = { workloads, 1, kinds,  1, children, n_children, names, 3,
				  ops,       1, &place, 1, 10000,    0,          0 };
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

/* The usual run: script_windows, a number of blocks, one machine. */
void script_results(struct script *x, int64_t runs, const char *accounting, struct groups *g,
		    struct results *r)
{
	json_t *line = script_campaign("box", accounting);
	struct outcome out;
	struct err e;

	groups_init(g);
	if (script_run(x, script_windows, 1, runs, NULL, line, g, &out, &e))
		fail_msg("%s", e.text);
	groups_finish(g);
	results_make(r, g, 1);
	json_decref(line);
	gsl_rng_free(x->rng);
	x->rng = NULL;
}

const struct result *script_find(const struct results *r, const char *tracer)
{
	for (size_t i = 0; i < r->n; i++)
		if (!strcmp(r->list[i].cell->key.tracer, tracer))
			return &r->list[i];
	fail_msg("no cell %s", tracer);
	abort(); /* not reached: fail_msg() leaves the test */
}

void script_done(struct groups *g, struct results *r)
{
	results_free(r);
	groups_free(g);
}
