/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Canned experiments: matrices that belong together, each under one name. What the user's own
 * options say of placements, CPUs, tracers and the like goes before theirs.
 */
#ifndef TRACETAX_CMD_PRESET_H
#define TRACETAX_CMD_PRESET_H

#include "cmd/matrix.h"
#include "cmd/measure.h"

enum { PRESET_MAX_PARTS = 6 };

/* What a preset's plan refers to. */
struct preset_parts {
	struct matrix_options part[PRESET_MAX_PARTS];
	int n;
};

/* Print name and summary of each; exits. */
_Noreturn void preset_print(void);

/*
 * Add the cells of the preset of that name. Tracers that do not work here are left out, and
 * named with the reason in m->unavailable. -1 with `e` set: EXIT_USAGE where there is no such
 * preset; EXIT_SKIP where nothing of it works here. *parts outlives the plan.
 */
int preset_plan(const char *name, const struct matrix_options *o, struct measure *m,
		struct plan *p, struct preset_parts *parts, struct err *e);

void preset_free(struct preset_parts *parts);

#endif
