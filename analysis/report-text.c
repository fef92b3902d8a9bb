/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Text and Markdown: the same tables, sentences and notes, put down in two styles.
 */
#include <stdlib.h>
#include <string.h>

#include "analysis/notes.h"
#include "analysis/report.h"
#include "analysis/table.h"
#include "base/xalloc.h"

/* A table of the default report: its heading, what it is about, its columns. */
struct layout {
	const char *heading;
	const char *about;
	bool traced_only; /* leave the baselines out */
	const char *names[12];
};

static const struct layout layouts[] = {
	{ "CPU time per run",
	  "Median [95% interval], ms. utime, stime: what wait4 reports. true user: the "
	  "child's own "
	  "windows. utime / own clock: reported user time over what the child spent by its own "
	  "clock.",
	  false,
	  { "runs", "utime_ns", "stime_ns", "runtime_ns", "true_user_ns",
	    "reported_to_true" } },
	{ "Per iteration",
	  "Median [95% interval], ns.",
	  false,
	  { "utime_ns_per_iteration", "true_user_ns_per_iteration", "ns_per_call" } },
	{ "Child, tracer and wall",
	  "Median [95% interval]. The loop's wall time has no start-up in it, neither the "
	  "child's nor the tracer's; loop × is the ratio of means to the untraced one's. lost: "
	  "events of which the tracer was told, all runs.",
	  false,
	  { "utime_ns", "stime_ns", "tracer_utime_ns", "tracer_stime_ns", "loop_ns",
	    "loop_ns_per_syscall", "loop_ratio", "events_lost" } },
	{ "Traced against untraced",
	  "Ratios and differences of means, paired by block [95% bootstrap interval]. real: "
	  "the "
	  "change of true user time; misattributed: the reported change minus the real one.",
	  true,
	  { "utime_ratio", "true_user_ratio", "stime_ratio", "runtime_ratio", "real_ns",
	    "misattributed_ns", "verdict" } },
	{ "Where the ticks landed",
	  "Sums over all runs. K: ticks in the run time. due: user ticks that a fair sampler "
	  "would "
	  "book, by the child's own clock. seen: windows that an interrupt broke, ticks among "
	  "them. "
	  "booked: utime in ticks. resolution, A/A noise: the relative change of utime that "
	  "the "
	  "ticks and the control leave open.",
	  false,
	  { "ticks", "user_ticks_due", "windows_interrupted", "user_ticks_booked", "resolution",
	    "noise" } },
};

/* How a style puts down what a report consists of. */
struct style {
	FILE *out;
	size_t table_width; /* 0: as wide as need be */
	size_t width;       /* of running text; 0: not broken */
	bool markdown;
};

/* Running text is broken here where there is no terminal; tables never are. */
enum { TEXT_WIDTH = 96 };

static void put_heading(const struct style *s, const char *text)
{
	fprintf(s->out, s->markdown ? "\n## %s\n\n" : "\n%s\n", text);
}

static void put_note(const void *arg, const char *text)
{
	const struct style *s = arg;

	fputs("- ", s->out);
	table_wrapped(s->out, text, s->width ? s->width - 2 : 0, 2);
}

static void put_paragraph(const void *arg, const char *text)
{
	const struct style *s = arg;

	table_wrapped(s->out, text, s->width, 0);
}

/* Whether every row says the same in this column. */
static bool constant(const struct column *c, const struct results *r)
{
	bool same = true;
	char *first = r->n ? column_format(c, &r->list[0]) : NULL;

	for (size_t i = 1; i < r->n && same; i++) {
		char *other = column_format(c, &r->list[i]);

		same = !strcmp(first, other);
		free(other);
	}
	free(first);
	return same;
}

static bool wanted(const struct result *r, bool traced_only)
{
	return !traced_only || r->verdict != VERDICT_BASELINE;
}

