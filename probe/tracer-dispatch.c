/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Syscall User Dispatch: no other process at all, the child's calls come back to itself as
 * SIGSYS (child/dispatch.h). Its handler's user time is the child's own, outside its windows.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "probe/tracer.h"

#ifndef PR_SET_SYSCALL_USER_DISPATCH
#define PR_SET_SYSCALL_USER_DISPATCH 59
#define PR_SYS_DISPATCH_ON           1
#endif

static bool supported(char *why, size_t size)
{
#if defined(__x86_64__)
	static char let_through;
	int status = 0;
	pid_t pid = fork();

	if (!pid)
		_exit(prctl(PR_SET_SYSCALL_USER_DISPATCH, PR_SYS_DISPATCH_ON, 0UL, 0UL,
			    &let_through)
			      ? errno
			      : 0);
	while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	if (pid > 0 && WIFEXITED(status) && !WEXITSTATUS(status))
		return true;
	snprintf(why, size, "prctl(PR_SET_SYSCALL_USER_DISPATCH): %s; it needs Linux 5.11",
		 strerror(pid > 0 ? WEXITSTATUS(status) : errno));
#else
	snprintf(why, size, "the child's handler of SIGSYS is written for x86-64 only");
#endif
	return false;
}

const struct tracer_ops tracer_dispatch = {
	.name = "dispatch",
	.summary = "Syscall User Dispatch: SIGSYS in the process itself",
	.needs = "Linux 5.11, x86-64",
	.in_process = true,
	.supported = supported,
	.follow = tracer_await_zombie,
};
