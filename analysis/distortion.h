/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Distortion: each cell's figures, and each traced cell against its untraced one, split into
 * what is real and what is booked in the wrong place, with a verdict.
 */
#ifndef TRACETAX_DISTORTION_H
#define TRACETAX_DISTORTION_H

#include "analysis/result.h"

/* Compute all of it. The groups are finished and outlive the results. */
void results_make(struct results *r, const struct groups *g, uint32_t seed);
void results_free(struct results *r);

#endif
