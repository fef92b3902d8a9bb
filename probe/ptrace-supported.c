/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#include "probe/caps.h"
#include "probe/ptrace-loop.h"

long ptrace_seize_raised(pid_t tid, long options)
{
	long ret;

	caps_raise(CAPS_PTRACE);
	ret = ptrace(PTRACE_SEIZE, tid, NULL, options);
	caps_lower(CAPS_PTRACE);
	return ret;
}

/* A child that waits, seized; -1 with errno when it can't be. */
static pid_t seized_child(void)
{
	int gate[2], error;
	char byte;
	pid_t pid;

	if (pipe(gate))
		return -1;
	pid = fork();
	if (!pid) {
		close(gate[1]);
		_exit(read(gate[0], &byte, 1) < 0);
	}
	error = errno;
	close(gate[0]);
	/* Without the exit event: nobody would resume it from that stop. */
	if (pid > 0 && ptrace_seize_raised(pid, 0)) {
		error = errno;
		kill(pid, SIGKILL);
		while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
			;
		pid = -1;
	}
	/* What holds it now is its tracer: the read returns, and the exit is a stop or an end.
	 */
	if (pid > 0 && ptrace(PTRACE_INTERRUPT, pid, NULL, 0L))
		error = errno;
	close(gate[1]);
	errno = error;
	return pid;
}

static void end(pid_t pid)
{
	int status;

	kill(pid, SIGKILL);
	while (waitpid(pid, &status, __WALL) < 0 ? errno == EINTR : WIFSTOPPED(status))
		;
}

bool ptrace_supported(char *why, size_t size)
{
	pid_t pid = seized_child();

	if (pid > 0) {
		end(pid);
		return true;
	}
	snprintf(why, size, PTRACE_REFUSED, strerror(errno));
	return false;
}

bool ptrace_request_supported(long (*request)(pid_t pid), const char *since, char *why,
			      size_t size)
{
	pid_t pid = seized_child();
	int status, error = 0;

	if (pid < 0) {
		snprintf(why, size, PTRACE_REFUSED, strerror(errno));
		return false;
	}
	while (waitpid(pid, &status, __WALL) < 0 && errno == EINTR)
		;
	if (!WIFSTOPPED(status)) {
		snprintf(why, size, "the child ended instead of stopping for the trial");
		return false;
	}
	if (request(pid) < 0)
		error = errno;
	end(pid);
	if (error)
		snprintf(why, size, "%s: %s", since, strerror(error));
	return !error;
}
