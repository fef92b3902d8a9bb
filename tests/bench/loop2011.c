/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The tracing loop as the program of 2011 had it, to time ours against: PTRACE_TRACEME, a
 * SIGCHLD at every stop, wait4() with the rusage at every stop. Prints ns per system call.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static int64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * INT64_C(1000000000) + t.tv_nsec;
}

int main(int argc, char **argv)
{
	int64_t start, stops = 0;
	struct rusage ru;
	int status;
	pid_t pid;

	if (argc < 2)
		return 2;
	pid = fork();
	if (pid < 0)
		return 3;
	if (!pid) {
		ptrace(PTRACE_TRACEME, 0, NULL, NULL);
		execv(argv[1], argv + 1);
		_exit(127);
	}
	wait4(pid, &status, 0, &ru); /* the exec's SIGTRAP */
	start = now_ns();
	while (WIFSTOPPED(status)) {
		if (ptrace(PTRACE_SYSCALL, pid, NULL, NULL))
			return 3;
		if (wait4(pid, &status, 0, &ru) != pid)
			return 3;
		stops++;
	}
	if (!WIFEXITED(status) || WEXITSTATUS(status))
		return 3;
	if (stops < 2)
		return 3;
	printf("%lld\n", (long long)((now_ns() - start) / (stops / 2)));
	return 0;
}
