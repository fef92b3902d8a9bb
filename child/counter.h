/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The CPU's free-running counter, read without a system call. Harness and child read the
 * same one; the harness finds its rate against CLOCK_MONOTONIC (probe/rate.h).
 *
 * x86: the TSC. RDTSC may execute before older instructions have finished; an LFENCE before
 * it waits for them (Intel SDM vol. 2B, RDTSC; AMD APM vol. 3, LFENCE, dispatch-serializing
 * as Linux sets it in arch/x86/kernel/cpu/amd.c). Without it a window of a few hundred
 * operations would be cut short by what still runs out of order.
 * arm64: CNTVCT_EL0 behind an ISB (Arm ARM, D13.8).
 * Elsewhere: CLOCK_MONOTONIC through the vDSO, in nanoseconds.
 */
#ifndef TRACETAX_CHILD_COUNTER_H
#define TRACETAX_CHILD_COUNTER_H

#include <stdint.h>

#if defined(__x86_64__) || defined(__i386__)

#define COUNTER_NAME "tsc"
static inline uint64_t counter_read(void)
{
	uint32_t lo, hi;

	__asm__ volatile("lfence\n\trdtsc" : "=a"(lo), "=d"(hi) : : "memory");
	return (uint64_t)hi << 32 | lo;
}

#elif defined(__aarch64__)

#define COUNTER_NAME "cntvct"
static inline uint64_t counter_read(void)
{
	uint64_t v;

	__asm__ volatile("isb\n\tmrs %0, cntvct_el0" : "=r"(v) : : "memory");
	return v;
}

#else

#include <time.h>
#define COUNTER_NAME "vdso"
static inline uint64_t counter_read(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000U + (uint64_t)t.tv_nsec;
}

#endif
#endif
