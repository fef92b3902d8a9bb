/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From the options of a matrix to the cells of a plan. */
#include <stdlib.h>
#include <string.h>

#include "base/parse.h"
#include "base/xalloc.h"
#include "child/workload-info.h"
#include "cmd/matrix.h"
#include "probe/command.h"
#include "probe/placement.h"

/* The N of --ops, as numbers. */
static int parse_ops(struct matrix_options *o, struct err *e)
{
	const struct list *l = &o->ops;

	free(o->ops_numbers);
	o->ops_numbers = xcalloc(l->n, sizeof(*o->ops_numbers));
	for (size_t i = 0; i < l->n; i++) {
		if (parse_int("--ops", l->item[i], 0, UINT32_MAX, &o->ops_numbers[i], e))
			return -1;
		for (size_t k = 0; k < i; k++)
			if (o->ops_numbers[i] == o->ops_numbers[k])
				return err_set(e, EXIT_USAGE, "--ops: '%s' is the same as '%s'",
					       l->item[i], l->item[k]);
	}
	return 0;
}

/* --cpus is where the child goes at same and cross; other placements have no use for it. */
static int check_cpus_used(const struct matrix_options *o, struct err *e)
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

static int check_workloads(const struct matrix_options *o, struct err *e)
{
	for (size_t i = 0; i < o->workloads.n; i++)
		if (!workload_info_find(o->workloads.item[i]))
			return err_set(e, EXIT_USAGE, "--workloads: '%s' is not one of %s",
				       o->workloads.item[i], workload_info_names());
	return 0;
}

/* How many windows a child of fixed time would fill is not known before it ends. */
static int check_duration(struct matrix_options *o, struct err *e)
{
	if (!o->duration_ns)
		return 0;
	if (o->iterations)
		return err_set(e, EXIT_USAGE,
			       "--duration: fixed time and --iterations, fixed work, exclude "
			       "each other");
	matrix_default(o, "--child", "plain");
	for (size_t i = 0; i < o->child.n; i++)
		if (strcmp(o->child.item[i], "plain") != 0)
			return err_set(e, EXIT_USAGE,
				       "--duration: the child that clocks itself (--child %s) "
				       "needs fixed work; use --child plain",
				       o->child.item[i]);
	return 0;
}

/* Where a tracer that polls would keep the child from its only CPU. */
static bool shares_cpu(const struct cell *c)
{
	return c->place.cpu != CPU_ANY && c->place.cpu == c->place.tracer_cpu;
}

static int check_other_cpu(const struct matrix_options *o, struct plan *p, struct err *e)
{
	for (size_t i = 0; i < o->tracers.n; i++) {
		const char *name = o->tracers.item[i];
		const struct tracer_ops *t = tracer_find(o->known->all, name);
		const size_t cells = plan_count(p, name);
		size_t dropped;

		if (!t || !t->other_cpu)
			continue;
		dropped = plan_drop(p, name, shares_cpu);
		if (dropped && dropped == cells)
			return err_set(e, EXIT_USAGE,
				       "--tracers: %s polls and needs another CPU than the "
				       "child's: add --placements cross",
				       name);
		if (dropped)
			warn("%s polls and needs another CPU than the child's: left out of %zu "
			     "of its %zu cells",
			     name, dropped, cells);
	}
	return 0;
}

static int set_places(struct matrix_options *o, struct matrix *m, struct err *e)
{
	struct cpulist allowed;
	int ret;

	if (check_cpus_used(o, e) || cpulist_allowed(&allowed, e))
		return -1;
	free(o->places);
	ret = placement_resolve(o->placements.item, o->placements.n, &o->cpus, &allowed,
				&o->places, &m->n_places, e);
	cpulist_free(&allowed);
	m->places = o->places;
	return ret;
}

int matrix_plan(struct matrix_options *o, struct plan *p, struct err *e)
{
	struct matrix m = {
		.workloads = o->workloads.item,
		.n_workloads = o->workloads.n,
		.ops_kinds = o->op.item,
		.n_ops_kinds = o->op.n,
		.tracers = o->tracers.item,
		.n_tracers = o->tracers.n,
		.n_ops = o->ops.n,
		.iterations = o->iterations,
		.threads = o->threads,
		.duration_ns = o->duration_ns,
	};

	if (check_workloads(o, e) || check_duration(o, e) || parse_ops(o, e) ||
	    set_places(o, &m, e))
		return -1;
	m.children = o->child.item;
	m.n_children = o->child.n;
	m.ops = o->ops_numbers;
	plan_add(p, &m);
	return check_other_cpu(o, p, e);
}

/* NULL: it can take the command; else why not. */
static const char *why_not(const struct matrix_options *o, const struct tracer_ops *t,
			   char *const *argv, char *buf, size_t size)
{
	if (t->in_process)
		return "only tracetax-child can do that to itself";
	if ((t->filter || (t->outside && t->outside->chooses)) && !o->filter)
		return "it needs --filter, the system calls to look at";
	if (t->outside && !outside_takes(t->outside, argv, buf, size))
		return buf;
	return NULL;
}

static int check_takers(const struct matrix_options *o, char *const *argv, struct err *e)
{
	char buf[256];

	for (size_t i = 0; i < o->tracers.n; i++) {
		const struct tracer_ops *t = tracer_find(o->known->all, o->tracers.item[i]);
		const char *why = t ? why_not(o, t, argv, buf, sizeof(buf)) : NULL;

		if (why)
			return err_set(e, EXIT_USAGE, "--tracers: %s can't trace a command: %s",
				       t->name, why);
	}
	return 0;
}

int matrix_plan_command(struct matrix_options *o, char *const *argv, struct plan *p,
			struct err *e)
{
	static char workload[] = COMMAND_WORKLOAD, op[] = "none", child[] = "plain";
	static char *const one_workload[] = { workload }, *const one_op[] = { op },
			   *const one_child[] = { child };
	static const int64_t no_ops[] = { 0 };
	struct matrix m = {
		.workloads = one_workload,
		.n_workloads = 1,
		.ops_kinds = one_op,
		.n_ops_kinds = 1,
		.children = one_child,
		.n_children = 1,
		.tracers = o->tracers.item,
		.n_tracers = o->tracers.n,
		.ops = no_ops,
		.n_ops = 1,
		.iterations = 1,
	};
	const char *work = matrix_given_work(o);

	if (work)
		return err_set(e, EXIT_USAGE, "%s: is the child's work; a command has its own",
			       work);
	if (check_takers(o, argv, e) || set_places(o, &m, e))
		return -1;
	plan_add(p, &m);
	return check_other_cpu(o, p, e);
}
