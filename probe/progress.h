/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The progress line on stderr: how many runs of how many, which cell, how long still.
 */
#ifndef TRACETAX_PROGRESS_H
#define TRACETAX_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

#include "probe/cell.h"

struct progress {
	bool on; /* shown at all: asked for, and stderr is a terminal */
	int64_t total, done;
	int64_t start_ns;
};

void progress_start(struct progress *p, bool wanted, int64_t total);

/* Before each run. Writes once a run, before its clock starts, so it disturbs no sample. */
void progress_step(struct progress *p, const struct cell *c);

/* Take the line away, before anything else is printed. */
void progress_clear(struct progress *p);

#endif
