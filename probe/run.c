/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "probe/run-state.h"

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

#include "probe/ghz.h"
#include "probe/judge.h"
#include "probe/record.h"
#include "probe/status.h"
#include "probe/watch.h"

static const char real_root[] = "";

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

/* The frequency of the child's CPU: the harness goes there to measure it. */
static int measure_khz(struct run *r, int64_t *khz, struct err *e)
{
	if (harness_pin(r->h, r->c->place.cpu, e))
		return -1;
	*khz = ghz_measure_khz(rate_ns_per_count(&r->h->rate));
	return harness_pin(r->h, r->c->place.tracer_cpu, e);
}

/* What the tracer has spent, when it is this process. */
static void record_ourselves(struct run *r)
{
	struct rusage self;

	r->s->tracer_runtime_ns = own_runtime_ns() - r->self_runtime_before;
	getrusage(RUSAGE_SELF, &self);
	r->s->tracer_utime_ns = tv_ns(self.ru_utime) - tv_ns(r->self_before.ru_utime);
	r->s->tracer_stime_ns = tv_ns(self.ru_stime) - tv_ns(r->self_before.ru_stime);
}

/* From the open gate to the reaped child. */
static int observe(struct run *r, struct err *e)
{
	int ret;

	getrusage(RUSAGE_SELF, &r->self_before);
	r->self_runtime_before = own_runtime_ns();
	watch_arm(r->launch.pid, r->h->o.timeout_ns);
	r->released_ns = monotonic_ns();
	ret = launch_release(&r->launch, e);
	if (!ret)
		ret = r->tracer->follow(&r->trace, e);
	record_ourselves(r);
	r->s->wall_ns = monotonic_ns() - r->released_ns;
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

/* Of the child, or of the program that traces it: what nobody can tell once it is reaped. */
static void look_at_zombie(struct run *r)
{
	if (r->tracer->outside)
		r->outside_runtime_ns = witness_cpuclock(r->launch.pid);
	else
		record_zombie(r->s, r->launch.pid, r->migrations_before);
}

/* End what lives of the run and reap it all; what the zombie says is read first. */
static void reap(struct run *r, bool read_it)
{
	const pid_t pid = r->launch.pid;
	/* What a command leaves behind when it ends by itself is its own affair. */
	const bool keep_rest = r->command && read_it && !watch_timed_out() && !watch_signal();
	pid_t stray;
	int ignored;

	if (read_it && !r->trace.reaped)
		look_at_zombie(r);
	/* The unreaped leader keeps the group's number from being given away. */
	if (!keep_rest)
		kill(-pid, SIGKILL);
	if (!r->trace.reaped)
		reap_killed(pid, &r->trace.status, &r->trace.rusage);
	keeper_watch(&r->h->keeper, 0);
	while (!keep_rest && !reap_killed(-pid, &ignored, NULL))
		;
	/* Those that had left the group came to us, their subreaper, when its last one died. */
	while (!r->command && (stray = keeper_stray(&r->h->keeper)) > 0) {
		kill(stray, SIGKILL);
		if (reap_killed(stray, &ignored, NULL))
			break;
	}
	if (!r->tracer->outside)
		record_rusage(r->s, &r->trace.rusage);
}

static int64_t difference(int64_t after, int64_t before)
{
	return after == SAMPLE_UNKNOWN || before == SAMPLE_UNKNOWN ? SAMPLE_UNKNOWN
								   : after - before;
}

/* What a tracer that is a program wrote and spent. */
static int record_program(struct run *r, struct err *e)
{
	record_outside(r->s, r->outside_runtime_ns, &r->trace.rusage, &r->h->report->end);
	return outside_read(r->tracer->outside, r->launch.out_fd, &r->s->calls_traced,
			    &r->s->events_lost, e);
}

static enum judge_seen how_much_is_seen(const struct run *r)
{
	const struct outside *o = r->tracer->outside;

	if (o && o->lossy)
		return JUDGE_SOME_LOST;
	if (r->tracer->in_process || (o && o->no_forks && r->s->tree) ||
	    (r->h->o.filter && (r->tracer->filter || (o && o->chooses))))
		return JUDGE_SOME_CHOSEN;
	return JUDGE_ALL;
}

/* The command's own end: its wait status, or what the process that started it says. */
static void judge_command(struct run *r)
{
	const struct child_report *report = r->h->report;
	struct sample *s = r->s;

	command_judge(r->command,
		      r->tracer->outside ? (int)report->wait_status : r->trace.status,
		      s->failure, sizeof(s->failure));
}

/* Why the run is no sample, or nothing: `said` is what the child wrote to stderr. */
static void judge(struct run *r, const char *said, const struct err *exec_error)
{
	struct sample *s = r->s;
	struct stop end = stop_classify(r->trace.status);
	char text[64];

	if (exec_error->text[0])
		snprintf(s->failure, sizeof(s->failure), "%.200s", exec_error->text);
	else if (r->command && !watch_timed_out() && !watch_signal() &&
		 (!r->tracer->outside || r->h->report->iterations_done))
		judge_command(r);
	else if (end.kind == STOP_EXITED && !end.code)
		judge_work(s, r->c, r->h->report, how_much_is_seen(r));
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

/* A child that was killed can have left a file of each of its threads. */
static void remove_files(const struct run *r)
{
	const uint64_t pid = r->h->report->pid;
	char path[64];

	for (int64_t i = 0; pid && i < r->s->threads; i++) {
		snprintf(path, sizeof(path), CHILD_FILE_FORMAT, (int)pid, (unsigned)i);
		unlink(path);
	}
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
	if (!r->tracer->outside)
		record_before(r->s, r->launch.pid, &r->migrations_before);
	return 0;
}

/* From the fork of the child to its reaped end, and to why it is no sample, if it is none. */
static int run_child(struct run *r, struct err *e)
{
	struct err exec_error = { 0 };
	char said[160];
	int ret = run_launch(r, e);

	if (ret)
		return -1;
	ret = begin(r, e);
	if (!ret)
		ret = observe(r, e);
	if (r->tracer->finish)
		r->tracer->finish(&r->trace);
	record_trace(r->s, &r->trace);
	reap(r, !ret);
	launch_finish(&r->launch, said, sizeof(said), &exec_error);
	if (!ret && r->tracer->outside)
		ret = record_program(r, e);
	if (!ret)
		judge(r, said, &exec_error);
	return ret;
}

int run_cell(struct harness *h, const struct cell *c, struct sample *s, struct err *e)
{
	struct run r = {
		.h = h,
		.c = c,
		.s = s,
		.tracer = tracer_find(h->o.tracers, c->tracer),
		.command = h->o.command,
		.launch = { .listener = -1, .out_fd = -1 },
		.outside_runtime_ns = SAMPLE_UNKNOWN,
	};
	int ret;

	record_cell(s, c);
	s->aslr = h->o.aslr;
	s->start_ns = monotonic_ns() - h->start_ns;
	if (measure_khz(&r, &s->khz_before, e))
		return -1;
	witness_cpustat(real_root, c->place.cpu, c->place.tracer_cpu, &r.cpu_before);
	ret = run_child(&r, e);
	run_release(&r);
	if (ret)
		return -1;
	measure_end(&r);
	if (s->failure[0] && !r.command)
		remove_files(&r);
	if (!s->failure[0] && r.command && !r.tracer->outside)
		record_command(s);
	else if (!s->failure[0])
		record_report(s, h->report, r.tracer->in_process, rate_ns_per_count(&h->rate),
			      h->scratch);
	return measure_khz(&r, &s->khz_after, e);
}
