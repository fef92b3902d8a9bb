/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The ptrace event loop that every ptrace tracer shares: next event, dispatch event.
 */
#ifndef TRACETAX_PTRACE_LOOP_H
#define TRACETAX_PTRACE_LOOP_H

#include "probe/status.h"
#include "probe/tracees.h"
#include "probe/tracer.h"

/* What one ptrace tracer does differently from another. */
struct ptrace_style {
	int request; /* resumes every stop: PTRACE_CONT, SYSCALL, SYSEMU, SINGLESTEP */
	bool spin;   /* polls for events instead of sleeping */
	bool steps;  /* a SIGTRAP that nobody sent is a step, not a signal */
	/*
	 * At a syscall-stop or seccomp-stop: look at the tracee, set x->request where it is
	 * to be another one now. 0, or -1 with errno; ESRCH is not an error: SIGKILL can take
	 * the tracee at any moment. NULL: nothing.
	 */
	int (*at_call)(struct trace *t, struct tracee *x);
};

/* With an errno's text. */
#define PTRACE_REFUSED                                                                         \
	"ptrace is refused (%s): a seccomp filter, a container or Yama forbids it; try "       \
	"'docker run --cap-add=SYS_PTRACE --security-opt seccomp=unconfined', or "             \
	"'sysctl kernel.yama.ptrace_scope=1'; 'tracetax doctor' says more"

/* PTRACE_SEIZE with the capability that it may need; 0, or -1 with errno. */
long ptrace_seize_raised(pid_t tid, long options);

/* Whether a process of ours may seize its child; if not, why and what to type. */
bool ptrace_supported(char *why, size_t size);

/*
 * The same, and whether a request works on a child that is stopped: `request` returns what
 * ptrace() does. `since` is for the message: "PTRACE_SYSEMU, Linux 2.6.14".
 */
bool ptrace_request_supported(long (*request)(pid_t pid), const char *since, char *why,
			      size_t size);

/*
 * PTRACE_SEIZE the child (Linux 3.4; it is not stopped by that) with TRACESYSGOOD, EXITKILL
 * (3.8) and the exec, exit, fork, vfork, clone and seccomp (3.5) events. EXIT_MEASURE when
 * refused, with the reason and what to type.
 */
int ptrace_seize(struct trace *t, struct err *e);

/*
 * Resume every stop in that style until the child is a zombie. Each stop costs one wait4()
 * and one ptrace() and what the style adds. What the child forks and its threads are traced
 * the same way, and die with us.
 *
 * t->calls: half the syscall-stops, unless the style counts itself.
 */
int ptrace_follow(struct trace *t, const struct ptrace_style *style, struct err *e);

#endif
