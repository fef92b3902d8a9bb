/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "probe/attach.h"

#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/xalloc.h"
#include "probe/caps.h"
#include "probe/ptrace-loop.h"
#include "probe/rate.h"
#include "probe/sample.h"
#include "probe/status.h"
#include "probe/sys-enter.h"
#include "probe/sysroot.h"
#include "probe/tracees.h"
#include "probe/witness.h"

/* --- the end of a phase --- */

static volatile sig_atomic_t over;  /* the time is up, or a signal asks us to end */
static volatile sig_atomic_t asked; /* that signal */

static void on_alarm(int sig)
{
	(void)sig;
	over = 1;
}

static void on_end(int sig)
{
	asked = sig;
	over = 1;
}

/* Without SA_RESTART: what we sleep in returns. */
static int install(struct err *e)
{
	static const int ends[] = { SIGINT, SIGTERM, SIGHUP };
	struct sigaction act = { .sa_handler = on_alarm }, old;
	int bad = sigaction(SIGALRM, &act, NULL);

	act.sa_handler = on_end;
	for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++) {
		bad |= sigaction(ends[i], NULL, &old);
		if (old.sa_handler != SIG_IGN)
			bad |= sigaction(ends[i], &act, NULL);
	}
	return bad ? err_set(e, EXIT_MEASURE, "sigaction: %s", strerror(errno)) : 0;
}

static void set_timer(int64_t ns)
{
	/* It goes on: one alarm could come just before we sleep. */
	const struct itimerval t = {
		.it_value = { ns / 1000000000, ns / 1000 % 1000000 },
		.it_interval = { 0, ns ? 10000 : 0 },
	};

	over = 0;
	setitimer(ITIMER_REAL, &t, NULL);
}

/* --- its threads --- */

/* Call f for each that /proc lists; how many it returned true for. -1: the process is gone. */
static int each_thread(pid_t pid, bool (*f)(pid_t tid, void *arg), void *arg)
{
	char path[32];
	DIR *dir;
	int n = 0;

	snprintf(path, sizeof(path), "/proc/%d/task", (int)pid);
	dir = opendir(path);
	if (!dir)
		return -1;
	for (const struct dirent *d; (d = readdir(dir));)
		if (d->d_name[0] != '.')
			n += f((pid_t)strtol(d->d_name, NULL, 10), arg);
	closedir(dir);
	return n;
}

/* --- what is read at the ends of a phase --- */

/* The counters of its threads; each counts what its thread makes later too. */
struct counters {
	struct perf_event_attr attr;
	int *fd;
	size_t n, capacity;
	bool off; /* one could not be opened */
	struct err why;
};

static bool count_thread(pid_t tid, void *arg)
{
	struct counters *c = arg;
	int fd = c->off ? -1 : sys_enter_open(&c->attr, tid, -1, &c->why);

	if (fd < 0) {
		c->off = true;
		return false;
	}
	c->fd = xgrow(c->fd, c->n, &c->capacity, sizeof(*c->fd));
	c->fd[c->n++] = fd;
	return true;
}

static void counters_open(struct counters *c, pid_t pid)
{
	c->off = sys_enter_attr(&c->attr, &c->why) != 0;
	c->attr.disabled = 0;
	if (!c->off)
		each_thread(pid, count_thread, c);
}

static int64_t counters_sum(const struct counters *c)
{
	int64_t sum = 0;

	for (size_t i = 0; i < c->n; i++)
		sum += sys_enter_read(c->fd[i]);
	return c->off ? SAMPLE_UNKNOWN : sum;
}

static void counters_close(struct counters *c)
{
	for (size_t i = 0; i < c->n; i++)
		close(c->fd[i]);
	free(c->fd);
}

struct switches {
	pid_t pid;
	int64_t sum;
};

/* proc_pid_status(5) of the thread. */
static bool add_switches(pid_t tid, void *arg)
{
	static const char field[] = "\nvoluntary_ctxt_switches:";
	struct switches *s = arg;
	char *text = sysroot_read("", "/proc/%d/task/%d/status", (int)s->pid, (int)tid);
	const char *at = text ? strstr(text, field) : NULL;

	if (at)
		s->sum += strtoll(at + sizeof(field) - 1, NULL, 10);
	free(text);
	return at != NULL;
}

/* Everything so far; a phase is the difference of two. */
static struct attach_phase read_all(pid_t pid, const struct counters *c)
{
	struct switches s = { .pid = pid };
	struct pidstat ps;
	struct attach_phase now = { .calls = counters_sum(c) };

	witness_stat("", pid, &ps);
	now.wall_ns = monotonic_ns();
	now.runtime_ns = witness_cpuclock(pid);
	now.utime_ticks = ps.utime_ticks;
	now.stime_ticks = ps.stime_ticks;
	now.switches = each_thread(pid, add_switches, &s) > 0 ? s.sum : SAMPLE_UNKNOWN;
	return now;
}

