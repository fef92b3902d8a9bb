/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "probe/run.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "child/workload-info.h"
#include "probe/child-argv.h"
#include "probe/ghz.h"
#include "probe/judge.h"
#include "probe/launch.h"
#include "probe/status.h"
#include "probe/tracer.h"
#include "probe/watch.h"
#include "probe/windows.h"
#include "probe/witness.h"

static const char real_root[] = "";

/* The state of a run between its steps. */
struct run {
	struct harness *h;
	const struct cell *c;
	struct sample *s;
	const struct tracer_ops *tracer;
	struct child_argv argv;
	struct filter filter;
	struct launch launch;
	struct trace trace;
	struct cpustat cpu_before;
	int64_t migrations_before;
	struct rusage self_before;
	int64_t released_ns, self_runtime_before;
};

static int64_t tv_ns(struct timeval t)
{
	return t.tv_sec * INT64_C(1000000000) + t.tv_usec * INT64_C(1000);
}

static int64_t own_runtime_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return t.tv_sec * INT64_C(1000000000) + t.tv_nsec;
}

static void fill_cell(struct sample *s, const struct cell *c)
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

/* The frequency of the child's CPU: the harness goes there to measure it. */
static int measure_khz(struct run *r, int64_t *khz, struct err *e)
{
	if (harness_pin(r->h, r->c->place.cpu, e))
		return -1;
	*khz = ghz_measure_khz(rate_ns_per_count(&r->h->rate));
	return harness_pin(r->h, r->c->place.tracer_cpu, e);
}

/* The calls that filters name: what the user chose, or all that the workload makes. */
static const char *chosen_calls(const struct run *r)
{
	const struct workload_info *info = workload_info_find(r->c->workload);

	return r->h->o.filter ? r->h->o.filter : info ? info->calls : "";
}

static void clear_report(struct child_report *report)
{
	const uint64_t magic = report->magic, capacity = report->capacity;

	*report = (struct child_report) { .magic = magic, .capacity = capacity };
}

static int launch(struct run *r, struct err *e)
{
	static const char *const no_environment[] = { NULL };
	int cpu = r->c->place.cpu;
	const struct cpulist one = { &cpu, 1 };

	child_argv_fill(&r->argv, "tracetax-child", r->c, r->tracer->in_process,
			rate_ns_per_count(&r->h->rate));
	r->launch = (struct launch) {
		.path = r->h->o.child_path,
		.argv = r->argv.word,
		.environment = no_environment,
		.cpus = cpu == CPU_ANY ? &r->h->allowed : &one,
		.aslr = r->h->o.aslr,
		.report_fd = r->h->report_fd,
		.out_fd = -1,
	};
	if (r->tracer->filter) {
		if (filter_make(&r->filter, r->tracer->filter, chosen_calls(r), e))
			return -1;
		r->launch.filter = &r->filter;
	}
	clear_report(r->h->report);
	return launch_fork(&r->launch, e);
}

/* The witnesses of a zombie, before it is reaped. */
static void read_zombie(struct run *r)
{
	struct schedstat ss;
	struct pidstat ps;
	int64_t migrations = witness_migrations(real_root, r->launch.pid);

	witness_schedstat(real_root, r->launch.pid, &ss);
	witness_stat(real_root, r->launch.pid, &ps);
	r->s->cpuclock_ns = witness_cpuclock(r->launch.pid);
	r->s->runtime_ns = ss.run_ns;
	r->s->waiting_ns = ss.wait_ns;
	r->s->stat_utime_ticks = ps.utime_ticks;
	r->s->stat_stime_ticks = ps.stime_ticks;
	r->s->end_cpu = ps.cpu;
	if (migrations != SAMPLE_UNKNOWN && r->migrations_before != SAMPLE_UNKNOWN)
		r->s->migrations = migrations - r->migrations_before;
}

static void fill_rusage(struct sample *s, const struct rusage *ru)
{
	s->utime_ns = tv_ns(ru->ru_utime);
	s->stime_ns = tv_ns(ru->ru_stime);
	s->nvcsw = ru->ru_nvcsw;
	s->nivcsw = ru->ru_nivcsw;
	s->minflt = ru->ru_minflt;
	s->majflt = ru->ru_majflt;
	s->maxrss_kib = ru->ru_maxrss;
}

static void fill_trace(struct run *r, int64_t ended_ns)
{
	struct sample *s = r->s;
	struct rusage self;

	s->tracer_runtime_ns = own_runtime_ns() - r->self_runtime_before;
	getrusage(RUSAGE_SELF, &self);
	s->wall_ns = ended_ns - r->released_ns;
	s->tracer_utime_ns = tv_ns(self.ru_utime) - tv_ns(r->self_before.ru_utime);
	s->tracer_stime_ns = tv_ns(self.ru_stime) - tv_ns(r->self_before.ru_stime);
	s->stops = r->trace.stops;
	s->syscall_stops = r->trace.syscall_stops;
	s->signals = r->trace.signals;
	s->group_stops = r->trace.group_stops;
	s->forks = r->trace.forks;
}

