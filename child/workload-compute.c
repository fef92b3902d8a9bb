/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Operations only, no system call in the loop: what tracing does to a program that never
 * enters the kernel by itself.
 */
#include "child/workload.h"

static inline enum child_status nothing(struct worker *w)
{
	(void)w;
	return CHILD_DONE;
}

static enum child_status run(struct worker *w)
{
	return WORKER_LOOP(w, nothing, NULL);
}

const struct workload workload_compute = {
	.name = "compute",
	.run = run,
};
