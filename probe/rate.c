/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "probe/rate.h"

#include <time.h>

#include "child/counter.h"

int64_t monotonic_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * INT64_C(1000000000) + t.tv_nsec;
}

/* Of several tries the one whose clock was read between the closest two counts. */
void rate_start(struct rate *r)
{
	uint64_t best = UINT64_MAX;

	for (int i = 0; i < 16; i++) {
		uint64_t before = counter_read();
		int64_t ns = monotonic_ns();
		uint64_t width = counter_read() - before;

		if (width >= best)
			continue;
		best = width;
		r->count = before + width / 2;
		r->ns = ns;
	}
}

double rate_ns_per_count(const struct rate *r)
{
	struct rate now;

	do
		rate_start(&now);
	while (now.ns - r->ns < RATE_MIN_NS);
	return (double)(now.ns - r->ns) / (double)(now.count - r->count);
}
