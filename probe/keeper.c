/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "probe/keeper.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "probe/sysroot.h"

static _Noreturn void keep(int fd, const volatile pid_t *group)
{
	sigset_t all;
	char byte;
	ssize_t n;

	/* Ctrl-C and a closing terminal go to us too: only the pipe's end counts. */
	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, NULL);
	while ((n = read(fd, &byte, 1)) < 0 && errno == EINTR)
		;
	if (*group > 0)
		kill(-*group, SIGKILL);
	_exit(n ? 1 : 0);
}

int keeper_start(struct keeper *k, struct err *e)
{
	int fds[2] = { -1, -1 };
	void *page = mmap(NULL, sizeof(pid_t), PROT_READ | PROT_WRITE,
			  MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	if (page == MAP_FAILED || pipe2(fds, O_CLOEXEC))
		goto fail;
	k->page = page;
	k->group = page;
	k->pipe_fd = fds[1];
	k->pid = fork();
	if (!k->pid) {
		close(fds[1]);
		keep(fds[0], k->group);
	}
	if (k->pid < 0)
		goto fail;
	close(fds[0]);
	return 0;
fail:
	err_set(e, EXIT_MEASURE, "starting the keeper: %s", strerror(errno));
	if (page != MAP_FAILED)
		munmap(page, sizeof(pid_t));
	if (fds[0] >= 0) {
		close(fds[0]);
		close(fds[1]);
	}
	return -1;
}

void keeper_watch(struct keeper *k, pid_t group)
{
	*k->group = group;
}

pid_t keeper_stray(const struct keeper *k)
{
	char *list = sysroot_read("", "/proc/thread-self/children"), *next = list, *end;
	pid_t found = 0;

	while (list && !found) {
		found = (pid_t)strtol(next, &end, 10);
		if (end == next)
			break;
		if (found == k->pid)
			found = 0;
		next = end;
	}
	free(list);
	return found;
}

void keeper_stop(struct keeper *k)
{
	keeper_watch(k, 0);
	close(k->pipe_fd);
	while (waitpid(k->pid, NULL, 0) < 0 && errno == EINTR)
		;
	munmap(k->page, sizeof(pid_t));
}
