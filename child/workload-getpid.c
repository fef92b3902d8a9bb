/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The call that does least: what is left of its cost is entering and leaving the kernel.
 */
#include "child/syscall.h"
#include "child/workload.h"

static inline __attribute__((always_inline)) enum child_status inline_step(struct worker *w)
{
	long pid = inline_call(SYS_getpid, 0, 0, 0, 0);

	(void)w;
	return pid > 0 ? CHILD_DONE : worker_failed(CHILD_CALL_FAILED, "getpid", -pid);
}

static enum child_status step(struct worker *w)
{
	return inline_step(w);
}

static enum child_status run(struct worker *w)
{
	return WORKER_LOOP(w, inline_step, NULL);
}

const struct workload workload_getpid = {
	.name = "getpid",
	.calls_each = 1,
	.step = step,
	.run = run,
};
