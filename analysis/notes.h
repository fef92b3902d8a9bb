/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a reader must know beside the tables: the machine, the controls, what went wrong.
 */
#ifndef TRACETAX_NOTES_H
#define TRACETAX_NOTES_H

#include "analysis/result.h"

/* Called once a line of text, without its newline. */
typedef void note_fn(const void *arg, const char *text);

/* One line: kernel, CPU, HZ and accounting mode, clocksource, virtualisation, frequency. */
void notes_machine(const struct machine_group *m, note_fn *put, const void *arg);

/*
 * The controls and whatever disturbed: A/A, sums, agreement of true user time, what the counter
 * reads cost, two speeds, frequency, steal, migrations, failures, torn lines.
 */
void notes_all(const struct results *r, note_fn *put, const void *arg);

#endif
