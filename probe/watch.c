/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "probe/watch.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/time.h>

/* All that a handler touches: async-signal-safe (signal-safety(7)). */
static volatile sig_atomic_t child; /* 0: none, and nothing to kill */
static volatile sig_atomic_t timed_out;
static volatile sig_atomic_t asked; /* the signal */

static void kill_child(void)
{
	if (child > 0)
		kill(child, SIGKILL);
}

static void on_alarm(int sig)
{
	int saved = errno;

	(void)sig;
	if (child > 0)
		timed_out = 1;
	kill_child();
	errno = saved;
}

static void on_end(int sig)
{
	int saved = errno;

	asked = sig;
	kill_child();
	errno = saved;
}

int watch_install(struct err *e)
{
	static const int ends[] = { SIGINT, SIGTERM, SIGHUP };
	struct sigaction old, act = { .sa_flags = SA_RESTART };
	sigset_t ours;
	int bad = 0;

	sigemptyset(&act.sa_mask);
	sigemptyset(&ours);
	sigaddset(&ours, SIGALRM);
	act.sa_handler = on_alarm;
	bad |= sigaction(SIGALRM, &act, NULL);
	act.sa_handler = on_end;
	act.sa_flags = SA_RESTART | SA_RESETHAND;
	for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++) {
		sigaddset(&ours, ends[i]);
		bad |= sigaction(ends[i], NULL, &old);
		if (old.sa_handler != SIG_IGN)
			bad |= sigaction(ends[i], &act, NULL);
	}
	/*
	 * A tracer wakes in wait(2) with or without SIGCHLD; SA_NOCLDSTOP spares the signal at
	 * every stop (kernel/signal.c do_notify_parent_cldstop(), 6.1). Never SIG_IGN: children
	 * would be reaped unseen.
	 */
	act.sa_handler = SIG_DFL;
	act.sa_flags = SA_NOCLDSTOP;
	bad |= sigaction(SIGCHLD, &act, NULL);
	/* A mask outlives exec: whoever started us may have left these blocked. */
	bad |= sigprocmask(SIG_UNBLOCK, &ours, NULL);
	return bad ? err_set(e, EXIT_MEASURE, "sigaction: %s", strerror(errno)) : 0;
}

static void set_timer(int64_t ns)
{
	/* It goes on every 100 ms: one alarm could come just before the child is set. */
	struct itimerval t = {
		.it_value = { ns / 1000000000, ns / 1000 % 1000000 },
		.it_interval = { 0, ns ? 100000 : 0 },
	};

	setitimer(ITIMER_REAL, &t, NULL);
}

void watch_arm(pid_t pid, int64_t timeout_ns)
{
	timed_out = 0;
	child = pid;
	if (asked)
		kill_child(); /* it came before there was a child to kill */
	set_timer(timeout_ns);
}

void watch_disarm(void)
{
	set_timer(0);
	child = 0;
}

bool watch_timed_out(void)
{
	return timed_out;
}

int watch_signal(void)
{
	return asked;
}
