/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analysis/verdict.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/*
 * The relative standard error of a user time split off by `ticks` fair samples, where the user
 * share is p: sqrt((1-p)/(p K)). The share booked is taken, since it is the sampler's.
 */
static double tick_error(const struct result *r)
{
	double p = r->user_ticks_booked / r->ticks;

	return sqrt((1 - p) / (p * r->ticks));
}

/* A ratio's distance from 1, the same for 2 and for 1/2. */
static double away(double ratio)
{
	return fmax(ratio, 1 / ratio) - 1;
}

static const struct result *find(const struct result *list, size_t n, const char *tracer)
{
	for (size_t i = 0; i < n; i++)
		if (!strcmp(list[i].cell->key.tracer, tracer))
			return &list[i];
	return NULL;
}

static enum verdict inconclusive(struct result *r, const char *text)
{
	snprintf(r->reason, sizeof(r->reason), "%s", text);
	return VERDICT_INCONCLUSIVE;
}

static enum verdict too_few_ticks(struct result *r, const char *where, double ticks)
{
	snprintf(r->reason, sizeof(r->reason),
		 "%.0f tick%s in all %s runs together: below %d a split is no evidence", ticks,
		 fabs(ticks - 1) < 0.5 ? "" : "s", where, DISTORTION_MIN_TICKS);
	return VERDICT_INCONCLUSIVE;
}

/* Of a cell whose runs are too short for a split: `which` of the two it is. */
static enum verdict unsplit(struct result *r, const char *where, const struct result *which)
{
	snprintf(
		r->reason, sizeof(r->reason),
		"%s runs have %.1f ticks each, and one that meets none is reported as all user "
		"time; more --iterations would tell",
		where, result_ticks_a_run(which));
	return VERDICT_INCONCLUSIVE;
}

/* The noise that a change has to exceed; NaN parts do not count. */
static double floor_of(const struct result *r)
{
	return fmax(isnan(r->resolution) ? 0 : r->resolution, isnan(r->noise) ? 0 : r->noise);
}

/* The control is not traced: what moves there is noise, whatever its interval says. */
static enum verdict judge_control(struct result *r, enum verdict v)
{
	if (v != VERDICT_INFLATED && v != VERDICT_DEFLATED)
		return v;
	return inconclusive(r, "it is the control, not traced: chance alone puts 1 outside the "
			       "interval in one of 20 cells");
}

static enum verdict judge(struct result *r, const struct result *base)
{
	const struct estimate u = r->figure[F_UTIME_RATIO];
	const double floor = floor_of(r), change = away(u.mid);

	if (!base)
		return inconclusive(r, "no untraced cell (tracer none) to compare with");
	if (base == r)
		return VERDICT_BASELINE;
	if (r->cell->key.duration_ns > 0)
		return inconclusive(r, "fixed time, in which the work differs: compare rates");
	if (r->machine->sampled && base->ticks < DISTORTION_MIN_TICKS)
		return too_few_ticks(r, "untraced", base->ticks);
	if (r->machine->sampled && r->ticks < DISTORTION_MIN_TICKS)
		return too_few_ticks(r, "traced", r->ticks);
	if (result_unsplit(base))
		return unsplit(r, "untraced", base);
	if (result_unsplit(r))
		return unsplit(r, "these", r);
	if (isnan(u.mid))
		return inconclusive(r, result_why(r, F_UTIME_RATIO, false));
	if (isnan(u.lo))
		return inconclusive(r, result_why(r, F_UTIME_RATIO, true));
	if (fmax(away(u.lo), away(u.hi)) <= DISTORTION_MARGIN && floor <= DISTORTION_MARGIN)
		return VERDICT_UNCHANGED;
	if (u.lo > 1 && change > floor)
		return VERDICT_INFLATED;
	if (u.hi < 1 && change > floor)
		return VERDICT_DEFLATED;
	if (u.lo <= 1 && isinf(u.hi))
		snprintf(r->reason, sizeof(r->reason),
			 "the interval, %.2f and above, includes 1", u.lo);
	else if (u.lo <= 1 && u.hi >= 1)
		snprintf(r->reason, sizeof(r->reason), "the interval, %.2f to %.2f, includes 1",
			 u.lo, u.hi);
	else if (isinf(floor))
		return inconclusive(r, "the A/A control is reported without user time, and so "
				       "strays without bound");
	else
		snprintf(r->reason, sizeof(r->reason),
			 "a change of %.0f%% is within %s, %.0f%%", 100 * change,
			 floor == r->resolution ? "what the ticks can resolve"
						: "what the A/A control strays",
			 100 * floor);
	return VERDICT_INCONCLUSIVE;
}

void verdict_family(struct result *list, size_t n)
{
	const struct result *base = find(list, n, "none"), *aa = find(list, n, "aa");

	for (size_t i = 0; i < n; i++) {
		struct result *r = &list[i];

		r->noise = r->resolution = NAN;
		if (aa && base && r != aa && r != base)
			r->noise = away(aa->figure[F_UTIME_RATIO].mid);
		if (base && r->machine->sampled)
			r->resolution = 1.96 * hypot(tick_error(r), tick_error(base));
		if (!isfinite(r->resolution))
			r->resolution = NAN;
		r->verdict = judge(r, base);
		if (r == aa)
			r->verdict = judge_control(r, r->verdict);
	}
}
