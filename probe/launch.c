/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "probe/launch.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

/* What the child was doing; sent with errno when it failed. */
enum step { READY, PDEATHSIG, SETPGID, REDIRECT, AFFINITY, PERSONALITY, GATE, EXEC };

static const struct {
	const char *what;
	const char *hint; /* what to do about it; "" when nothing helps in general */
} steps[] = {
	[READY] = { "start", "" },
	[PDEATHSIG] = { "prctl(PR_SET_PDEATHSIG)", "" },
	[SETPGID] = { "setpgid", "" },
	[REDIRECT] = { "redirecting its input and output", "" },
	[AFFINITY] = { "sched_setaffinity", "; is that CPU online and allowed by the cpuset?" },
	[PERSONALITY] = { "personality(ADDR_NO_RANDOMIZE)",
			  "; a container may forbid it: use --aslr" },
	[GATE] = { "waiting for the tracer", "" },
	[EXEC] = { "exec", "" },
};

struct message {
	enum step step;
	int error;
};

/* All that the forked child needs, made before the fork. */
struct prepared {
	const struct launch *l;
	cpu_set_t *set;
	size_t set_size;
	int null_fd, gate_fd, status_fd, stderr_fd;
	pid_t parent;
	sigset_t mask;
};

static void tell(int fd, enum step step, int error)
{
	struct message m = { step, error };
	ssize_t ignored =
		write(fd, &m, sizeof(m)); /* the parent may be gone: then we die too */

	(void)ignored;
}

static _Noreturn void give_up(const struct prepared *p, enum step step)
{
	tell(p->status_fd, step, errno);
	_exit(127);
}

static bool redirect(const struct prepared *p)
{
	/* dup2() clears close-on-exec; where source and target are equal it does nothing. */
	return dup2(p->null_fd, 0) >= 0 && dup2(p->null_fd, 1) >= 0 &&
	       dup2(p->stderr_fd, 2) >= 0 &&
	       (p->l->report_fd < 0 || dup2(p->l->report_fd, LAUNCH_REPORT_FD) >= 0);
}

static _Noreturn void in_child(const struct prepared *p)
{
	static char *const no_environment[] = { NULL };
	char byte;
	ssize_t n;

	if (prctl(PR_SET_PDEATHSIG, SIGKILL))
		give_up(p, PDEATHSIG);
	if (getppid() != p->parent)
		_exit(127); /* it died before the line above */
	if (setpgid(0, 0))
		give_up(p, SETPGID);
	if (!redirect(p))
		give_up(p, REDIRECT);
	if (sched_setaffinity(0, p->set_size, p->set))
		give_up(p, AFFINITY);
	if (!p->l->aslr && personality(ADDR_NO_RANDOMIZE) < 0)
		give_up(p, PERSONALITY);
	signal(SIGPIPE, SIG_DFL); /* ignored signals stay so through exec */
	signal(SIGXFSZ, SIG_DFL);
	sigprocmask(SIG_SETMASK, &p->mask, NULL);
	tell(p->status_fd, READY, 0);
	while ((n = read(p->gate_fd, &byte, 1)) < 0 && errno == EINTR)
		;
	if (n != 1)
		give_up(p, GATE);
	/* execve() takes the strings as writable and does not write to them. */
	/* NOLINTNEXTLINE(performance-no-int-to-ptr) */
	execve(p->l->path, (char *const *)(uintptr_t)p->l->argv, no_environment);
	give_up(p, EXEC);
}

static void close_all(const int *fds, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (fds[i] >= 0)
			close(fds[i]);
}

/* A close-on-exec pipe whose ends are above those that the child redirects. */
static int high_pipe(int fds[2])
{
	int low[2];

	if (pipe2(low, O_CLOEXEC))
		return -1;
	fds[0] = fcntl(low[0], F_DUPFD_CLOEXEC, 16);
	fds[1] = fcntl(low[1], F_DUPFD_CLOEXEC, 16);
	close_all(low, 2);
	return fds[0] < 0 || fds[1] < 0 ? -1 : 0;
}

