/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What it costs the child to clock itself.
 */
#ifndef TRACETAX_WINDOW_COST_H
#define TRACETAX_WINDOW_COST_H

#include <stdint.h>

#include "probe/harness.h"

/*
 * How much user time an instrumented iteration spends outside its window: the halves of the
 * two counter reads that lie before the first and after the last reading, and the loop. From
 * the exact run time of `compute` with no operation, which makes no system call, less its
 * windows; the smallest of several, as the difference of a long and a short run, so that
 * start-up does not count. In picoseconds; SAMPLE_UNKNOWN when it can't be had.
 */
int64_t window_cost_ps(struct harness *h);

#endif
