/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tracetax doctor: what this machine can measure and what would disturb it. */
#include <argp.h>
#include <errno.h>
#include <libsmartcols.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/err.h"
#include "base/xalloc.h"
#include "cmd/cmd.h"
#include "probe/doctor.h"
#include "probe/machine.h"

enum { OPT_FORMAT = 256, OPT_SYSROOT };

enum { WIDTH_DEFAULT = 80, WIDTH_MAX = 100, INDENT = 4 };

struct options {
	int (*print)(const struct doctor_report *r, const struct machine *m);
	const char *sysroot;
};

static const char *color_of(enum doctor_state state)
{
	static const char *const color[] = {
		[DOCTOR_OK] = "green",
		[DOCTOR_WARNING] = "brown", /* what terminals show as dark yellow */
		[DOCTOR_MISSING] = "red",
	};

	return color[state];
}

static size_t terminal_width(void)
{
	struct winsize w;

	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &w) || !w.ws_col)
		return WIDTH_DEFAULT;
	return w.ws_col < WIDTH_MAX ? w.ws_col : WIDTH_MAX;
}

/* Break at blanks to lines of `width` columns; 0: do not break. The caller frees it. */
static char *wrap(const char *text, size_t width)
{
	char *out = xstrdup(text);
	char *line = out;

	for (char *at = out; width && *at;) {
		char *blank = at + strcspn(at, " ");

		if (at > line && (size_t)(blank - line) > width) {
			at[-1] = '\n';
			line = at;
		}
		at = blank + strspn(blank, " ");
	}
	return out;
}

/* What the first two columns leave for the value. */
static size_t value_width(const struct doctor_report *r, size_t width)
{
	size_t used = 0;

	for (size_t i = 0; i < r->n; i++)
		if (strlen(r->line[i].name) > used)
			used = strlen(r->line[i].name);
	used += sizeof(" warning ");
	return width > used ? width - used : 1;
}

static int add_row(struct libscols_table *t, const struct doctor_line *l, size_t width)
{
	struct libscols_line *row = scols_table_new_line(t, NULL);
	struct libscols_cell *state;
	char *value;
	int rc;

	if (!row || scols_line_set_data(row, 0, l->name) ||
	    scols_line_set_data(row, 1, doctor_state_name(l->state)))
		return -1;
	value = wrap(l->value, width);
	rc = scols_line_set_data(row, 2, value);
	free(value);
	if (rc)
		return rc;
	state = scols_line_get_cell(row, 1);
	return scols_cell_set_color(state, color_of(l->state));
}

/* The value comes broken at blanks: smartcols alone would break within words. */
static int fill_table(struct libscols_table *t, const struct doctor_report *r, size_t width)
{
	struct libscols_column *value;

	if (!scols_table_new_column(t, "CHECK", 0, 0) ||
	    !scols_table_new_column(t, "STATE", 0, 0))
		return -1;
	value = scols_table_new_column(t, "VALUE", 0, SCOLS_FL_WRAP);
	if (!value || scols_column_set_safechars(value, "\n") ||
	    scols_column_set_wrapfunc(value, scols_wrapnl_chunksize, scols_wrapnl_nextchunk,
				      NULL))
		return -1;
	for (size_t i = 0; i < r->n; i++)
		if (add_row(t, &r->line[i], width))
			return -1;
	return 0;
}

/* Piped (no width), every value is on one line, whatever its length. */
static int print_table(const struct doctor_report *r, size_t width)
{
	struct libscols_table *t = scols_new_table();
	const char *no_color = getenv("NO_COLOR");
	int rc;

	if (!t)
		return -1;
	scols_table_set_termforce(t, width ? SCOLS_TERMFORCE_ALWAYS : SCOLS_TERMFORCE_NEVER);
	scols_table_set_termwidth(t, width);
	scols_table_enable_colors(t, width && !(no_color && *no_color));
	rc = fill_table(t, r, width ? value_width(r, width) : 0);
	if (!rc)
		rc = scols_print_table(t);
	scols_unref_table(t);
	return rc;
}

