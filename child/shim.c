/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "child/shim.h"

#include <errno.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "child/counter.h"
#include "child/workload.h"

static uint64_t timeval_ns(struct timeval t)
{
	return (uint64_t)t.tv_sec * 1000000000U + (uint64_t)t.tv_usec * 1000U;
}

int shim_run(const char *path, char **argv, int cpu, struct child_report *report)
{
	const uint64_t opened = counter_read();
	struct rusage ru;
	int status;
	pid_t pid = fork();

	if (!pid) {
		if (cpu >= 0 && pin_to(cpu))
			_exit((int)worker_failed(CHILD_CALL_FAILED, "sched_setaffinity",
						 errno));
		close(CHILD_REPORT_FD);
		close(CHILD_OUT_FD);
		execv(path, argv);
		_exit((int)worker_failed(CHILD_CALL_FAILED, path, errno));
	}
	if (pid < 0)
		return (int)worker_failed(CHILD_CALL_FAILED, "fork", errno);
	while (wait4(pid, &status, 0, &ru) < 0)
		if (errno != EINTR)
			return (int)worker_failed(CHILD_CALL_FAILED, "wait4", errno);
	report->loop_counts = counter_read() - opened;
	report->pid = (uint64_t)pid;
	report->end.utime_ns = timeval_ns(ru.ru_utime);
	report->end.stime_ns = timeval_ns(ru.ru_stime);
	report->end.runtime_ns = report->end.utime_ns + report->end.stime_ns;
	report->wait_status = (uint64_t)(unsigned)status;
	report->iterations_done = 1;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
