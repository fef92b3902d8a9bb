/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * True user time from the child's windows.
 *
 * Each window is the counter between a system call's return and the next one's entry. One
 * that an interrupt, a preemption or the hypervisor broke holds their time too. A window is
 * *interrupted* when it exceeds the median M by more than max(M, WINDOW_BOUND_NS); it is put
 * back to M, and what it exceeds M by is the excess.
 *
 * Why this bound. Nothing that breaks a window is cheaper than about a microsecond: entry,
 * handler and return of a timer interrupt. The work itself varies by less than a factor of
 * two, even where a volatile int has two speeds (factor 1.7 seen). Both ways of being wrong
 * are small: an interrupt missed adds its own length, at most M per tick period, i.e. a
 * share of M × HZ; a slow window taken for an interrupt loses more, so the bound leans away
 * from that. With M above the bound short interrupts hide; and not all that breaks a window
 * is a tick. So `interrupted` bounds the ticks that hit user mode neither from below nor above.
 */
#ifndef TRACETAX_WINDOWS_H
#define TRACETAX_WINDOWS_H

#include <stddef.h>
#include <stdint.h>

enum { WINDOW_BOUND_NS = 1000 };

struct windows_sum {
	double true_ns;   /* the windows' sum, interrupted ones put back to the median */
	double excess_ns; /* what the interrupted ones exceed the median by, summed */
	double median_ns;
	size_t interrupted;
	size_t n;
};

/*
 * Reduce n windows in counter units, one unit being ns_per_count. `scratch` has room for n.
 * With n == 0 every figure is 0.
 */
struct windows_sum windows_reduce(const uint64_t *window, size_t n, double ns_per_count,
				  double *scratch);

#endif