static void print_why(const char *why, size_t width)
{
	char *text = wrap(why, width > INDENT ? width - INDENT : 0);
	char *rest = text;
	char *line;

	while ((line = strsep(&rest, "\n")))
		printf("%*s%s\n", INDENT, "", line);
	free(text);
}

static void print_notes(const struct doctor_report *r, size_t width)
{
	for (size_t i = 0; i < r->n; i++) {
		const struct doctor_line *l = &r->line[i];

		if (!l->why)
			continue;
		printf("\n%s: %s\n", l->name, doctor_state_name(l->state));
		print_why(l->why, width);
		/* Never broken: it is there to be copied. */
		if (l->mend)
			printf("%*s$ %s\n", INDENT, "", l->mend);
	}
}

static int print_text(const struct doctor_report *r, const struct machine *m)
{
	size_t width = isatty(STDOUT_FILENO) ? terminal_width() : 0;

	(void)m;
	if (print_table(r, width))
		return -1;
	print_notes(r, width);
	return 0;
}

static int print_json(const struct doctor_report *r, const struct machine *m)
{
	json_t *o = doctor_json(r, m);
	int rc = o ? json_dumpf(o, stdout, JSON_INDENT(2)) : -1;

	putchar('\n');
	json_decref(o);
	return rc;
}

static const struct {
	const char *name;
	int (*print)(const struct doctor_report *r, const struct machine *m);
} formats[] = {
	{ "text", print_text },
	{ "json", print_json },
};

static void set_format(struct argp_state *state, struct options *o, const char *arg)
{
	for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++) {
		if (!strcmp(formats[i].name, arg)) {
			o->print = formats[i].print;
			return;
		}
	}
	argp_failure(state, EXIT_USAGE, 0, "--format: '%s' is none of text, json", arg);
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct options *o = state->input;

	switch (key) {
	case OPT_FORMAT:
		set_format(state, o, arg);
		return 0;
	case OPT_SYSROOT:
		o->sysroot = arg;
		return 0;
	case ARGP_KEY_ARG:
		argp_failure(state, EXIT_USAGE, 0, "'%s': doctor takes options only", arg);
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp_option options[] = {
	{ "format", OPT_FORMAT, "FORMAT", 0, "text (default) or json", 0 },
	{ "sysroot", OPT_SYSROOT, "DIR", 0,
	  "read proc, sys and boot below DIR, the files of another machine; nothing is tried",
	  0 },
	{ 0 },
};

static const struct argp parser = {
	.options = options,
	.parser = parse,
	.doc = "What this machine can measure, what would disturb it, and what to type to "
	       "mend it.\v"
	       "Exit status: 0 answered, 2 wrong usage, 3 the answer could not be written.",
};

/* A full disk shows only when the buffer is flushed. */
static int flush_stdout(int rc)
{
	struct err e;

	if (!rc && !ferror(stdout) && !fflush(stdout))
		return EXIT_FINE;
	err_set(&e, EXIT_MEASURE, "standard output: %s", strerror(errno ? errno : EIO));
	return err_print(&e);
}

int cmd_doctor(int argc, char **argv)
{
	static char name[] = "tracetax doctor";
	struct options o = { .print = print_text, .sysroot = "" };
	struct doctor_report r;
	struct machine m;
	struct err e;
	int rc;

	argp_err_exit_status = EXIT_USAGE;
	argv[0] = name;
	argp_parse(&parser, argc, argv, 0, NULL, &o);
	/* "/" is the machine itself. */
	if (!strcmp(o.sysroot, "/"))
		o.sysroot = "";
	if (machine_read(o.sysroot, true, &m, &e)) {
		if (o.sysroot[0])
			err_prefix(&e, "--sysroot");
		return err_print(&e);
	}
	doctor_run(o.sysroot, &m, &r);
	errno = 0;
	rc = flush_stdout(o.print(&r, &m));
	doctor_free(&r);
	machine_free(&m);
	return rc;
}
