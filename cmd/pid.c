/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cmd/pid.h"

#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analysis/sentence.h"
#include "analysis/table.h"
#include "base/xalloc.h"
#include "cmd/measure.h"
#include "cmd/output.h"
#include "probe/attach.h"
#include "probe/sample.h"

enum { COLUMNS = 7, TEXT_WIDTH = 96 };

static const char *const phase_names[ATTACH_PHASES] = { "before", "during", "after" };

static double known(int64_t v)
{
	return v == SAMPLE_UNKNOWN ? NAN : (double)v;
}

static double seconds(const struct attach_phase *p)
{
	return known(p->wall_ns) / 1e9;
}

static double ticks_ns(int64_t ticks)
{
	return known(ticks) * 1e9 / (double)sysconf(_SC_CLK_TCK);
}

static char *number(double v)
{
	return isnan(v) ? xstrdup("-") : xasprintf("%.*f", v < 99.95 ? 1 : 0, v);
}

/* System calls in that phase: by the tracepoint, or else by the tracer's own stops. */
static double calls(const struct attach *a, int phase)
{
	const double counted = known(a->phase[phase].calls);

	return isnan(counted) && phase == DURING && a->stops ? (double)a->stops / 2 : counted;
}

static void put_phases(const struct attach *a)
{
	static const char *const titles[COLUMNS] = {
		"phase",       "seconds",    "CPU ms/s",   "user ms/s",
		"system ms/s", "syscalls/s", "switches/s",
	};
	struct table t;

	table_init(&t, COLUMNS, ATTACH_PHASES);
	for (size_t c = 0; c < COLUMNS; c++) {
		t.titles[c] = titles[c];
		t.right[c] = c > 0;
	}
	for (int i = 0; i < ATTACH_PHASES; i++) {
		const struct attach_phase *p = &a->phase[i];
		char **cell = t.cell + (size_t)i * COLUMNS;

		cell[0] = xstrdup(phase_names[i]);
		cell[1] = isnan(seconds(p)) ? xstrdup("-") : xasprintf("%.2f", seconds(p));
		cell[2] = number(known(p->runtime_ns) / 1e6 / seconds(p));
		cell[3] = number(ticks_ns(p->utime_ticks) / 1e6 / seconds(p));
		cell[4] = number(ticks_ns(p->stime_ticks) / 1e6 / seconds(p));
		cell[5] = number(calls(a, i) / seconds(p));
		cell[6] = number(known(p->switches) / seconds(p));
	}
	table_text(stdout, &t, 0);
	table_free(&t);
}

static void put_note(const char *text)
{
	fputs("- ", stdout);
	table_wrapped(stdout, text, TEXT_WIDTH - 2, 2);
}

/* The rate of the traced phase over that of the one before. */
static void put_ratio(const char *what, double during, double before)
{
	char *text;

	if (isnan(during) || !(before > 0))
		return;
	text = xasprintf("%s while traced: %.2f times what it was before.", what,
			 during / before);
	put_note(text);
	free(text);
}

static void put_pauses(const struct attach *a)
{
	char in[32], out[32], own[32], *text;

	if (!a->threads)
		return;
	text = xasprintf("Attached to %" PRId64
			 " thread%s; the longest was kept for %s by attaching and "
			 "for %s by detaching. %" PRId64
			 " syscall-stops; the tracer itself used %s of CPU "
			 "time.",
			 a->threads, a->threads == 1 ? "" : "s",
			 sentence_time((double)a->attach_pause_ns, in, sizeof(in)),
			 sentence_time((double)a->detach_pause_ns, out, sizeof(out)), a->stops,
			 sentence_time((double)a->tracer_runtime_ns, own, sizeof(own)));
	put_note(text);
	free(text);
}

static void put_end(const struct attach *a)
{
	char *text;

	if (a->ended)
		put_note("The process ended by itself in the meantime.");
	if (a->left_behind) {
		text = xasprintf(
			"Warning: %" PRId64 " threads sleep in the kernel and could not "
			"be let go yet; the kernel lets them go when this program ends.",
			a->left_behind);
		put_note(text);
		free(text);
	}
	if (a->no_calls) {
		text = xasprintf("System calls are not counted but by stops: %s.", a->no_calls);
		put_note(text);
		free(text);
	}
}

