/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cmd/matrix.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/parse.h"
#include "base/xalloc.h"
#include "child/workload-info.h"
#include "cmd/output.h"

enum {
	OPT_WORKLOADS = 0x100,
	OPT_OPS,
	OPT_OP,
	OPT_CHILD,
	OPT_ITERATIONS,
	OPT_TRACERS,
	OPT_PLACEMENTS,
	OPT_CPUS,
	OPT_THREADS,
	OPT_DURATION,
	OPT_FILTER,
	OPT_TRACER,
};

static const struct argp_option options[] = {
	{ "workloads", OPT_WORKLOADS, "LIST", 0,
	  "What the child does per iteration (default pread); 'list' prints them", 1 },
	{ "ops", OPT_OPS, "LIST", 0, "N, operations per iteration (default 0,512)", 1 },
	{ "op", OPT_OP, "LIST", 0, "mem, reg, none (default mem)", 1 },
	{ "child", OPT_CHILD, "LIST", 0,
	  "windows: clocks its own user time (default); plain: does not", 1 },
	{ "iterations", OPT_ITERATIONS, "N", 0,
	  "Iterations per run (default: the workload's own number)", 1 },
	{ "duration", OPT_DURATION, "TIME", 0,
	  "Fixed time instead of fixed work; needs --child plain", 1 },
	{ "threads", OPT_THREADS, "N", 0,
	  "Threads that share the iterations (default 1; futex 4)", 1 },
	{ "tracers", OPT_TRACERS, "LIST", 0,
	  "Default none,aa,null,syscall; 'list' prints what there is and whether it works here",
	  1 },
	{ "tracer", OPT_TRACER, "NAME=COMMAND {}", 0,
	  "Add a tracer of your own: a command in which {} stands for the child", 1 },
	{ "filter", OPT_FILTER, "LIST", 0,
	  "System calls that the tracers with a seccomp filter look at (default: all that the "
	  "workload makes)",
	  1 },
	{ "placements", OPT_PLACEMENTS, "LIST", 0,
	  "same, cross, free or CHILD:TRACER, two CPU numbers (default same)", 1 },
	{ "cpus", OPT_CPUS, "LIST", 0,
	  "The child's CPUs, one after another, as 0-3,8, or all (default: the last allowed)",
	  1 },
	{ 0 },
};

/* The rows of the options that are lists of words: which of a fixed set, or any (checked
 * later). */
static const struct list_option {
	int key;
	size_t offset;
	const char *name;
	const char *standard;
	const char *const *allowed; /* NULL-ended; NULL: checked elsewhere */
} list_options[] = {
	{ OPT_WORKLOADS, offsetof(struct matrix_options, workloads), "--workloads", "pread",
	  NULL },
	{ OPT_OP, offsetof(struct matrix_options, op), "--op", "mem",
	  (const char *const[]) { "mem", "reg", "none", NULL } },
	{ OPT_CHILD, offsetof(struct matrix_options, child), "--child", "windows",
	  (const char *const[]) { "windows", "plain", NULL } },
	{ OPT_OPS, offsetof(struct matrix_options, ops), "--ops", "0,512", NULL },
	{ OPT_TRACERS, offsetof(struct matrix_options, tracers), "--tracers",
	  "none,aa,null,syscall", NULL },
	{ OPT_PLACEMENTS, offsetof(struct matrix_options, placements), "--placements", "same",
	  NULL },
};

enum { N_LIST_OPTIONS = sizeof(list_options) / sizeof(list_options[0]) };

static struct list *list_of(struct matrix_options *o, const struct list_option *lo)
{
	return (struct list *)(void *)((char *)o + lo->offset);
}

static int check_word(const struct list_option *lo, const char *word, struct err *e)
{
	char names[128] = "";
	size_t used = 0;

	if (!lo->allowed)
		return 0;
	for (size_t i = 0; lo->allowed[i]; i++) {
		if (!strcmp(lo->allowed[i], word))
			return 0;
		used += (size_t)snprintf(names + used, sizeof(names) - used, "%s%s",
					 i ? ", " : "", lo->allowed[i]);
	}
	return err_set(e, EXIT_USAGE, "%s: '%s' is not one of %s", lo->name, word, names);
}

/* Two equal items would be one cell twice. */
static int check_list(const struct list_option *lo, const struct list *l, struct err *e)
{
	for (size_t i = 0; i < l->n; i++) {
		if (check_word(lo, l->item[i], e))
			return -1;
		for (size_t k = 0; k < i; k++)
			if (!strcmp(l->item[i], l->item[k]))
				return err_set(e, EXIT_USAGE, "%s: '%s' is named twice",
					       lo->name, l->item[i]);
	}
	return 0;
}

static int set_list(struct matrix_options *o, const struct list_option *lo, const char *text,
		    struct err *e)
{
	struct list *l = list_of(o, lo);