static void put_table(const struct style *s, const struct results *r,
		      const struct column **cols, size_t n, bool traced_only)
{
	struct table t;
	size_t row = 0;

	for (size_t i = 0; i < r->n; i++)
		row += wanted(&r->list[i], traced_only);
	table_init(&t, n, row);
	row = 0;
	for (size_t c = 0; c < n; c++) {
		t.titles[c] = cols[c]->title;
		t.right[c] = cols[c]->kind != COLUMN_TEXT;
	}
	for (size_t i = 0; i < r->n; i++) {
		if (!wanted(&r->list[i], traced_only))
			continue;
		for (size_t c = 0; c < n; c++)
			t.cell[row * n + c] = column_format(cols[c], &r->list[i]);
		row++;
	}
	if (s->markdown)
		table_markdown(s->out, &t);
	else
		table_text(s->out, &t, s->table_width);
	table_free(&t);
}

/* The key columns in which rows differ; those in which they agree are put down as a line. */
static size_t key_columns(const struct style *s, const struct results *r,
			  const struct column **keys)
{
	char *line = xstrdup("In all rows:");
	size_t n = 0;

	for (const struct column *c = columns; c->name; c++) {
		char *value, *longer;

		if (!c->key)
			continue;
		if (!constant(c, r)) {
			keys[n++] = c;
			continue;
		}
		value = column_format(c, &r->list[0]);
		if (c->usual && !strcmp(value, c->usual)) {
			free(value);
			continue;
		}
		longer = xasprintf("%s %s %s,", line, c->title, value);
		free(value);
		free(line);
		line = longer;
	}
	line[strlen(line) - 1] = '.';
	if (strcmp(line, "In all rows.") != 0)
		table_wrapped(s->out, line, s->width, 0);
	free(line);
	return n;
}

static void put_layout(const struct style *s, const struct results *r, const struct layout *l,
		       const struct column **keys, size_t n_keys)
{
	const struct column *cols[64];
	size_t n = 0;

	for (; n < n_keys; n++)
		cols[n] = keys[n];
	for (size_t i = 0; l->names[i]; i++)
		cols[n++] = column_find(l->names[i]);
	put_heading(s, l->heading);
	table_wrapped(s->out, l->about, s->width, 0);
	fputc('\n', s->out);
	put_table(s, r, cols, n, l->traced_only);
}

static void put_tables(const struct style *s, const struct results *r)
{
	const struct column *keys[16];
	size_t n_keys, traced = 0;

	n_keys = key_columns(s, r, keys);
	for (size_t i = 0; i < r->n; i++)
		traced += wanted(&r->list[i], true);
	for (size_t i = 0; i < sizeof(layouts) / sizeof(layouts[0]); i++)
		if (traced || !layouts[i].traced_only)
			put_layout(s, r, &layouts[i], keys, n_keys);
}

/* Its number in the tables, where there are several. */
static void put_machine_number(const struct style *s, const struct results *r, size_t machine)
{
	if (r->groups->n_machines > 1)
		fprintf(s->out, s->markdown ? "\nMachine %zu:\n\n" : "Machine %zu:\n", machine);
}

static void put_machines(const struct style *s, const struct results *r)
{
	for (size_t i = 0; i < r->groups->n_machines; i++) {
		put_machine_number(s, r, i);
		notes_machine(&r->groups->machines[i], put_paragraph, s);
	}
}

static void put_sentences(const struct style *s, const struct results *r)
{
	put_heading(s, "In words");
	for (size_t i = 0; i < r->n; i++) {
		const struct group *c = r->list[i].cell;

		if (!i || c->machine != r->list[i - 1].cell->machine)
			put_machine_number(s, r, c->machine);
		/* What the control says is summed up among the controls. */
		if (strcmp(c->key.tracer, "aa") != 0)
			put_note(s, r->list[i].sentence);
	}
}

static void put_report(const struct style *s, const struct results *r,
		       const struct report_options *o)
{
	if (o->columns) {
		put_table(s, r, o->columns, o->n_columns, false);
		return;
	}
	put_machines(s, r);
	if (!r->n) {
		put_paragraph(s, "No samples.");
		return;
	}
	if (!o->brief) {
		put_tables(s, r);
		put_sentences(s, r);
	}
	put_heading(s, "Controls and disturbances");
	notes_all(r, put_note, s);
}

void report_text(FILE *out, const struct results *r, const struct report_options *o)
{
	const struct style s = { out, o->width, o->width ? o->width : TEXT_WIDTH, false };

	put_report(&s, r, o);
}

void report_markdown(FILE *out, const struct results *r, const struct report_options *o)
{
	const struct style s = { out, 0, 0, true };

	put_report(&s, r, o);
}
