/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TRACETAX_VERDICT_H
#define TRACETAX_VERDICT_H

#include "analysis/result.h"

/*
 * Fill resolution, noise, verdict and reason of the n cells of one family (they differ in the
 * tracer only). A change of reported user time is called when its interval excludes 1 and it
 * is larger than both what the ticks can resolve and how far the A/A control strays; a factor
 * of 1/2 counts as much as one of 2.
 */
void verdict_family(struct result *list, size_t n);

#endif
