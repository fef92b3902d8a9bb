/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Lists of CPUs as the kernel writes them: "0-3,8" (Documentation/admin-guide/cputopology.rst).
 */
#ifndef TRACETAX_CPULIST_H
#define TRACETAX_CPULIST_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

enum { CPU_MAX = 8192 }; /* CONFIG_NR_CPUS of the largest distribution kernels, x86 Kconfig */

/* Sorted, without doubles. Release with cpulist_free(). */
struct cpulist {
	int *cpu;
	size_t n;
};

/*
 * "0-3,8", ranges with a stride ("0-7:2/4") included, one trailing newline allowed. An empty
 * text (or just a newline) is the empty list, as the kernel means it. `what` names the option
 * or file in the message. 0, or -1 with `e` set (EXIT_USAGE).
 */
int cpulist_parse(const char *what, const char *text, struct cpulist *out, struct err *e);

/* Add one CPU, kept sorted, once. */
void cpulist_add(struct cpulist *l, int cpu);

bool cpulist_has(const struct cpulist *l, int cpu);

/* "0-3,8"; the caller frees it. The empty list gives "". */
char *cpulist_format(const struct cpulist *l);

/* The CPUs the calling process may run on (sched_getaffinity(2)). */
int cpulist_allowed(struct cpulist *out, struct err *e);

void cpulist_free(struct cpulist *l);

#endif
