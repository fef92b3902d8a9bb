/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What /proc says of one process and of the CPUs: the files that are witnesses of a run. The
 * parsers are pure; the readers take the root under which /proc is found ("" is this
 * machine's).
 */
#ifndef TRACETAX_WITNESS_H
#define TRACETAX_WITNESS_H

#include <stdint.h>
#include <sys/types.h>

#include "probe/sample.h"

/*
 * /proc/PID/schedstat: "run_ns wait_ns slices". The first is sum_exec_runtime of that task
 * alone, the second the time it was runnable without running
 * (Documentation/scheduler/sched-stats.rst; fs/proc/base.c proc_pid_schedstat(), 6.1). It can
 * be read of a zombie. Needs CONFIG_SCHED_INFO; zeros without.
 */
struct schedstat {
	int64_t run_ns;
	int64_t wait_ns;
};

/* proc(5), /proc/PID/stat. Of a zombie utime and stime are final. */
struct pidstat {
	int64_t utime_ticks; /* field 14, USER_HZ */
	int64_t stime_ticks; /* field 15 */
	int64_t cpu;         /* field 39, last ran on */
};

/* proc(5), /proc/stat, one "cpuN" line, converted from USER_HZ ticks. */
struct cpustat {
	int64_t irq_ns;
	int64_t softirq_ns;
	int64_t steal_ns;
};

/* Each fills *out, every field SAMPLE_UNKNOWN when the text does not say. */
void witness_parse_schedstat(const char *text, struct schedstat *out);
void witness_parse_stat(const char *text, struct pidstat *out);
void witness_parse_cpustat(const char *text, int cpu, struct cpustat *out);
/* se.nr_migrations of /proc/PID/sched; needs CONFIG_SCHED_DEBUG before 6.15. */
int64_t witness_parse_migrations(const char *text);

/* The same, read; unknown when the file can't be. */
void witness_schedstat(const char *root, pid_t pid, struct schedstat *out);
void witness_stat(const char *root, pid_t pid, struct pidstat *out);
int64_t witness_migrations(const char *root, pid_t pid);

/*
 * Summed over the CPUs a run uses: `cpu` and, when it is another one, `tracer_cpu`. -1 for
 * either is "any": then the sum is over all CPUs.
 */
void witness_cpustat(const char *root, int cpu, int tracer_cpu, struct cpustat *out);

/*
 * The process CPU clock of another process, also of a zombie: clock_getcpuclockid(3). The sum
 * of its threads' sum_exec_runtime, in ns.
 */
int64_t witness_cpuclock(pid_t pid);

#endif
