/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * PTRACE_SYSCALL, as in 2011: two stops a system call, and at each the least a tracer can do.
 */
#include <sys/ptrace.h>

#include "probe/ptrace-loop.h"

static int follow(struct trace *t, struct err *e)
{
	return ptrace_follow(t, PTRACE_SYSCALL, e);
}

const struct tracer_ops tracer_syscall = {
	.name = "syscall",
	.summary = "PTRACE_SYSCALL: stopped at entry and exit of every system call",
	.supported = ptrace_supported,
	.start = ptrace_seize,
	.follow = follow,
};
