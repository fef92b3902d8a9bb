/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Workloads: what the child does per iteration. One file each, its row last; the table is in
 * workloads.c, what both programs know of them in workload-info.h.
 */
#ifndef TRACETAX_CHILD_WORKLOAD_H
#define TRACETAX_CHILD_WORKLOAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "child/counter.h"
#include "child/ops.h"
#include "child/report.h"

/* The work asked for. */
struct job {
	uint64_t iterations; /* of all threads together; without bound where there is a duration
			      */
	uint64_t duration;   /* counter units; 0: fixed work */
	uint64_t threads;
	uint64_t ops;                /* operations per iteration */
	void (*op)(uint64_t n);      /* does n of them */
	struct child_report *report; /* NULL without --report */
	uint64_t *window;            /* NULL without --windows; room for `iterations` */
	int partner_cpu; /* where another process of the workload runs; -1: anywhere */
	bool dispatch;   /* its calls by Syscall User Dispatch */
};

/* One thread's share of the job. */
struct worker {
	const struct job *job;
	const struct workload *workload;
	unsigned id;         /* from 0 */
	uint64_t iterations; /* its share */
	uint64_t *window;    /* its part; NULL without --windows */
	void *own;           /* the workload's; freed after finish() */

	uint64_t done;           /* iterations */
	uint64_t syscalls;       /* beyond the row's calls_each */
	uint64_t elsewhere;      /* beyond the row's elsewhere_each */
	uint64_t opened, closed; /* counter, around the loop */
	uint64_t dispatched;     /* calls of the loop that came as SIGSYS */
	enum child_status status;
};

/*
 * A row. Its functions return CHILD_DONE, or say what went wrong (worker_failed()) and return
 * a status of their own.
 */
struct workload {
	const char *name;
	uint64_t calls_each; /* system calls that every iteration makes */
	/* Of these, those that Syscall User Dispatch does not see: made by another process, or
	 * the return from a handler. */
	uint64_t elsewhere_each;
	/* What the loop needs, made before it. NULL: nothing. */
	enum child_status (*prepare)(struct worker *w);
	/* The calls of one iteration. NULL where they are not to be had alone. */
	enum child_status (*step)(struct worker *w);
	/* The whole share: WORKER_LOOP(), with `step` and the operations inlined in it. */
	enum child_status (*run)(struct worker *w);
	void (*finish)(struct worker *w); /* NULL: nothing */
};

extern const struct workload workload_pread;
extern const struct workload workload_compute;
extern const struct workload workload_write;
extern const struct workload workload_dd;
extern const struct workload workload_getpid;
extern const struct workload workload_files;
extern const struct workload workload_futex;
extern const struct workload workload_sleep;
extern const struct workload workload_forkexec;
extern const struct workload workload_faults;
extern const struct workload workload_signals;
extern const struct workload workload_mix;
extern const struct workload workload_pipe;

/* NULL when there is none of that name. */
const struct workload *workload_find(const char *name);

/* "tracetax-child: WHAT: the errno's text" on stderr; `status` is returned. */
enum child_status worker_failed(enum child_status status, const char *what, long error);

/* Move the calling process to one CPU; 0, or -1 with errno. */
int pin_to(int cpu);

/* Do the job in its threads and fill its report. */
enum child_status workers_run(const struct job *job, const struct workload *workload);

enum loop_kind { LOOP_PLAIN, LOOP_WINDOWS, LOOP_TIMED };

/*
 * One thread's loop: `before`, the operations, `after`. A window opens just after the calls
 * have returned and closes just before the next ones are made: iteration i's operations are
 * window i. Instantiated thrice, so that the plain child has no branch that the instrumented
 * one lacks, and only the timed one looks at the clock.
 */
static inline __attribute__((always_inline)) enum child_status
worker_loop_kind(struct worker *w, enum child_status (*before)(struct worker *),
		 enum child_status (*after)(struct worker *), enum loop_kind kind)
{
	const struct job *const job = w->job;
	const uint64_t n = w->iterations;
	uint64_t i = 0;

	w->opened = counter_read();
	while (i < n) {
		enum child_status status = before(w);

		if (status)
			return status;
		if (kind == LOOP_WINDOWS) {
			uint64_t opened = counter_read();

			job->op(job->ops);
			w->window[i] = counter_read() - opened;
		} else {
			job->op(job->ops);
		}
		if (after && (status = after(w)))
			return status;
		i++;
		if (kind == LOOP_TIMED && counter_read() - w->opened >= job->duration)
			break;
	}
	w->closed = counter_read();
	w->done = i;
	return CHILD_DONE;
}

#define WORKER_LOOP(w, before, after)                                                          \
	((w)->window          ? worker_loop_kind(w, before, after, LOOP_WINDOWS)               \
	 : (w)->job->duration ? worker_loop_kind(w, before, after, LOOP_TIMED)                 \
			      : worker_loop_kind(w, before, after, LOOP_PLAIN))

#endif
