/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What ends a run from outside: its timeout, SIGINT, SIGTERM, SIGHUP. The handlers kill the
 * child themselves, so no wait can miss them, and the run ends the way it always does: with
 * the report of its child's end.
 */
#ifndef TRACETAX_WATCH_H
#define TRACETAX_WATCH_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/err.h"

/*
 * Install the handlers. A signal that is ignored on entry (nohup) stays ignored. A second
 * SIGINT or SIGTERM has its default effect, for those who can't wait for the report.
 */
int watch_install(struct err *e);

/* Watch the child for timeout_ns from now. Before it is reaped: watch_disarm(). */
void watch_arm(pid_t child, int64_t timeout_ns);
void watch_disarm(void);

/* Whether the timeout killed the child watched last. */
bool watch_timed_out(void);

/* The signal that asked us to end, or 0. */
int watch_signal(void);

#endif
