/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tracetax report: samples to text, JSON, CSV or Markdown. */
#include <argp.h>
#include <stdlib.h>

#include "base/parse.h"
#include "cmd/cmd.h"
#include "cmd/output.h"

enum { OPT_SEED = 0x100 };

struct options {
	struct output output;
	uint32_t seed;
	char **files;
	int n_files;
};

static const struct argp_option options[] = {
	{ "seed", OPT_SEED, "N", 0, "Seed of the bootstrap (default 2011)", 10 },
	{ 0 },
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct options *o = state->input;
	struct err e;
	int64_t v;

	switch (key) {
	case ARGP_KEY_INIT:
		*o = (struct options) { .seed = 2011 };
		state->child_inputs[0] = &o->output;
		return 0;
	case OPT_SEED:
		if (parse_int("--seed", arg, 0, UINT32_MAX, &v, &e))
			output_usage_error(&e);
		o->seed = (uint32_t)v;
		return 0;
	case ARGP_KEY_ARGS:
		o->files = state->argv + state->next;
		o->n_files = state->argc - state->next;
		return 0;
	case ARGP_KEY_NO_ARGS:
		err_set(&e, EXIT_USAGE,
			"report: no FILE; name one or more, or - for standard input");
		output_usage_error(&e);
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

int cmd_report(int argc, char **argv)
{
	static char name[] = "tracetax report"; /* what argp calls us */
	static const struct argp_child children[] = { { &output_argp, 0, NULL, 0 }, { 0 } };
	static const struct argp argp = {
		options,
		parse,
		"FILE...",
		"Report on samples that 'tracetax run -o FILE' has written. - is standard "
		"input. "
		"Files of several campaigns and machines can be given or concatenated; runs of "
		"one "
		"machine are pooled.",
		children,
		NULL,
		NULL,
	};
	struct options o;
	struct groups g;
	struct err e;
	int code = EXIT_FINE;

	argv[0] = name;
	argp_parse(&argp, argc, argv, 0, NULL, &o);
	groups_init(&g);
	for (int i = 0; i < o.n_files && code == EXIT_FINE; i++) {
		size_t torn = 0;

		if (samples_read(o.files[i], &groups_sink, &g, &torn, &e))
			code = err_print(&e);
		g.torn += torn;
	}
	groups_finish(&g);
	if (code == EXIT_FINE)
		code = output_report(&o.output, &g, o.seed);
	groups_free(&g);
	output_free(&o.output);
	return code;
}
