/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Workloads: what the child does per iteration. One file each, its row last; the table is in
 * workloads.c. Adding one is a file and a line there.
 */
#ifndef TRACETAX_CHILD_WORKLOAD_H
#define TRACETAX_CHILD_WORKLOAD_H

#include <stdint.h>

#include "child/ops.h"
#include "child/report.h"

/* The work asked for. */
struct job {
	uint64_t iterations;
	uint64_t ops;                /* operations per iteration */
	void (*op)(uint64_t n);      /* does n of them */
	struct child_report *report; /* NULL without --report */
	uint64_t *window;            /* NULL without --windows; room for `iterations` */
};

struct workload {
	const char *name;
	const char *summary;
	/*
	 * Do the whole job and count the loop's system calls in *syscalls. Returns
	 * CHILD_DONE, or says what went wrong on stderr and returns a status of its own.
	 */
	enum child_status (*run)(const struct job *job, uint64_t *syscalls);
};

extern const struct workload workload_pread;
extern const struct workload workload_compute;

/* NULL when there is none of that name. `names` (may be NULL) gets "pread, compute". */
const struct workload *workload_find(const char *name, const char **names);

#endif
