/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analysis/result.h"

#include <math.h>
#include <string.h>

const char *const verdict_names[] = {
	[VERDICT_BASELINE] = "baseline",         [VERDICT_INFLATED] = "inflated",
	[VERDICT_DEFLATED] = "deflated",         [VERDICT_UNCHANGED] = "unchanged",
	[VERDICT_INCONCLUSIVE] = "inconclusive",
};

static bool needs_true_user(enum figure f)
{
	return f == F_TRUE_USER || f == F_TRUE_PER_CALL || f == F_TRUE_USER_RATIO ||
	       f == F_REAL || f == F_MISATTRIBUTED || f == F_REAL_SHARE;
}

const char *result_why(const struct result *r, enum figure f, bool interval)
{
	const struct estimate *e = &r->figure[f];
	const bool own_figure = f <= F_REPORTED_TO_TRUE;

	if (!isnan(e->mid) && !(interval && (isnan(e->lo) || isnan(e->hi))))
		return NULL;
	if (!r->cell->n)
		return "no counted run";
	if (!own_figure && r->base == r->cell)
		return "this is the baseline";
	if (!own_figure && !r->base)
		return "no untraced cell (tracer none) to compare with";
	if (!own_figure && !r->pairs)
		return "no block in which both this cell and its baseline ran";
	if (needs_true_user(f) && !strcmp(r->cell->key.child, "plain"))
		return "the plain child does not clock itself";
	if (f == F_REPORTED_TO_TRUE && !isnan(e->mid) && result_unsplit(r))
		return "too few ticks a run: runs without any are reported as all user time";
	if (f == F_REAL_SHARE && !isnan(e->mid) && r->pairs >= STATS_MIN_RUNS)
		return "the interval of the reported change includes 0";
	if (!isnan(e->mid))
		return own_figure ? "fewer than 6 runs" : "fewer than 6 blocks";
	if (!own_figure)
		return "the baseline's mean is 0, or a sample lacks the figure";
	return "not every sample has it";
}

bool result_unsplit(const struct result *r)
{
	return r->unsplit > DISTORTION_MARGIN;
}

double result_ticks_a_run(const struct result *r)
{
	return r->ticks / (double)r->cell->n;
}

double result_outside_ns(const struct result *r)
{
	return r->machine->outside_ns * (double)r->cell->key.iterations;
}
