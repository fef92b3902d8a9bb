/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What all runs of a campaign share: the report area, the keeper, the handlers, the clock.
 */
#ifndef TRACETAX_HARNESS_H
#define TRACETAX_HARNESS_H

#include <stdbool.h>

#include "base/cpulist.h"
#include "base/err.h"
#include "child/report.h"
#include "probe/command.h"
#include "probe/keeper.h"
#include "probe/rate.h"
#include "probe/tracer.h"

/* Whatever the cells ask for, the report area holds this many windows. */
enum { HARNESS_MIN_WINDOWS = 100000 };

struct harness_options {
	struct command *command;                 /* in the place of the child; NULL: none */
	const char *prepare;                     /* shell command before each run; NULL: none */
	const char *child_path;                  /* tracetax-child */
	const struct tracer_ops *const *tracers; /* that cells may name, ended by NULL */
	const char *filter; /* system calls, comma list; NULL: all that the workload makes */
	bool like_outside;  /* every child has the environment that those of programs have */
	bool aslr;          /* leave address randomisation on */
	bool rusage_at_stops;
	int64_t timeout_ns;  /* per run */
	int64_t max_windows; /* the most of any cell: sizes the report area */
};

/* What all runs share, made once. */
struct harness {
	struct harness_options o;
	struct keeper keeper;
	struct rate rate;
	int64_t start_ns; /* CLOCK_MONOTONIC */
	int report_fd;
	struct child_report *report; /* mapped and pre-faulted */
	size_t report_size;
	double *scratch; /* max_windows of them */
	struct cpulist allowed;
};

/*
 * Make the report area (8 bytes a window), start the keeper, install the handlers of
 * watch.h, become the reaper of what the child leaves behind. 0, or -1 with `e` set.
 */
int harness_open(struct harness *h, const struct harness_options *o, struct err *e);
void harness_close(struct harness *h);

/* Move the calling process to this CPU, or with CPU_ANY to all that were allowed at the start.
 */
int harness_pin(const struct harness *h, int cpu, struct err *e);

/*
 * Where tracetax-child is: beside the running program, else in ../libexec/tracetax of it. The
 * caller frees it; NULL with `e` set when there is none.
 */
char *harness_find_child(struct err *e);

#endif
