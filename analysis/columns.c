/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analysis/columns.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/xalloc.h"

/* --- getters --- */

static const char *get_workload(const struct result *r)
{
	return r->cell->key.workload;
}

static const char *get_op(const struct result *r)
{
	return r->cell->key.op;
}

static const char *get_child(const struct result *r)
{
	return r->cell->key.child;
}

static const char *get_tracer(const struct result *r)
{
	return r->cell->key.tracer;
}

static const char *get_placement(const struct result *r)
{
	return r->cell->key.placement;
}

static const char *get_verdict(const struct result *r)
{
	return verdict_names[r->verdict];
}

static const char *get_reason(const struct result *r)
{
	return r->reason;
}

static const char *get_sentence(const struct result *r)
{
	return r->sentence;
}

static double get_machine(const struct result *r)
{
	return (double)r->cell->machine;
}

static double get_ops(const struct result *r)
{
	return (double)r->cell->key.ops;
}

static double get_iterations(const struct result *r)
{
	return (double)r->cell->key.iterations;
}

static double get_threads(const struct result *r)
{
	return r->cell->key.threads == SAMPLE_UNKNOWN ? 1 : (double)r->cell->key.threads;
}

static double get_duration(const struct result *r)
{
	return r->cell->key.duration_ns > 0 ? (double)r->cell->key.duration_ns / 1e9 : 0;
}

static double get_lost(const struct result *r)
{
	return r->cell->lost;
}

static double get_missed(const struct result *r)
{
	return r->cell->missed;
}

static double get_cpu(const struct result *r)
{
	return r->cell->key.cpu == SAMPLE_UNKNOWN ? NAN : (double)r->cell->key.cpu;
}

static double get_tracer_cpu(const struct result *r)
{
	return r->cell->key.tracer_cpu == SAMPLE_UNKNOWN ? NAN
							 : (double)r->cell->key.tracer_cpu;
}

static double get_runs(const struct result *r)
{
	return (double)r->cell->n;
}

static double get_failures(const struct result *r)
{
	return (double)r->cell->failures;
}

static double get_sums_off(const struct result *r)
{
	return (double)r->cell->sums_off;
}

static double get_migrations(const struct result *r)
{
	return r->cell->migrations;
}

static double get_ticks(const struct result *r)
{
	return r->ticks;
}

static double get_resolution(const struct result *r)
{
	return r->resolution;
}

static double get_noise(const struct result *r)
{
	return r->noise;
}

static double get_user_ticks_booked(const struct result *r)
{
	return r->user_ticks_booked;
}

static double get_user_ticks_due(const struct result *r)
{
	return r->user_ticks_due;
}

static double get_interrupted(const struct result *r)
{
	return r->interrupted;
}

static double get_true_spread(const struct result *r)
{
	return r->true_spread;
}

static double get_true_cycles_spread(const struct result *r)
{
	return r->true_cycles_spread;
}

static double get_fast_runs(const struct result *r)
{
	return r->speeds.two ? (double)r->fast : NAN;
}

static double get_slow_runs(const struct result *r)
{
	return r->speeds.two ? (double)r->slow : NAN;
}

static double get_fast_speed(const struct result *r)
{
	return r->speeds.two ? r->speeds.fast : NAN;
}

static double get_slow_speed(const struct result *r)
{
	return r->speeds.two ? r->speeds.slow : NAN;
}

/* --- the rows --- */

#define KEY_TEXT(name, title, get, help)                                                       \
	{                                                                                      \
		name, title, COLUMN_TEXT, 1, get, NULL, N_FIGURES, true, help, NULL            \
	}
#define KEY_COUNT(name, title, get, help)                                                      \
	{                                                                                      \
		name, title, COLUMN_COUNT, 1, NULL, get, N_FIGURES, true, help, NULL           \
	}
#define KEY_USUAL(name, title, get, usual, help)                                               \
	{                                                                                      \
		name, title, COLUMN_COUNT, 1, NULL, get, N_FIGURES, true, help, usual          \
	}
#define TEXT(name, title, get, help)                                                           \
	{                                                                                      \
		name, title, COLUMN_TEXT, 1, get, NULL, N_FIGURES, false, help, NULL           \
	}
#define COUNT(name, title, get, help)                                                          \
	{                                                                                      \
		name, title, COLUMN_COUNT, 1, NULL, get, N_FIGURES, false, help, NULL          \
	}
#define NUMBER(name, title, get, help)                                                         \
	{                                                                                      \
		name, title, COLUMN_NUMBER, 1, NULL, get, N_FIGURES, false, help, NULL         \
	}
