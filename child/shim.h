/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Between a tracer that is a program and a command of the user's: the tracer starts us, we
 * start the command, wait for it and report its CPU time, which otherwise only the tracer
 * would learn. It has to follow forks for that.
 */
#ifndef TRACETAX_CHILD_SHIM_H
#define TRACETAX_CHILD_SHIM_H

#include "child/report.h"

/*
 * Run the program with that argv, NULL-ended, on that CPU (-1: anywhere); its rusage (with what
 * it waited for), wall time and wait status into the report. Its own exit status, or 128 and
 * the signal that ended it; CHILD_CALL_FAILED after a message when it can't be started.
 */
int shim_run(const char *path, char **argv, int cpu, struct child_report *report);

#endif
