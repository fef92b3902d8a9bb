/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * child-tree MODE: a command whose threads and processes come and go in every awkward order.
 * Each ends with a status of its own.
 */
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static void *brief(void *arg)
{
	for (int i = 0; i < 50; i++)
		getppid();
	return arg;
}

static void pause_ms(long ms)
{
	const struct timespec t = { ms / 1000, ms % 1000 * 1000000 };

	nanosleep(&t, NULL);
}

static pthread_t start(void *(*f)(void *), void *arg)
{
	pthread_t t;

	if (pthread_create(&t, NULL, f, arg))
		_exit(90);
	return t;
}

/* Threads that end while the leader lives. */
static int do_threads(void)
{
	for (int i = 0; i < 20; i++)
		pthread_join(start(brief, NULL), NULL);
	return 11;
}

static void *last_one(void *arg)
{
	pause_ms(30);
	brief(arg);
	exit(12);
}

/* The leader ends first; a thread ends the process. */
static _Noreturn int do_leader(void)
{
	start(last_one, NULL);
	pthread_exit(NULL);
}

/* By the thread's own link: that of a leader that has ended leads nowhere. */
static void *exec_ok(void *arg)
{
	execl("/proc/thread-self/exe", "child-tree", "ok", (char *)NULL);
	return arg;
}

/* A thread execs: it takes the leader's place. */
static _Noreturn int do_exec(void)
{
	start(brief, NULL);
	start(exec_ok, NULL);
	for (;;)
		pause();
}

static void *exec_late(void *arg)
{
	pause_ms(30);
	return exec_ok(arg);
}

/* The same after the leader has ended. */
static _Noreturn int do_leader_exec(void)
{
	start(exec_late, NULL);
	pthread_exit(NULL);
}

static int do_ok(void)
{
	return 13;
}

static int do_vfork(void)
{
	int status = 0;

	for (int i = 0; i < 10; i++) {
		pid_t pid = vfork(); /* NOLINT: it is what is tested */

		if (!pid) {
			execl("/proc/self/exe", "child-tree", "ok", (char *)NULL);
			_exit(91);
		}
		if (waitpid(pid, &status, 0) != pid || WEXITSTATUS(status) != 13)
			return 92;
	}
	return 14;
}

/* A process tree of that depth, each waiting for its two. */
static int bomb(int depth)
{
	pid_t pid[2] = { 0, 0 };
	int bad = 0, status;

	for (int i = 0; i < 2 && depth; i++) {
		pid[i] = fork();
		if (!pid[i])
			_exit(bomb(depth - 1));
		bad |= pid[i] < 0;
	}
	for (int i = 0; i < 2 && depth; i++)
		bad |= waitpid(pid[i], &status, 0) != pid[i] || status;
	return bad;
}

static int do_bomb(void)
{
	return bomb(7) ? 93 : 15;
}

/* Killed by another process at a moment that nobody knows. */
static _Noreturn int do_killed(void)
{
	const pid_t me = getpid();
	struct timespec now;

	if (!fork()) {
		clock_gettime(CLOCK_MONOTONIC, &now);
		for (volatile long i = now.tv_nsec % 400000; i; i--)
			;
		kill(me, SIGKILL);
		_exit(0);
	}
	start(brief, NULL);
	for (;;) {
		start(brief, NULL);
		raise(SIGCHLD);
	}
}

/* Leaves one behind, which writes to the file named when it is let go. */
static int do_daemon(const char *path)
{
	FILE *f;

	if (fork())
		return 16;
	setsid();
	for (int i = 0; i < 20; i++)
		pause_ms(10);
	f = fopen(path, "w");
	if (f)
		fclose(f);
	_exit(0);
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		int (*run)(void);
	} modes[] = {
		{ "threads", do_threads }, { "leader", do_leader },
		{ "exec", do_exec },       { "leader-exec", do_leader_exec },
		{ "ok", do_ok },           { "vfork", do_vfork },
		{ "bomb", do_bomb },       { "killed", do_killed },
	};

	if (argc == 3 && !strcmp(argv[1], "daemon"))
		return do_daemon(argv[2]);
	for (size_t i = 0; argc > 1 && i < sizeof(modes) / sizeof(modes[0]); i++)
		if (!strcmp(modes[i].name, argv[1]))
			return modes[i].run();
	return 99;
}
