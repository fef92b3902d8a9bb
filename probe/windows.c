/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "probe/windows.h"

#include <gsl/gsl_statistics_double.h>

struct windows_sum windows_reduce(const uint64_t *window, size_t n, double ns_per_count,
				  double *scratch)
{
	struct windows_sum r = { .n = n };
	double bound;

	if (!n)
		return r;
	for (size_t i = 0; i < n; i++)
		scratch[i] = (double)window[i] * ns_per_count;
	r.median_ns = gsl_stats_median(scratch, 1, n); /* reorders scratch */
	bound = r.median_ns +
		(r.median_ns > WINDOW_BOUND_NS ? r.median_ns : (double)WINDOW_BOUND_NS);
	for (size_t i = 0; i < n; i++) {
		double ns = scratch[i];

		if (ns > bound) {
			r.interrupted++;
			r.excess_ns += ns - r.median_ns;
			ns = r.median_ns;
		}
		r.true_ns += ns;
	}
	return r;
}
