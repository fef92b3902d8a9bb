/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "probe/judge.h"

#include <inttypes.h>
#include <stdio.h>

#include "child/workload-info.h"

/* How many calls beside the loop's the tracer can have counted. */
static int64_t most_startup_calls(const struct cell *c, const struct child_report *report)
{
	const struct workload_info *info = workload_info_find(c->workload);
	const int64_t threads = c->threads ? c->threads : info ? (int64_t)info->threads : 1;
	const int64_t processes = info && info->forks ? (int64_t)report->iterations_done : 0;

	return JUDGE_STARTUP_CALLS * (1 + threads + processes);
}

static void judge_count(struct sample *s, const struct cell *c,
			const struct child_report *report, enum judge_seen seen)
{
	const int64_t lost = s->events_lost == SAMPLE_UNKNOWN ? 0 : s->events_lost;
	const int64_t made = (int64_t)report->syscalls, most = most_startup_calls(c, report);
	const int64_t count = s->calls_traced + lost;

	if (s->calls_traced == SAMPLE_UNKNOWN)
		return;
	if (count < made &&
	    (seen == JUDGE_ALL || (seen == JUDGE_SOME_LOST && !s->calls_traced)))
		snprintf(s->failure, sizeof(s->failure),
			 "the tracer saw %" PRId64 " system calls, the child made %" PRId64
			 " in its loop",
			 count, made);
	/* Lost events can be entries and exits, two a call. */
	if (s->calls_traced > made + most)
		snprintf(s->failure, sizeof(s->failure),
			 "the tracer saw %" PRId64 " system calls, the child made %" PRId64
			 " in its loop and at most %" PRId64 " beside it",
			 s->calls_traced, made, most);
}

void judge_work(struct sample *s, const struct cell *c, const struct child_report *report,
		enum judge_seen seen)
{
	if (c->duration_ns && !report->iterations_done)
		snprintf(s->failure, sizeof(s->failure),
			 "the child exited with status 0 and reported no iteration");
	else if (!c->duration_ns && report->iterations_done != (uint64_t)c->iterations)
		snprintf(s->failure, sizeof(s->failure),
			 "the child exited with status 0 and reported %" PRIu64 " of %" PRId64
			 " iterations",
			 report->iterations_done, c->iterations);
	else if (s->cpu != SAMPLE_UNKNOWN && s->end_cpu != SAMPLE_UNKNOWN &&
		 s->end_cpu != s->cpu)
		snprintf(s->failure, sizeof(s->failure),
			 "the child ended on CPU %" PRId64 " instead of %" PRId64, s->end_cpu,
			 s->cpu);
	else
		judge_count(s, c, report, seen);
}
