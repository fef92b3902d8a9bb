/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A fake tracer: scripted samples drive plan, campaign, groups, figures, verdicts and every
 * report, in milliseconds and without a process.
 */
#ifndef TRACETAX_TESTS_SCRIPT_H
#define TRACETAX_TESTS_SCRIPT_H

#include <gsl/gsl_rng.h>

#include "analysis/distortion.h"
#include "probe/campaign.h"

enum { TICK = 4000000 }; /* ns, at the 250 Hz of script_campaign() */

/* What the script says a run takes: ns, for the untraced run and the traced one. */
struct script {
	double utime, traced_utime; /* reported, before ticks */
	double true_user, traced_true;
	double stime, traced_stime;
	bool ticks;    /* round utime to ticks, at random */
	double spread; /* relative, of everything */
	/* Faults. */
	int fail_at;  /* the how-manyth run fails, from 1; 0: none */
	int break_at; /* that run can't be made at all */
	int end_at;   /* after that run a signal has come */
	int runs;     /* made so far */
	gsl_rng *rng;
};

/* The campaign line of a machine; the caller lets go of it. */
json_t *script_campaign(const char *host, const char *accounting);

/* One child only: it clocks itself. */
extern char *const script_windows[1];

/*
 * Run the script under none, aa and syscall: what it gave is in *g, the outcome in *out. The
 * samples go to `path`, unless it is NULL. The caller frees x->rng, which is made when NULL.
 */
int script_run(struct script *x, char *const *children, size_t n_children, int64_t runs,
	       const char *path, json_t *line, struct groups *g, struct outcome *out,
	       struct err *e);

/* The usual run: windows, a number of blocks, one machine. To be freed by script_done(). */
void script_results(struct script *x, int64_t runs, const char *accounting, struct groups *g,
		    struct results *r);
void script_done(struct groups *g, struct results *r);

/* The first cell of that tracer; there has to be one. */
const struct result *script_find(const struct results *r, const char *tracer);

#endif
