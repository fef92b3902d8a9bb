/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The 2011 report's figures, and today's beside them.
 *
 * "On interaction between user time accounting and tracing with ptrace()", linux-kernel,
 * February 2011: a child doing pread() plus N operations per iteration, 262144 iterations,
 * kernel 2.6.37, governor performance, means of 8 runs after one warm-up.
 */
#ifndef TRACETAX_LKML2011_H
#define TRACETAX_LKML2011_H

#include <stdio.h>

#include "analysis/result.h"

enum { LKML2011_ITERATIONS = 262144 };

/* Print the comparison. Today's figures are scaled to LKML2011_ITERATIONS per iteration. */
void lkml2011_print(FILE *out, const struct results *r, size_t width);

#endif
