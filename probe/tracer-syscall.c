/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * PTRACE_SYSCALL, as in 2011: two stops a system call. `syscall` does at each the least that a
 * tracer can do; the others add one thing to that.
 */
#include <elf.h>
#include <stdint.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <sys/user.h>

#include "probe/ptrace-loop.h"

static int follow(struct trace *t, struct err *e)
{
	static const struct ptrace_style style = { .request = PTRACE_SYSCALL };

	return ptrace_follow(t, &style, e);
}

static int follow_spin(struct trace *t, struct err *e)
{
	static const struct ptrace_style style = { .request = PTRACE_SYSCALL, .spin = true };

	return ptrace_follow(t, &style, e);
}

/* Number and arguments at entry, the result at exit: ptrace(2), since Linux 5.3. */
static int get_info(struct trace *t, struct tracee *x)
{
	struct __ptrace_syscall_info info = { .op = PTRACE_SYSCALL_INFO_NONE };

	if (ptrace(PTRACE_GET_SYSCALL_INFO, x->tid, sizeof(info), &info) < 0)
		return -1;
	t->calls += info.op == PTRACE_SYSCALL_INFO_ENTRY;
	return 0;
}

static int follow_info(struct trace *t, struct err *e)
{
	static const struct ptrace_style style = {
		.request = PTRACE_SYSCALL,
		.at_call = get_info,
	};

	t->calls = 0;
	return ptrace_follow(t, &style, e);
}

static int get_regs(struct trace *t, struct tracee *x)
{
	struct user_regs_struct regs;
	struct iovec to = { &regs, sizeof(regs) };

	(void)t;
	/* The kernel takes the regset's number in the place of an address. */
	return ptrace(PTRACE_GETREGSET, x->tid, NT_PRSTATUS, &to) ? -1 : 0;
}

static int follow_regs(struct trace *t, struct err *e)
{
	static const struct ptrace_style style = {
		.request = PTRACE_SYSCALL,
		.at_call = get_regs,
	};

	return ptrace_follow(t, &style, e);
}

static long try_info(pid_t pid)
{
	struct __ptrace_syscall_info info;

	return ptrace(PTRACE_GET_SYSCALL_INFO, pid, sizeof(info), &info);
}

static bool info_supported(char *why, size_t size)
{
	return ptrace_request_supported(try_info, "PTRACE_GET_SYSCALL_INFO, Linux 5.3", why,
					size);
}

const struct tracer_ops tracer_syscall = {
	.name = "syscall",
	.summary = "PTRACE_SYSCALL: stopped at entry and exit of every system call",
	.needs = "ptrace",
	.supported = ptrace_supported,
	.start = ptrace_seize,
	.follow = follow,
};

const struct tracer_ops tracer_syscall_spin = {
	.name = "syscall-spin",
	.summary = "the same, polling for stops instead of sleeping",
	.needs = "ptrace, a CPU of its own",
	.other_cpu = true,
	.supported = ptrace_supported,
	.start = ptrace_seize,
	.follow = follow_spin,
};

const struct tracer_ops tracer_syscall_info = {
	.name = "syscall-info",
	.summary = "PTRACE_SYSCALL with PTRACE_GET_SYSCALL_INFO at each stop",
	.needs = "ptrace, Linux 5.3",
	.supported = info_supported,
	.start = ptrace_seize,
	.follow = follow_info,
};

const struct tracer_ops tracer_syscall_regs = {
	.name = "syscall-regs",
	.summary = "PTRACE_SYSCALL with PTRACE_GETREGSET at each stop",
	.needs = "ptrace",
	.supported = ptrace_supported,
	.start = ptrace_seize,
	.follow = follow_regs,
};
