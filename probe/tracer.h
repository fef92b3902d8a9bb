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

/* What a tracer is given, and what it counts. */
struct trace {
	pid_t child;
	bool rusage_at_stops; /* read the rusage at each stop, as the 2011 program did */

	int64_t stops; /* of every kind */
	int64_t syscall_stops;
	int64_t signals;     /* delivered to the child through us */
	int64_t group_stops; /* also seen untraced */
	int64_t forks;       /* new tracees */

	/* Set when following has reaped the child: it was killed before it could exit. */
	bool reaped;
	int status;           /* its wait status */
	struct rusage rusage; /* of the last wait that gave one */
};

struct tracer_ops {
	const char *name;
	const char *summary;
	/*
	 * Whether it works on this machine; if not, one line on why and what to type, into
	 * `why`. Called once, before the first run.
	 */
	bool (*supported)(char *why, size_t size);
	/* Attach. The child waits at its gate. -1 with `e` set when it can't be. NULL: nothing.
	 */
	int (*start)(struct trace *t, struct err *e);
	/*
	 * Observe until the child is a zombie that can still be read, or (t->reaped) gone.
	 * -1 with `e` set when observing failed; the child may then still live.
	 */
	int (*follow)(struct trace *t, struct err *e);
};

extern const struct tracer_ops tracer_none;
extern const struct tracer_ops tracer_aa;
extern const struct tracer_ops tracer_null;
extern const struct tracer_ops tracer_syscall;

/* All of them, ended by NULL. */
extern const struct tracer_ops *const tracers[];

const struct tracer_ops *tracer_find(const char *name);

/*
 * Wait until the child is a zombie, without reaping it; a stop and its SIGCONT on the way are
 * waited through and counted in t->group_stops. What tracers share at the end of a run.
 */
int tracer_await_zombie(struct trace *t, struct err *e);

#endif
