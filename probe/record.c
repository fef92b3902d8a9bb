/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "probe/record.h"

#include <math.h>
#include <stdio.h>

#include "child/workload-info.h"
#include "probe/windows.h"
#include "probe/witness.h"

static const char real_root[] = "";

static int64_t tv_ns(struct timeval t)
{
	return t.tv_sec * INT64_C(1000000000) + t.tv_usec * INT64_C(1000);
}

void record_cell(struct sample *s, const struct cell *c)
{
	const struct workload_info *info = workload_info_find(c->workload);

	sample_init(s);
	snprintf(s->workload, sizeof(s->workload), "%s", c->workload);
	snprintf(s->op, sizeof(s->op), "%s", c->op);
	snprintf(s->child, sizeof(s->child), "%s", c->child);
	snprintf(s->tracer, sizeof(s->tracer), "%s", c->tracer);
	snprintf(s->placement, sizeof(s->placement), "%s", c->place.name);
	s->ops = c->ops;
	s->iterations = c->iterations;
	s->threads = c->threads || !info ? c->threads : info->threads;
	s->duration_ns = c->duration_ns;
	s->tree = !info || info->forks;
	s->cpu = c->place.cpu == CPU_ANY ? SAMPLE_UNKNOWN : c->place.cpu;
	s->tracer_cpu = c->place.tracer_cpu == CPU_ANY ? SAMPLE_UNKNOWN : c->place.tracer_cpu;
}

void record_before(struct sample *s, pid_t child, int64_t *migrations)
{
	struct schedstat ss;

	witness_schedstat(real_root, child, &ss);
	s->preexec_ns = ss.run_ns;
	*migrations = witness_migrations(real_root, child);
}

void record_zombie(struct sample *s, pid_t child, int64_t migrations_before)
{
	struct schedstat ss;
	struct pidstat ps;
	int64_t migrations = witness_migrations(real_root, child);

	witness_schedstat(real_root, child, &ss);
	witness_stat(real_root, child, &ps);
	s->cpuclock_ns = witness_cpuclock(child);
	s->runtime_ns = ss.run_ns;
	s->waiting_ns = ss.wait_ns;
	s->stat_utime_ticks = ps.utime_ticks;
	s->stat_stime_ticks = ps.stime_ticks;
	s->end_cpu = ps.cpu;
	if (migrations != SAMPLE_UNKNOWN && migrations_before != SAMPLE_UNKNOWN)
		s->migrations = migrations - migrations_before;
}

void record_rusage(struct sample *s, const struct rusage *ru)
{
	s->utime_ns = tv_ns(ru->ru_utime);
	s->stime_ns = tv_ns(ru->ru_stime);
	s->nvcsw = ru->ru_nvcsw;
	s->nivcsw = ru->ru_nivcsw;
	s->minflt = ru->ru_minflt;
	s->majflt = ru->ru_majflt;
	s->maxrss_kib = ru->ru_maxrss;
}

void record_trace(struct sample *s, const struct trace *t)
{
	s->stops = t->stops;
	s->syscall_stops = t->syscall_stops;
	s->signals = t->signals;
	s->group_stops = t->group_stops;
	s->forks = t->forks;
	s->calls_traced = t->calls;
	s->events_lost = t->lost;
}

void record_report(struct sample *s, const struct child_report *report, bool in_process,
		   double ns_per_count, double *scratch)
{
	struct windows_sum w;

	s->operations = (int64_t)report->iterations_done;
	if (workload_info_find(s->workload)) /* a command does not count them */
		s->syscalls = (int64_t)report->syscalls;
	s->loop_ns = llround((double)report->loop_counts * ns_per_count);
	s->loop_utime_ns = (int64_t)(report->end.utime_ns - report->begin.utime_ns);
	s->loop_stime_ns = (int64_t)(report->end.stime_ns - report->begin.stime_ns);
	s->loop_runtime_ns = (int64_t)(report->end.runtime_ns - report->begin.runtime_ns);
	if (in_process)
		s->calls_traced = (int64_t)report->dispatched;
	if (!report->windows || in_process)
		return;
	w = windows_reduce(report->window, report->windows, ns_per_count, scratch);
	s->true_user_ns = llround(w.true_ns);
	s->windows = (int64_t)w.n;
	s->interrupted = (int64_t)w.interrupted;
	s->excess_ns = llround(w.excess_ns);
	s->window_median_ps = llround(w.median_ns * 1000);
}

void record_command(struct sample *s)
{
	s->operations = 1;
	s->loop_ns = s->wall_ns;
	s->loop_utime_ns = s->utime_ns;
	s->loop_stime_ns = s->stime_ns;
	s->loop_runtime_ns = s->cpuclock_ns;
}

static int64_t not_negative(int64_t v)
{
	return v < 0 ? 0 : v;
}

void record_outside(struct sample *s, int64_t runtime_ns, const struct rusage *ru,
		    const struct child_times *child)
{
	const int64_t utime = tv_ns(ru->ru_utime), total = utime + tv_ns(ru->ru_stime),
		      of_child = (int64_t)(child->utime_ns + child->stime_ns);
	/* A tracer that left the child to another to reap has not got its times. */
	const bool counted = total - runtime_ns > of_child / 2;

	s->tracer_runtime_ns = runtime_ns;
	if (runtime_ns == SAMPLE_UNKNOWN)
		return;
	s->tracer_utime_ns = not_negative(utime - (counted ? (int64_t)child->utime_ns : 0));
	if (s->tracer_utime_ns > runtime_ns)
		s->tracer_utime_ns = runtime_ns;
	s->tracer_stime_ns = runtime_ns - s->tracer_utime_ns;
}
