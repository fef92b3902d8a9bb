/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Operations only, no system call in the loop: what tracing does to a program that never
 * enters the kernel by itself.
 */
#include "child/counter.h"
#include "child/workload.h"

static enum child_status run(const struct job *job, uint64_t *syscalls)
{
	for (uint64_t i = 0; i < job->iterations; i++) {
		if (job->window) {
			uint64_t opened = counter_read();

			job->op(job->ops);
			job->window[i] = counter_read() - opened;
		} else {
			job->op(job->ops);
		}
	}
	*syscalls = 0;
	return CHILD_DONE;
}

const struct workload workload_compute = {
	.name = "compute",
	.summary = "N operations and no system call",
	.run = run,
};
