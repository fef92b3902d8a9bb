/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "probe/plan.h"

#include <gsl/gsl_randist.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "child/workload-info.h"

void plan_init(struct plan *p, uint32_t seed)
{
	*p = (struct plan) { .rng = gsl_rng_alloc(gsl_rng_mt19937) };
	gsl_rng_set(p->rng, seed);
}

static void add_cell(struct plan *p, const struct cell *c)
{
	p->cells = xgrow(p->cells, p->n, &p->capacity, sizeof(*p->cells));
	p->cells[p->n++] = *c;
}

/* The axes below the workload, innermost the tracer: how a reader would list them. */
static void add_workload(struct plan *p, const struct matrix *m, const char *workload)
{
	const struct workload_info *info = workload_info_find(workload);
	struct cell c = {
		.workload = workload,
		.iterations = m->duration_ns           ? 0
			      : m->iterations || !info ? m->iterations
						       : info->iterations,
		.threads = m->threads || !info ? m->threads : info->threads,
		.duration_ns = m->duration_ns,
	};

	for (size_t k = 0; k < m->n_ops_kinds; k++)
		for (size_t o = 0; o < m->n_ops; o++)
			for (size_t h = 0; h < m->n_children; h++)
				for (size_t l = 0; l < m->n_places; l++)
					for (size_t t = 0; t < m->n_tracers; t++) {
						c.op = m->ops_kinds[k];
						c.ops = m->ops[o];
						c.child = m->children[h];
						c.place = m->places[l];
						c.tracer = m->tracers[t];
						add_cell(p, &c);
					}
}

void plan_add(struct plan *p, const struct matrix *m)
{
	for (size_t w = 0; w < m->n_workloads; w++)
		add_workload(p, m, m->workloads[w]);
	p->order = xreallocarray(p->order, p->n, sizeof(*p->order));
	for (size_t i = 0; i < p->n; i++)
		p->order[i] = i;
}

size_t plan_count(const struct plan *p, const char *tracer)
{
	size_t n = 0;

	for (size_t i = 0; i < p->n; i++)
		n += !strcmp(p->cells[i].tracer, tracer);
	return n;
}

size_t plan_drop(struct plan *p, const char *tracer, bool (*unwanted)(const struct cell *c))
{
	const size_t before = p->n;

	p->n = 0;
	for (size_t i = 0; i < before; i++)
		if (strcmp(p->cells[i].tracer, tracer) != 0 || !unwanted(&p->cells[i]))
			p->cells[p->n++] = p->cells[i];
	for (size_t i = 0; i < p->n; i++)
		p->order[i] = i;
	return before - p->n;
}

const size_t *plan_next_block(struct plan *p)
{
	gsl_ran_shuffle(p->rng, p->order, p->n, sizeof(*p->order));
	return p->order;
}

int64_t plan_max_windows(const struct plan *p)
{
	int64_t most = 0;

	for (size_t i = 0; i < p->n; i++)
		if (!strcmp(p->cells[i].child, "windows") && p->cells[i].iterations > most)
			most = p->cells[i].iterations;
	return most;
}

void plan_free(struct plan *p)
{
	free(p->cells);
	free(p->order);
	gsl_rng_free(p->rng);
	*p = (struct plan) { 0 };
}
