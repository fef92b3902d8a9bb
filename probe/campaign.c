/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "probe/campaign.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "probe/progress.h"

static int hand_on(const struct campaign *c, const struct sample *s, struct err *e)
{
	if (c->fd >= 0 && samples_write(c->fd, c->path, s, e))
		return -1;
	return c->sink->sample(c->sink_arg, s, e);
}

static int take_failure(const struct sample *s, struct progress *p, struct outcome *out,
			struct err *e)
{
	out->failures++;
	progress_clear(p);
	if (s->warmup)
		return err_set(e, EXIT_MEASURE, "%s, %s, %s: %s", s->workload, s->tracer,
			       s->placement, s->failure);
	warn("block %" PRId64 ", %s, %s, %s: %s", s->block, s->workload, s->tracer,
	     s->placement, s->failure);
	return 0;
}

/* One run; 1 when it is the last, since a signal asked us to end. */
static int one(const struct campaign *c, const struct cell *cell, int64_t block,
	       struct progress *p, struct outcome *out, struct err *e)
{
	struct sample s;

	out->ended_by = c->runner->asked_to_end ? c->runner->asked_to_end(c->runner->arg) : 0;
	if (out->ended_by)
		return 1;
	progress_step(p, cell);
	if (c->runner->run(c->runner->arg, cell, &s, e))
		return -1;
	s.block = block;
	s.warmup = block == 0;
	out->ended_by = c->runner->asked_to_end ? c->runner->asked_to_end(c->runner->arg) : 0;
	if (s.failure[0] && out->ended_by)
		return 1; /* we ended that run ourselves */
	if (hand_on(c, &s, e))
		return -1;
	if (s.failure[0])
		return take_failure(&s, p, out, e);
	out->samples += !s.warmup;
	return 0;
}

int campaign_run(const struct campaign *c, json_t *line, struct outcome *out, struct err *e)
{
	struct progress p;
	int ret = 0;

	*out = (struct outcome) { 0 };
	if (c->fd >= 0 && samples_write_campaign(c->fd, c->path, line, e))
		return -1;
	if (c->sink->campaign(c->sink_arg, line, e))
		return -1;
	progress_start(&p, c->progress, (int64_t)c->plan->n * (c->runs + 1));
	for (int64_t block = 0; block <= c->runs && !ret; block++) {
		const size_t *order = plan_next_block(c->plan);

		for (size_t i = 0; i < c->plan->n && !ret; i++)
			ret = one(c, &c->plan->cells[order[i]], block, &p, out, e);
	}
	progress_clear(&p);
	return ret < 0 ? -1 : 0;
}
