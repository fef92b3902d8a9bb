/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tracetax run: any matrix of workloads, operations, tracers and CPUs. */
#include <argp.h>
#include <stdio.h>
#include <string.h>

#include "cmd/cmd.h"
#include "cmd/matrix.h"
#include "cmd/measure.h"
#include "cmd/preset.h"

enum { OPT_PRESET = 0x200, PRESET_RUNS = 6 };

static const struct argp_option options[] = {
	{ "preset", OPT_PRESET, "NAME", 0,
	  "A canned experiment; 'list' prints them. 6 runs by default; other options go before "
	  "its own",
	  1 },
	{ 0 },
};

struct options {
	struct measure measure;
	struct matrix_options matrix;
	struct preset_parts parts;
	const char *preset; /* NULL: none */
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct options *o = state->input;
	struct err e = { 0 };

	switch (key) {
	case ARGP_KEY_INIT:
		o->parts.n = 0;
		o->preset = NULL;
		o->matrix.known = &o->measure.tracers;
		state->child_inputs[0] = &o->measure;
		state->child_inputs[1] = &o->matrix;
		return 0;
	case OPT_PRESET:
		if (!strcmp(arg, "list"))
			preset_print();
		o->preset = arg;
		return 0;
	case ARGP_KEY_ARG:
		err_set(&e, EXIT_USAGE, "run: '%s' is not an option; run takes no arguments",
			arg);
		output_usage_error(&e);
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static int make_plan(struct options *o, struct plan *p, struct err *e)
{
	o->measure.harness.filter = o->matrix.filter;
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

int cmd_run(int argc, char **argv)
{
	static char name[] = "tracetax run"; /* what argp calls us */
	static const struct argp_child children[] = { { &measure_argp, 0, NULL, 0 },
						      { &matrix_argp, 0, NULL, 0 },
						      { 0 } };
	static const struct argp argp = {
		options,
		parse,
		NULL,
		"Run every combination of the lists, interleaved in shuffled blocks, and "
		"report "
		"how the CPU times of the traced cells differ from the untraced ones.",
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
	if (make_plan(&o, &plan, &e) || measure_find_child(&o.measure, &e))
		code = err_print(&e);
	else
		code = measure_plan(&o.measure, &plan);
	plan_free(&plan);
	preset_free(&o.parts);
	matrix_free(&o.matrix);
	measure_free(&o.measure);
	return code;
}
