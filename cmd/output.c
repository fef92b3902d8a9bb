/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cmd/output.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "analysis/distortion.h"
#include "analysis/lead.h"
#include "base/parse.h"
#include "base/xalloc.h"

enum { OPT_FORMAT = 0x500, OPT_COLUMNS };

static const struct argp_option options[] = {
	{ "format", OPT_FORMAT, "FORMAT", 0, "text (default), json, csv or markdown", 20 },
	{ "columns", OPT_COLUMNS, "LIST", 0,
	  "Show these columns in one table (text, csv, markdown); 'list' prints all", 20 },
	{ 0 },
};

_Noreturn void output_usage_error(const struct err *e)
{
	exit(err_print(e));
}

static _Noreturn void list_columns(void)
{
	for (const struct column *c = columns; c->name; c++)
		printf("%-28s %s\n", c->name, c->help);
	exit(output_done());
}

static int parse_columns(struct output *o, const char *text, struct err *e)
{
	char **names;
	size_t n;

	if (!strcmp(text, "list"))
		list_columns();
	if (split_list("--columns", text, &names, &n, e))
		return -1;
	free(o->columns);
	o->columns = xcalloc(n, sizeof(const struct column *));
	o->n_columns = n;
	for (size_t i = 0; i < n; i++) {
		o->columns[i] = column_find(names[i]);
		if (o->columns[i])
			continue;
		err_set(e, EXIT_USAGE,
			"--columns: '%s' is not a column; '--columns list' prints them",
			names[i]);
		split_free(names, n);
		return -1;
	}
	split_free(names, n);
	return 0;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct output *o = state->input;
	struct err e;

	switch (key) {
	case ARGP_KEY_INIT:
		*o = (struct output) { .format = &formats[0] };
		return 0;
	case OPT_FORMAT:
		o->format = format_find(arg);
		if (o->format)
			return 0;
		err_set(&e, EXIT_USAGE, "--format: '%s' is not text, json, csv or markdown",
			arg);
		output_usage_error(&e);
	case OPT_COLUMNS:
		if (parse_columns(o, arg, &e))
			output_usage_error(&e);
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

const struct argp output_argp = { options, parse, NULL, NULL, NULL, NULL, NULL };

/* COLUMNS wins, then the terminal; 0 where stdout is none. */
static size_t terminal_width(void)
{
	const char *columns_env = getenv("COLUMNS");
	struct winsize w;
	int64_t columns_asked;

	if (columns_env && !parse_int("COLUMNS", columns_env, 20, 10000, &columns_asked, NULL))
		return (size_t)columns_asked;
	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &w) || !w.ws_col)
		return 0;
	return w.ws_col;
}

static bool failure_said; /* of writing to stdout: once is enough */

int output_report(const struct output *o, const struct groups *g, uint32_t bootstrap_seed)
{
	const bool readable =
		!strcmp(o->format->name, "text") || !strcmp(o->format->name, "markdown");
	const struct lead *lead = readable && !o->columns ? lead_of(g) : NULL;
	const struct report_options ro = {
		.columns = o->columns,
		.n_columns = o->n_columns,
		.brief = lead && lead->brief,
		.width = terminal_width(),
	};
	struct results r;
	struct err e;
	int ret;

	results_make(&r, g, bootstrap_seed);
	if (lead)
		lead->print(stdout, &r, ro.width);
	failure_said = report_write(stdout, "standard output", o->format, &r, &ro, &e);
	ret = failure_said ? err_print(&e) : EXIT_FINE;
	results_free(&r);
	return ret;
}

int output_done(void)
{
	struct err e;

	errno = 0;
	if (!fflush(stdout) && !ferror(stdout))
		return EXIT_FINE;
	err_set(&e, EXIT_MEASURE, "standard output: write: %s",
		errno ? strerror(errno) : "failed");
	failure_said = true;
	return err_print(&e);
}

void output_at_exit(void)
{
	if (!failure_said && output_done())
		_exit(EXIT_MEASURE);
}

void output_free(struct output *o)
{
	free(o->columns);
}