	split_free(l->item, l->n);
	*l = (struct list) { 0 };
	return split_list(lo->name, text, &l->item, &l->n, e) || check_list(lo, l, e) ? -1 : 0;
}

static int set_cpus(struct matrix_options *o, const char *text, struct err *e)
{
	cpulist_free(&o->cpus);
	if (!strcmp(text, "all"))
		return cpulist_allowed(&o->cpus, e);
	if (cpulist_parse("--cpus", text, &o->cpus, e))
		return -1;
	return o->cpus.n ? 0 : err_set(e, EXIT_USAGE, "--cpus: the list is empty");
}

static _Noreturn void list_workloads(void)
{
	for (const struct workload_info *w = workload_info; w->name; w++)
		printf("%-10s %s\n", w->name, w->summary);
	exit(output_done());
}

static void set_defaults(struct matrix_options *o)
{
	*o = (struct matrix_options) { .known = o->known };
	for (int i = 0; i < N_LIST_OPTIONS; i++)
		set_list(o, &list_options[i], list_options[i].standard, NULL);
}

void matrix_default(struct matrix_options *o, const char *option, const char *text)
{
	for (int i = 0; i < N_LIST_OPTIONS; i++)
		if (!strcmp(list_options[i].name, option) && !o->given[i])
			set_list(o, &list_options[i], text, NULL);
}

void matrix_set(struct matrix_options *o, const char *option, const char *text)
{
	for (int i = 0; i < N_LIST_OPTIONS; i++)
		if (!strcmp(list_options[i].name, option))
			set_list(o, &list_options[i], text, NULL);
}

void matrix_copy(struct matrix_options *to, const struct matrix_options *from)
{
	*to = *from;
	to->ops_numbers = NULL;
	to->places = NULL;
	for (int i = 0; i < N_LIST_OPTIONS; i++) {
		struct list *l = list_of(to, &list_options[i]);
		char **item = xcalloc(l->n, sizeof(*item));

		for (size_t k = 0; k < l->n; k++)
			item[k] = xstrdup(l->item[k]);
		l->item = item;
	}
	to->cpus = (struct cpulist) { 0 };
	for (size_t i = 0; i < from->cpus.n; i++)
		cpulist_add(&to->cpus, from->cpus.cpu[i]);
}

/* One of the list options: 1 when the key is none. */
static int parse_list(struct matrix_options *o, int key, const char *arg, struct err *e)
{
	for (int i = 0; i < N_LIST_OPTIONS; i++) {
		if (list_options[i].key != key)
			continue;
		o->given[i] = true;
		return set_list(o, &list_options[i], arg, e);
	}
	return 1;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct matrix_options *o = state->input;
	struct err e = { 0 };
	int bad = 0;

	if (key == OPT_TRACERS && !strcmp(arg, "list")) {
		o->list_tracers = true;
		return 0;
	}
	if (key == OPT_WORKLOADS && !strcmp(arg, "list"))
		list_workloads();
	switch (key) {
	case ARGP_KEY_INIT:
		set_defaults(o);
		return 0;
	case ARGP_KEY_SUCCESS: /* with those that --tracer has added */
		if (o->list_tracers)
			tracer_list_print(o->known);
		return 0;
	case OPT_ITERATIONS:
		bad = parse_int("--iterations", arg, 1, UINT32_MAX, &o->iterations, &e);
		break;
	case OPT_THREADS:
		bad = parse_int("--threads", arg, 1, CHILD_MAX_THREADS, &o->threads, &e);
		break;
	case OPT_DURATION:
		bad = parse_duration_ns("--duration", arg, &o->duration_ns, &e);
		break;
	case OPT_FILTER:
		o->filter = arg;
		break;
	case OPT_TRACER:
		bad = tracer_list_add(o->known, arg, &e);
		break;
	case OPT_CPUS:
		bad = set_cpus(o, arg, &e);
		break;
	default:
		bad = parse_list(o, key, arg, &e);
		if (bad > 0)
			return ARGP_ERR_UNKNOWN;
	}
	if (bad)
		output_usage_error(&e);
	return 0;
}

const char *matrix_given_work(const struct matrix_options *o)
{
	for (int i = 0; i < N_LIST_OPTIONS; i++)
		if (o->given[i] && list_options[i].key != OPT_TRACERS &&
		    list_options[i].key != OPT_PLACEMENTS)
			return list_options[i].name;
	return o->iterations    ? "--iterations"
	       : o->threads     ? "--threads"
	       : o->duration_ns ? "--duration"
				: NULL;
}

const struct argp matrix_argp = { options, parse, NULL, NULL, NULL, NULL, NULL };

void matrix_free(struct matrix_options *o)
{
	for (int i = 0; i < N_LIST_OPTIONS; i++)
		split_free(list_of(o, &list_options[i])->item, list_of(o, &list_options[i])->n);
	cpulist_free(&o->cpus);
	free(o->places);
	free(o->ops_numbers);
}
