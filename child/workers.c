/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "child/dispatch.h"
#include "child/syscall.h"
#include "child/workload.h"

enum child_status worker_failed(enum child_status status, const char *what, long error)
{
	fprintf(stderr, "tracetax-child: %s: %s\n", what, strerror((int)error));
	return status;
}

/* What the threads share: they begin together, or not at all. */
struct team {
	pthread_barrier_t barrier;
	atomic_bool off;
};

struct member {
	struct worker w;
	struct team *team;
	pthread_t thread;
};

static void loop(struct worker *w)
{
	if (w->job->dispatch) {
		w->status = dispatch_on();
		if (!w->status) {
			w->status = w->workload->run(w);
			w->dispatched = dispatch_off();
		}
	} else {
		w->status = w->workload->run(w);
	}
}

static void *work(void *arg)
{
	struct member *m = arg;
	struct worker *w = &m->w;

	if (w->workload->prepare)
		w->status = w->workload->prepare(w);
	if (w->status)
		m->team->off = true;
	/* Alone there is nobody to wait for. */
	if (w->job->threads > 1)
		pthread_barrier_wait(&m->team->barrier);
	if (!m->team->off)
		loop(w);
	if (w->workload->finish)
		w->workload->finish(w);
	free(w->own);
	return NULL;
}

static uint64_t timeval_ns(struct timeval t)
{
	return (uint64_t)t.tv_sec * 1000000000U + (uint64_t)t.tv_usec * 1000U;
}

static struct child_times read_times(void)
{
	struct rusage self, children;
	struct timespec run;

	getrusage(RUSAGE_SELF, &self);
	getrusage(RUSAGE_CHILDREN, &children);
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &run);
	return (struct child_times) {
		.utime_ns = timeval_ns(self.ru_utime) + timeval_ns(children.ru_utime),
		.stime_ns = timeval_ns(self.ru_stime) + timeval_ns(children.ru_stime),
		.runtime_ns = (uint64_t)run.tv_sec * 1000000000U + (uint64_t)run.tv_nsec,
	};
}

static void share_out(struct member *m, const struct job *job, const struct workload *workload,
		      struct team *team)
{
	const uint64_t each = job->iterations / job->threads,
		       more = job->iterations % job->threads;
	uint64_t first = 0;

	for (uint64_t i = 0; i < job->threads; i++) {
		m[i].team = team;
		m[i].w = (struct worker) {
			.job = job,
			.workload = workload,
			.id = (unsigned)i,
			.iterations = each + (i < more),
			.window = job->window ? job->window + first : NULL,
		};
		first += m[i].w.iterations;
	}
}

/* Start the others, work, wait for them. */
static enum child_status work_together(struct member *m, uint64_t n)
{
	enum child_status status = CHILD_DONE;

	for (uint64_t i = 1; i < n; i++) {
		int error = pthread_create(&m[i].thread, NULL, work, &m[i]);

		/* Those that wait at the barrier end with the process. */
		if (error)
			return worker_failed(CHILD_CALL_FAILED, "pthread_create", error);
	}
	work(&m[0]);
	for (uint64_t i = 1; i < n; i++)
		pthread_join(m[i].thread, NULL);
	for (uint64_t i = 0; i < n && !status; i++)
		status = m[i].w.status;
	return status;
}

/* Sum up what they did; iterations_done comes last. */
static enum child_status report(const struct member *m, const struct job *job,
				struct child_times begin)
{
	uint64_t done = 0, syscalls = 0, dispatched = 0, elsewhere = 0;
	uint64_t opened = UINT64_MAX, closed = 0;
	struct child_report *r = job->report;

	for (uint64_t i = 0; i < job->threads; i++) {
		const struct worker *w = &m[i].w;

		done += w->done;
		syscalls += w->done * w->workload->calls_each + w->syscalls;
		elsewhere += w->done * w->workload->elsewhere_each + w->elsewhere;
		dispatched += w->dispatched;
		opened = w->opened < opened ? w->opened : opened;
		closed = w->closed > closed ? w->closed : closed;
	}
	if (job->dispatch && dispatched + elsewhere != syscalls) {
		fprintf(stderr,
			"tracetax-child: %llu calls came as SIGSYS, %llu of the %llu made "
			"should\n",
			(unsigned long long)dispatched,
			(unsigned long long)(syscalls - elsewhere),
			(unsigned long long)syscalls);
		return CHILD_MISCOUNTED;
	}
	if (!r)
		return CHILD_DONE;
	r->begin = begin;
	r->end = read_times();
	r->syscalls = syscalls;
	r->dispatched = dispatched;
	r->windows = job->window ? job->iterations : 0;
	r->loop_counts = closed - opened;
	r->iterations_done = done;
	return CHILD_DONE;
}

enum child_status workers_run(const struct job *job, const struct workload *workload)
{
	/* Not freed: threads that could not all be started may use it until we end. */
	static struct member *m;
	struct child_times begin = read_times();
	struct team team = { .off = false };
	enum child_status status;

	m = calloc(job->threads, sizeof(*m));
	if (!m)
		return worker_failed(CHILD_CALL_FAILED, "calloc", ENOMEM);
	if (job->threads > 1 &&
	    pthread_barrier_init(&team.barrier, NULL, (unsigned)job->threads))
		return worker_failed(CHILD_CALL_FAILED, "pthread_barrier_init", ENOMEM);
	share_out(m, job, workload, &team);
	if (job->report)
		job->report->pid = (uint64_t)getpid();
	status = work_together(m, job->threads);
	return status ? status : report(m, job, begin);
}
