/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * `run --pid`: a living process before, while and after it is traced.
 */
#ifndef TRACETAX_CMD_PID_H
#define TRACETAX_CMD_PID_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* Measure and report, as text or JSON, under each of the tracers. The exit code. */
int pid_run(pid_t pid, char *const *names, size_t n, int64_t duration_ns, bool json);

#endif
