/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * PTRACE_SINGLESTEP: a stop after every instruction of the child, start-up and all. For small
 * N and few iterations.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/ptrace.h>

#include "probe/ptrace-loop.h"

static int follow(struct trace *t, struct err *e)
{
	static const struct ptrace_style style = {
		.request = PTRACE_SINGLESTEP,
		.steps = true,
	};

	return ptrace_follow(t, &style, e);
}

const struct tracer_ops tracer_singlestep = {
	.name = "singlestep",
	.summary = "PTRACE_SINGLESTEP: a stop after every instruction; for small N",
	.needs = "ptrace",
	.supported = ptrace_supported,
	.start = ptrace_seize,
	.follow = follow,
};
