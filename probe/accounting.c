/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "probe/accounting.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/xalloc.h"

static const double close_band = 0.08;   /* 1/2 is in, 2/5 and 3/7 are not */
static const double close_sampled = 0.5; /* at most so many runs are close when sampled */
static const double fraction_band =
	0.005; /* wait4() gives µs, and a run is over 2000 of them */
static const double fraction_measured = 0.2; /* at most so many are tick fractions by chance */
static const double error_rate = 1e-3;

enum {
	RUN_TICKS = 3,
	SLICES_PER_TICK = 64, /* of the shortest slices; the longest are four times that */
	SLICE_MAX = 6,   /* shortest slices: a longer one was interrupted and counts as this */
	CHILD_MAX_S = 2, /* three ticks are at most 30 ms */
	SYSTEM_WORK = 1 << 15, /* bytes read from /dev/zero: about 2 µs in the kernel */
};

const char *accounting_mode_name(enum accounting_mode mode)
{
	static const char *const name[] = {
		[ACCOUNTING_UNKNOWN] = "unknown",
		[ACCOUNTING_TICK] = "tick",
		[ACCOUNTING_VIRT_GEN] = "virt-gen",
		[ACCOUNTING_VIRT_NATIVE] = "virt-native",
	};

	return name[mode];
}

enum accounting_mode accounting_by_config(const struct accounting_config *c, int cpu)
{
	bool tracked = c->have_nohz_full && cpulist_has(&c->nohz_full, cpu);

	if (!c->have_config) {
		/* A list that is not empty needs NO_HZ_FULL, and that selects _GEN. */
		if (c->have_nohz_full && c->nohz_full.n)
			return tracked ? ACCOUNTING_VIRT_GEN : ACCOUNTING_TICK;
		return ACCOUNTING_UNKNOWN;
	}
	if (c->native)
		return ACCOUNTING_VIRT_NATIVE;
	if (!c->gen)
		return ACCOUNTING_TICK;
	if (c->force || tracked)
		return ACCOUNTING_VIRT_GEN;
	return c->have_nohz_full ? ACCOUNTING_TICK : ACCOUNTING_UNKNOWN;
}

/* P(X >= k) for X binomial with n draws of probability p. */
static double upper_tail(size_t k, size_t n, double p)
{
	double sum = 0;

	for (size_t i = k; i <= n; i++) {
		double ways = lgamma((double)n + 1) - lgamma((double)i + 1) -
			      lgamma((double)(n - i) + 1);

		sum += exp(ways + (double)i * log(p) + (double)(n - i) * log1p(-p));
	}
	return sum;
}

/* k of K ticks, for the K that fall into a run, other than one half. */
static bool is_tick_fraction(double share)
{
	static const double fraction[] = { 0, 1.0 / 4, 1.0 / 3, 2.0 / 3, 3.0 / 4, 1 };

	for (size_t i = 0; i < sizeof(fraction) / sizeof(fraction[0]); i++)
		if (fabs(share - fraction[i]) < fraction_band)
			return true;
	return false;
}

enum accounting_verdict accounting_classify(const double *share, size_t n)
{
	size_t near = 0, fractions = 0;

	if (n < ACCOUNTING_RUNS_MIN)
		return ACCOUNTING_UNDECIDED;
	for (size_t i = 0; i < n; i++) {
		near += fabs(share[i] - 0.5) < close_band;
		fractions += is_tick_fraction(share[i]);
	}
	if (upper_tail(near, n, close_sampled) < error_rate)
		return ACCOUNTING_MEASURED;
	if (upper_tail(fractions, n, fraction_measured) < error_rate)
		return ACCOUNTING_SAMPLED;
	return ACCOUNTING_UNDECIDED;
}

static int64_t clock_ns(clockid_t id)
{
	struct timespec t;

	clock_gettime(id, &t);
	return t.tv_sec * INT64_C(1000000000) + t.tv_nsec;
}

int64_t accounting_tick_ns(void)
{
	struct timespec t;

	if (clock_getres(CLOCK_MONOTONIC_COARSE, &t) || t.tv_sec || t.tv_nsec <= 0)
		return -1;
	return t.tv_nsec;
}

/* What the child spends its time on. */
struct worker {
	int zero;
	char *buffer;
	int64_t slice_ns;
	uint64_t ops; /* about slice_ns of user work, found by doubling */
	uint32_t seed;
};

/* Slices of equal length could keep step with the tick. */
static uint32_t random_below(struct worker *w, uint32_t n)
{
	w->seed = w->seed * 1664525 + 1013904223;
	return (w->seed >> 8) % n;
}

static int64_t capped(const struct worker *w, int64_t took)
{
	return took < SLICE_MAX * w->slice_ns ? took : SLICE_MAX * w->slice_ns;
}

/*
 * The clock is read twice in a slice and no oftener: with a clocksource that has no vDSO each
 * reading is a system call, and a slice of readings would be system time.
 */