/* What the tracer counted, known once it has finished. */
static void finish_trace(struct run *r)
{
	if (r->tracer->finish)
		r->tracer->finish(&r->trace);
	if (r->launch.listener >= 0)
		close(r->launch.listener);
	r->s->calls_traced = r->trace.calls;
	r->s->events_lost = r->trace.lost;
}

/* From the open gate to the reaped child. */
static int observe(struct run *r, struct err *e)
{
	int64_t ended_ns;
	int ret;

	getrusage(RUSAGE_SELF, &r->self_before);
	r->self_runtime_before = own_runtime_ns();
	watch_arm(r->launch.pid, r->h->o.timeout_ns);
	r->released_ns = monotonic_ns();
	ret = launch_release(&r->launch, e);
	if (!ret)
		ret = r->tracer->follow(&r->trace, e);
	ended_ns = monotonic_ns();
	fill_trace(r, ended_ns);
	watch_disarm();
	return ret;
}

/*
 * Reap a process that has been killed: 0, or -1 when there is none. One that was being traced
 * stops once more on its way out (PTRACE_EVENT_EXIT, also after SIGKILL) and is resumed.
 */
static int reap_killed(pid_t pid, int *status, struct rusage *ru)
{
	for (;;) {
		pid_t got = wait4(pid, status, __WALL, ru);

		if (got < 0 && errno != EINTR)
			return -1;
		if (got > 0 && !WIFSTOPPED(*status))
			return 0;
		if (got > 0)
			ptrace(PTRACE_CONT, got, NULL, 0L);
	}
}

/* End what lives of the run and reap it all; what the zombie says is read first. */
static void reap(struct run *r, bool read_it)
{
	const pid_t pid = r->launch.pid;
	pid_t stray;
	int ignored;

	if (read_it && !r->trace.reaped)
		read_zombie(r);
	/* The unreaped leader keeps the group's number from being given away. */
	kill(-pid, SIGKILL);
	if (!r->trace.reaped)
		reap_killed(pid, &r->trace.status, &r->trace.rusage);
	keeper_watch(&r->h->keeper, 0);
	while (!reap_killed(-pid, &ignored, NULL))
		;
	/* Those that had left the group came to us, their subreaper, when its last one died. */
	while ((stray = keeper_stray(&r->h->keeper)) > 0) {
		kill(stray, SIGKILL);
		if (reap_killed(stray, &ignored, NULL))
			break;
	}
	fill_rusage(r->s, &r->trace.rusage);
}

static int64_t difference(int64_t after, int64_t before)
{
	return after == SAMPLE_UNKNOWN || before == SAMPLE_UNKNOWN ? SAMPLE_UNKNOWN
								   : after - before;
}

/* What the child said of its loop. */
static void fill_report(struct run *r)
{
	const struct child_report *report = r->h->report;
	const double ns_per_count = rate_ns_per_count(&r->h->rate);
	struct sample *s = r->s;
	struct windows_sum w;

	s->operations = (int64_t)report->iterations_done;
	s->syscalls = (int64_t)report->syscalls;
	s->loop_ns = llround((double)report->loop_counts * ns_per_count);
	s->loop_utime_ns = (int64_t)(report->end.utime_ns - report->begin.utime_ns);
	s->loop_stime_ns = (int64_t)(report->end.stime_ns - report->begin.stime_ns);
	s->loop_runtime_ns = (int64_t)(report->end.runtime_ns - report->begin.runtime_ns);
	if (r->tracer->in_process)
		s->calls_traced = (int64_t)report->dispatched;
	if (strcmp(r->c->child, "windows") != 0 || !report->windows)
		return;
	w = windows_reduce(report->window, report->windows, ns_per_count, r->h->scratch);
	s->true_user_ns = llround(w.true_ns);
	s->windows = (int64_t)w.n;
	s->interrupted = (int64_t)w.interrupted;
	s->excess_ns = llround(w.excess_ns);
	s->window_median_ps = llround(w.median_ns * 1000);
}

