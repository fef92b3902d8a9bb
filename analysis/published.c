/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Experiments that others have published, with their figure beside ours. Theirs are of other
 * machines and years, and of the sum of tracer and child where they timed both together.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/columns.h"
#include "analysis/lead.h"
#include "analysis/table.h"
#include "base/xalloc.h"

enum { COLUMNS = 11, TEXT_WIDTH = 96 };

struct published {
	const char *preset;
	const char *workload; /* NULL: any */
	const char *tracer;
	bool timed;
	const char *value;
};

static const struct published published[] = {
	{ "write-300k", "write", "strace", false, "501" },
	{ "write-300k", "write", "strace-c", false, "446" },
	{ "write-300k", "write", "perf-stat", false, "1.4" },
	{ "write-300k", "compute", "strace-c", false, "1.0" },
	{ "dd-1byte", "dd", "strace", false, "200" },
	{ "dd-1byte", "dd", "strace-seccomp", false, "1.0" },
	{ "dd-1byte", "dd", "perf-trace", false, "30" },
	{ "io-lock-sleep", NULL, "strace-c", true, "8.1 (stime + tracer)" },
	{ "io-lock-sleep", NULL, "perf-trace-s", true, "0.96 (stime + tracer)" },
};

static const char *find_published(const char *preset, const struct sample *k)
{
	for (size_t i = 0; i < sizeof(published) / sizeof(published[0]); i++) {
		const struct published *p = &published[i];

		if (!strcmp(p->preset, preset) &&
		    (!p->workload || !strcmp(p->workload, k->workload)) &&
		    !strcmp(p->tracer, k->tracer) && p->timed == (k->duration_ns > 0))
			return p->value;
	}
	return "-";
}

static char *work(const struct sample *k)
{
	if (k->duration_ns > 0)
		return xasprintf("%s, %.3g s", k->workload, (double)k->duration_ns / 1e9);
	return xasprintf("%s × %lld", k->workload, (long long)k->iterations);
}

/* One of the times is what it was asked to be in fixed time, and says nothing there. */
static char *unless(bool meaningless, struct estimate e, double scale)
{
	return meaningless ? xstrdup("-") : column_format_estimate(e, scale);
}

static char *median(struct estimate e, double scale)
{
	return isnan(e.mid) ? xstrdup("-") : xasprintf("%.3g", e.mid / scale);
}

static void put_row(char **cell, const char *preset, const struct result *r)
{
	const struct sample *k = &r->cell->key;
	const bool base = r->base_result == r, timed = k->duration_ns > 0;

	cell[0] = work(k);
	cell[1] = xstrdup(k->tracer);
	cell[2] = xstrdup(find_published(preset, k));
	cell[3] = unless(base || timed, r->figure[F_WALL_RATIO], 1);
	cell[4] = unless(base || timed, r->figure[F_LOOP_RATIO], 1);
	cell[5] = unless(base, r->figure[F_RATE_RATIO], 1);
	cell[6] = unless(base, r->figure[F_SYSTEM_SUM_RATIO], 1);
	cell[7] = median(r->figure[F_UTIME], 1e6);
	cell[8] = median(r->figure[F_STIME], 1e6);
	cell[9] = median(r->figure[F_TRACER_UTIME], 1e6);
	cell[10] = median(r->figure[F_TRACER_STIME], 1e6);
}

void published_print(FILE *out, const struct results *r, size_t width)
{
	static const char *const titles[COLUMNS] = {
		"work",
		"tracer",
		"published ×",
		"wall ×",
		"loop ×",
		"rate ×",
		"stime + tracer ×",
		"child user ms",
		"child system ms",
		"tracer user ms",
		"tracer system ms",
	};
	const size_t text_width = width ? width : TEXT_WIDTH;
	const char *preset =
		json_string_value(json_object_get(r->groups->machines[0].campaign, "preset"));
	struct table t;

	table_init(&t, COLUMNS, r->n);
	for (size_t c = 0; c < COLUMNS; c++) {
		t.titles[c] = titles[c];
		t.right[c] = c > 1;
	}
	for (size_t i = 0; i < r->n; i++)
		put_row(t.cell + i * COLUMNS, preset ? preset : "", &r->list[i]);
	fprintf(out, "%s: figures published elsewhere beside this machine's\n\n",
		preset ? preset : "");
	table_text(out, &t, width);
	fputc('\n', out);
	table_wrapped(
		out,
		"×: traced / untraced, of means [95% interval]. published: as their authors "
		"give it, on other machines; mostly of wall time, start-up and all. wall: "
		"from the release to the end of the tracer, its start-up in it. loop: wall "
		"time of the child's loop alone. rate: operations a second. stime + tracer: "
		"system time of child and tracer together over the untraced child's. Times: "
		"medians; the child's are its own, of its loop, where the tracer is a "
		"program.",
		text_width, 0);
	fputc('\n', out);
}
