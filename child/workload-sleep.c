/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A program that mostly waits: what its tracer costs is hidden by the sleep, in wall time.
 */
#include <time.h>

#include "child/syscall.h"
#include "child/workload.h"

static enum child_status step(struct worker *w)
{
	struct timespec left = { 0, 10000000 };
	long ret;

	/* A tracer that stops us can make it return early. */
	do {
		w->syscalls++;
		ret = inline_call(SYS_clock_nanosleep, CLOCK_MONOTONIC, 0,
				  inline_address(&left), inline_address(&left));
	} while (ret == -EINTR);
	return ret ? worker_failed(CHILD_CALL_FAILED, "clock_nanosleep", -ret) : CHILD_DONE;
}

static enum child_status run(struct worker *w)
{
	return WORKER_LOOP(w, step, NULL);
}

const struct workload workload_sleep = {
	.name = "sleep",
	.run = run,
};
