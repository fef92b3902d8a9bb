/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tracetax run: any matrix of workloads, operations, tracers and CPUs. */
#include <argp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/parse.h"
#include "base/xalloc.h"
#include "cmd/cmd.h"
#include "cmd/measure.h"
#include "probe/placement.h"
#include "probe/tracer.h"

enum {
	OPT_WORKLOADS = 0x100,
	OPT_OPS,
	OPT_OP,
	OPT_CHILD,
	OPT_ITERATIONS,
	OPT_TRACERS,
	OPT_PLACEMENTS,
	OPT_CPUS,
};

static const struct argp_option options[] = {
	{ "workloads", OPT_WORKLOADS, "LIST", 0, "pread, compute (default pread)", 1 },
	{ "ops", OPT_OPS, "LIST", 0, "N, operations per iteration (default 0,512)", 1 },
	{ "op", OPT_OP, "LIST", 0, "mem, reg, none (default mem)", 1 },
	{ "child", OPT_CHILD, "LIST", 0,
	  "windows: clocks its own user time (default); plain: does not", 1 },
	{ "iterations", OPT_ITERATIONS, "N", 0, "Iterations per run (default 32768)", 1 },
	{ "tracers", OPT_TRACERS, "LIST", 0,
	  "Default none,aa,null,syscall; 'list' prints what there is and whether it works here",
	  1 },
	{ "placements", OPT_PLACEMENTS, "LIST", 0,
	  "same, cross, free or CHILD:TRACER, two CPU numbers (default same)", 1 },
	{ "cpus", OPT_CPUS, "LIST", 0,
	  "The child's CPUs, one after another, as 0-3,8, or all (default: the last allowed)",
	  1 },
	{ 0 },
};

/* A comma list as typed. */
struct list {
	char **item;
	size_t n;
};

struct options {
	struct measure measure;
	struct list workloads, ops, op, child, tracers, placements;
	struct cpulist cpus;
	int64_t iterations;
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
	{ OPT_WORKLOADS, offsetof(struct options, workloads), "--workloads", "pread",
	  (const char *const[]) { "pread", "compute", NULL } },
	{ OPT_OP, offsetof(struct options, op), "--op", "mem",
	  (const char *const[]) { "mem", "reg", "none", NULL } },
	{ OPT_CHILD, offsetof(struct options, child), "--child", "windows",
	  (const char *const[]) { "windows", "plain", NULL } },
	{ OPT_OPS, offsetof(struct options, ops), "--ops", "0,512", NULL },
	{ OPT_TRACERS, offsetof(struct options, tracers), "--tracers", "none,aa,null,syscall",
	  NULL },
	{ OPT_PLACEMENTS, offsetof(struct options, placements), "--placements", "same", NULL },
};

enum { N_LIST_OPTIONS = sizeof(list_options) / sizeof(list_options[0]) };

static struct list *list_of(struct options *o, const struct list_option *lo)
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

static int set_list(struct options *o, const struct list_option *lo, const char *text,
		    struct err *e)
{
	struct list *l = list_of(o, lo);

	split_free(l->item, l->n);
	*l = (struct list) { 0 };
	return split_list(lo->name, text, &l->item, &l->n, e) || check_list(lo, l, e) ? -1 : 0;
}

static int set_cpus(struct options *o, const char *text, struct err *e)
{
	cpulist_free(&o->cpus);
	if (!strcmp(text, "all"))
		return cpulist_allowed(&o->cpus, e);
	if (cpulist_parse("--cpus", text, &o->cpus, e))
		return -1;
	return o->cpus.n ? 0 : err_set(e, EXIT_USAGE, "--cpus: the list is empty");
}

static _Noreturn void list_tracers(void)
{
	char why[512];

	for (size_t i = 0; tracers[i]; i++) {
		bool works = tracers[i]->supported(why, sizeof(why));

		printf("%-10s %-3s  %s\n", tracers[i]->name, works ? "yes" : "no",
		       tracers[i]->summary);
		if (!works)
			printf("%-10s      %s\n", "", why);
	}
	exit(output_done());
}

