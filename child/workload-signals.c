/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A signal that a thread sends to itself: the handler has run when the call returns, and has
 * returned by a call of its own. A ptrace tracer is stopped at the delivery too.
 */
#include <signal.h>

#include "child/syscall.h"
#include "child/workload.h"

static _Thread_local volatile sig_atomic_t caught;
static _Thread_local pid_t pid, tid;

static void on_signal(int sig)
{
	(void)sig;
	caught = 1;
}

static enum child_status prepare(struct worker *w)
{
	struct sigaction act = { .sa_handler = on_signal };

	(void)w;
	sigemptyset(&act.sa_mask);
	if (sigaction(SIGUSR1, &act, NULL))
		return worker_failed(CHILD_CALL_FAILED, "sigaction", errno);
	pid = getpid();
	tid = (pid_t)syscall(SYS_gettid);
	return CHILD_DONE;
}

static enum child_status step(struct worker *w)
{
	long ret;

	(void)w;
	caught = 0;
	ret = inline_call(SYS_tgkill, pid, tid, SIGUSR1, 0);
	if (ret)
		return worker_failed(CHILD_CALL_FAILED, "tgkill", -ret);
	return caught ? CHILD_DONE
		      : worker_failed(CHILD_CALL_FAILED, "a signal that did not arrive", EINTR);
}

static enum child_status run(struct worker *w)
{
	return WORKER_LOOP(w, step, NULL);
}

const struct workload workload_signals = {
	.name = "signals",
	.calls_each = 2, /* tgkill, rt_sigreturn */
	.elsewhere_each = 1,
	.prepare = prepare,
	.step = step,
	.run = run,
};