static int64_t less(int64_t after, int64_t before)
{
	return after == SAMPLE_UNKNOWN || before == SAMPLE_UNKNOWN ? SAMPLE_UNKNOWN
								   : after - before;
}

static struct attach_phase between(const struct attach_phase *a, const struct attach_phase *b)
{
	return (struct attach_phase) {
		.wall_ns = less(b->wall_ns, a->wall_ns),
		.runtime_ns = less(b->runtime_ns, a->runtime_ns),
		.utime_ticks = less(b->utime_ticks, a->utime_ticks),
		.stime_ticks = less(b->stime_ticks, a->stime_ticks),
		.calls = less(b->calls, a->calls),
		/* A thread that ended has taken its own with it. */
		.switches = less(b->switches, a->switches) < 0 ? SAMPLE_UNKNOWN
							       : less(b->switches, a->switches),
	};
}

/* --- tracing --- */

struct session {
	struct attach *a;
	struct tracees tracees;
	int64_t asked_ns;  /* when the threads were last interrupted */
	int64_t *pause_ns; /* of which pause that is */
	bool detaching;
	int error; /* errno of the first thread that could not be seized */
};

static const long seize_options = PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACECLONE;

static bool seize(pid_t tid, void *arg)
{
	struct session *s = arg;

	if (tracees_find(&s->tracees, tid))
		return false;
	if (ptrace_seize_raised(tid, seize_options)) {
		if (errno != ESRCH && !s->error)
			s->error = errno;
		return false;
	}
	tracees_announced(&s->tracees, tid);
	s->a->threads++;
	return true;
}

static void interrupt(struct tracee *x, void *arg)
{
	(void)arg;
	if (!x->gone)
		ptrace(PTRACE_INTERRUPT, x->tid, NULL, 0L);
}

/* All its threads, also those that come while we look; then stop each once. */
static int attach_all(struct session *s, struct err *e)
{
	int n;

	do {
		n = each_thread(s->a->pid, seize, s);
	} while (n > 0 && !s->error);
	if (s->error)
		return attach_refused(s->a->pid, s->error, e);
	s->asked_ns = monotonic_ns();
	s->pause_ns = &s->a->attach_pause_ns;
	if (s->a->tracer->request != PTRACE_CONT)
		tracees_each(&s->tracees, interrupt, NULL);
	return 0;
}

static void note_pause(struct session *s)
{
	const int64_t ns = monotonic_ns() - s->asked_ns;

	if (s->pause_ns && ns > *s->pause_ns)
		*s->pause_ns = ns;
}

/* A tracee has stopped: let it go on, or go. */
static void answer(struct session *s, struct tracee *x, struct stop stop)
{
	const pid_t tid = x->tid;
	const bool ours = stop.kind == STOP_TRAP || stop.kind == STOP_GROUP;
	const long sig = stop.kind == STOP_SIGNAL ? stop.sig : 0;
	unsigned long born;

	s->a->threads += !x->announced;
	x->announced = true;
	if (stop.kind == STOP_FORK && !ptrace(PTRACE_GETEVENTMSG, tid, NULL, &born) &&
	    !tracees_find(&s->tracees, (pid_t)born)) {
		tracees_announced(&s->tracees, (pid_t)born);
		s->a->threads++;
	}
	if (s->detaching) {
		ptrace(PTRACE_DETACH, tid, NULL, sig);
		note_pause(s);
		tracees_gone(&s->tracees, tid);
		return;
	}
	if (stop.kind == STOP_SYSCALL) {
		s->a->stops++;
		if (s->a->tracer->at_stop)
			s->a->tracer->at_stop(tid);
	}
	ptrace(stop.kind == STOP_GROUP ? PTRACE_LISTEN : s->a->tracer->request, tid, NULL, sig);
	if (ours && !x->state) { /* the stop that attaching asked for */
		x->state = 1;
		note_pause(s);
	}
}

/* Until the time is up, or the threads are gone or (detaching) have been let go. */
static int follow(struct session *s, struct err *e)
{
	while (s->tracees.alive && !over) {
		int status;
		pid_t tid = waitpid(-1, &status, __WALL);
		struct stop stop;

		if (tid < 0 && errno == EINTR)
			continue;
		if (tid < 0 && errno == ECHILD)
			return 0;
		if (tid < 0)
			return err_set(e, EXIT_MEASURE, "waitpid: %s", strerror(errno));
		stop = stop_classify(status);
		if (stop.kind == STOP_EXITED || stop.kind == STOP_KILLED)
			tracees_gone(&s->tracees, tid);
		else
			answer(s, tracees_reported(&s->tracees, tid), stop);
	}
	return 0;
}

/*
 * How long threads may take to stop for being let go: one that sleeps uninterruptibly in the
 * kernel stops when that ends. Who does not is let go by the kernel when we end.
 */
static const int64_t let_go_ns = 2000000000;

