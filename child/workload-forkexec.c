/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a shell script or a build does: a process per iteration, that execs, ends and is waited
 * for. The program is our own with --nothing, which returns from main() at once; the calls of
 * its start-up are not counted.
 */
#include <sys/wait.h>

#include "child/syscall.h"
#include "child/workload.h"

enum { EXEC_FAILED = 127 };

static char name[] = "tracetax-child", option[] = "--nothing";
static char *const new_argv[] = { name, option, NULL };
static char *const new_environment[] = { NULL };

static enum child_status step(struct worker *w)
{
	pid_t pid, got;
	int status = 0;

	(void)w;
	/* The call that is measured. */
	pid = vfork(); /* NOLINT(clang-analyzer-security.insecureAPI.vfork) */
	if (!pid) {
		execve("/proc/self/exe", new_argv, new_environment);
		_exit(EXEC_FAILED);
	}
	if (pid < 0)
		return worker_failed(CHILD_CALL_FAILED, "vfork", errno);
	while ((got = wait4(pid, &status, 0, NULL)) < 0 && errno == EINTR)
		w->syscalls++;
	if (got < 0 || !WIFEXITED(status) || WEXITSTATUS(status))
		return worker_failed(CHILD_CALL_FAILED, "the process it made", ECHILD);
	return CHILD_DONE;
}

static enum child_status run(struct worker *w)
{
	return WORKER_LOOP(w, step, NULL);
}

const struct workload workload_forkexec = {
	.name = "forkexec",
	.calls_each = 4,     /* vfork, execve, exit_group, wait4 */
	.elsewhere_each = 2, /* execve, exit_group */
	.run = run,
};