#define ESTIMATE(name, title, scale, figure, help)                                             \
	{                                                                                      \
		name, title, COLUMN_ESTIMATE, scale, NULL, NULL, figure, false, help, NULL     \
	}

const struct column columns[] = {
	KEY_USUAL("machine", "machine", get_machine, "0", "number of the machine, from 0"),
	KEY_TEXT("workload", "workload", get_workload, "what the child did per iteration"),
	KEY_TEXT("op", "op", get_op, "kind of operation: mem, reg, none"),
	KEY_COUNT("ops", "N", get_ops, "operations per iteration"),
	KEY_COUNT("iterations", "iterations", get_iterations,
		  "iterations per run; 0: fixed time"),
	KEY_USUAL("threads", "threads", get_threads, "1", "threads that share them"),
	KEY_USUAL("duration_s", "seconds", get_duration, "0", "of fixed time; 0: fixed work"),
	KEY_TEXT("child", "child", get_child, "plain, or windows: it clocks its own user time"),
	KEY_TEXT("placement", "place", get_placement, "where tracer and child ran"),
	KEY_COUNT("cpu", "CPU", get_cpu, "the child's CPU; unknown when free"),
	COUNT("tracer_cpu", "tracer CPU", get_tracer_cpu,
	      "the tracer's CPU; unknown when free"),
	KEY_TEXT("tracer", "tracer", get_tracer, "how it was observed"),
	COUNT("runs", "runs", get_runs, "counted runs"),
	COUNT("failures", "failures", get_failures, "runs that gave no sample"),
	ESTIMATE("utime_ns", "utime ms", 1e6, F_UTIME, "reported user time (wait4)"),
	ESTIMATE("stime_ns", "stime ms", 1e6, F_STIME, "reported system time (wait4)"),
	ESTIMATE("runtime_ns", "run time ms", 1e6, F_RUNTIME,
		 "run time, exact (/proc/PID/schedstat)"),
	ESTIMATE("true_user_ns", "true user ms", 1e6, F_TRUE_USER,
		 "user time by the child's own clock"),
	ESTIMATE("wall_ns", "wall ms", 1e6, F_WALL, "from release to zombie"),
	ESTIMATE("tracer_utime_ns", "tracer utime ms", 1e6, F_TRACER_UTIME,
		 "the tracer's reported user time"),
	ESTIMATE("tracer_stime_ns", "tracer stime ms", 1e6, F_TRACER_STIME,
		 "the tracer's reported system time"),
	ESTIMATE("ns_per_call", "wall ns/iter", 1, F_NS_PER_CALL, "wall time per iteration"),
	ESTIMATE("utime_ns_per_iteration", "utime ns/iter", 1, F_UTIME_PER_CALL,
		 "reported user time per iteration"),
	ESTIMATE("true_user_ns_per_iteration", "true ns/iter", 1, F_TRUE_PER_CALL,
		 "true user time per iteration"),
	ESTIMATE("reported_to_true", "utime / own clock", 1, F_REPORTED_TO_TRUE,
		 "reported user time / user time by the child's own clock, of means"),
	ESTIMATE("loop_ns", "loop ms", 1e6, F_LOOP,
		 "wall time of the child's loop, start-up and exit not in it"),
	ESTIMATE("loop_ns_per_syscall", "µs/syscall", 1e3, F_CALL,
		 "the same for each system call that the loop makes"),
	ESTIMATE("operations_per_s", "operations/s", 1, F_RATE,
		 "iterations a second of the loop"),
	ESTIMATE("ghz", "GHz", 1, F_GHZ, "effective frequency, before and after"),
	ESTIMATE("steal_ns", "steal ms", 1e6, F_STEAL, "stolen from the CPUs used, per run"),
	ESTIMATE("utime_ratio", "utime ×", 1, F_UTIME_RATIO, "traced / untraced"),
	ESTIMATE("stime_ratio", "stime ×", 1, F_STIME_RATIO, "traced / untraced"),
	ESTIMATE("stime_with_tracer_ratio", "stime + tracer ×", 1, F_SYSTEM_SUM_RATIO,
		 "system time of child and tracer / the untraced child's"),
	ESTIMATE("runtime_ratio", "run time ×", 1, F_RUNTIME_RATIO, "traced / untraced"),
	ESTIMATE("wall_ratio", "wall ×", 1, F_WALL_RATIO, "traced / untraced"),
	ESTIMATE("loop_ratio", "loop ×", 1, F_LOOP_RATIO,
		 "traced / untraced wall time of the loop"),
	ESTIMATE("rate_ratio", "rate ×", 1, F_RATE_RATIO,
		 "traced / untraced operations a second"),
	ESTIMATE("true_user_ratio", "true user ×", 1, F_TRUE_USER_RATIO, "traced / untraced"),
	ESTIMATE("utime_change_ns", "utime change ms", 1e6, F_UTIME_CHANGE,
		 "reported user time, traced minus untraced"),
	ESTIMATE("real_ns", "real ms", 1e6, F_REAL, "true user time, traced minus untraced"),
	ESTIMATE("misattributed_ns", "misattributed ms", 1e6, F_MISATTRIBUTED,
		 "reported change minus true change"),
	ESTIMATE("real_share", "real share", 1, F_REAL_SHARE, "true change / reported change"),
	NUMBER("ticks", "ticks K", get_ticks, "ticks in all counted runs: run time / tick"),
	NUMBER("resolution", "resolution", get_resolution,
	       "relative change of utime that K ticks can resolve"),
	NUMBER("noise", "A/A noise", get_noise,
	       "how far the A/A control's utime ratio is from 1"),
	NUMBER("user_ticks_booked", "booked", get_user_ticks_booked, "utime / tick, all runs"),
	NUMBER("user_ticks_due", "due", get_user_ticks_due, "true user time / tick, all runs"),
	COUNT("windows_interrupted", "seen", get_interrupted,
	      "user-mode windows that something interrupted, all runs"),
	NUMBER("true_user_spread", "true spread", get_true_spread,
	       "MAD of true user time / its median"),
	NUMBER("true_user_cycles_spread", "cycles spread", get_true_cycles_spread,
	       "the same of true user time × effective frequency"),
	COUNT("fast_runs", "fast runs", get_fast_runs, "runs at the faster of two speeds"),
	COUNT("slow_runs", "slow runs", get_slow_runs, "runs at the slower of two speeds"),
	NUMBER("fast_ns_per_op", "fast ns/op", get_fast_speed, "the faster speed"),
	NUMBER("slow_ns_per_op", "slow ns/op", get_slow_speed, "the slower speed"),
	COUNT("sums_off", "sums off", get_sums_off,
	      "samples whose utime + stime is off run time by over a tick"),
	COUNT("calls_missed", "missed", get_missed,
	      "system calls of the loop that the tracer did not count, all runs"),
	COUNT("events_lost", "lost", get_lost,
	      "events that the tracer was told of having lost, all runs"),
	COUNT("migrations", "migrations", get_migrations, "of the child, all runs"),
	TEXT("verdict", "verdict", get_verdict,
	     "baseline, inflated, deflated, unchanged or inconclusive"),
	TEXT("reason", "reason", get_reason, "why it is inconclusive"),
	TEXT("sentence", "sentence", get_sentence, "the same in words"),
	{ .name = NULL },
};

