/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A child that misbehaves: how, its own file name says (the harness gives it no environment
 * and the same arguments as ever). Most then become the real child, tracetax-child beside it.
 */
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "child/report.h"

/* Few enough that the calls it takes pass for those of a start-up (probe/judge.h). */
enum { TIMES = 10, REPORT_FD = 3 };

static volatile sig_atomic_t caught;

static void count(int sig)
{
	(void)sig;
	caught++;
}

/* Raise a signal many times; every one must arrive, or the child ends with status 90. */
static void raise_many(int sig)
{
	signal(sig, count);
	for (int i = 0; i < TIMES; i++)
		raise(sig);
	if (caught != TIMES)
		_exit(90);
	signal(sig, SIG_DFL);
}

static void do_sigtrap(void)
{
	raise_many(SIGTRAP);
}

static void do_sigusr1(void)
{
	raise_many(SIGUSR1);
}

static void do_killed(void)
{
	raise(SIGKILL);
}

static void do_segv(void)
{
	raise(SIGSEGV);
}

static void do_lazy(void)
{
	_exit(0);
}

static void do_short(void)
{
	fputs("tracetax-child: pread: 64 bytes instead of 128\n", stderr);
	_exit(CHILD_SHORT_READ);
}

/* Reports less than was asked of it. */
static void do_partial(void)
{
	struct child_report *r =
		mmap(NULL, sizeof(*r), PROT_READ | PROT_WRITE, MAP_SHARED, REPORT_FD, 0);

	if (r != MAP_FAILED)
		r->iterations_done = 7;
	_exit(0);
}

static void do_stopped(void)
{
	raise(SIGSTOP);
}

/* Stops, and a helper continues it once it is seen stopped. */
static void do_continued(void)
{
	pid_t me = getpid();
	char path[64], state = 0;
	FILE *f;

	if (!fork()) {
		snprintf(path, sizeof(path), "/proc/%d/stat", (int)me);
		/* T: stopped; t: stopped for its tracer, as a group-stop is while traced. */
		while (state != 'T' && state != 't') {
			usleep(1000);
			f = fopen(path, "r");
			if (!f || fscanf(f, "%*d %*s %c", &state) != 1)
				_exit(1);
			fclose(f);
		}
		usleep(20000);
		kill(me, SIGCONT);
		_exit(0);
	}
	raise(SIGSTOP);
	wait(NULL);
}

static void do_forks(void)
{
	for (int i = 0; i < 3; i++) {
		pid_t pid = fork();

		if (!pid)
			_exit(getppid() > 0 ? 0 : 1);
		while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
			;
	}
}

static void *idle(void *arg)
{
	return arg;
}

static void do_threads(void)
{
	pthread_t t;

	for (int i = 0; i < 3; i++) {
		if (pthread_create(&t, NULL, idle, NULL))
			_exit(91);
		pthread_join(t, NULL);
	}
}

/* Leaves a process behind that would live on. */
static void do_daemon(void)
{
	if (!fork())
		for (;;)
			pause();
}

/* Leaves one behind in a session of its own, whose parent is gone. */
static void do_stray(void)
{
	pid_t pid = fork();

	if (!pid) {
		setsid();
		if (!fork())
			for (;;)
				pause();
		_exit(0);
	}
	while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
		;
}

static const struct {
	const char *name;
	void (*run)(void);
} mischief[] = {
	{ "sigtrap", do_sigtrap }, { "sigusr1", do_sigusr1 }, { "killed", do_killed },
	{ "segv", do_segv },       { "lazy", do_lazy },       { "short", do_short },
	{ "partial", do_partial }, { "stopped", do_stopped }, { "continued", do_continued },
	{ "forks", do_forks },     { "threads", do_threads }, { "daemon", do_daemon },
	{ "stray", do_stray },     { "plain", NULL },
};

int main(int argc, char **argv)
{
	char path[4096];
	ssize_t n = readlink("/proc/self/exe", path, sizeof(path) - sizeof("tracetax-child"));
	char *name;

	(void)argc;
	if (n < 0)
		return 92;
	path[n] = '\0';
	name = strrchr(path, '/') + 1;
	for (size_t i = 0; i < sizeof(mischief) / sizeof(mischief[0]); i++)
		if (!strcmp(mischief[i].name, name) && mischief[i].run)
			mischief[i].run();
	memcpy(name, "tracetax-child", sizeof("tracetax-child"));
	execv(path, argv);
	return 93;
}
