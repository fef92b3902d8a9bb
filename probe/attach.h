/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tracing a process that lives already: watched without a tracer for a time, then traced for
 * as long, then watched again.
 *
 * It goes on unharmed, whatever happens to us. It is seized without PTRACE_O_EXITKILL: when a
 * tracer dies, the kernel detaches and resumes all its tracees (ptrace(2); kernel/ptrace.c
 * exit_ptrace(), 6.1). A stop that we have been told of and not answered is answered by that.
 * What it forks is not followed; its threads are, also those that come later.
 */
#ifndef TRACETAX_ATTACH_H
#define TRACETAX_ATTACH_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/err.h"

/* How it can be traced: a row of attach_tracers. */
struct attach_tracer {
	const char *name;
	const char *summary;
	int request;                /* after each stop; 0: not attached to at all */
	long (*at_stop)(pid_t tid); /* NULL: nothing */
};

/* All of them, ended by a row without a name. */
extern const struct attach_tracer attach_tracers[];

const struct attach_tracer *attach_tracer_find(const char *name);

/* One of the three phases. Unknown: SAMPLE_UNKNOWN. */
struct attach_phase {
	int64_t wall_ns;
	int64_t runtime_ns;  /* of its process CPU clock, exact */
	int64_t utime_ticks; /* /proc/PID/stat, USER_HZ */
	int64_t stime_ticks;
	int64_t calls;    /* system calls, by the tracepoint */
	int64_t switches; /* voluntary context switches of its threads */
};

enum { BEFORE, DURING, AFTER, ATTACH_PHASES };

struct attach {
	/* Set by the caller. */
	pid_t pid;
	const struct attach_tracer *tracer;
	int64_t duration_ns; /* of each phase */

	struct attach_phase phase[ATTACH_PHASES];
	char *no_calls;          /* why calls are unknown; NULL: they are known. The heap's. */
	int64_t threads;         /* attached to, all in all */
	int64_t stops;           /* of system calls */
	int64_t attach_pause_ns; /* the longest that a thread was kept for, attaching */
	int64_t detach_pause_ns;
	int64_t tracer_runtime_ns; /* ours, in the traced phase */
	int64_t left_behind; /* threads that could not be let go yet; they are when we end */
	bool ended;          /* the process ended by itself before we were done */
	int signal;          /* that asked us to end early; 0: none */
};

/*
 * Do it. 0 with *a filled, as far as it came; -1 with `e` set: EXIT_USAGE where there is no
 * such process, EXIT_MEASURE with who refused it and what to type. Detached from it all after
 * either.
 */
int attach_run(struct attach *a, struct err *e);

/* Release what attach_run() has put into *a. */
void attach_free(struct attach *a);

/* Why attaching to the process failed with this errno, and what to type (attach-why.c). */
int attach_refused(pid_t pid, int error, struct err *e);

#endif
