/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The plan: which cells, in which order. Every cell once a block, in an order shuffled anew
 * for each block from one recorded seed, so that neither drift nor a neighbour in the order
 * falls on one tracer only. Block 0 is the warm-up and is not counted.
 */
#ifndef TRACETAX_PLAN_H
#define TRACETAX_PLAN_H

#include <gsl/gsl_rng.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "probe/cell.h"

/* The axes. Lists and texts are the caller's and outlive the plan. */
struct matrix {
	char *const *workloads;
	size_t n_workloads;
	char *const *ops_kinds; /* mem, reg, none */
	size_t n_ops_kinds;
	char *const *children; /* plain, windows */
	size_t n_children;
	char *const *tracers;
	size_t n_tracers;
	const int64_t *ops;
	size_t n_ops;
	const struct place *places;
	size_t n_places;
	int64_t iterations;  /* 0: the workload's own number */
	int64_t threads;     /* 0: the workload's own number */
	int64_t duration_ns; /* 0: fixed work */
};

struct plan {
	struct cell *cells;
	size_t n;
	size_t capacity;
	size_t *order; /* of the block at hand: indices into cells */
	gsl_rng *rng;
};

/* An empty plan whose order follows from the seed. */
void plan_init(struct plan *p, uint32_t seed);

/* Add every combination of the axes. May be called again for cells with other iterations. */
void plan_add(struct plan *p, const struct matrix *m);

/* How many cells have that tracer. */
size_t plan_count(const struct plan *p, const char *tracer);

/* Take out the cells of that tracer that `unwanted` says so of; how many they were. */
size_t plan_drop(struct plan *p, const char *tracer, bool (*unwanted)(const struct cell *c));

/* Shuffle the next block's order into p->order and return it. */
const size_t *plan_next_block(struct plan *p);

/* The most iterations of any cell whose child clocks itself: a window each. */
int64_t plan_max_windows(const struct plan *p);

void plan_free(struct plan *p);

#endif
