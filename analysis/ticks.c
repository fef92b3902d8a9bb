/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analysis/ticks.h"

#include <gsl/gsl_cdf.h>
#include <math.h>

static const double tail = 0.025;

/* The wider of both; an interval that is not known stays unknown. */
static struct estimate widen(struct estimate e, double lo, double hi)
{
	if (isnan(e.lo) || isnan(e.hi) || isnan(lo) || isnan(hi))
		return e;
	return (struct estimate) { e.mid, fmin(e.lo, lo), fmax(e.hi, hi) };
}

/*
 * GSL's inverses fail for large and for tiny parameters. From `many` on the normal
 * approximation is within 0.2 % of the exact bound; below `hardly_any` the lower bound is 0 to
 * every digit that is shown.
 */
static const double many = 1000, hardly_any = 0.1, z = 1.959964;

void ticks_bounds(double k, double *lo, double *hi)
{
	if (k >= many) {
		*lo = k - z * sqrt(k);
		*hi = k + z * sqrt(k);
		return;
	}
	*lo = k > hardly_any ? gsl_cdf_gamma_Pinv(tail, k, 1) : 0;
	*hi = gsl_cdf_gamma_Qinv(tail, k + 1, 1);
}

struct estimate ticks_widen_ratio(struct estimate e, double a, double b)
{
	double lo, hi;

	if (isnan(a) || isnan(b))
		return e;
	if (a >= many && b >= many) {
		double spread = exp(z * sqrt(1 / a + 1 / b));

		return widen(e, a / b / spread, a / b * spread);
	}
	lo = a > hardly_any ? gsl_cdf_beta_Pinv(tail, a, b + 1) : 0;
	hi = b > hardly_any ? gsl_cdf_beta_Qinv(tail, a + 1, b) : 1;
	return widen(e, lo / (1 - lo), hi < 1 ? hi / (1 - hi) : INFINITY);
}

struct estimate ticks_widen_share(struct estimate e, double count, double known)
{
	double lo, hi;

	if (isnan(count) || !(known > 0))
		return e;
	ticks_bounds(count, &lo, &hi);
	return widen(e, lo / known, hi / known);
}

struct estimate ticks_widen_difference(struct estimate e, double a, double b, double unit)
{
	double a_lo, a_hi, b_lo, b_hi;

	if (isnan(a) || isnan(b))
		return e;
	ticks_bounds(a, &a_lo, &a_hi);
	ticks_bounds(b, &b_lo, &b_hi);
	return widen(e, e.mid - unit * hypot(a - a_lo, b_hi - b),
		     e.mid + unit * hypot(a_hi - a, b - b_lo));
}
