/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A cell: one point of the matrix workload × operations × child × tracer × placement.
 */
#ifndef TRACETAX_CELL_H
#define TRACETAX_CELL_H

#include <stdint.h>

enum { CPU_ANY = -1 };

/* Which CPU the child runs on and which the tracer runs on. */
struct place {
	char name[24];  /* same, cross, free, or "CHILD:TRACER" */
	int cpu;        /* the child's, or CPU_ANY */
	int tracer_cpu; /* the tracer's, or CPU_ANY */
};

/* The texts are the caller's and outlive the cell. */
struct cell {
	const char *workload;
	const char *op;
	const char *child; /* plain or windows */
	const char *tracer;
	struct place place;
	int64_t ops;
	int64_t iterations;  /* 0 with a duration */
	int64_t threads;     /* 0: the workload's own number */
	int64_t duration_ns; /* 0: fixed work */
};

#endif
