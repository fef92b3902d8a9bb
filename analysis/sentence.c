/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analysis/sentence.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const char *sentence_time(double ns, char *buf, size_t size)
{
	static const struct {
		double ns;
		const char *unit;
	} units[] = { { 1e9, "s" }, { 1e6, "ms" }, { 1e3, "µs" }, { 1, "ns" } };
	size_t u = 0;
	double v;

	if (ns == 0) {
		snprintf(buf, size, "0 ms");
		return buf;
	}
	while (u < 3 && fabs(ns) < units[u].ns)
		u++;
	v = ns / units[u].ns;
	snprintf(buf, size, "%.*f %s",
		 fabs(v) < 10    ? 2
		 : fabs(v) < 100 ? 1
				 : 0,
		 v, units[u].unit);
	return buf;
}

/* Text that grows in r->sentence. */
__attribute__((format(printf, 2, 3))) static void say(struct result *r, const char *fmt, ...)
{
	size_t used = strlen(r->sentence);
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(r->sentence + used, sizeof(r->sentence) - used, fmt, ap);
	va_end(ap);
}

static void say_place(struct result *r)
{
	const struct sample *k = &r->cell->key;

	if (!strcmp(k->placement, "same"))
		say(r, " on its own CPU");
	else if (!strcmp(k->placement, "cross"))
		say(r, " from another CPU");
	else if (!strcmp(k->placement, "free"))
		say(r, ", not pinned");
	else
		say(r, " at CPUs %s", k->placement);
}

/* "pread with 512 mem operations" */
static void say_work(struct result *r)
{
	const struct sample *k = &r->cell->key;

	if (!strcmp(k->workload, "command")) {
		say(r, "the command");
		return;
	}
	say(r, "%s with %" PRId64 " %s operations", k->workload, k->ops, k->op);
}

/* What the cell's own runs say, whatever the baseline: reported against the child's clock. */
static void say_reported(struct result *r)
{
	const struct estimate e = r->figure[F_REPORTED_TO_TRUE];

	if (result_unsplit(r) && r->verdict == VERDICT_BASELINE)
		say(r,
		    " That is no split: these runs have %.1f ticks each, and one that meets "
		    "none is reported as all user time.",
		    result_ticks_a_run(r));
	if (isnan(e.lo))
		return;
	if (e.lo > 1 || e.hi < 1)
		say(r,
		    " What is reported is %.2f times what the child spent by its own clock "
		    "(95%%: %.2f to %.2f).",
		    e.mid, e.lo, e.hi);
	else
		say(r,
		    " What is reported agrees with the child's own clock as far as the ticks "
		    "can "
		    "tell (%.2f to %.2f times).",
		    e.lo, e.hi);
}

static void say_baseline(struct result *r)
{
	char reported[32], real[32];

	say_work(r);
	say(r, ", not traced: user time is reported as %s",
	    sentence_time(r->figure[F_UTIME].mid, reported, sizeof(reported)));
	if (!isnan(r->figure[F_TRUE_USER].mid))
		say(r, ", and the child clocked %s",
		    sentence_time(r->figure[F_TRUE_USER].mid, real, sizeof(real)));
	say(r, r->cell->n > 1 ? " (medians)." : ".");
}

static void say_ratio(struct result *r)
{
	const struct estimate u = r->figure[F_UTIME_RATIO];
	char now[32], before[32];

	say(r, " is reported as %s instead of %s (means), ",
	    sentence_time(r->utime_mean, now, sizeof(now)),
	    sentence_time(r->base_utime_mean, before, sizeof(before)));
	if (isnan(u.lo))
		say(r, "%.2f times", u.mid);
	else if (isinf(u.hi))
		say(r, "%.2f times (95%%: %.2f or more)", u.mid, u.lo);
	else
		say(r, "%.2f times (95%%: %.2f to %.2f)", u.mid, u.lo, u.hi);
}

/* Whether an interval lies wholly on one side of a value. */
static bool beyond(struct estimate e, double value)
{
	return e.lo > value || e.hi < value;
}

/*
 * The reported change less the real one is a difference of two cells' errors: whose it is, the
 * comparison of each with its own clock says.
 */
