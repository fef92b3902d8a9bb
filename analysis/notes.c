/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analysis/notes.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/sentence.h"
#include "base/xalloc.h"

struct notes {
	const struct results *r;
	note_fn *put;
	const void *arg;
};

__attribute__((format(printf, 2, 3))) static void note(const struct notes *n, const char *fmt,
						       ...)
{
	char text[1024];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	n->put(n->arg, text);
}

/* --- the machine --- */

static const char *text_of(const json_t *machine, const char *name, const char *otherwise)
{
	const char *s = json_string_value(json_object_get(machine, name));

	return s && s[0] ? s : otherwise;
}

/* What is not as it is by default, since it sets these runs apart from others. */
static void note_settings(const struct notes *n, const json_t *campaign)
{
	const char *version = text_of(campaign, "tracetax", TRACETAX_VERSION);

	if (strcmp(version, TRACETAX_VERSION) != 0)
		note(n, "Measured by tracetax %s.", version);
	if (json_is_true(json_object_get(campaign, "rusage_at_stops")))
		note(n, "The tracer read the child's rusage at each stop.");
	if (json_is_true(json_object_get(campaign, "aslr")))
		note(n, "Address randomisation was on for the child.");
}

/* Tracers that were asked for and can't be had there, and which versions the others were. */
static void note_tracers(const struct notes *n, const json_t *campaign)
{
	json_t *all = json_object_get(campaign, "unavailable");
	void *at;

	for (at = json_object_iter(all); at; at = json_object_iter_next(all, at))
		note(n, "Not available: %s: %s.", json_object_iter_key(at),
		     json_string_value(json_object_iter_value(at)));
	all = json_object_get(campaign, "tracer_versions");
	for (at = json_object_iter(all); at; at = json_object_iter_next(all, at))
		note(n, "%s: %s.", json_object_iter_key(at),
		     json_string_value(json_object_iter_value(at)));
}

static void note_command(const struct notes *n, const json_t *campaign)
{
	const json_t *words = json_object_get(campaign, "command");
	char *line = xstrdup("Command:");

	for (size_t i = 0; i < json_array_size(words); i++) {
		char *longer =
			xasprintf("%s %s", line, json_string_value(json_array_get(words, i)));

		free(line);
		line = longer;
	}
	if (json_array_size(words))
		n->put(n->arg, line);
	free(line);
}

void notes_machine(const struct machine_group *m, note_fn *put, const void *arg)
{
	const json_t *o = json_object_get(m->campaign, "machine");
	const struct notes n = { NULL, put, arg };
	const json_t *hz = json_object_get(o, "hz");
	char hz_text[32] = "unknown";

	if (json_is_integer(hz))
		snprintf(hz_text, sizeof(hz_text), "%" JSON_INTEGER_FORMAT,
			 json_integer_value(hz));
	note(&n,
	     "Linux %s %s, %s, CPUs %s; %s accounting, HZ=%s, clocksource %s; "
	     "virtualisation: %s; governor: %s.",
	     text_of(o, "kernel", "unknown"), text_of(o, "arch", ""),
	     text_of(o, "cpu_model", "unknown CPU"), text_of(o, "cpus_online", "unknown"),
	     text_of(o, "accounting", "unknown"), hz_text, text_of(o, "clocksource", "unknown"),
	     text_of(o, "virtualisation", "none seen"), text_of(o, "governor", "none"));
	note_settings(&n, m->campaign);
	note_tracers(&n, m->campaign);
	note_command(&n, m->campaign);
}

/* --- the controls --- */

static bool is(const struct result *r, const char *tracer)
{
	return !strcmp(r->cell->key.tracer, tracer);
}

