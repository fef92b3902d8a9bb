/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What stands before the report of a canned experiment: its own table, with the figures that
 * others have published beside ours. Which experiment it is, the campaign line says
 * ("preset").
 */
#ifndef TRACETAX_LEAD_H
#define TRACETAX_LEAD_H

#include <stdbool.h>
#include <stdio.h>

#include "analysis/result.h"

struct lead {
	const char *name; /* the preset's */
	void (*print)(FILE *out, const struct results *r, size_t width);
	bool brief; /* of the report only the machine and the controls follow */
};

/* NULL when no experiment has that name. */
const struct lead *lead_find(const char *name);

/* That of all campaigns read, when they are of one experiment; else NULL. */
const struct lead *lead_of(const struct groups *g);

void ladder_print(FILE *out, const struct results *r, size_t width);
void published_print(FILE *out, const struct results *r, size_t width);

#endif
