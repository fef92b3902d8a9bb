/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The set of tracees of a ptrace tracer, by thread id.
 *
 * A new tracee may report before its parent's event announces it, and may then even be gone
 * (ptrace(2), PTRACE_O_TRACECLONE; wait4(-1) does not keep the order of events). So one that
 * has reported unannounced and gone is remembered until the announcement comes.
 */
#ifndef TRACETAX_TRACEES_H
#define TRACETAX_TRACEES_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct tracee {
	pid_t tid;
	bool announced; /* by its parent's event, or it is the first */
	bool gone;
	int request; /* how it was resumed last; 0: not yet */
	int state;   /* the tracer's own, 0 for a new one */
};

struct tracees {
	void *tree;          /* tsearch(3) of struct tracee, by tid */
	struct tracee *last; /* the one found last */
	size_t alive;
};

/* The tracee, or NULL: none that lives. */
struct tracee *tracees_find(struct tracees *t, pid_t tid);

/* It has reported: added when it is new. */
struct tracee *tracees_reported(struct tracees *t, pid_t tid);

/* Its parent has announced it: added when it is new, unless it has come and gone. */
void tracees_announced(struct tracees *t, pid_t tid);

/* It has ended, or lost its id to exec. One that is none is ignored. */
void tracees_gone(struct tracees *t, pid_t tid);

/* Call f for each, also those that are gone and not yet announced. */
void tracees_each(struct tracees *t, void (*f)(struct tracee *x, void *arg), void *arg);

void tracees_free(struct tracees *t);

#endif
