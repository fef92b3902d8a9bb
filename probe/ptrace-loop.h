/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The ptrace event loop that every ptrace tracer shares: next event, dispatch event.
 */
#ifndef TRACETAX_PTRACE_LOOP_H
#define TRACETAX_PTRACE_LOOP_H

#include "probe/tracer.h"

/* Whether a process of ours may seize its child; if not, why and what to type. */
bool ptrace_supported(char *why, size_t size);

/*
 * PTRACE_SEIZE the child (Linux 3.4; it is not stopped by that) with TRACESYSGOOD, EXITKILL
 * (3.8) and the exec, exit, fork, vfork and clone events. EXIT_MEASURE when refused, with the
 * reason and what to type.
 */
int ptrace_seize(struct trace *t, struct err *e);

/*
 * Resume every stop with `request` (PTRACE_CONT or PTRACE_SYSCALL) until the child is a
 * zombie. With one tracee each stop costs one wait4() and one ptrace(). What the child forks
 * is traced the same way, and dies with us.
 */
int ptrace_follow(struct trace *t, int request, struct err *e);

#endif
