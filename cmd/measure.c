/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cmd/measure.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

#include "base/parse.h"
#include "base/xalloc.h"
#include "child/counter.h"
#include "probe/campaign.h"
#include "probe/machine.h"
#include "probe/watch.h"
#include "probe/window-cost.h"
#include "probe/windows.h"

enum { OPT_SEED = 0x400, OPT_TIMEOUT, OPT_ASLR, OPT_RUSAGE, OPT_CHILD_PATH, OPT_PREPARE };

static const struct argp_option options[] = {
	{ "runs", 'n', "N", 0, "Counted runs of every cell (default 8), after one warm-up",
	  10 },
	{ "output", 'o', "FILE", 0, "Append the samples to FILE as JSON lines", 10 },
	{ "quiet", 'q', NULL, 0, "No progress line", 10 },
	{ "seed", OPT_SEED, "N", 0, "Seed of the order and the bootstrap (default: random)",
	  10 },
	{ "timeout", OPT_TIMEOUT, "TIME", 0, "End a run that takes longer (default 60s)", 10 },
	{ "aslr", OPT_ASLR, NULL, 0, "Leave address randomisation on for the child", 10 },
	{ "rusage-at-stops", OPT_RUSAGE, NULL, 0,
	  "Read the child's rusage at each stop, as the 2011 program did", 10 },
	{ "prepare", OPT_PREPARE, "COMMAND", 0, "Run this by the shell before each run", 10 },
	{ "child-path", OPT_CHILD_PATH, "FILE", 0, "The child program", 10 },
	{ 0 },
};

static uint32_t random_seed(void)
{
	uint32_t seed;

	if (getrandom(&seed, sizeof(seed), 0) != sizeof(seed))
		seed = (uint32_t)time(NULL);
	return seed;
}

static void set_defaults(struct measure *m)
{
	*m = (struct measure) {
		.runs = 8,
		.seed = random_seed(),
		.harness.timeout_ns = INT64_C(60000000000),
	};
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct measure *m = state->input;
	struct err e = { 0 };
	int64_t v;
	int bad = 0;

	switch (key) {
	case ARGP_KEY_INIT:
		set_defaults(m);
		tracer_list_init(&m->tracers);
		m->argv = state->argv;
		state->child_inputs[0] = &m->output;
		break;
	case 'n':
		bad = parse_int("--runs", arg, 1, 1000000, &m->runs, &e);
		m->runs_given = true;
		break;
	case 'o':
		m->path = arg;
		break;
	case 'q':
		m->quiet = true;
		break;
	case OPT_SEED:
		bad = parse_int("--seed", arg, 0, UINT32_MAX, &v, &e);
		m->seed = bad ? 0 : (uint32_t)v;
		break;
	case OPT_TIMEOUT:
		bad = parse_duration_ns("--timeout", arg, &m->harness.timeout_ns, &e);
		break;
	case OPT_ASLR:
		m->harness.aslr = true;
		break;
	case OPT_PREPARE:
		m->harness.prepare = arg;
		break;
	case OPT_RUSAGE:
		m->harness.rusage_at_stops = true;
		break;
	case OPT_CHILD_PATH:
		free(m->child_path);
		m->child_path = xstrdup(arg);
		break;
	default:
		return ARGP_ERR_UNKNOWN;
	}
	if (bad)
		output_usage_error(&e);
	return 0;
}

static const struct argp_child children[] = { { &output_argp, 0, NULL, 0 }, { 0 } };

const struct argp measure_argp = { options, parse, NULL, NULL, children, NULL, NULL };

int measure_find_child(struct measure *m, struct err *e)
{
	if (!m->child_path)
		m->child_path = harness_find_child(e);
	m->harness.child_path = m->child_path;
	return m->child_path ? 0 : -1;
}

void measure_free(struct measure *m)
{
	free(m->child_path);
	tracer_list_free(&m->tracers);
	json_decref(m->unavailable);
	output_free(&m->output);
}

/* --- the campaign line --- */

/* To the millisecond, so that it tells campaigns of one machine apart. */
static json_t *start_time(void)
{
	char second[32];
	struct timespec now;
	struct tm tm;

	clock_gettime(CLOCK_REALTIME, &now);
	strftime(second, sizeof(second), "%Y-%m-%dT%H:%M:%S", gmtime_r(&now.tv_sec, &tm));
	return json_sprintf("%s.%03ldZ", second, now.tv_nsec / 1000000);
}

/* Arguments are bytes; those that are no UTF-8 are left out. */
static json_t *words_json(char *const *words)
{
	json_t *list = json_array();

	for (; *words; words++)
		json_array_append_new(list, json_string(*words));
	return list;
}

