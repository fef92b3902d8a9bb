/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tracetax lkml2011: the experiment of February 2011 on this machine. */
#include <argp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/lkml2011.h"
#include "base/parse.h"
#include "cmd/cmd.h"
#include "cmd/measure.h"
#include "probe/placement.h"
#include "probe/watch.h"

enum { OPT_FULL = 0x100, OPT_TIME };

static const struct argp_option options[] = {
	{ "full", OPT_FULL, NULL, 0,
	  "The report's 262144 iterations, however long that takes (tens of minutes)", 1 },
	{ "time", OPT_TIME, "TIME", 0,
	  "Choose the iterations to take about this long (default 55s)", 1 },
	{ 0 },
};

struct options {
	struct measure measure;
	bool full;
	int64_t time_ns;
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct options *o = state->input;
	struct err e;

	switch (key) {
	case ARGP_KEY_INIT:
		*o = (struct options) { .time_ns = INT64_C(55000000000) };
		state->child_inputs[0] = &o->measure;
		return 0;
	case OPT_FULL:
		o->full = true;
		return 0;
	case OPT_TIME:
		if (parse_duration_ns("--time", arg, &o->time_ns, &e))
			output_usage_error(&e);
		return 0;
	case ARGP_KEY_ARG:
		err_set(&e, EXIT_USAGE,
			"lkml2011: '%s' is not an option; it takes no arguments", arg);
		output_usage_error(&e);
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

/* The report's axes. */
static char *const workloads[] = { (char[]) { "pread" } };
static char *const op_kinds[] = { (char[]) { "mem" } };
static char *const children[] = { (char[]) { "plain" }, (char[]) { "windows" } };
static char *const tracer_names[] = { (char[]) { "none" }, (char[]) { "aa" },
				      (char[]) { "syscall" } };
static char *const place_names[] = { (char[]) { "same" }, (char[]) { "cross" } };
static const int64_t ops[] = { 0, 512, 1024 };

enum { N_CHILDREN = 2, N_TRACERS = 3, N_OPS = 3, N_PLACES = 2 };

/*
 * The share of the time that goes to each placement. Most to `same`: a traced call takes
 * several times longer across CPUs, so there the runs that fit are too short for their ticks
 * to prove much anyway.
 */
static const double share_of[N_PLACES] = { 0.85, 0.15 };

/*
 * And how its iterations are spread over N. A traced call costs much the same whatever N is,
 * but an untraced run has the fewer ticks the smaller N; the report's own N are 0 and 512.
 */
static const double weight_of[N_OPS] = { 1.8, 1, 0.5 };

enum { TRIAL_ITERATIONS = 3000, RUN_OVERHEAD_NS = 3000000, MIN_ITERATIONS = 1000 };

/* Wall time per iteration at N = 512 (the mean of the three N), untraced and traced. */
static int time_place(struct harness *h, const struct place *place, double *untraced_ns,
		      double *traced_ns, struct err *e)
{
	struct cell c = {
		.workload = "pread",
		.op = "mem",
		.child = "windows",
		.place = *place,
		.ops = 512,
		.iterations = TRIAL_ITERATIONS,
	};
	double *const ns[] = { untraced_ns, traced_ns };
	const char *const names[] = { "none", "syscall" };

	for (int i = 0; i < 2; i++) {
		struct sample s;

		c.tracer = names[i];
		if (run_cell(h, &c, &s, e))
			return -1;
		if (s.failure[0])
			return err_set(e, EXIT_MEASURE, "a trial run under %s failed: %s",
				       names[i], s.failure);
		*ns[i] = (double)s.wall_ns / TRIAL_ITERATIONS;
	}
	return 0;
}

/* How many iterations fill the placement's share of the time, at weight 1. */
static int choose_iterations(const struct options *o, struct harness *h,
			     const struct place *place, double share, double *iterations,
			     struct err *e)
{
	const double runs = (double)(o->measure.runs + 1) * N_CHILDREN;
	double untraced = 0, traced = 0, budget, weights = 0;

	if (time_place(h, place, &untraced, &traced, e))
		return -1;
	for (int i = 0; i < N_OPS; i++)
		weights += weight_of[i];
	budget = (double)o->time_ns * share - runs * N_OPS * N_TRACERS * RUN_OVERHEAD_NS;
	*iterations = budget / (runs * weights * (traced + (N_TRACERS - 1) * untraced));
	return 0;
}

static int64_t bounded(double iterations)
{
	if (iterations > LKML2011_ITERATIONS)
		return LKML2011_ITERATIONS;
	return iterations < MIN_ITERATIONS ? MIN_ITERATIONS : (int64_t)iterations;
}

static int add_place(const struct options *o, struct harness *h, struct plan *p,
		     const struct place *place, double share, struct err *e)
{
	struct matrix m = {
		.workloads = workloads,
		.n_workloads = 1,
		.ops_kinds = op_kinds,
		.n_ops_kinds = 1,
		.children = children,
		.n_children = N_CHILDREN,
		.tracers = tracer_names,
		.n_tracers = N_TRACERS,
		.n_ops = 1,
		.places = place,
		.n_places = 1,
	};
	double iterations = LKML2011_ITERATIONS;

	if (!o->full && choose_iterations(o, h, place, share, &iterations, e))
		return -1;
	for (int i = 0; i < N_OPS; i++) {
		m.ops = &ops[i];
		m.iterations = bounded(iterations * (o->full ? 1 : weight_of[i]));
		plan_add(p, &m);
	}
	return 0;
}

static int make_plan(struct options *o, struct plan *p, struct err *e)
{
	const struct cpulist last = { 0 };
	struct place *places = NULL;
	struct harness h;
	size_t n = 0;
	int ret;

	o->measure.harness.max_windows = TRIAL_ITERATIONS;
	o->measure.harness.tracers = o->measure.tracers.all;
	ret = harness_open(&h, &o->measure.harness, e);
	/* With one CPU only there is no other to trace from. */
	if (!ret)
		ret = placement_resolve(place_names, h.allowed.n > 1 ? N_PLACES : 1, &last,
					&h.allowed, &places, &n, e);
	for (size_t i = 0; !ret && i < n && i < N_PLACES; i++)
		ret = add_place(o, &h, p, &places[i], n == 1 ? 1 : share_of[i], e);
	harness_close(&h);
	free(places);
	return ret;
}

/* No campaign: the trial runs failed, or a signal ended them. */
static int refused(struct err *e)
{
	const int sig = watch_signal();

	if (sig)
		err_set(e, EXIT_MEASURE, "SIG%s came during the trial runs", sigabbrev_np(sig));
	return measure_end_by(sig, err_print(e));
}

int cmd_lkml2011(int argc, char **argv)
{
	static char name[] = "tracetax lkml2011"; /* what argp calls us */
	static const struct argp_child argp_children[] = { { &measure_argp, 0, NULL, 0 },
							   { 0 } };
	static const struct argp argp = {
		options,
		parse,
		NULL,
		"The experiment of the linux-kernel list, February 2011: a child doing pread "
		"and N = 0, "
		"512, 1024 operations an iteration, untraced and under PTRACE_SYSCALL, on the "
		"same and "
		"on another CPU, plain and instrumented; today's figures beside its own.",
		argp_children,
		NULL,
		NULL,
	};
	struct options o;
	struct plan plan;
	struct err e;
	int code;

	argv[0] = name;
	argp_parse(&argp, argc, argv, 0, NULL, &o);
	plan_init(&plan, o.measure.seed);
	o.measure.preset = "lkml2011";
	if (tracer_list_check(&o.measure.tracers, tracer_names, N_TRACERS, &e) ||
	    measure_find_child(&o.measure, &e) || make_plan(&o, &plan, &e))
		code = refused(&e);
	else
		code = measure_plan(&o.measure, &plan);
	plan_free(&plan);
	measure_free(&o.measure);
	return code;
}
