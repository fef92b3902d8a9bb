/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The options that span a matrix of cells, and the plan that follows from them.
 */
#ifndef TRACETAX_CMD_MATRIX_H
#define TRACETAX_CMD_MATRIX_H

#include <argp.h>
#include <stdbool.h>

#include "base/cpulist.h"
#include "cmd/tracer-list.h"
#include "probe/plan.h"

/* A comma list as typed. */
struct list {
	char **item;
	size_t n;
};

struct matrix_options {
	struct tracer_list *known; /* the caller's, set before parsing */
	struct list workloads, ops, op, child, tracers, placements;
	struct cpulist cpus;
	int64_t iterations, threads, duration_ns; /* 0: not given */
	const char *filter;                       /* NULL: not given */
	bool list_tracers;
	bool given[6]; /* of the lists, in their order */
	/* What the plan refers to. */
	int64_t *ops_numbers;
	struct place *places;
};

/* For argp_child; its input is a struct matrix_options, which it initialises but for `known`.
 */
extern const struct argp matrix_argp;

/* As if the list option had been given, unless it was. */
void matrix_default(struct matrix_options *o, const char *option, const char *text);

/* As if the list option had been given so; the text is known to be a good one. */
void matrix_set(struct matrix_options *o, const char *option, const char *text);

/* A copy of its own. */
void matrix_copy(struct matrix_options *to, const struct matrix_options *from);

/* An option that was given and is about the child's work; NULL: none. */
const char *matrix_given_work(const struct matrix_options *o);

/*
 * Add the cells to the plan. Tracers that need a CPU of their own are left out where tracer
 * and child share one, with a warning each; -1 with `e` set (EXIT_USAGE) where that leaves
 * one no cell, and for options that contradict each other.
 */
int matrix_plan(struct matrix_options *o, struct plan *p, struct err *e);

/*
 * Add the cells of a command of the user's: tracers and placements. EXIT_USAGE for options
 * that are about the child's work, and for tracers that can't take it.
 */
int matrix_plan_command(struct matrix_options *o, char *const *argv, struct plan *p,
			struct err *e);

void matrix_free(struct matrix_options *o);

#endif
