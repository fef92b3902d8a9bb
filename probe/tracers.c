/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <errno.h>
#include <string.h>
#include <sys/wait.h>

#include "probe/tracer.h"

/* In the order of the ladder: from the least to the most that is done to the child. */
const struct tracer_ops *const tracers[] = {
	&tracer_none,
	&tracer_aa,
	&tracer_seccomp_allow,
	&tracer_count,
	&tracer_ring,
	&tracer_dispatch,
	&tracer_null,
	&tracer_notify_sync,
	&tracer_notify,
	&tracer_sysemu,
	&tracer_seccomp_trace,
	&tracer_syscall,
	&tracer_syscall_spin,
	&tracer_syscall_info,
	&tracer_syscall_regs,
	&tracer_singlestep,
	/* Programs of their own. */
	&tracer_strace_seccomp,
	&tracer_strace,
	&tracer_strace_c,
	&tracer_strace_cw,
	&tracer_perf_stat,
	&tracer_perf_trace,
	&tracer_perf_trace_s,
	&tracer_bpftrace_count,
	&tracer_gdb,
	&tracer_ltrace,
	NULL,
};

bool tracer_always(char *why, size_t size)
{
	(void)why;
	(void)size;
	return true;
}

const struct tracer_ops *tracer_find(const struct tracer_ops *const *list, const char *name)
{
	for (size_t i = 0; list[i]; i++)
		if (!strcmp(list[i]->name, name))
			return list[i];
	return NULL;
}

bool tracer_supported(const struct tracer_ops *t, char *why, size_t size)
{
	return t->outside ? outside_supported(t->outside, why, size) : t->supported(why, size);
}

int tracer_await_zombie(struct trace *t, struct err *e)
{
	for (;;) {
		siginfo_t info;
		int got = waitid(P_PID, (id_t)t->child, &info, WEXITED | WSTOPPED | WNOWAIT);

		if (got && errno == EINTR)
			continue;
		if (got)
			return err_set(e, EXIT_MEASURE, "waitid: %s", strerror(errno));
		if (info.si_code != CLD_STOPPED)
			return 0;
		/* Take the stop off, or the next wait would report it again. */
		t->group_stops++;
		if (waitid(P_PID, (id_t)t->child, &info, WSTOPPED | WNOHANG))
			return err_set(e, EXIT_MEASURE, "waitid: %s", strerror(errno));
	}
}