static void put_text(const struct attach *a)
{
	const struct attach_phase *before = &a->phase[BEFORE], *during = &a->phase[DURING];

	printf("Process %d under %s\n\n", (int)a->pid, a->tracer->name);
	put_phases(a);
	putchar('\n');
	if (a->tracer->request) {
		put_ratio("CPU time", known(during->runtime_ns) / seconds(during),
			  known(before->runtime_ns) / seconds(before));
		put_ratio("System calls", calls(a, DURING) / seconds(during),
			  calls(a, BEFORE) / seconds(before));
	}
	put_pauses(a);
	put_end(a);
	putchar('\n');
}

static json_t *integer(int64_t v)
{
	return v == SAMPLE_UNKNOWN ? json_null() : json_integer(v);
}

static json_t *phase_json(const struct attach_phase *p)
{
	return json_pack("{s:o,s:o,s:o,s:o,s:o,s:o}", "wall_ns", integer(p->wall_ns),
			 "runtime_ns", integer(p->runtime_ns), "utime_ticks",
			 integer(p->utime_ticks), "stime_ticks", integer(p->stime_ticks),
			 "syscalls", integer(p->calls), "voluntary_switches",
			 integer(p->switches));
}

static json_t *attach_json(const struct attach *a)
{
	json_t *o = json_pack(
		"{s:i,s:s,s:I,s:I,s:I,s:I,s:I,s:I,s:b,s:I,s:s?}", "pid", (int)a->pid, "tracer",
		a->tracer->name, "duration_ns", (json_int_t)a->duration_ns, "threads",
		(json_int_t)a->threads, "syscall_stops", (json_int_t)a->stops,
		"attach_pause_ns", (json_int_t)a->attach_pause_ns, "detach_pause_ns",
		(json_int_t)a->detach_pause_ns, "tracer_runtime_ns",
		(json_int_t)a->tracer_runtime_ns, "ended", (int)a->ended, "left_behind",
		(json_int_t)a->left_behind, "syscalls_why", a->no_calls);

	for (int i = 0; i < ATTACH_PHASES; i++)
		json_object_set_new(o, phase_names[i], phase_json(&a->phase[i]));
	return o;
}

static int one(struct attach *a, bool json, json_t *all, struct err *e)
{
	int ret = attach_run(a, e);

	if (!ret && json)
		json_array_append_new(all, attach_json(a));
	else if (!ret)
		put_text(a);
	attach_free(a);
	return ret;
}

static int check(char *const *names, size_t n, struct err *e)
{
	char all[128];
	size_t used = 0;

	for (const struct attach_tracer *t = attach_tracers; t->name; t++)
		used += (size_t)snprintf(all + used, sizeof(all) - used, "%s%s",
					 used ? ", " : "", t->name);
	for (size_t i = 0; i < n; i++)
		if (!attach_tracer_find(names[i]))
			return err_set(e, EXIT_USAGE,
				       "--tracers: '%s' can't be attached to a process that "
				       "lives; %s can",
				       names[i], all);
	return 0;
}

int pid_run(pid_t pid, char *const *names, size_t n, int64_t duration_ns, bool json)
{
	json_t *all = json_array();
	int ret, sig = 0, code = EXIT_FINE;
	struct err e;

	ret = check(names, n, &e);
	for (size_t i = 0; i < n && !ret && !sig; i++) {
		struct attach a = {
			.pid = pid,
			.tracer = attach_tracer_find(names[i]),
			.duration_ns = duration_ns,
		};

		ret = one(&a, json, all, &e);
		sig = a.signal;
		if (a.ended)
			break;
	}
	if (ret)
		code = err_print(&e);
	else if (json)
		json_dumpf(all, stdout, JSON_INDENT(1));
	json_decref(all);
	if (output_done() && !code)
		code = EXIT_MEASURE;
	return measure_end_by(sig, code);
}
