/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What this machine can measure, what would disturb it, and what to type to mend it: one line
 * for each check. What has to be tried (ptrace, personality, the accounting experiment) is
 * tried on the real root only; for a fixture the line says that it cannot be tried there.
 */
#ifndef TRACETAX_DOCTOR_H
#define TRACETAX_DOCTOR_H

#include <jansson.h>
#include <stddef.h>

#include "probe/machine.h"

enum doctor_state {
	DOCTOR_OK,
	DOCTOR_WARNING, /* measurements work, but are disturbed or less complete */
	DOCTOR_MISSING, /* something cannot be measured, set or known here */
};

struct doctor_line {
	const char *name; /* static */
	enum doctor_state state;
	char *value; /* never NULL */
	char *why;   /* one sentence, NULL when ok */
	char *mend;  /* a command for a shell, NULL when ok or when no command mends it */
};

struct doctor_report {
	struct doctor_line *line;
	size_t n;
};

/* "ok", "warning", "missing". */
const char *doctor_state_name(enum doctor_state state);

/*
 * All checks on what machine_read() gave for the same root. On the real root it forks and
 * reaps children of its own, for about a third of a second at HZ=250. It cannot fail: what
 * cannot be found out is a line that says so. Release with doctor_free().
 */
void doctor_run(const char *root, const struct machine *m, struct doctor_report *out);

/*
 * {"schema":1, "lines":[{"name","state","value","why","mend"}…], "machine":{…}}, with null for
 * no why and no mend. A new reference.
 */
json_t *doctor_json(const struct doctor_report *r, const struct machine *m);

/* The line of that name, or NULL. */
const struct doctor_line *doctor_find(const struct doctor_report *r, const char *name);

void doctor_free(struct doctor_report *r);

#endif
