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
	NULL,
};

bool tracer_always(char *why, size_t size)
{
	(void)why;
	(void)size;
	return true;
}

const struct tracer_ops *tracer_find(const char *name)
{
	for (size_t i = 0; tracers[i]; i++)
		if (!strcmp(tracers[i]->name, name))
			return tracers[i];
	return NULL;
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
