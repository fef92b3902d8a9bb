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

/*
 * A child that exited with 0. Writes why it is no sample into s->failure, or nothing.
 * `some_calls`: the tracer was told to look at other calls than all of the workload's.
 */
void judge_work(struct sample *s, const struct cell *c, const struct child_report *report,
		bool some_calls);

#endif
