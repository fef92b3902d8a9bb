/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tracers: how a child is observed. One file each, its ops table last; the array of all is in
 * tracers.c. Adding one is a file and a line there.
 */
#ifndef TRACETAX_TRACER_H
#define TRACETAX_TRACER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/resource.h>
#include <sys/types.h>

#include "base/err.h"
#include "probe/filter.h"
#include "probe/outside.h"

/* What a tracer is given, and what it counts. */
struct trace {
	pid_t child;
	int listener;         /* of the child's seccomp filter; -1: none */
	bool rusage_at_stops; /* read the rusage at each stop, as the 2011 program did */

	int64_t stops; /* of every kind */
	int64_t syscall_stops;
	int64_t signals;     /* delivered to the child through us */
	int64_t group_stops; /* also seen untraced */
	int64_t forks;       /* new tracees */
	int64_t calls;       /* system calls seen; SAMPLE_UNKNOWN: it does not count them */
	int64_t lost;        /* events it was told of having missed; as above */

	void *own; /* the tracer's, from start() to finish() */

	/* Set when following has reaped the child: it was killed before it could exit. */
	bool reaped;
	int status;           /* its wait status */
	struct rusage rusage; /* of the last wait that gave one */
};

struct tracer_ops {
	const char *name;
	const char *summary;
	const char *needs; /* of the kernel and of permission, for the list */
	bool other_cpu;    /* it would never let the child run on its own CPU */
	bool in_process;   /* the child does it to itself: it is told so */
	/* What the child's seccomp filter says to the chosen calls. */
	enum filter_action filter;
	/* A program of its own; the rest is for tracers that are not. */
	const struct outside *outside;
	/*
	 * Whether it works on this machine; if not, one line on why and what to type, into
	 * `why`. Called once, before the first run.
	 */
	bool (*supported)(char *why, size_t size);
	/*
	 * Attach. The child waits at its gate, its filter installed. -1 with `e` set when it
	 * can't be. NULL: nothing.
	 */
	int (*start)(struct trace *t, struct err *e);
	/*
	 * Observe until the child is a zombie that can still be read, or (t->reaped) gone.
	 * -1 with `e` set when observing failed; the child may then still live.
	 */
	int (*follow)(struct trace *t, struct err *e);
	/* Count what is left to count and release t->own. Once start() has been called. */
	void (*finish)(struct trace *t);
};

extern const struct tracer_ops tracer_none;
extern const struct tracer_ops tracer_aa;
extern const struct tracer_ops tracer_null;
extern const struct tracer_ops tracer_syscall;
extern const struct tracer_ops tracer_syscall_spin;
extern const struct tracer_ops tracer_syscall_info;
extern const struct tracer_ops tracer_syscall_regs;
extern const struct tracer_ops tracer_seccomp_allow;
extern const struct tracer_ops tracer_seccomp_trace;
extern const struct tracer_ops tracer_notify;
extern const struct tracer_ops tracer_notify_sync;
extern const struct tracer_ops tracer_sysemu;
extern const struct tracer_ops tracer_singlestep;
extern const struct tracer_ops tracer_dispatch;
extern const struct tracer_ops tracer_count;
extern const struct tracer_ops tracer_ring;

extern const struct tracer_ops tracer_strace;
extern const struct tracer_ops tracer_strace_c;
extern const struct tracer_ops tracer_strace_cw;
extern const struct tracer_ops tracer_strace_seccomp;
extern const struct tracer_ops tracer_perf_stat;
extern const struct tracer_ops tracer_perf_trace;
extern const struct tracer_ops tracer_perf_trace_s;
extern const struct tracer_ops tracer_bpftrace_count;
extern const struct tracer_ops tracer_gdb;
extern const struct tracer_ops tracer_ltrace;

/* All of them, ended by NULL. */
extern const struct tracer_ops *const tracers[];

/* In a list like the one above. */
const struct tracer_ops *tracer_find(const struct tracer_ops *const *list, const char *name);

/* Its `supported`, or that of the program that it is. */
bool tracer_supported(const struct tracer_ops *t, char *why, size_t size);

/* For `supported`: it works everywhere. */
bool tracer_always(char *why, size_t size);

/*
 * Wait until the child is a zombie, without reaping it; a stop and its SIGCONT on the way are
 * waited through and counted in t->group_stops. What tracers share at the end of a run.
 */
int tracer_await_zombie(struct trace *t, struct err *e);

#endif
