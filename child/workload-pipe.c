/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A byte to another process and back: the least that two processes can have to do with each
 * other, and so the floor under every tracer that sleeps until the child has stopped. The
 * other runs where the tracer would (--partner-cpu).
 */
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include "child/syscall.h"
#include "child/workload.h"

enum { PARTNER_FAILED = 1 };

struct own {
	int to, from;
	pid_t partner;
	char byte;
};

static _Noreturn void echo(int cpu, int from, int to, pid_t parent)
{
	char byte;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent || (cpu >= 0 && pin_to(cpu)))
		_exit(PARTNER_FAILED);
	while (read(from, &byte, 1) == 1)
		if (write(to, &byte, 1) != 1)
			_exit(PARTNER_FAILED);
	_exit(0);
}

static enum child_status prepare(struct worker *w)
{
	struct own *own = calloc(1, sizeof(*own));
	int there[2], back[2];
	pid_t parent = getpid();

	if (!own)
		return worker_failed(CHILD_CALL_FAILED, "calloc", ENOMEM);
	w->own = own;
	if (pipe(there) || pipe(back))
		return worker_failed(CHILD_CALL_FAILED, "pipe", errno);
	own->partner = fork();
	if (!own->partner) {
		close(there[1]);
		close(back[0]);
		echo(w->job->partner_cpu, there[0], back[1], parent);
	}
	if (own->partner < 0)
		return worker_failed(CHILD_CALL_FAILED, "fork", errno);
	close(there[0]);
	close(back[1]);
	own->to = there[1];
	own->from = back[0];
	return CHILD_DONE;
}

static inline __attribute__((always_inline)) enum child_status step(struct worker *w)
{
	struct own *own = w->own;

	if (inline_call(SYS_write, own->to, inline_address(&own->byte), 1, 0) == 1 &&
	    inline_call(SYS_read, own->from, inline_address(&own->byte), 1, 0) == 1)
		return CHILD_DONE;
	return worker_failed(CHILD_CALL_FAILED, "the partner at the pipe", EPIPE);
}

static enum child_status run(struct worker *w)
{
	return WORKER_LOOP(w, step, NULL);
}

/* The partner sees the end of its pipe; waited for, its time is in the tree's. */
static void finish(struct worker *w)
{
	struct own *own = w->own;

	if (!own || own->partner <= 0)
		return;
	close(own->to);
	while (waitpid(own->partner, NULL, 0) < 0 && errno == EINTR)
		;
	close(own->from);
}

const struct workload workload_pipe = {
	.name = "pipe",
	.calls_each = 2,
	.prepare = prepare,
	.run = run,
	.finish = finish,
};
