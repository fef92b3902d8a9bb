/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How long one unit of the child's counter is, from the counter and CLOCK_MONOTONIC read
 * together at two moments. The reading's own error is below 100 ns, so after RATE_MIN_NS the
 * rate is good to 1e-5, and better the longer the campaign runs.
 */
#ifndef TRACETAX_RATE_H
#define TRACETAX_RATE_H

#include <stdint.h>

enum { RATE_MIN_NS = 20000000 };

struct rate {
	uint64_t count;
	int64_t ns;
};

/* The first moment. */
void rate_start(struct rate *r);

/* Nanoseconds a unit, from the first moment to now; waits until RATE_MIN_NS have passed. */
double rate_ns_per_count(const struct rate *r);

/* CLOCK_MONOTONIC in ns. */
int64_t monotonic_ns(void);

#endif
