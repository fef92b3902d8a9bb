/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Whether a run is a sample: it did its work, where it should, and the tracer saw as much of
 * it as there was. Pure.
 */
#ifndef TRACETAX_JUDGE_H
#define TRACETAX_JUDGE_H

#include <stdbool.h>
#include <stdint.h>

#include "child/report.h"
#include "probe/cell.h"
#include "probe/sample.h"

/*
 * System calls that may come beside those of the loop, for each program and thread that is
 * started: start-up and exit of a static program are some twenty calls here (glibc 2.36), a
 * thread's some ten; the rest is room for another libc and another tracer's shim.
 */
enum { JUDGE_STARTUP_CALLS = 100 };

/* How much of the loop's calls the tracer claims to see. */
enum judge_seen {
	JUDGE_ALL,
	JUDGE_SOME_CHOSEN, /* it was told to look at others, or can't see some */
	JUDGE_SOME_LOST,   /* it can miss events without saying so */
};

/*
 * A child that exited with 0. Writes why it is no sample into s->failure, or nothing.
 */
void judge_work(struct sample *s, const struct cell *c, const struct child_report *report,
		enum judge_seen seen);

#endif
