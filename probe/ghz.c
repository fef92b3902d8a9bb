/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "probe/ghz.h"

#include "child/counter.h"
#include "child/ops.h"

enum { CHAINS = 8, ADDS = 40000 };

/* noinline: the two calls must differ in n alone. */
static __attribute__((noinline)) uint64_t time_chain(uint64_t n)
{
	uint64_t best = UINT64_MAX;

	for (int i = 0; i < CHAINS; i++) {
		uint64_t start = counter_read(), took;

		ops_reg_chain(0, n);
		took = counter_read() - start;
		if (took < best)
			best = took;
	}
	return best;
}

int64_t ghz_measure_khz(double ns_per_count)
{
	uint64_t empty = time_chain(0); /* the two counter reads */
	uint64_t full = time_chain(ADDS);
	double ns = (double)(full > empty ? full - empty : 1) * ns_per_count;

	return (int64_t)(ADDS * 1e6 / ns);
}
