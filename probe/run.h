/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One run of one cell: the child is launched, observed, read as a zombie and reaped; what it
 * gave is a sample.
 */
#ifndef TRACETAX_RUN_H
#define TRACETAX_RUN_H

#include "base/err.h"
#include "probe/cell.h"
#include "probe/harness.h"
#include "probe/sample.h"

/*
 * Run the cell once. Returns 0 with *s filled: a sample, or, with s->failure set, the record
 * of a run that did not do its work: the child failed to exec, was killed, ran into the
 * timeout, exited with another status than 0, or did less than it was asked. -1 with `e` set
 * when nothing can be run (no permission, no CPU, no memory). Nothing of the run is alive
 * after either.
 *
 * The caller's CPU affinity is changed to the cell's tracer CPU.
 */
int run_cell(struct harness *h, const struct cell *c, struct sample *s, struct err *e);

/*
 * How much user time an instrumented iteration spends outside its window: the halves of the
 * two counter reads that lie before the first and after the last reading, and the loop. From
 * the exact run time of `compute` with no operation, which makes no system call, less its
 * windows; the smallest of several, as the difference of a long and a short run, so that
 * start-up does not count. In picoseconds; SAMPLE_UNKNOWN when it can't be had.
 */
int64_t run_outside_window_ps(struct harness *h);

#endif
