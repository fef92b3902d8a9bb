/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The keeper: a process that ends what we started when we are gone, however we went.
 *
 * PTRACE_O_EXITKILL ends tracees and PR_SET_PDEATHSIG our direct child; neither reaches what
 * an untraced child has forked. The keeper sleeps in a read from a pipe that only we hold
 * open, so it runs at our death and at no other time, and kills the process group of the run.
 */
#ifndef TRACETAX_KEEPER_H
#define TRACETAX_KEEPER_H

#include <sys/types.h>

#include "base/err.h"

struct keeper {
	pid_t pid;
	int pipe_fd;           /* held open as long as we live */
	void *page;            /* shared with it */
	volatile pid_t *group; /* in the page: the group to kill, 0 for none */
};

int keeper_start(struct keeper *k, struct err *e);

/* The run's process group, or 0 when it has ended. Costs no wake-up of the keeper. */
void keeper_watch(struct keeper *k, pid_t group);

/*
 * A child of this process other than the keeper: what a run left behind that had moved to
 * another process group. 0: none, or /proc can't tell (proc(5), /proc/PID/task/TID/children).
 * For the harness's one thread, whose children all are.
 */
pid_t keeper_stray(const struct keeper *k);

/* End the keeper and reap it. */
void keeper_stop(struct keeper *k);

#endif
