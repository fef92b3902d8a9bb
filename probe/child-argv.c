/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "probe/child-argv.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "child/report.h"

static void add(struct child_argv *a, const char *word)
{
	a->word = xgrow(a->word, a->n, &a->capacity, sizeof(*a->word));
	a->word[a->n++] = word;
}

static void add_number(struct child_argv *a, const char *option, int64_t value)
{
	char *text = a->number[a->numbers++];

	snprintf(text, sizeof(a->number[0]), "%" PRId64, value);
	add(a, option);
	add(a, text);
}

void child_argv_fill(struct child_argv *a, const char *path, const struct cell *c,
		     bool dispatch, double ns_per_count)
{
	a->n = 0;
	a->numbers = 0;
	add(a, path);
	add(a, "--workload");
	add(a, c->workload);
	add(a, "--op");
	add(a, c->op);
	if (c->duration_ns)
		add_number(a, "--duration", (int64_t)((double)c->duration_ns / ns_per_count));
	else
		add_number(a, "--iterations", c->iterations);
	add_number(a, "--ops", c->ops);
	if (c->threads)
		add_number(a, "--threads", c->threads);
	if (!strcmp(c->workload, "pipe") && c->place.tracer_cpu != CPU_ANY)
		add_number(a, "--partner-cpu", c->place.tracer_cpu);
	/* Needed where it is not forked by us, and there everywhere. */
	if (c->place.cpu != CPU_ANY)
		add_number(a, "--cpu", c->place.cpu);
	add_number(a, "--dispatch", dispatch);
	add_number(a, "--report", CHILD_REPORT_FD);
	if (!strcmp(c->child, "windows"))
		add(a, "--windows");
	add(a, NULL);
}

void child_argv_run(struct child_argv *a, const char *path, const struct cell *c,
		    const struct command *command)
{
	a->n = 0;
	a->numbers = 0;
	add(a, path);
	add(a, "--run");
	add(a, command->path);
	add_number(a, "--report", CHILD_REPORT_FD);
	if (c->place.cpu != CPU_ANY)
		add_number(a, "--cpu", c->place.cpu);
	add(a, "--");
	for (char **word = command->argv; *word; word++)
		add(a, *word);
	add(a, NULL);
}

void child_argv_free(struct child_argv *a)
{
	free(a->word);
	a->word = NULL;
	a->n = a->capacity = 0;
}
