/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How a CPU's time is split into user and system time, and how to find out.
 *
 * From the configuration (kernel/time/Kconfig, init/Kconfig, include/linux/vtime.h, 6.12):
 * CONFIG_VIRT_CPU_ACCOUNTING_NATIVE measures on every CPU (s390, powerpc);
 * CONFIG_VIRT_CPU_ACCOUNTING_GEN measures only on CPUs with context tracking, which are those
 * of nohz_full=, or all of them with CONFIG_CONTEXT_TRACKING_USER_FORCE (before 5.19
 * CONFIG_CONTEXT_TRACKING_FORCE); everything else is sampled by the tick.
 * CONFIG_NO_HZ_FULL selects CONFIG_VIRT_CPU_ACCOUNTING_GEN.
 *
 * By experiment: a child pinned to the CPU spends equal time in user mode and in the kernel,
 * in slices of 1/64 to 1/16 of a tick, three ticks in all. wait4() says what share was user:
 * - measured: close to 1/2. (_GEN flushes to the task only what has reached a whole tick:
 *   vtime_account_system(), vtime_user_exit() in kernel/sched/cputime.c, and what is left
 *   when a task ends is lost. With 1.5 ticks on each side both flush once. A run of less
 *   than a tick would come out as all user, like a sampled run that caught no system tick;
 *   hence three ticks and not a part of one.)
 * - sampled: a multiple of 1/3, as three ticks fall into the run: 0, 1/3, 2/3 or 1. When
 *   interruptions make it two or four ticks, 1/2 comes up in 1/2 or 3/8 of the runs; with no
 *   number of ticks more often than that.
 * Before 4.13 (2a42eb9594a1) _GEN measured in jiffies, and the experiment says "sampled".
 */
#ifndef TRACETAX_ACCOUNTING_H
#define TRACETAX_ACCOUNTING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cpulist.h"
#include "base/err.h"

enum accounting_mode {
	ACCOUNTING_UNKNOWN,
	ACCOUNTING_TICK,        /* sampled HZ times a second */
	ACCOUNTING_VIRT_GEN,    /* measured at each kernel entry and exit, then scaled */
	ACCOUNTING_VIRT_NATIVE, /* measured, not scaled */
};

/* "unknown", "tick", "virt-gen", "virt-native". */
const char *accounting_mode_name(enum accounting_mode mode);

/* What is known of the configuration. */
struct accounting_config {
	bool have_config;        /* the next three come from the kernel config */
	bool native, gen, force; /* VIRT_CPU_ACCOUNTING_NATIVE, _GEN, CONTEXT_TRACKING_*FORCE */
	bool have_nohz_full;     /* the list comes from the kernel or its command line */
	struct cpulist nohz_full;
};

/* The mode of one CPU, as far as the configuration tells; else ACCOUNTING_UNKNOWN. Pure. */
enum accounting_mode accounting_by_config(const struct accounting_config *c, int cpu);

enum accounting_verdict {
	ACCOUNTING_UNDECIDED,
	ACCOUNTING_SAMPLED,
	ACCOUNTING_MEASURED,
};

enum {
	ACCOUNTING_RUNS = 24,
	ACCOUNTING_RUNS_MIN =
		12, /* fewer good runs decide nothing: 1/2^12 is the last below 1/1000 */
};

/*
 * Classify user shares (0 to 1), one a run.
 * - Measured: more runs are within 0.08 of 1/2 than sampled accounting gives, where at most
 *   1/2 of the runs are.
 * - Sampled: more runs are at 0, 1/4, 1/3, 2/3, 3/4 or 1, within 0.005, than measured
 *   accounting gives. Six such bands are 5 % of all shares; 1/5 is granted for disturbed runs.
 * Either verdict is given only where the binomial tail under the other mode is below 1/1000:
 * that is its error rate. Everything else is undecided. Pure.
 */
enum accounting_verdict accounting_classify(const double *share, size_t n);

/*
 * Do the experiment on all the CPUs of the list at once: 24 rounds of a few ticks, a third of
 * a second at HZ=250. verdict[i] is that of cpus->cpu[i]; a CPU the process may not run on
 * stays undecided. `tick_ns` is the length of a tick. 0, or -1 with `e` set (EXIT_MEASURE)
 * when no child can be made. It forks and waits for its own children only.
 */
int accounting_try(const struct cpulist *cpus, int64_t tick_ns,
		   enum accounting_verdict *verdict, struct err *e);

/*
 * The length of a tick: the resolution of CLOCK_MONOTONIC_COARSE (clock_getres(2)), which is
 * TICK_NSEC = 10^9 / HZ rounded (LOW_RES_NSEC, kernel/time/posix-timers.c).
 */
int64_t accounting_tick_ns(void);

#endif
