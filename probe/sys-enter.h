/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The kernel's tracepoint at the entry of system calls, raw_syscalls:sys_enter, as a perf
 * event. perf_event_open(2); needs tracefs for its number, CONFIG_FTRACE_SYSCALLS, and
 * CAP_PERFMON or kernel.perf_event_paranoid=-1 (Documentation/admin-guide/perf-security.rst,
 * 6.1).
 */
#ifndef TRACETAX_SYS_ENTER_H
#define TRACETAX_SYS_ENTER_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/err.h"

/*
 * Its attributes: counts what the task and all that it forks later do, disabled. 0, or -1 with
 * `e` set (EXIT_MEASURE) and what to type.
 */
int sys_enter_attr(struct perf_event_attr *attr, struct err *e);

/* Open it for one task, on one CPU or (-1) all. Close-on-exec. -1 with `e` set. */
int sys_enter_open(struct perf_event_attr *attr, pid_t tid, int cpu, struct err *e);

/* How many there were, and close it; -1 is ignored. */
int64_t sys_enter_close(int fd);

/* How many there were so far. */
int64_t sys_enter_read(int fd);

/* For `supported`. */
bool sys_enter_supported(char *why, size_t size);

#endif