/* Why the run is no sample, or nothing: `said` is what the child wrote to stderr. */
static void judge(struct run *r, const char *said, const struct err *exec_error)
{
	struct sample *s = r->s;
	struct stop end = stop_classify(r->trace.status);
	char text[64];

	if (exec_error->text[0])
		snprintf(s->failure, sizeof(s->failure), "%.200s", exec_error->text);
	else if (end.kind == STOP_EXITED && !end.code)
		judge_work(s, r->c, r->h->report, r->h->o.filter || r->tracer->in_process);
	else if (watch_timed_out())
		snprintf(s->failure, sizeof(s->failure),
			 "the child was killed after the timeout of %.3g s%s",
			 (double)r->h->o.timeout_ns / 1e9,
			 s->group_stops ? "; it had been stopped by a signal" : "");
	else if (watch_signal())
		snprintf(s->failure, sizeof(s->failure), "interrupted by SIG%s",
			 sigabbrev_np(watch_signal()));
	else
		snprintf(s->failure, sizeof(s->failure), "the child %s%s%.150s",
			 stop_describe(end, text, sizeof(text)), said[0] ? ": " : "", said);
}

static void measure_end(struct run *r)
{
	struct cpustat after;

	witness_cpustat(real_root, r->c->place.cpu, r->c->place.tracer_cpu, &after);
	r->s->irq_ns = difference(after.irq_ns, r->cpu_before.irq_ns);
	r->s->softirq_ns = difference(after.softirq_ns, r->cpu_before.softirq_ns);
	r->s->steal_ns = difference(after.steal_ns, r->cpu_before.steal_ns);
}

/* Attach to the child that waits at its gate, and take the readings that precede the run. */
static int begin(struct run *r, struct err *e)
{
	struct schedstat ss;

	keeper_watch(&r->h->keeper, r->launch.pid);
	r->trace = (struct trace) {
		.child = r->launch.pid,
		.listener = r->launch.listener,
		.rusage_at_stops = r->h->o.rusage_at_stops,
		.calls = SAMPLE_UNKNOWN,
		.lost = SAMPLE_UNKNOWN,
	};
	if (r->tracer->start && r->tracer->start(&r->trace, e))
		return -1;
	witness_schedstat(real_root, r->launch.pid, &ss);
	r->s->preexec_ns = ss.run_ns;
	r->migrations_before = witness_migrations(real_root, r->launch.pid);
	return 0;
}

/* From the fork of the child to its reaped end. */
static int run_child(struct run *r, struct err *exec_error, char *said, size_t size,
		     struct err *e)
{
	int ret = launch(r, e);

	if (!ret) {
		ret = begin(r, e);
		if (!ret)
			ret = observe(r, e);
		finish_trace(r);
		reap(r, !ret);
		launch_finish(&r->launch, said, size, exec_error);
	}
	filter_free(&r->filter);
	return ret;
}

int run_cell(struct harness *h, const struct cell *c, struct sample *s, struct err *e)
{
	struct run r = { .h = h, .c = c, .s = s, .tracer = tracer_find(c->tracer) };
	struct err exec_error = { 0 };
	char said[160];

	fill_cell(s, c);
	s->aslr = h->o.aslr;
	s->start_ns = monotonic_ns() - h->start_ns;
	if (measure_khz(&r, &s->khz_before, e))
		return -1;
	witness_cpustat(real_root, c->place.cpu, c->place.tracer_cpu, &r.cpu_before);
	if (run_child(&r, &exec_error, said, sizeof(said), e))
		return -1;
	measure_end(&r);
	judge(&r, said, &exec_error);
	if (!s->failure[0])
		fill_report(&r);
	return measure_khz(&r, &s->khz_after, e);
}

enum { OUTSIDE_SHORT = 1000, OUTSIDE_LONG = HARNESS_MIN_WINDOWS, OUTSIDE_TRIES = 5 };

/* Run time less windows, the smallest of some tries; INFINITY when one failed. */
static double least_outside_ns(struct harness *h, int64_t iterations)
{
	const struct cell c = {
		.workload = "compute",
		.op = "none",
		.child = "windows",
		.tracer = "none",
		.place = { .cpu = CPU_ANY, .tracer_cpu = CPU_ANY },
		.iterations = iterations,
	};
	double least = INFINITY;

	for (int i = 0; i < OUTSIDE_TRIES; i++) {
		struct sample s;

		/* A child that fails here will fail in the campaign, which says so. */
		if (run_cell(h, &c, &s, NULL) || s.failure[0] || s.runtime_ns == SAMPLE_UNKNOWN)
			return INFINITY;
		least = fmin(least, (double)(s.runtime_ns - s.true_user_ns - s.excess_ns));
	}
	return least;
}

int64_t run_outside_window_ps(struct harness *h)
{
	double of_short = least_outside_ns(h, OUTSIDE_SHORT);
	double of_long = isinf(of_short) ? INFINITY : least_outside_ns(h, OUTSIDE_LONG);
	double ps = 1000 * (of_long - of_short) / (OUTSIDE_LONG - OUTSIDE_SHORT);

	return isfinite(ps) && ps >= 0 ? llround(ps) : SAMPLE_UNKNOWN;
}