static void note_aa(const struct notes *n)
{
	size_t cells = 0, with_one = 0, true_cells = 0, true_with_one = 0;
	double lo = INFINITY, hi = 0;
	char most[32] = "∞";

	for (size_t i = 0; i < n->r->n; i++) {
		const struct result *r = &n->r->list[i];
		const struct estimate u = r->figure[F_UTIME_RATIO],
				      t = r->figure[F_TRUE_USER_RATIO];

		if (!is(r, "aa"))
			continue;
		if (!isnan(u.lo)) {
			cells++;
			with_one += u.lo <= 1 && u.hi >= 1;
			lo = fmin(lo, u.lo);
			hi = fmax(hi, u.hi);
		}
		if (!isnan(t.lo)) {
			true_cells++;
			true_with_one += t.lo <= 1 && t.hi >= 1;
		}
	}
	if (isfinite(hi))
		snprintf(most, sizeof(most), "%.2f", hi);
	if (cells)
		note(n,
		     "A/A control (untraced against untraced): the interval of the utime ratio "
		     "contains 1 in %zu of %zu cells and reaches from %.2f to %s; 95%% "
		     "should.",
		     with_one, cells, lo, most);
	if (true_cells)
		note(n, "A/A control of true user time: contains 1 in %zu of %zu cells.",
		     true_with_one, true_cells);
}

static void note_sums(const struct notes *n)
{
	size_t known = 0, off = 0;

	for (size_t i = 0; i < n->r->n; i++) {
		known += n->r->list[i].cell->sums_known;
		off += n->r->list[i].cell->sums_off;
	}
	note(n, "utime + stime equals the run time within one tick in %zu of %zu samples.",
	     known - off, known);
}

static void note_spread(const struct notes *n)
{
	double worst = NAN, cycles = NAN;
	char in_cycles[64] = "";

	for (size_t i = 0; i < n->r->n; i++)
		if (n->r->list[i].cell->key.ops) {
			worst = fmax(worst, n->r->list[i].true_spread);
			cycles = fmax(cycles, n->r->list[i].true_cycles_spread);
		}
	/* What is there in time and not in cycles is the clock's doing, not the work's. */
	if (!isnan(cycles))
		snprintf(in_cycles, sizeof(in_cycles), ", %.2f %% in cycles", 100 * cycles);
	if (!isnan(worst))
		note(n,
		     "Run-to-run spread of true user time (MAD / median, N > 0): at most %.2f "
		     "%%%s.",
		     100 * worst, in_cycles);
}

/* What the two counter reads and the loop cost: untraced cells that have nothing else to do. */
static void note_counter_cost(const struct notes *n)
{
	for (size_t i = 0; i < n->r->n; i++) {
		const struct result *r = &n->r->list[i];
		const bool idle = !r->cell->key.ops || !strcmp(r->cell->key.op, "none");

		if (!idle || !is(r, "none") || isnan(r->figure[F_TRUE_PER_CALL].mid))
			continue;
		note(n,
		     "An iteration without operations clocks %.1f ns, what a counter read "
		     "costs, "
		     "and spends %.1f ns more of user time outside its window: part of every "
		     "instrumented run, traced or not.",
		     r->figure[F_TRUE_PER_CALL].mid, r->machine->outside_ns);
		return;
	}
}

static void note_speeds(const struct notes *n)
{
	for (size_t i = 0; i < n->r->n; i++) {
		const struct result *r = &n->r->list[i];

		if (!r->speeds.two || !is(r, "none"))
			continue;
		note(n,
		     "Two speeds of %s at N=%lld, %s: %.2f and %.2f ns an operation, flipping "
		     "from "
		     "run to run whatever the tracer. Use --op reg for one speed.",
		     r->cell->key.op, (long long)r->cell->key.ops, r->cell->key.placement,
		     r->speeds.fast, r->speeds.slow);
	}
}

/* Whose times are whose where no wait4 of ours saw the child. */
static void note_inside(const struct notes *n)
{
	for (size_t i = 0; i < n->r->n; i++)
		if (n->r->list[i].cell->inside) {
			note(n,
			     "Where the tracer is a program of its own, utime, stime and run "
			     "time are those that the child read of itself around its loop, "
			     "and "
			     "the ratios are to the same of the untraced runs.");
			return;
		}
}

/* Tracers that look at events can miss some. */
static void note_lost(const struct notes *n)
{
	for (size_t i = 0; i < n->r->n; i++) {
		const struct group *c = n->r->list[i].cell;

		if (c->lost > 0)
			note(n, "Warning: %s on %s, %s, was told of %.0f lost events.",
			     c->key.tracer, c->key.workload, c->key.placement, c->lost);
		if (c->missed > 0)
			note(n,
			     "%s on %s, %s, did not count %.0f system calls of the loops: "
			     "those "
			     "that it was not to look at or can't see, or that it lost.",
			     c->key.tracer, c->key.workload, c->key.placement, c->missed);
	}
}

