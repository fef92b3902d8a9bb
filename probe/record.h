/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What is known of a run, put into its sample: each function one source.
 */
#ifndef TRACETAX_RECORD_H
#define TRACETAX_RECORD_H

#include <sys/resource.h>
#include <sys/types.h>

#include "child/report.h"
#include "probe/cell.h"
#include "probe/sample.h"
#include "probe/tracer.h"

/* Everything unknown but the cell. */
void record_cell(struct sample *s, const struct cell *c);

/* What the child was charged before its release: its fork and what precedes the exec. */
void record_before(struct sample *s, pid_t child, int64_t *migrations);

/* The child as an unreaped zombie; `migrations` as record_before() left it. */
void record_zombie(struct sample *s, pid_t child, int64_t migrations);

/* Its rusage, of the wait that reaped it. */
void record_rusage(struct sample *s, const struct rusage *ru);

/* What the tracer counted. */
void record_trace(struct sample *s, const struct trace *t);

/*
 * What the child said of its loop, and its windows, as true user time; `scratch` has room for
 * them. Of a child whose calls come back to itself (in_process) the windows do not hold all
 * the user time: that stays unknown.
 */
void record_report(struct sample *s, const struct child_report *report, bool in_process,
		   double ns_per_count, double *scratch);

/*
 * A command that we have started ourselves: what stands for its loop is all of it, so that it
 * can be compared with one that a program started.
 */
void record_command(struct sample *s);

/*
 * CPU time of a tracer that is a program of its own and has been reaped: `runtime_ns` is its
 * process CPU clock as a zombie, exact and its own; `ru` counts the children that it waited
 * for too, of which the child knows its own part.
 */
void record_outside(struct sample *s, int64_t runtime_ns, const struct rusage *ru,
		    const struct child_times *child);

#endif
