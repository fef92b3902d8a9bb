/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Seized by ptrace and never stopped at a system call: what being a tracee costs by itself.
 * Two stops a run, at exec and at exit.
 */
#include <sys/ptrace.h>

#include "probe/ptrace-loop.h"

static int follow(struct trace *t, struct err *e)
{
	static const struct ptrace_style style = { .request = PTRACE_CONT };

	return ptrace_follow(t, &style, e);
}

const struct tracer_ops tracer_null = {
	.name = "null",
	.summary = "seized by ptrace, never stopped at a system call",
	.needs = "ptrace",
	.supported = ptrace_supported,
	.start = ptrace_seize,
	.follow = follow,
};
