/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "probe/status.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/wait.h>

static struct stop classify_event(int event, int sig)
{
	struct stop s = { STOP_OTHER_EVENT, 0, 0, event };

	switch (event) {
	case PTRACE_EVENT_STOP:
		s.kind = sig == SIGTRAP ? STOP_TRAP : STOP_GROUP;
		s.sig = sig == SIGTRAP ? 0 : sig;
		break;
	case PTRACE_EVENT_EXEC:
		s.kind = STOP_EXEC;
		break;
	case PTRACE_EVENT_EXIT:
		s.kind = STOP_EXIT;
		break;
	case PTRACE_EVENT_FORK:
	case PTRACE_EVENT_VFORK:
	case PTRACE_EVENT_CLONE:
		s.kind = STOP_FORK;
		break;
	case PTRACE_EVENT_SECCOMP:
		s.kind = STOP_SECCOMP;
		break;
	default:
		break;
	}
	return s;
}

struct stop stop_classify(int status)
{
	int sig, event;

	if (WIFEXITED(status))
		return (struct stop) { STOP_EXITED, 0, WEXITSTATUS(status), 0 };
	if (WIFCONTINUED(status))
		return (struct stop) { STOP_CONTINUED, 0, 0, 0 };
	if (WIFSIGNALED(status))
		return (struct stop) { STOP_KILLED, WTERMSIG(status), 0, 0 };
	if (!WIFSTOPPED(status))
		return (struct stop) { STOP_UNKNOWN, 0, 0, 0 };
	/* WSTOPSIG() is the low byte only; the event is above it. */
	sig = WSTOPSIG(status);
	event = status >> 16;
	if (event)
		return classify_event(event, sig);
	if (sig == (SIGTRAP | 0x80))
		return (struct stop) { STOP_SYSCALL, 0, 0, 0 };
	return (struct stop) { STOP_SIGNAL, sig, 0, 0 };
}

/* "SIGKILL", or "signal 40" for those without a name. */
static void name_signal(int sig, char *buf, size_t size)
{
	const char *abbrev = sigabbrev_np(sig);

	if (abbrev)
		snprintf(buf, size, "SIG%s", abbrev);
	else
		snprintf(buf, size, "signal %d", sig);
}

const char *stop_describe(struct stop s, char *buf, unsigned long size)
{
	char name[32];

	name_signal(s.sig, name, sizeof(name));
	if (s.kind == STOP_EXITED)
		snprintf(buf, size, "exited with status %d", s.code);
	else if (s.kind == STOP_KILLED)
		snprintf(buf, size, "was killed by %s", name);
	else if (s.kind == STOP_GROUP)
		snprintf(buf, size, "was stopped by %s", name);
	else if (s.kind == STOP_SIGNAL)
		snprintf(buf, size, "got %s", name);
	else
		snprintf(buf, size, "stopped for tracing (event %d)", s.event);
	return buf;
}
