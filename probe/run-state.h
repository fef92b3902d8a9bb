/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A run between its steps: what run.c and run-launch.c, the two halves of run_cell(), share.
 */
#ifndef TRACETAX_RUN_STATE_H
#define TRACETAX_RUN_STATE_H

#include <sys/resource.h>

#include "probe/child-argv.h"
#include "probe/launch.h"
#include "probe/run.h"
#include "probe/tracer.h"
#include "probe/witness.h"

struct run {
	struct harness *h;
	const struct cell *c;
	struct sample *s;
	const struct tracer_ops *tracer;
	struct command *command; /* NULL: the child is tracetax-child */
	struct child_argv argv;
	struct filter filter;
	struct launch launch;
	struct trace trace;
	char *child_path;   /* of the dynamic child; NULL: not needed; the heap's */
	char *program_path; /* of a tracer that is a program; the heap's */
	int64_t outside_runtime_ns;
	struct cpustat cpu_before;
	int64_t migrations_before;
	struct rusage self_before;
	int64_t released_ns, self_runtime_before;
};

/*
 * Start the child, the command in its place or the program that traces it, and hold it at its
 * gate. 0, or -1 with `e` set and nothing left but what run_release() releases.
 */
int run_launch(struct run *r, struct err *e);

/* Memory and descriptors; whether or not it was launched. */
void run_release(struct run *r);

#endif