static int wait_ready(struct launch *l, struct err *e)
{
	struct message m;
	ssize_t n;

	while ((n = read(l->status_fd, &m, sizeof(m))) < 0 && errno == EINTR)
		;
	if (n == sizeof(m) && m.step == READY)
		return 0;
	if (n == sizeof(m))
		return err_set(e, EXIT_MEASURE, "starting the child: %s: %s%s",
			       steps[m.step].what, strerror(m.error), steps[m.step].hint);
	return err_set(e, EXIT_MEASURE, "the child died before its exec");
}

int launch_fork(struct launch *l, struct err *e)
{
	struct prepared p = { .l = l, .parent = getpid() };
	int gate[2] = { -1, -1 }, status[2] = { -1, -1 }, said[2] = { -1, -1 };
	int low_null = open("/dev/null", O_RDWR | O_CLOEXEC);
	sigset_t all;

	p.null_fd = low_null < 0 ? -1 : fcntl(low_null, F_DUPFD_CLOEXEC, 16);
	close_all(&low_null, 1);
	p.set = CPU_ALLOC(CPU_MAX);
	p.set_size = CPU_ALLOC_SIZE(CPU_MAX);
	if (p.null_fd < 0 || !p.set || high_pipe(gate) || high_pipe(status) ||
	    high_pipe(said)) {
		err_set(e, EXIT_MEASURE, "preparing the child: %s", strerror(errno));
		goto fail;
	}
	CPU_ZERO_S(p.set_size, p.set);
	for (size_t i = 0; i < l->cpus->n; i++)
		CPU_SET_S(l->cpus->cpu[i], p.set_size, p.set);
	p.gate_fd = gate[0];
	p.status_fd = status[1];
	p.stderr_fd = said[1];
	/* No handler of ours may run in the child, whose memory it would take for the parent's.
	 */
	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, &p.mask);
	l->pid = fork();
	if (!l->pid)
		in_child(&p);
	sigprocmask(SIG_SETMASK, &p.mask, NULL);
	if (l->pid < 0) {
		err_set(e, EXIT_MEASURE, "fork: %s", strerror(errno));
		goto fail;
	}
	close_all((int[]) { gate[0], status[1], said[1], p.null_fd }, 4);
	CPU_FREE(p.set);
	l->gate_fd = gate[1];
	l->status_fd = status[0];
	l->stderr_fd = said[0];
	fcntl(l->stderr_fd, F_SETFL, O_NONBLOCK);
	if (!wait_ready(l, e))
		return 0;
	close_all((int[]) { l->gate_fd, l->status_fd, l->stderr_fd }, 3);
	waitpid(l->pid, NULL, 0);
	return -1;
fail:
	close_all(
		(int[]) { gate[0], gate[1], status[0], status[1], said[0], said[1], p.null_fd },
		7);
	if (p.set)
		CPU_FREE(p.set);
	return -1;
}

int launch_release(struct launch *l, struct err *e)
{
	while (write(l->gate_fd, "", 1) != 1)
		if (errno != EINTR)
			return err_set(e, EXIT_MEASURE, "releasing the child: %s",
				       strerror(errno));
	return 0;
}

int launch_finish(struct launch *l, char *said, size_t size, struct err *e)
{
	struct message m;
	ssize_t n = read(l->stderr_fd, said, size - 1);
	int ret = 0;

	said[n > 0 ? n : 0] = '\0';
	if (n > 0 && said[n - 1] == '\n')
		said[n - 1] = '\0';
	fcntl(l->status_fd, F_SETFL,
	      O_NONBLOCK); /* a forked grandchild can't hold it: exec closed it */
	if (read(l->status_fd, &m, sizeof(m)) == sizeof(m))
		ret = err_set(e, EXIT_MEASURE, "%s: %s: %s%s", l->path, steps[m.step].what,
			      strerror(m.error), steps[m.step].hint);
	close_all((int[]) { l->gate_fd, l->status_fd, l->stderr_fd }, 3);
	l->gate_fd = l->status_fd = l->stderr_fd = -1;
	return ret;
}
