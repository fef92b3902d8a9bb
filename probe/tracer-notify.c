/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Seccomp user notification: the chosen calls wait until we have said that they may go on
 * (SECCOMP_USER_NOTIF_FLAG_CONTINUE, Linux 5.5; seccomp_unotify(2)). Two ioctls a call, no
 * ptrace, and the child needs no stop of any other kind.
 *
 * The end. Receiving sleeps without looking at the child; from Linux 6.11 on it returns when
 * no process is left that has the filter. Before that only a signal ends it, and one that
 * comes just before it sleeps would be lost. So SIGCHLD's handler starts a timer that sends
 * SIGCHLD again every millisecond until we have seen that the child is a zombie.
 */
#include <errno.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/xalloc.h"
#include "probe/tracer.h"

#ifndef SECCOMP_IOCTL_NOTIF_SET_FLAGS
#define SECCOMP_IOCTL_NOTIF_SET_FLAGS      SECCOMP_IOW(4, __u64)
#define SECCOMP_USER_NOTIF_FD_SYNC_WAKE_UP (1UL << 0)
#endif

/* What the handler needs; it runs in this file's follow() only. */
static timer_t again;

static void on_child(int sig)
{
	static const struct itimerspec every_ms = { { 0, 1000000 }, { 0, 1000000 } };
	int saved = errno;

	(void)sig;
	timer_settime(again, 0, &every_ms, NULL);
	errno = saved;
}

struct own {
	struct sigaction before;
	bool has_timer;
	struct seccomp_notif *request;
	struct seccomp_notif_resp *response;
	size_t request_size;
};

/* The kernel's structures may be larger than those we were built with. */
static int start(struct trace *t, struct err *e)
{
	struct sigaction act = { .sa_handler = on_child, .sa_flags = SA_NOCLDSTOP };
	struct sigevent event = { .sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGCHLD };
	struct own *own = xcalloc(1, sizeof(*own));
	struct seccomp_notif_sizes sizes;

	t->own = own;
	t->calls = 0;
	sigaction(SIGCHLD, NULL, &own->before);
	if (syscall(SYS_seccomp, SECCOMP_GET_NOTIF_SIZES, 0, &sizes))
		return err_set(e, EXIT_MEASURE, "seccomp(SECCOMP_GET_NOTIF_SIZES): %s",
			       strerror(errno));
	own->request_size = sizes.seccomp_notif > sizeof(*own->request) ? sizes.seccomp_notif
									: sizeof(*own->request);
	own->request = xcalloc(1, own->request_size);
	own->response = xcalloc(1, sizes.seccomp_notif_resp > sizeof(*own->response)
					   ? sizes.seccomp_notif_resp
					   : sizeof(*own->response));
	sigemptyset(&act.sa_mask);
	own->has_timer = !timer_create(CLOCK_MONOTONIC, &event, &again);
	if (!own->has_timer || sigaction(SIGCHLD, &act, NULL))
		return err_set(e, EXIT_MEASURE, "a timer for SIGCHLD: %s", strerror(errno));
	return 0;
}

/* 0, or an errno. */
static int wake_up_synchronously(int listener)
{
	return ioctl(listener, SECCOMP_IOCTL_NOTIF_SET_FLAGS,
		     SECCOMP_USER_NOTIF_FD_SYNC_WAKE_UP)
		       ? errno
		       : 0;
}

static int start_sync(struct trace *t, struct err *e)
{
	if (wake_up_synchronously(t->listener))
		return err_set(e, EXIT_MEASURE, "SECCOMP_USER_NOTIF_FD_SYNC_WAKE_UP: %s",
			       strerror(errno));
	return start(t, e);
}

/* Whether the child is a zombie; it is not reaped. */
static bool has_ended(pid_t pid)
{
	siginfo_t info = { .si_pid = 0 };

	return !waitid(P_PID, (id_t)pid, &info, WEXITED | WNOHANG | WNOWAIT) &&
	       info.si_pid == pid;
}

/* One notification: 0, or -1 with errno. */
static int answer(struct trace *t, const struct own *own)
{
	/* The kernel refuses a request that is not all zero (seccomp_unotify(2)). */
	memset(own->request, 0, own->request_size);
	if (ioctl(t->listener, SECCOMP_IOCTL_NOTIF_RECV, own->request))
		return -1;
	t->calls++;
	*own->response = (struct seccomp_notif_resp) {
		.id = own->request->id,
		.flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE,
	};
	/* ENOENT: a signal has taken the call back, it will be made and notified again. */
	if (ioctl(t->listener, SECCOMP_IOCTL_NOTIF_SEND, own->response) && errno != ENOENT)
		return -1;
	return 0;
}

/* Whether nobody is left that has the filter (POLLHUP, Linux 5.9). */
static bool is_unused(int listener)
{
	struct pollfd p = { .fd = listener };

	return poll(&p, 1, 0) > 0 && (p.revents & POLLHUP);
}

static int follow(struct trace *t, struct err *e)
{
	for (;;) {
		if (!answer(t, t->own))
			continue;
		/* ENOENT: the one that called is gone, or a signal took its call back. */
		if (errno != EINTR && errno != ENOENT)
			return err_set(e, EXIT_MEASURE, "seccomp notification: %s",
				       strerror(errno));
		if (is_unused(t->listener) || has_ended(t->child))
			return tracer_await_zombie(t, e);
	}
}

static void finish(struct trace *t)
{
	struct own *own = t->own;

	if (!own)
		return;
	sigaction(SIGCHLD, &own->before, NULL);
	if (own->has_timer)
		timer_delete(again);
	free(own->request);
	free(own->response);
	free(own);
	t->own = NULL;
}

static bool supported(char *why, size_t size)
{
	return filter_supported(FILTER_NOTIFY, NULL, why, size);
}

static bool sync_supported(char *why, size_t size)
{
	return filter_supported(FILTER_NOTIFY, wake_up_synchronously, why, size);
}

const struct tracer_ops tracer_notify = {
	.name = "notify",
	.summary = "seccomp user notification of the chosen calls, answered CONTINUE",
	.needs = "seccomp filters, Linux 5.5",
	.filter = FILTER_NOTIFY,
	.supported = supported,
	.start = start,
	.follow = follow,
	.finish = finish,
};

const struct tracer_ops tracer_notify_sync = {
	.name = "notify-sync",
	.summary = "the same with synchronous wake-up of the one that waits",
	.needs = "seccomp filters, Linux 6.6",
	.filter = FILTER_NOTIFY,
	.supported = sync_supported,
	.start = start_sync,
	.follow = follow,
	.finish = finish,
};