static void say_misattributed(struct result *r)
{
	const struct estimate m = r->figure[F_MISATTRIBUTED],
			      here = r->figure[F_REPORTED_TO_TRUE],
			      base = r->base_result->figure[F_REPORTED_TO_TRUE];
	char amount[32];

	if (!beyond(m, 0))
		return;
	sentence_time(fabs(m.mid), amount, sizeof(amount));
	if (m.mid > 0 && here.lo > 1 && !(base.hi < 1))
		say(r, " %s %swas booked as user time and was not.", amount,
		    base.lo > 1 ? "more than untraced " : "");
	else if (m.mid < 0 && here.hi < 1 && !(base.lo > 1))
		say(r, " %s %swas booked as system time and was user time.", amount,
		    base.hi < 1 ? "more than untraced " : "");
	else if (m.mid < 0 && base.lo > 1 && !(here.hi < 1))
		say(r,
		    " It is the untraced runs that are booked wrong: %s more of them than here "
		    "was booked as user time and was not.",
		    amount);
	else if (m.mid > 0 && base.hi < 1 && !(here.lo > 1))
		say(r,
		    " It is the untraced runs that are booked wrong: %s more of them than here "
		    "was booked as system time and was user time.",
		    amount);
	else
		say(r,
		    " The other %s is a matter of booking; in which of the two, and where, "
		    "these runs don't tell.",
		    amount);
}

/* How much of the change is real: the child's own clock tells. */
static void say_real(struct result *r)
{
	const struct estimate t = r->figure[F_TRUE_USER_RATIO], real = r->figure[F_REAL],
			      share = r->figure[F_REAL_SHARE];
	const bool more = r->verdict == VERDICT_INFLATED;
	char change[32], part[32];

	if (isnan(t.mid)) {
		say(r, ". How much of that is real can't be told: %s.",
		    result_why(r, F_TRUE_USER_RATIO, false));
		return;
	}
	sentence_time(fabs(r->figure[F_UTIME_CHANGE].mid), change, sizeof(change));
	sentence_time(fabs(real.mid), part, sizeof(part));
	if (!beyond(real, 0)) {
		say(r,
		    ". None of the %s %s can be shown to be real: by its own clock the child "
		    "spent %.2f times the untraced user time (%.2f to %.2f).",
		    change, more ? "more" : "less", t.mid, t.lo, t.hi);
	} else if (fabs(real.mid) < DISTORTION_MARGIN * fabs(r->figure[F_UTIME_CHANGE].mid)) {
		say(r,
		    ". Hardly any of the %s %s is real: by its own clock the child spent %s "
		    "%s, %.2f times.",
		    change, more ? "more" : "less", part, real.mid > 0 ? "more" : "less",
		    t.mid);
	} else if ((real.mid > 0) != more) {
		say(r,
		    ". In truth it moved the other way: by its own clock the child spent %s "
		    "%s, "
		    "%.2f times.",
		    part, more ? "less" : "more", t.mid);
	} else if (share.mid > 1) {
		say(r,
		    ". In truth it is more than that: by its own clock the child spent %s %s, "
		    "%.2f times.",
		    part, more ? "more" : "less", t.mid);
	} else {
		say(r,
		    ". Of the %s %s, %s (%.0f%%) is real: by its own clock the child spent "
		    "%.2f times the untraced user time.",
		    change, more ? "more" : "less", part, 100 * share.mid, t.mid);
	}
	say_misattributed(r);
}

static void say_speeds(struct result *r)
{
	const struct speeds *s = &r->speeds;

	if (!s->two)
		return;
	say(r,
	    " The work itself has two speeds here, %.2f and %.2f ns an operation (%zu and %zu "
	    "of "
	    "these runs): a change of true user time by that factor is no effect of tracing.",
	    s->fast, s->slow, r->fast, r->slow);
}

void sentence_make(struct result *r)
{
	const char *tracer = r->cell->key.tracer;

	r->sentence[0] = '\0';
	if (!r->cell->n) {
		say_work(r);
		say(r, " under %s: no run succeeded: %s.", tracer,
		    r->cell->failures ? r->cell->last_failure : "only the warm-up was run");
		return;
	}
	if (r->verdict == VERDICT_BASELINE) {
		say_baseline(r);
		say_reported(r);
		say_speeds(r);
		return;
	}
	say(r, "Under %s", tracer);
	say_place(r);
	say(r, ", the user time of ");
	say_work(r);
	switch (r->verdict) {
	case VERDICT_INFLATED:
	case VERDICT_DEFLATED:
		say_ratio(r);
		say_real(r);
		break;
	case VERDICT_UNCHANGED:
		say_ratio(r);
		say(r, ": no change worth the name.");
		break;
	case VERDICT_INCONCLUSIVE:
		if (!isnan(r->figure[F_UTIME_RATIO].mid))
			say_ratio(r);
		else
			say(r, " can't be compared");
		say(r, ", which proves nothing: %s.", r->reason);
		break;
	case VERDICT_BASELINE:
		break;
	}
	say_reported(r);
	say_speeds(r);
}