/* What "[?]" in a table means. */
static void note_no_interval(const struct notes *n)
{
	bool few = false, unsplit = false;

	for (size_t i = 0; i < n->r->n; i++) {
		few |= n->r->list[i].cell->n < STATS_MIN_RUNS;
		unsplit |= result_unsplit(&n->r->list[i]);
	}
	if (few)
		note(n, "[?]: no interval, for which a cell needs %d counted runs.",
		     STATS_MIN_RUNS);
	if (unsplit)
		note(n,
		     "Some cells have runs so short that many meet no tick and are reported as "
		     "all user time: no ticks are counted for them, and nothing is concluded.");
}

static void note_bootstrap(const struct notes *n)
{
	note(n, "Bootstrap: %d resamples of blocks, seed %lu.", BOOT_REPS,
	     (unsigned long)n->r->seed);
}

/* --- what disturbed --- */

static void note_frequency(const struct notes *n)
{
	double least = INFINITY, most = 0, worst = 0;

	for (size_t i = 0; i < n->r->n; i++) {
		const struct result *r = &n->r->list[i];
		const struct result *b = r->base_result ? r->base_result : r;
		double ghz = r->figure[F_GHZ].mid;

		if (isnan(ghz))
			continue;
		least = fmin(least, ghz);
		most = fmax(most, ghz);
		worst = fmax(worst, fabs(ghz / b->figure[F_GHZ].mid - 1));
	}
	if (most > 0)
		note(n,
		     "Effective frequency by the reg chain: %.2f to %.2f GHz (medians of "
		     "cells).",
		     least, most);
	if (worst > 0.01)
		note(n,
		     "Warning: traced and untraced runs differ in frequency by up to %.1f %%; "
		     "times are not comparable to better than that.",
		     100 * worst);
}

static double total(const struct results *r, enum quantity q)
{
	double sum = 0;

	for (size_t i = 0; i < r->n; i++)
		for (size_t k = 0; k < r->list[i].cell->n; k++) {
			double v = r->list[i].cell->rows[k].q[q];

			sum += isnan(v) ? 0 : v;
		}
	return sum;
}

static void note_disturbances(const struct notes *n)
{
	const double steal = total(n->r, Q_STEAL), wall = total(n->r, Q_WALL);
	double migrations = 0;
	char text[32];

	for (size_t i = 0; i < n->r->n; i++)
		migrations += n->r->list[i].cell->migrations;
	if (steal > 0)
		note(n, "The hypervisor stole %s of the CPUs used, %.2f %% of the wall time.",
		     sentence_time(steal, text, sizeof(text)), 100 * steal / wall);
	if (migrations > 0)
		note(n, "The children migrated %.0f times after their release.", migrations);
}

static void note_failures(const struct notes *n)
{
	if (n->r->groups->failures)
		note(n, "Warning: %zu runs failed and are not samples.",
		     n->r->groups->failures);
	for (size_t i = 0; i < n->r->n; i++) {
		const struct group *c = n->r->list[i].cell;

		if (c->failures)
			note(n, "  %s, N=%lld, %s, %s: %zu failed; the last: %s.",
			     c->key.workload, (long long)c->key.ops, c->key.tracer,
			     c->key.placement, c->failures, c->last_failure);
	}
	if (n->r->groups->torn)
		note(n, "Warning: %zu torn lines were dropped.", n->r->groups->torn);
}

void notes_all(const struct results *r, note_fn *put, const void *arg)
{
	const struct notes n = { r, put, arg };

	note_aa(&n);
	note_sums(&n);
	note_spread(&n);
	note_counter_cost(&n);
	note_speeds(&n);
	note_frequency(&n);
	note_disturbances(&n);
	note_inside(&n);
	note_lost(&n);
	note_failures(&n);
	note_no_interval(&n);
	note_bootstrap(&n);
}
