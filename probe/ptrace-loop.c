/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "probe/ptrace-loop.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#include "probe/status.h"

static const long seize_options = PTRACE_O_EXITKILL | PTRACE_O_TRACESYSGOOD |
				  PTRACE_O_TRACEEXEC | PTRACE_O_TRACEEXIT | PTRACE_O_TRACEFORK |
				  PTRACE_O_TRACEVFORK | PTRACE_O_TRACECLONE;

static const char refused[] =
	"ptrace is refused (%s): a seccomp filter, a container or Yama forbids it; try "
	"'docker run --cap-add=SYS_PTRACE --security-opt seccomp=unconfined', or "
	"'sysctl kernel.yama.ptrace_scope=1'; 'tracetax doctor' says more";

bool ptrace_supported(char *why, size_t size)
{
	int gate[2], error = 0;
	char byte;
	pid_t pid;

	if (pipe(gate)) {
		snprintf(why, size, "pipe: %s", strerror(errno));
		return false;
	}
	pid = fork();
	if (!pid) {
		close(gate[1]);
		_exit(read(gate[0], &byte, 1) < 0);
	}
	close(gate[0]);
	/* Without the exit event: nobody would resume it from that stop. */
	if (pid < 0 || ptrace(PTRACE_SEIZE, pid, NULL, 0L))
		error = errno;
	close(gate[1]);
	if (pid > 0)
		kill(pid, SIGKILL);
	while (pid > 0 && waitpid(pid, NULL, 0) != pid && errno == EINTR)
		;
	if (error)
		snprintf(why, size, refused, strerror(error));
	return !error;
}

int ptrace_seize(struct trace *t, struct err *e)
{
	if (ptrace(PTRACE_SEIZE, t->child, NULL, seize_options))
		return err_set(e, EXIT_MEASURE, refused, strerror(errno));
	return 0;
}

/* What the loop knows beside the counts. */
struct loop {
	struct trace *t;
	int request;
	int tracees; /* alive, the child included */
	bool child_exiting;
};

/* How to go on after a stop. */
struct resume {
	int request; /* 0: not at all */
	int sig;
};

/*
 * Count the stop and say how the tracee goes on. Nothing is asked of the kernel here.
 */
static struct resume dispatch(struct loop *l, pid_t pid, struct stop s)
{
	struct trace *t = l->t;
	struct resume go = { l->request, 0 };

	t->stops++;
	switch (s.kind) {
	case STOP_SYSCALL:
		t->syscall_stops++;
		break;
	case STOP_SIGNAL:
		t->signals++;
		go.sig = s.sig;
		break;
	case STOP_GROUP:
		t->group_stops += pid == t->child;
		go.request = PTRACE_LISTEN;
		break;
	case STOP_FORK:
		t->forks++;
		l->tracees++;
		break;
	case STOP_EXIT:
		/* No more stops to ask for: what is left of it is its exit. */
		l->child_exiting |= pid == t->child;
		go.request = PTRACE_CONT;
		break;
	case STOP_EXEC:
	case STOP_TRAP:
	case STOP_OTHER_EVENT:
		break;
	case STOP_EXITED:
	case STOP_KILLED:
		l->tracees--;
		t->stops--;
		go.request = 0;
		break;
	case STOP_CONTINUED:
	case STOP_UNKNOWN:
		t->stops--;
		go.request = 0;
		break;
	}
	return go;
}

/*
 * The next event of any tracee while there are several. The child's own end is only looked
 * at, not taken: its zombie is still to be read. Returns 0 then.
 */
static pid_t next_of_many(struct trace *t, int *status, struct rusage *ru)
{
	siginfo_t info;

	if (waitid(P_ALL, 0, &info, WEXITED | WSTOPPED | WNOWAIT | __WALL))
		return -1;
	if (info.si_pid == t->child && info.si_code != CLD_TRAPPED &&
	    info.si_code != CLD_STOPPED)
		return 0;
	return wait4(info.si_pid, status, __WALL, ru);
}

int ptrace_follow(struct trace *t, int request, struct err *e)
{
	struct loop l = { t, request, 1, false };
	struct rusage *ru = t->rusage_at_stops ? &t->rusage : NULL;

	while (l.tracees > 1 || !l.child_exiting) {
		int status;
		pid_t pid = l.tracees > 1 ? next_of_many(t, &status, ru)
					  : wait4(t->child, &status, __WALL, ru);
		struct stop s;
		struct resume go;

		if (!pid)
			return 0;
		if (pid < 0 && errno == EINTR)
			continue;
		if (pid < 0)
			return err_set(e, EXIT_MEASURE, "wait4: %s", strerror(errno));
		s = stop_classify(status);
		go = dispatch(&l, pid, s);
		if (pid == t->child && (s.kind == STOP_EXITED || s.kind == STOP_KILLED)) {
			t->reaped = true;
			t->status = status;
			return 0;
		}
		/* ESRCH: SIGKILL took it between the two calls; the next wait says so. */
		if (go.request && ptrace(go.request, pid, NULL, (long)go.sig) && errno != ESRCH)
			return err_set(e, EXIT_MEASURE, "ptrace: %s", strerror(errno));
	}
	return tracer_await_zombie(t, e);
}
