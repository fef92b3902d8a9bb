/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "child/ops.h"

#include <string.h>

/*
 * The 2011 program's ++x on a volatile int: one load, one add, one store an operation. A
 * cache line of its own, so that nothing else moves its address from build to build. It still
 * has two speeds on some cores, by whether store forwarding or memory renaming serves it.
 */
static volatile int word __attribute__((aligned(64)));

/* noinline, not static in effect: tests/disassembly reads these functions by name. */
__attribute__((noinline)) static void ops_mem(uint64_t n)
{
	for (uint64_t i = 0; i < n; i++)
		word += 1;
}

__attribute__((noinline)) static void ops_reg(uint64_t n)
{
	ops_reg_chain(0, n);
}

/* Calls like the others and does nothing: what the loop and the counter reads cost. */
__attribute__((noinline)) static void ops_none(uint64_t n)
{
	__asm__ volatile("" : : "r"(n));
}

static const struct op ops[] = {
	{ "mem", "load, add and store of one volatile int (the 2011 program)", ops_mem },
	{ "reg", "one dependent register add: one cycle an operation", ops_reg },
	{ "none", "no operation: the cost of the loop and the counter reads", ops_none },
};

const struct op *op_find(const char *name, const char **names)
{
	if (names)
		*names = "mem, reg, none";
	for (unsigned i = 0; i < sizeof(ops) / sizeof(ops[0]); i++)
		if (!strcmp(ops[i].name, name))
			return &ops[i];
	return NULL;
}
