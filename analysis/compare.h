/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A cell's figures that are comparisons: with the child's own clock, and with the baseline.
 */
#ifndef TRACETAX_COMPARE_H
#define TRACETAX_COMPARE_H

#include "analysis/result.h"

/* Fill F_REPORTED_TO_TRUE from the cell's own runs; ticks booked and due are known. */
void compare_with_truth(struct result *r, struct draws *draws);

/* Fill the figures from F_UTIME_RATIO on, the means and the pairs; r->base is set or NULL. */
void compare_with_base(struct result *r, struct draws *draws);

#endif
