/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A campaign: the plan's blocks run one after another, each sample handed on as it comes.
 */
#ifndef TRACETAX_CAMPAIGN_H
#define TRACETAX_CAMPAIGN_H

#include <jansson.h>
#include <stdbool.h>

#include "base/err.h"
#include "probe/plan.h"
#include "probe/sample-io.h"

/* Who runs a cell: run_cell() of a harness, or a test's script. Contract as run_cell()'s. */
struct runner {
	int (*run)(void *arg, const struct cell *c, struct sample *s, struct err *e);
	/* Whether to stop before the next run: a signal's number, or 0. NULL: never. */
	int (*asked_to_end)(void *arg);
	void *arg;
};

struct campaign {
	struct plan *plan;
	int64_t runs; /* counted blocks, after the warm-up */
	const struct runner *runner;
	/* Where samples go: the sink, and the file when fd is not -1. */
	const struct sample_sink *sink;
	void *sink_arg;
	int fd;
	const char *path;
	bool progress; /* a line on stderr, redrawn */
};

/* What came of it. */
struct outcome {
	int64_t samples;  /* counted ones */
	int64_t failures; /* runs that gave none, the warm-up's included */
	int ended_by;     /* the signal that cut it short, or 0 */
};

/*
 * Write and hand on the campaign line, then run. A failed run in the warm-up ends the campaign
 * (EXIT_MEASURE): what does not work once will not work the next time. Later ones are
 * recorded, warned about and counted. -1 with `e` set when nothing can be run or written;
 * what came before is written and handed on.
 */
int campaign_run(const struct campaign *c, json_t *line, struct outcome *out, struct err *e);

#endif