static int64_t own_runtime_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return t.tv_sec * INT64_C(1000000000) + t.tv_nsec;
}

static int trace_phase(struct attach *a, struct err *e)
{
	struct session s = { .a = a };
	const int64_t before = own_runtime_ns();
	int ret = attach_all(&s, e), rest;

	if (!ret)
		ret = follow(&s, e);
	/* Whatever failed: nobody stays behind stopped. */
	s.detaching = true;
	s.asked_ns = monotonic_ns();
	s.pause_ns = &a->detach_pause_ns;
	tracees_each(&s.tracees, interrupt, NULL);
	set_timer(let_go_ns);
	rest = follow(&s, ret ? NULL : e);
	a->left_behind = (int64_t)s.tracees.alive;
	tracees_free(&s.tracees);
	a->tracer_runtime_ns = own_runtime_ns() - before;
	return ret || rest ? -1 : 0;
}

/* Nothing but time passes. */
static void watch_phase(void)
{
	while (!over)
		pause();
}

static bool is_there(pid_t pid)
{
	char *text = sysroot_read("", "/proc/%d/stat", (int)pid);
	const char *end = text ? strrchr(text, ')') : NULL;
	const bool there = end && end[1] && end[2] != 'Z' && end[2] != 'X';

	free(text);
	return there;
}

/*
 * Whether attaching would be refused, before anything is begun: reading its memory is checked
 * the same way (mm/process_vm_access.c, PTRACE_MODE_ATTACH_REALCREDS, 6.1). Of address 0, where
 * nothing is. 0, or an errno.
 */
static int would_refuse(pid_t pid)
{
	char byte;
	const struct iovec to = { &byte, 1 }, from = { NULL, 1 };
	ssize_t n;
	int error;

	caps_raise(CAPS_PTRACE);
	n = process_vm_readv(pid, &to, 1, &from, 1, 0);
	error = n < 0 ? errno : 0;
	caps_lower(CAPS_PTRACE);
	/* ESRCH, though it is there: a kernel thread, which has no memory. */
	return error == EPERM || error == ESRCH ? EPERM : 0;
}

/* --- all of it --- */

static int phases(struct attach *a, const struct counters *c, struct err *e)
{
	struct attach_phase last = read_all(a->pid, c), now;
	int ret = 0;

	for (int i = 0; i < ATTACH_PHASES && !ret && !asked && !a->left_behind; i++) {
		set_timer(a->duration_ns);
		if (i == DURING && a->tracer->request)
			ret = trace_phase(a, e);
		else
			watch_phase();
		set_timer(0);
		if (!is_there(a->pid)) {
			a->ended = true;
			break;
		}
		now = read_all(a->pid, c);
		a->phase[i] = between(&last, &now);
		last = now;
	}
	return ret;
}

int attach_run(struct attach *a, struct err *e)
{
	struct counters c = { .off = false };
	int ret;

	for (int i = 0; i < ATTACH_PHASES; i++)
		a->phase[i] = (struct attach_phase) {
			SAMPLE_UNKNOWN, SAMPLE_UNKNOWN, SAMPLE_UNKNOWN,
			SAMPLE_UNKNOWN, SAMPLE_UNKNOWN, SAMPLE_UNKNOWN,
		};
	if (!is_there(a->pid))
		return err_set(e, EXIT_USAGE, "--pid: there is no process %d", (int)a->pid);
	if (a->pid == getpid())
		return err_set(e, EXIT_USAGE, "--pid: %d is this process", (int)a->pid);
	if (a->tracer->request && would_refuse(a->pid))
		return attach_refused(a->pid, EPERM, e);
	if (install(e))
		return -1;
	counters_open(&c, a->pid);
	a->no_calls = c.off ? xstrdup(c.why.text) : NULL;
	ret = phases(a, &c, e);
	a->signal = asked;
	counters_close(&c);
	return ret;
}

void attach_free(struct attach *a)
{
	free(a->no_calls);
	a->no_calls = NULL;
}

/* --- the rows --- */

static long get_info(pid_t tid)
{
	struct __ptrace_syscall_info info;

	return ptrace(PTRACE_GET_SYSCALL_INFO, tid, sizeof(info), &info);
}

const struct attach_tracer attach_tracers[] = {
	{ "none", "not attached to: what else changes in that time", 0, NULL },
	{ "null", "seized, never stopped at a system call", PTRACE_CONT, NULL },
	{ "syscall", "PTRACE_SYSCALL: stopped at entry and exit of every system call",
	  PTRACE_SYSCALL, NULL },
	{ "syscall-info", "the same with PTRACE_GET_SYSCALL_INFO at each stop", PTRACE_SYSCALL,
	  get_info },
	{ NULL, NULL, 0, NULL },
};

const struct attach_tracer *attach_tracer_find(const char *name)
{
	for (const struct attach_tracer *t = attach_tracers; t->name; t++)
		if (!strcmp(t->name, name))
			return t;
	return NULL;
}
