/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "probe/ptrace-loop.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#include "probe/sample.h"

static const long seize_options =
	PTRACE_O_EXITKILL | PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACEEXEC | PTRACE_O_TRACEEXIT |
	PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK | PTRACE_O_TRACECLONE | PTRACE_O_TRACESECCOMP;

int ptrace_seize(struct trace *t, struct err *e)
{
	if (ptrace_seize_raised(t->child, seize_options))
		return err_set(e, EXIT_MEASURE, PTRACE_REFUSED, strerror(errno));
	return 0;
}

/* What the loop knows beside the counts. */
struct loop {
	struct trace *t;
	const struct ptrace_style *style;
	struct tracees tracees;
	bool child_exiting;
};

/* How to go on after a stop. */
struct resume {
	int request; /* 0: not at all */
	int sig;
};

/* Count the stop and say how the tracee goes on. Nothing is asked of the kernel here. */
static struct resume dispatch(struct loop *l, struct tracee *x, struct stop s)
{
	struct trace *t = l->t;
	struct resume go = { x->request ? x->request : l->style->request, 0 };

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
		t->group_stops += x->tid == t->child;
		go.request = PTRACE_LISTEN;
		break;
	case STOP_FORK:
		t->forks++;
		break;
	case STOP_EXIT:
		/* No more stops to ask for: what is left of it is its exit. */
		l->child_exiting |= x->tid == t->child;
		go.request = PTRACE_CONT;
		break;
	case STOP_EXEC:
		/* A thread that execs takes the place of its leader, also of one that exited.
		 */
		l->child_exiting &= x->tid != t->child;
		break;
	case STOP_SECCOMP:
	case STOP_TRAP:
	case STOP_OTHER_EVENT:
		break;
	case STOP_EXITED:
	case STOP_KILLED:
	case STOP_CONTINUED:
	case STOP_UNKNOWN:
		t->stops--;
		go.request = 0;
		break;
	}
	return go;
}

/*
 * The next event of any tracee once the child has begun to exit. Its end is only looked at,
 * not taken: its zombie is still to be read. Returns 0 then.
 */
static pid_t next_but_the_child(struct trace *t, int *status, struct rusage *ru)
{
	siginfo_t info;

	if (waitid(P_ALL, 0, &info, WEXITED | WSTOPPED | WNOWAIT | __WALL))
		return -1;
	if (info.si_pid == t->child && info.si_code != CLD_TRAPPED &&
	    info.si_code != CLD_STOPPED)
		return 0;
	return wait4(info.si_pid, status, __WALL, ru);
}

/* Waiting for one pid does not walk the list of all children (kernel/exit.c, 6.1). */
static pid_t next_event(struct loop *l, int *status, struct rusage *ru)
{
	const pid_t whom = l->tracees.alive > 1 ? -1 : l->t->child;
	pid_t pid;

	if (l->child_exiting)
		return next_but_the_child(l->t, status, ru);
	do {
		pid = wait4(whom, status, __WALL | (l->style->spin ? WNOHANG : 0), ru);
	} while (!pid);
	return pid;
}

/* Whether the SIGTRAP is the kernel's own report of a step: kill(2) and int3 have others. */
static bool is_step(pid_t tid)
{
	siginfo_t info;

	return !ptrace(PTRACE_GETSIGINFO, tid, NULL, &info) && info.si_code > 0 &&
	       info.si_code != SI_KERNEL;
}

/* What the event asks of the kernel before the tracee goes on. 0, or -1 with errno. */
static int attend(struct loop *l, struct tracee *x, struct stop s, struct resume *go)
{
	const pid_t tid = x->tid;
	unsigned long message = 0;

	if (s.kind == STOP_FORK || s.kind == STOP_EXEC) {
		if (ptrace(PTRACE_GETEVENTMSG, tid, NULL, &message))
			return -1;
		if (s.kind == STOP_FORK)
			tracees_announced(&l->tracees, (pid_t)message);
		else if ((pid_t)message != tid) /* the id that it gave up */
			tracees_gone(&l->tracees, (pid_t)message);
	}
	if (l->style->steps && s.kind == STOP_SIGNAL && s.sig == SIGTRAP && is_step(tid)) {
		l->t->signals--;
		go->sig = 0;
	}
	if (l->style->at_call && (s.kind == STOP_SYSCALL || s.kind == STOP_SECCOMP)) {
		if (l->style->at_call(l->t, x))
			return -1;
		go->request = x->request ? x->request : l->style->request;
	}
	return 0;
}

/* 0: go on; 1: the child is gone, reaped; -1 with errno. */
static int take(struct loop *l, pid_t tid, int status)
{
	const struct stop s = stop_classify(status);
	const bool ended = s.kind == STOP_EXITED || s.kind == STOP_KILLED;
	struct resume go;
	struct tracee *x;

	if (ended) {
		tracees_gone(&l->tracees, tid);
		if (tid != l->t->child)
			return 0;
		l->t->reaped = true;
		l->t->status = status;
		return 1;
	}
	x = tracees_reported(&l->tracees, tid);
	if (!x)
		return -1;
	go = dispatch(l, x, s);
	if (attend(l, x, s, &go) && errno != ESRCH)
		return -1;
	/* ESRCH: SIGKILL took it between the two calls; the next wait says so. */
	return go.request && ptrace(go.request, tid, NULL, (long)go.sig) && errno != ESRCH ? -1
											   : 0;
}

/*
 * Let go of a tracee that outlives the child. One that does not stop has ended; what has ended
 * is reaped here.
 */
static void let_go(struct tracee *x, void *child)
{
	int status;

	if (x->gone || x->tid == *(const pid_t *)child)
		return;
	ptrace(PTRACE_INTERRUPT, x->tid, NULL, 0L);
	while (waitpid(x->tid, &status, __WALL) < 0)
		if (errno != EINTR)
			return;
	if (!WIFSTOPPED(status))
		return;
	/* A signal on its way is delivered by the detaching. */
	ptrace(PTRACE_DETACH, x->tid, NULL,
	       stop_classify(status).kind == STOP_SIGNAL ? (long)WSTOPSIG(status) : 0L);
}

int ptrace_follow(struct trace *t, const struct ptrace_style *style, struct err *e)
{
	struct loop l = { .t = t, .style = style };
	struct rusage *ru = t->rusage_at_stops ? &t->rusage : NULL;
	int ret = 0;

	tracees_announced(&l.tracees, t->child);
	while (!ret && (l.tracees.alive > 1 || !l.child_exiting)) {
		int status;
		pid_t tid = next_event(&l, &status, ru);

		if (!tid)
			break;
		if (tid > 0)
			ret = take(&l, tid, status);
		else if (errno != EINTR)
			ret = -1;
	}
	if (ret < 0)
		err_set(e, EXIT_MEASURE, "following the child: %s", strerror(errno));
	if (t->calls == SAMPLE_UNKNOWN && t->syscall_stops)
		t->calls = (t->syscall_stops + 1) / 2; /* exit_group has an entry only */
	if (!ret)
		tracees_each(&l.tracees, let_go, &t->child);
	tracees_free(&l.tracees);
	if (ret)
		return ret < 0 ? -1 : 0;
	return tracer_await_zombie(t, e);
}