static void set_defaults(struct options *o)
{
	*o = (struct options) { .iterations = 32768 };
	for (int i = 0; i < N_LIST_OPTIONS; i++)
		set_list(o, &list_options[i], list_options[i].standard, NULL);
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct options *o = state->input;
	struct err e = { 0 };
	int bad = 0;

	switch (key) {
	case ARGP_KEY_INIT:
		set_defaults(o);
		state->child_inputs[0] = &o->measure;
		return 0;
	case OPT_ITERATIONS:
		bad = parse_int("--iterations", arg, 1, UINT32_MAX, &o->iterations, &e);
		break;
	case OPT_CPUS:
		bad = set_cpus(o, arg, &e);
		break;
	case ARGP_KEY_ARG:
		bad = err_set(&e, EXIT_USAGE,
			      "run: '%s' is not an option; run takes no arguments", arg);
		break;
	default:
		if (key == OPT_TRACERS && !strcmp(arg, "list"))
			list_tracers();
		for (int i = 0; i < N_LIST_OPTIONS; i++)
			if (list_options[i].key == key) {
				bad = set_list(o, &list_options[i], arg, &e);
				if (bad)
					output_usage_error(&e);
				return 0;
			}
		return ARGP_ERR_UNKNOWN;
	}
	if (bad)
		output_usage_error(&e);
	return 0;
}

/* The N of --ops, as numbers. The caller frees. */
static int parse_ops(const struct list *l, int64_t **ops, struct err *e)
{
	*ops = xcalloc(l->n, sizeof(**ops));
	for (size_t i = 0; i < l->n; i++) {
		if (parse_int("--ops", l->item[i], 0, UINT32_MAX, &(*ops)[i], e))
			return -1;
		for (size_t k = 0; k < i; k++)
			if ((*ops)[i] == (*ops)[k])
				return err_set(e, EXIT_USAGE, "--ops: '%s' is the same as '%s'",
					       l->item[i], l->item[k]);
	}
	return 0;
}

/* --cpus is where the child goes at same and cross; other placements have no use for it. */
static int check_cpus_used(const struct options *o, struct err *e)
{
	if (!o->cpus.n)
		return 0;
	for (size_t i = 0; i < o->placements.n; i++)
		if (!strcmp(o->placements.item[i], "same") ||
		    !strcmp(o->placements.item[i], "cross"))
			return 0;
	return err_set(e, EXIT_USAGE,
		       "--cpus: has no effect without --placements same or cross");
}

static int make_plan(const struct options *o, struct plan *p, int64_t **ops,
		     struct place **places, struct err *e)
{
	struct cpulist allowed;
	struct matrix m = {
		.workloads = o->workloads.item,
		.n_workloads = o->workloads.n,
		.ops_kinds = o->op.item,
		.n_ops_kinds = o->op.n,
		.children = o->child.item,
		.n_children = o->child.n,
		.tracers = o->tracers.item,
		.n_tracers = o->tracers.n,
		.n_ops = o->ops.n,
		.iterations = o->iterations,
	};
	int ret;

	if (parse_ops(&o->ops, ops, e) || check_cpus_used(o, e) || cpulist_allowed(&allowed, e))
		return -1;
	ret = placement_resolve(o->placements.item, o->placements.n, &o->cpus, &allowed, places,
				&m.n_places, e);
	cpulist_free(&allowed);
	if (ret)
		return -1;
	m.ops = *ops;
	m.places = *places;
	plan_add(p, &m);
	return 0;
}

int cmd_run(int argc, char **argv)
{
	static char name[] = "tracetax run"; /* what argp calls us */
	static const struct argp_child children[] = { { &measure_argp, 0, NULL, 0 }, { 0 } };
	static const struct argp argp = {
		options,
		parse,
		NULL,
		"Run every combination of the lists, interleaved in shuffled blocks, and "
		"report "
		"how the CPU times of the traced cells differ from the untraced ones.",
		children,
		NULL,
		NULL,
	};
	struct place *places = NULL;
	int64_t *ops = NULL;
	struct options o;
	struct plan plan;
	struct err e;
	int code;

	argv[0] = name;
	argp_parse(&argp, argc, argv, 0, NULL, &o);
	plan_init(&plan, o.measure.seed);
	if (make_plan(&o, &plan, &ops, &places, &e) ||
	    measure_check_tracers(o.tracers.item, o.tracers.n, &e) ||
	    measure_find_child(&o.measure, &e))
		code = err_print(&e);
	else
		code = measure_plan(&o.measure, &plan, NULL);
	plan_free(&plan);
	free(places);
	free(ops);
	for (int i = 0; i < N_LIST_OPTIONS; i++)
		split_free(list_of(&o, &list_options[i])->item,
			   list_of(&o, &list_options[i])->n);
	cpulist_free(&o.cpus);
	measure_free(&o.measure);
	return code;
}
