/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "probe/window-cost.h"

#include <math.h>

#include "probe/run.h"

enum { OUTSIDE_SHORT = 1000, OUTSIDE_LONG = HARNESS_MIN_WINDOWS, OUTSIDE_TRIES = 5 };

/* Run time less windows, the smallest of some tries; INFINITY when one failed. */
static double least_outside_ns(struct harness *h, int64_t iterations)
{
	const struct cell c = {
		.workload = "compute",
		.op = "none",
		.child = "windows",
		.tracer = "none",
		.place = { .cpu = CPU_ANY, .tracer_cpu = CPU_ANY },
		.iterations = iterations,
	};
	double least = INFINITY;

	for (int i = 0; i < OUTSIDE_TRIES; i++) {
		struct sample s;

		/* A child that fails here will fail in the campaign, which says so. */
		if (run_cell(h, &c, &s, NULL) || s.failure[0] || s.runtime_ns == SAMPLE_UNKNOWN)
			return INFINITY;
		least = fmin(least, (double)(s.runtime_ns - s.true_user_ns - s.excess_ns));
	}
	return least;
}

int64_t window_cost_ps(struct harness *h)
{
	double of_short = least_outside_ns(h, OUTSIDE_SHORT);
	double of_long = isinf(of_short) ? INFINITY : least_outside_ns(h, OUTSIDE_LONG);
	double ps = 1000 * (of_long - of_short) / (OUTSIDE_LONG - OUTSIDE_SHORT);

	return isfinite(ps) && ps >= 0 ? llround(ps) : SAMPLE_UNKNOWN;
}
