/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The operations between two system calls.
 *
 * `reg` is a chain of dependent register adds: each needs the result of the one before, so it
 * takes one cycle an operation on every core whose add has a latency of one. It needs no
 * memory and therefore has one speed only; the harness measures the effective frequency with
 * it (probe/ghz.h).
 */
#ifndef TRACETAX_CHILD_OPS_H
#define TRACETAX_CHILD_OPS_H

#include <stdint.h>

/*
 * One add that the compiler can neither remove, merge nor reorder against the next. Of two
 * registers, not of a constant: some cores (Golden Cove and later) add small constants while
 * renaming, several in one cycle.
 */
#if defined(__x86_64__) || defined(__i386__)
#define OPS_REG_ADD(x, one) __asm__ volatile("add %1, %0" : "+r"(x) : "r"(one) : "cc")
#elif defined(__aarch64__)
#define OPS_REG_ADD(x, one) __asm__ volatile("add %0, %0, %1" : "+r"(x) : "r"(one))
#else
#define OPS_REG_ADD(x, one)                                                                    \
	do {                                                                                   \
		(x) += (one);                                                                  \
		__asm__ volatile("" : "+r"(x));                                                \
	} while (0)
#endif

enum { OPS_REG_CHUNK = 16 };

/*
 * n dependent adds. They are unrolled by OPS_REG_CHUNK, since some cores take a branch only
 * every second cycle; the loop's own counter runs beside the chain.
 */
static inline uintptr_t ops_reg_chain(uintptr_t x, uint64_t n)
{
	uintptr_t one = 1;

	__asm__ volatile("" : "+r"(one)); /* no longer known to be a constant */
	for (; n >= OPS_REG_CHUNK; n -= OPS_REG_CHUNK) {
		OPS_REG_ADD(x, one);
		OPS_REG_ADD(x, one);
		OPS_REG_ADD(x, one);
		OPS_REG_ADD(x, one);
		OPS_REG_ADD(x, one);
		OPS_REG_ADD(x, one);
		OPS_REG_ADD(x, one);
		OPS_REG_ADD(x, one);
		OPS_REG_ADD(x, one);
		OPS_REG_ADD(x, one);
		OPS_REG_ADD(x, one);
		OPS_REG_ADD(x, one);
		OPS_REG_ADD(x, one);
		OPS_REG_ADD(x, one);
		OPS_REG_ADD(x, one);
		OPS_REG_ADD(x, one);
	}
	for (; n; n--)
		OPS_REG_ADD(x, one);
	return x;
}

/* A row of the table of operations: what `--op` names. */
struct op {
	const char *name;
	const char *summary;
	void (*run)(uint64_t n);
};

/* NULL when there is none of that name. `names` (may be NULL) gets "mem, reg, none". */
const struct op *op_find(const char *name, const char **names);

#endif