/* NULL with `e` set when the machine can't be read. */
static json_t *campaign_line(const struct measure *m, const struct plan *p, struct harness *h,
			     struct err *e)
{
	int64_t outside = m->harness.command ? SAMPLE_UNKNOWN : window_cost_ps(h);
	struct machine machine;
	json_t *o;

	if (machine_read("", true, &machine, e))
		return NULL;
	o = json_object();
	json_object_set_new(o, "type", json_string("campaign"));
	json_object_set_new(o, "schema", json_integer(SAMPLE_SCHEMA));
	json_object_set_new(o, "tracetax", json_string(TRACETAX_VERSION));
	json_object_set_new(o, "start", start_time());
	json_object_set_new(o, "argv", words_json(m->argv));
	json_object_set_new(o, "seed", json_integer(m->seed));
	json_object_set_new(o, "runs", json_integer(m->runs));
	json_object_set_new(o, "timeout_ns", json_integer(m->harness.timeout_ns));
	json_object_set_new(o, "aslr", json_boolean(m->harness.aslr));
	json_object_set_new(o, "rusage_at_stops", json_boolean(m->harness.rusage_at_stops));
	json_object_set_new(o, "counter", json_string(COUNTER_NAME));
	json_object_set_new(o, "counter_ps",
			    json_integer((json_int_t)(1000 * rate_ns_per_count(&h->rate))));
	json_object_set_new(o, "window_bound_ns", json_integer(WINDOW_BOUND_NS));
	json_object_set_new(o, "outside_window_ps",
			    outside == SAMPLE_UNKNOWN ? json_null() : json_integer(outside));
	tracer_list_json(&m->tracers, p, o);
	if (m->harness.command)
		json_object_set_new(o, "command", words_json(m->harness.command->argv));
	if (m->harness.prepare)
		json_object_set_new(o, "prepare", json_string(m->harness.prepare));
	if (m->preset)
		json_object_set_new(o, "preset", json_string(m->preset));
	if (m->unavailable)
		json_object_set(o, "unavailable", m->unavailable);
	json_object_set_new(o, "machine", machine_json(&machine));
	machine_free(&machine);
	return o;
}

/* --- the campaign --- */

static int run_real(void *arg, const struct cell *c, struct sample *s, struct err *e)
{
	struct harness *h = arg;

	if (h->o.prepare && command_prepare(h->o.prepare, e))
		return -1;
	return run_cell(h, c, s, e);
}

static int asked_to_end(void *arg)
{
	(void)arg;
	return watch_signal();
}

int measure_end_by(int sig, int code)
{
	if (!sig)
		return code;
	signal(sig, SIG_DFL);
	raise(sig);
	return EXIT_MEASURE;
}

static int run_campaign(struct measure *m, struct plan *p, struct harness *h, struct groups *g,
			struct outcome *out, struct err *e)
{
	const struct runner runner = { run_real, asked_to_end, h };
	struct campaign c = {
		.plan = p,
		.runs = m->runs,
		.runner = &runner,
		.sink = &groups_sink,
		.sink_arg = g,
		.fd = -1,
		.path = m->path,
		.progress = !m->quiet,
	};
	json_t *line = campaign_line(m, p, h, e);
	int ret = -1;

	if (!line)
		return -1;
	if (m->path)
		c.fd = samples_open(m->path, e);
	if (!m->path || c.fd >= 0)
		ret = campaign_run(&c, line, out, e);
	if (c.fd >= 0 && close(c.fd) && !ret)
		ret = err_set(e, EXIT_MEASURE, "%s: close: %s", m->path, strerror(errno));
	json_decref(line);
	return ret;
}

int measure_plan(struct measure *m, struct plan *p)
{
	struct outcome out = { 0 };
	struct harness h;
	struct groups g;
	struct err e;
	int ret, code = EXIT_FINE;

	groups_init(&g);
	m->harness.max_windows = plan_max_windows(p);
	m->harness.tracers = m->tracers.all;
	m->harness.like_outside = tracer_list_any_outside(&m->tracers, p);
	ret = harness_open(&h, &m->harness, &e);
	if (!ret)
		ret = run_campaign(m, p, &h, &g, &out, &e);
	harness_close(&h);
	groups_finish(&g);
	/* What was measured before an error is worth its report, but not its exit code. */
	if (out.samples)
		code = output_report(&m->output, &g, m->seed);
	if (ret)
		code = err_print(&e);
	else if (!out.samples) {
		err_set(&e, EXIT_MEASURE,
			out.ended_by ? "SIG%s came before any counted run was done"
				     : "no counted run gave a sample",
			sigabbrev_np(out.ended_by));
		code = err_print(&e);
	}
	groups_free(&g);
	return measure_end_by(out.ended_by, code);
}
