/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What `run` and `lkml2011` share: the options of a campaign, and making it.
 */
#ifndef TRACETAX_CMD_MEASURE_H
#define TRACETAX_CMD_MEASURE_H

#include <argp.h>
#include <stdbool.h>

#include "cmd/output.h"
#include "cmd/tracer-list.h"
#include "probe/plan.h"
#include "probe/run.h"

struct measure {
	int64_t runs;
	bool runs_given;
	uint32_t seed;
	const char *path; /* -o; NULL: samples are not kept */
	char *child_path;
	bool quiet;
	struct tracer_list tracers;
	const char *preset;  /* of a canned experiment; NULL: none */
	json_t *unavailable; /* tracers that were wanted: why not; NULL: none */
	struct harness_options harness;
	struct output output;
	/* As typed, for the campaign line. */
	char **argv;
};

/* For argp_child; its input is a struct measure, which it initialises. */
extern const struct argp measure_argp;

/*
 * Run the plan, print the report. The exit code; where a signal cut the campaign short, the
 * report is printed and the process dies of that signal.
 */
int measure_plan(struct measure *m, struct plan *p);

/*
 * Die of the signal that asked the campaign to end, the way a program does that does not catch
 * it, so that the shell knows. Where there is none (0) the exit code is returned.
 */
int measure_end_by(int sig, int code);

/* Fill m->harness.child_path where no option has. */
int measure_find_child(struct measure *m, struct err *e);

void measure_free(struct measure *m);

#endif
