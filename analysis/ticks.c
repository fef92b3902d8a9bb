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
 * Where a distribution function of exp(t) reaches p, for t from -100 to high, by halving. GSL
 * has inverses of its own, which do not converge for all counts that reports meet.
 */
static double inverse(double (*cdf)(double x, double a, double b), double p, double a, double b,
		      double high)
{
	double low = -100;

	for (int i = 0; i < 48; i++) {
		double middle = (low + high) / 2;

		if (cdf(exp(middle), a, b) < p)
			low = middle;
		else
			high = middle;
	}
	return exp(low);
}

static double gamma_cdf(double x, double shape, double scale)
{
	return gsl_cdf_gamma_P(x, shape, scale);
}

/* If p is beta distributed: the distribution of the odds p/(1-p). */
static double odds_cdf(double odds, double a, double b)
{
	return odds < 1 ? gsl_cdf_beta_P(odds / (1 + odds), a, b)
			: gsl_cdf_beta_Q(1 / (1 + odds), b, a);
}

/* The quantile of a gamma distribution by Wilson and Hilferty's cube, for large shapes. */
static double cube(double shape, double z)
{
	double root = 1 - 1 / (9 * shape) + z / (3 * sqrt(shape));

	return shape * root * root * root;
}

void ticks_bounds(double k, double *lo, double *hi)
{
	/* Beyond any quantile that is asked for; GSL fails far out, and for large shapes. */
	const double high = log(k + 20 + 10 * sqrt(k)), z = 1.959964;

	if (k >= 1000) {
		*lo = cube(k, -z);
		*hi = cube(k + 1, z);
		return;
	}
	*lo = k > 0 ? inverse(gamma_cdf, tail, k, 1, high) : 0;
	*hi = inverse(gamma_cdf, 1 - tail, k + 1, 1, high);
}

double ticks_none(double run_ns, double wall_ns, double tick_ns)
{
	double q, ticks, whole;

	if (isnan(wall_ns))
		return exp(-run_ns / tick_ns);
	q = fmin(1, run_ns / fmax(wall_ns, 1));
	ticks = wall_ns / tick_ns;
	whole = floor(ticks);
	return pow(1 - q, whole) * (1 - (ticks - whole) * q);
}

/* 95 % bounds of the odds behind the counts a:b (Clopper and Pearson's, of a/(a+b)). */
static void odds_bounds(double a, double b, double *lo, double *hi)
{
	*lo = a > 0 ? inverse(odds_cdf, tail, a, b + 1, 100) : 0;
	*hi = b > 0 ? inverse(odds_cdf, 1 - tail, a + 1, b, 100) : INFINITY;
}

struct estimate ticks_widen_part(struct estimate e, double a, double b, double whole)
{
	double lo, hi;

	if (isnan(a) || isnan(b))
		return e;
	odds_bounds(a, b, &lo, &hi);
	return widen(e, whole / (1 + 1 / lo), whole / (1 + 1 / hi));
}

struct estimate ticks_widen_ratio(struct estimate e, double a, double b)
{
	double lo, hi;

	if (isnan(a) || isnan(b))
		return e;
	odds_bounds(a, b, &lo, &hi);
	return widen(e, lo, hi);
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

struct estimate ticks_widen_quotient(struct estimate e, double part, struct estimate whole)
{
	const double x = part / whole.lo, y = part / whole.hi;

	if (!isnan(whole.lo) && whole.lo <= 0 && whole.hi >= 0)
		return (struct estimate) { e.mid, NAN, NAN };
	return widen(e, fmin(x, y), fmax(x, y));
}