static int64_t user_slice(struct worker *w)
{
	int64_t start = clock_ns(CLOCK_MONOTONIC);
	int64_t took;

	for (uint64_t i = w->ops + random_below(w, (uint32_t)w->ops); i; i--)
		__asm__ volatile("");
	took = clock_ns(CLOCK_MONOTONIC) - start;
	if (took < w->slice_ns && w->ops < UINT32_MAX / 2)
		w->ops *= 2;
	return capped(w, took);
}

static int64_t system_slice(struct worker *w)
{
	int64_t start = clock_ns(CLOCK_MONOTONIC);
	int64_t length = w->slice_ns + random_below(w, (uint32_t)w->slice_ns * 3);
	int64_t now;

	do {
		if (read(w->zero, w->buffer, SYSTEM_WORK) < 0)
			_exit(1);
		now = clock_ns(CLOCK_MONOTONIC);
	} while (now - start < length);
	return capped(w, now - start);
}

static int pin(int cpu)
{
	size_t size = CPU_ALLOC_SIZE(CPU_MAX);
	cpu_set_t *set = CPU_ALLOC(CPU_MAX);
	int rc;

	if (!set)
		return -1;
	CPU_ZERO_S(size, set);
	CPU_SET_S((size_t)cpu, size, set);
	rc = sched_setaffinity(0, size, set);
	CPU_FREE(set);
	return rc;
}

/* The child: whichever side is behind gets the next slice, so both end up equal. */
static _Noreturn void alternate(int cpu, int64_t tick_ns, int zero, char *buffer)
{
	struct worker w = { .zero = zero,
			    .buffer = buffer,
			    .slice_ns = tick_ns / SLICES_PER_TICK,
			    .ops = 1024,
			    .seed = (uint32_t)getpid() };
	int64_t user = 0, sys = 0;

	if (pin(cpu))
		_exit(1);
	/* A CPU that is never ours must not hang the experiment. */
	signal(SIGALRM, SIG_DFL);
	alarm(CHILD_MAX_S);
	while (clock_ns(CLOCK_PROCESS_CPUTIME_ID) < RUN_TICKS * tick_ns) {
		if (user < sys)
			user += user_slice(&w);
		else
			sys += system_slice(&w);
	}
	_exit(0);
}

static int64_t timeval_ns(struct timeval t)
{
	return t.tv_sec * INT64_C(1000000000) + t.tv_usec * INT64_C(1000);
}

/* Reap one child; its user share, or -1 when the run is not good. */
static double reap_share(pid_t pid, int64_t tick_ns)
{
	struct rusage ru;
	int64_t user, all;
	int status;

	while (wait4(pid, &status, 0, &ru) < 0)
		if (errno != EINTR)
			return -1;
	user = timeval_ns(ru.ru_utime);
	all = user + timeval_ns(ru.ru_stime);
	if (!WIFEXITED(status) || WEXITSTATUS(status) || all < (RUN_TICKS * tick_ns) * 9 / 10)
		return -1;
	return (double)user / (double)all;
}

/*
 * A child that has exited may still be on its CPU, and _GEN then adds to its system time what
 * it has not yet flushed. Look only when all are surely off their CPUs.
 */
static void await_zombies(const pid_t *pid, size_t n)
{
	const struct timespec settle = { .tv_nsec = 200000 };
	siginfo_t info;

	for (size_t i = 0; i < n; i++)
		while (waitid(P_PID, (id_t)pid[i], &info, WEXITED | WNOWAIT) && errno == EINTR)
			;
	nanosleep(&settle, NULL);
}

struct tally {
	double share[ACCOUNTING_RUNS];
	size_t n;
};

static int one_round(const struct cpulist *cpus, int64_t tick_ns, int zero, char *buffer,
		     pid_t *pid, struct tally *tally)
{
	size_t made = 0;
	int err = 0;

	for (; made < cpus->n; made++) {
		pid[made] = fork();
		if (!pid[made])
			alternate(cpus->cpu[made], tick_ns, zero, buffer);
		if (pid[made] < 0) {
			err = errno;
			break;
		}
	}
	await_zombies(pid, made);
	for (size_t i = 0; i < made; i++) {
		double share = reap_share(pid[i], tick_ns);

		if (share >= 0)
			tally[i].share[tally[i].n++] = share;
	}
	return err;
}

int accounting_try(const struct cpulist *cpus, int64_t tick_ns,
		   enum accounting_verdict *verdict, struct err *e)
{
	int zero = open("/dev/zero", O_RDONLY | O_CLOEXEC);
	char *buffer = xcalloc(SYSTEM_WORK, 1);
	pid_t *pid = xcalloc(cpus->n, sizeof(*pid));
	struct tally *tally = xcalloc(cpus->n, sizeof(*tally));
	int err = zero < 0 ? errno : 0;

	for (int round = 0; !err && round < ACCOUNTING_RUNS; round++)
		err = one_round(cpus, tick_ns, zero, buffer, pid, tally);
	for (size_t i = 0; i < cpus->n; i++)
		verdict[i] = accounting_classify(tally[i].share, tally[i].n);
	if (zero >= 0)
		close(zero);
	free(buffer);
	free(pid);
	free(tally);
	if (err)
		return err_set(e, EXIT_MEASURE, "cannot try the accounting mode: %s",
			       strerror(err));
	return 0;
}
