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

#endif
