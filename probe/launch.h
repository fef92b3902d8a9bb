/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Starting the child, held at a gate before its exec until the tracer has attached.
 *
 * Everything is allocated before fork(); between fork() and exec only async-signal-safe calls
 * are made (signal-safety(7)), the same ones for every tracer, since their CPU time lands in
 * the child's rusage. A step that fails comes back with its errno through a close-on-exec
 * pipe.
 */
#ifndef TRACETAX_LAUNCH_H
#define TRACETAX_LAUNCH_H

#include <sched.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "base/cpulist.h"
#include "base/err.h"
#include "child/report.h"
#include "probe/filter.h"

struct launch {
	/*
	 * Set by the caller. The path is kept until launch_finish(), the others until
	 * launch_fork() has returned.
	 */
	const char *path;        /* executable */
	const char *const *argv; /* NULL-ended, as the next */
	const char *const *environment;
	const struct cpulist *cpus;  /* where it may run */
	bool aslr;                   /* false: personality(ADDR_NO_RANDOMIZE) */
	int stdin_fd, stdout_fd;     /* -1: /dev/null */
	bool show_stderr;            /* our own; false: kept for launch_finish() */
	int report_fd;               /* becomes CHILD_REPORT_FD; -1: none */
	int out_fd;                  /* becomes CHILD_OUT_FD; -1: none */
	const struct filter *filter; /* installed before the gate; NULL: none */

	/* Set by launch_fork(). */
	pid_t pid;
	int listener;  /* of a FILTER_NOTIFY filter, close-on-exec, the caller's; -1: none */
	int gate_fd;   /* our end: a byte lets the child exec */
	int status_fd; /* our end: EOF after a good exec, else a struct of step and errno */
	int stderr_fd; /* the memory file that is its stderr */
};

/*
 * Fork and wait until the child is pinned, has its filter and waits at the gate: the last call
 * that it makes there is read(2), or ppoll(2) where the filter names read. A filter that names
 * both is refused (EXIT_USAGE): what it names can't be called before the tracer attends. It
 * leads a process group of its own and dies with us (PR_SET_PDEATHSIG; survives exec of a
 * program that is not set-user-ID, prctl(2)). stdin and stdout are /dev/null. Returns 0, or -1
 * with `e` set and nothing left behind.
 */
int launch_fork(struct launch *l, struct err *e);

/*
 * A memory file, close-on-exec, its descriptor above those that a child redirects: what dup2()
 * puts onto itself would keep close-on-exec. -1 with errno.
 */
int launch_memory_file(const char *name);

/* Open the gate. Async: the child execs as soon as it runs. */
int launch_release(struct launch *l, struct err *e);

/*
 * Whether the exec worked, once the child has ended or is known to have exec'ed: 0, or -1 with
 * `e` naming the step. Reads up to size - 1 bytes of what the child wrote to stderr, its last
 * newline removed, into `said`. Closes every descriptor; the caller reaps the child.
 */
int launch_finish(struct launch *l, char *said, size_t size, struct err *e);

#endif