const struct column *column_find(const char *name)
{
	for (const struct column *c = columns; c->name; c++)
		if (!strcmp(c->name, name))
			return c;
	return NULL;
}

/* --- text --- */

/* Three digits, the way a reader rounds. */
static int decimals(double v)
{
	v = fabs(v);
	return v < 9.995 ? 2 : v < 99.95 ? 1 : 0;
}

static char *format_number(double v, double scale)
{
	v /= scale;
	if (isnan(v))
		return xstrdup("-");
	if (isinf(v))
		return xstrdup("∞");
	return xasprintf("%.*f", decimals(v), v);
}

char *column_format_estimate(struct estimate e, double scale)
{
	/* One precision for all three, or the interval reads worse than it is. */
	int d = decimals(e.mid / scale);

	if (isnan(e.mid))
		return xstrdup("-");
	if (isnan(e.lo) || isnan(e.hi))
		return xasprintf("%.*f [?]", d, e.mid / scale);
	if (isinf(e.hi))
		return xasprintf("%.*f [%.*f, ∞]", d, e.mid / scale, d, e.lo / scale);
	return xasprintf("%.*f [%.*f, %.*f]", d, e.mid / scale, d, e.lo / scale, d,
			 e.hi / scale);
}

char *column_format(const struct column *c, const struct result *r)
{
	switch (c->kind) {
	case COLUMN_TEXT:
		return xstrdup(c->text(r));
	case COLUMN_COUNT:
		return isnan(c->number(r)) ? xstrdup("-") : xasprintf("%.0f", c->number(r));
	case COLUMN_NUMBER:
		return format_number(c->number(r), c->scale);
	case COLUMN_ESTIMATE:
		break;
	}
	return column_format_estimate(r->figure[c->figure], c->scale);
}
