/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tracetax run: any matrix of workloads, operations, tracers and CPUs. */
#include <argp.h>
#include <stdio.h>
#include <string.h>

#include "base/parse.h"
#include "cmd/cmd.h"
#include "cmd/matrix.h"
#include "cmd/measure.h"
#include "cmd/pid.h"
#include "cmd/preset.h"

static const int64_t PID_DURATION_NS = 5000000000;

enum { OPT_PRESET = 0x200, OPT_SHOW_OUTPUT, OPT_IGNORE_FAILURE, OPT_PID, PRESET_RUNS = 6 };

static const struct argp_option options[] = {
	{ "preset", OPT_PRESET, "NAME", 0,
	  "A canned experiment; 'list' prints them. 6 runs by default; other options go before "
	  "its own",
	  1 },
	{ "pid", OPT_PID, "PID", 0,
	  "A process that lives already, before, while and after it is traced, --duration each "
	  "(default 5s); --tracers none, null, syscall, syscall-info (default syscall)",
	  2 },
	{ "show-output", OPT_SHOW_OUTPUT, NULL, 0, "Show what COMMAND writes", 2 },
	{ "ignore-failure", OPT_IGNORE_FAILURE, NULL, 0,
	  "Take COMMAND's runs as samples however it ends, as long as it is always the same",
	  2 },
	{ 0 },
};

struct options {
	struct measure measure;
	struct matrix_options matrix;
	struct preset_parts parts;
	int64_t pid; /* 0: none */
	struct command command;
	char **command_argv; /* NULL: none */
	const char *preset;  /* NULL: none */
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct options *o = state->input;
	struct err e = { 0 };

	switch (key) {
	case ARGP_KEY_INIT:
		o->parts.n = 0;
		o->preset = NULL;
		o->command_argv = NULL;
		o->pid = 0;
		o->command = (struct command) { .input = -1 };
		o->matrix.known = &o->measure.tracers;
		state->child_inputs[0] = &o->measure;
		state->child_inputs[1] = &o->matrix;
		return 0;
	case OPT_PRESET:
		if (!strcmp(arg, "list"))
			preset_print();
		o->preset = arg;
		return 0;
	case OPT_PID:
		if (parse_int("--pid", arg, 1, INT32_MAX, &o->pid, &e))
			output_usage_error(&e);
		return 0;
	case OPT_SHOW_OUTPUT:
		o->command.show_output = true;
		return 0;
	case OPT_IGNORE_FAILURE:
		o->command.ignore_failure = true;
		return 0;
	case ARGP_KEY_ARGS:
		if (strcmp(state->argv[state->next - 1], "--") != 0) {
			err_set(&e, EXIT_USAGE,
				"run: '%s' is not an option; a command to run stands behind --",
				state->argv[state->next]);
			output_usage_error(&e);
		}
		o->command_argv = state->argv + state->next;
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

/* The user's own program under each tracer that can take it. */
static int plan_command(struct options *o, struct plan *p, struct err *e)
{
	if (o->preset)
		return err_set(e, EXIT_USAGE, "--preset: has its own work, not a command's");
	if (matrix_plan_command(&o->matrix, o->command_argv, p, e) ||
	    tracer_list_check(&o->measure.tracers, o->matrix.tracers.item, o->matrix.tracers.n,
			      e) ||
	    command_open(&o->command, o->command_argv, e))
		return -1;
	o->measure.harness.command = &o->command;
	o->measure.harness.aslr = true; /* as it runs without us */
	return 0;
}

static int make_plan(struct options *o, struct plan *p, struct err *e)
{
	o->measure.harness.filter = o->matrix.filter;
	if (o->command_argv)
		return plan_command(o, p, e);
	if (o->command.show_output || o->command.ignore_failure)
		return err_set(e, EXIT_USAGE,
			       "run: %s is for a command behind --, and there is none",
			       o->command.show_output ? "--show-output" : "--ignore-failure");
	if (!o->preset)
		return matrix_plan(&o->matrix, p, e) ||
				       tracer_list_check(&o->measure.tracers,
							 o->matrix.tracers.item,
							 o->matrix.tracers.n, e)
			       ? -1
			       : 0;
	if (!o->measure.runs_given)
		o->measure.runs = PRESET_RUNS;
	return preset_plan(o->preset, &o->matrix, &o->measure, p, &o->parts, e);
}

/* A process that lives already: no plan, no samples. */
static int attach(struct options *o)
{
	struct matrix_options *m = &o->matrix;
	const int64_t duration_ns = m->duration_ns ? m->duration_ns : PID_DURATION_NS;
	const char *work;
	struct err e;

	m->duration_ns = 0;
	work = matrix_given_work(m);
	if (!work)
		work = o->preset                   ? "--preset"
		       : o->measure.path           ? "--output"
		       : o->command.show_output    ? "--show-output"
		       : o->command.ignore_failure ? "--ignore-failure"
		       : o->command_argv           ? "a command"
						   : NULL;
	if (work) {
		err_set(&e, EXIT_USAGE, "--pid: %s is not for a process that lives already",
			work);
		return err_print(&e);
	}
	matrix_default(m, "--tracers", "syscall");
	return pid_run((pid_t)o->pid, m->tracers.item, m->tracers.n, duration_ns,
		       !strcmp(o->measure.output.format->name, "json"));
}

int cmd_run(int argc, char **argv)
{
	static char name[] = "tracetax run"; /* what argp calls us */
	static const struct argp_child children[] = { { &measure_argp, 0, NULL, 0 },
						      { &matrix_argp, 0, NULL, 0 },
						      { 0 } };
	static const struct argp argp = {
		options,
		parse,
		"[-- COMMAND [ARG...]]",
		"Run every combination of the lists, interleaved in shuffled blocks, and "
		"report "
		"how the CPU times of the traced cells differ from the untraced ones. With "
		"COMMAND, run that program under each tracer instead.",
		children,
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
	if (o.pid)
		code = attach(&o);
	else if (make_plan(&o, &plan, &e) || measure_find_child(&o.measure, &e))
		code = err_print(&e);
	else
		code = measure_plan(&o.measure, &plan);
	plan_free(&plan);
	preset_free(&o.parts);
	command_close(&o.command);
	matrix_free(&o.matrix);
	measure_free(&o.measure);
	return code;
}
