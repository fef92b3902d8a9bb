/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a wait status means to a tracer that attached with PTRACE_SEIZE, TRACESYSGOOD and the
 * exec, exit and fork events. Pure: a number in, a description out.
 *
 * Source: ptrace(2) and wait(2), man-pages 6.03; kernel/signal.c ptrace_do_notify() and
 * kernel/exit.c wait_task_stopped(), Linux 6.1.
 */
#ifndef TRACETAX_STATUS_H
#define TRACETAX_STATUS_H

enum stop_kind {
	/*
	 * The tracee is gone and, by this very report, reaped.
	 */
	STOP_EXITED, /* code: its exit status */
	STOP_KILLED, /* sig: the signal that ended it */
	/*
	 * Syscall-stop: SIGTRAP | 0x80, by TRACESYSGOOD, entry and exit alike. A SIGTRAP
	 * without the bit is a real signal.
	 */
	STOP_SYSCALL,
	/*
	 * Signal-delivery-stop: the tracee does not get `sig` unless it is resumed with it.
	 */
	STOP_SIGNAL,
	/*
	 * Group-stop: PTRACE_EVENT_STOP with a stopping signal. Resumed with PTRACE_LISTEN,
	 * the tracee stays stopped until SIGCONT, as it would untraced.
	 */
	STOP_GROUP,
	/*
	 * PTRACE_EVENT_STOP with SIGTRAP: the first stop of a new tracee, and the one after
	 * SIGCONT has ended a group-stop.
	 */
	STOP_TRAP,
	STOP_EXEC,    /* PTRACE_EVENT_EXEC: a new program, before its first instruction */
	STOP_EXIT,    /* PTRACE_EVENT_EXIT: about to exit, memory and registers still there */
	STOP_FORK,    /* PTRACE_EVENT_FORK, VFORK or CLONE: a new tracee */
	STOP_SECCOMP, /* PTRACE_EVENT_SECCOMP: a filter said RET_TRACE, before the call is made
		       */
	STOP_OTHER_EVENT, /* an event that was not asked for: event says which */
	STOP_CONTINUED,   /* WIFCONTINUED: not a stop */
	STOP_UNKNOWN,     /* a status that wait(2) does not describe */
};

struct stop {
	enum stop_kind kind;
	int sig;   /* of KILLED, SIGNAL, GROUP */
	int code;  /* of EXITED */
	int event; /* PTRACE_EVENT_*, 0 when none */
};

struct stop stop_classify(int status);

/* "stopped by SIGSTOP", "killed by SIGKILL", "exited with status 3": into buf, for messages. */
const char *stop_describe(struct stop s, char *buf, unsigned long size);

#endif
