/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A seccomp filter, alone and with a ptrace tracer behind it. What the filter does not name
 * runs without a stop; what it names stops once, between entry and exit (since Linux 4.8,
 * seccomp(2), SECCOMP_RET_TRACE).
 */
#include <sys/ptrace.h>

#include "probe/ptrace-loop.h"

static bool allow_supported(char *why, size_t size)
{
	return filter_supported(FILTER_ALLOW, NULL, why, size);
}

static bool trace_supported(char *why, size_t size)
{
	return ptrace_supported(why, size) && filter_supported(FILTER_TRACE, NULL, why, size);
}

static int count(struct trace *t, struct tracee *x)
{
	(void)x;
	t->calls++;
	return 0;
}

static int follow(struct trace *t, struct err *e)
{
	static const struct ptrace_style style = { .request = PTRACE_CONT, .at_call = count };

	t->calls = 0;
	return ptrace_follow(t, &style, e);
}

const struct tracer_ops tracer_seccomp_allow = {
	.name = "seccomp-allow",
	.summary = "a seccomp filter that allows every call, and nobody behind it",
	.needs = "seccomp filters",
	.filter = FILTER_ALLOW,
	.supported = allow_supported,
	.follow = tracer_await_zombie,
};

const struct tracer_ops tracer_seccomp_trace = {
	.name = "seccomp-trace",
	.summary = "a seccomp filter stops the chosen calls for ptrace, once each",
	.needs = "ptrace, seccomp filters",
	.filter = FILTER_TRACE,
	.supported = trace_supported,
	.start = ptrace_seize,
	.follow = follow,
};
