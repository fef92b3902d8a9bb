/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <errno.h>
#include <string.h>
#include <sys/wait.h>

#include "probe/tracer.h"

const struct tracer_ops *const tracers[] = {
	&tracer_none, &tracer_aa, &tracer_null, &tracer_syscall, NULL,
};

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
