/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "probe/launch.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "probe/caps.h"

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
	/* Shared: what filter_install() returned, plus 1; 0: not yet. Memory, since a write
	 * may be what the filter waits for. */
	volatile int *installed;
	void *page; /* the same, for munmap() */
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
	const int in = p->l->stdin_fd < 0 ? p->null_fd : p->l->stdin_fd,
		  out = p->l->stdout_fd < 0 ? p->null_fd : p->l->stdout_fd;

	return dup2(in, 0) >= 0 && dup2(out, 1) >= 0 &&
	       (p->l->show_stderr || dup2(p->stderr_fd, 2) >= 0) &&
	       (p->l->report_fd < 0 || dup2(p->l->report_fd, CHILD_REPORT_FD) >= 0) &&
	       (p->l->out_fd < 0 || dup2(p->l->out_fd, CHILD_OUT_FD) >= 0);
}

/* Until the gate opens, or closes for ever; with a call that the filter lets through. */
static bool wait_at_gate(const struct prepared *p)
{
	struct pollfd gate = { .fd = p->gate_fd, .events = POLLIN };
	char byte;
	ssize_t n;

	if (p->l->filter && p->l->filter->has_read) {
		while (ppoll(&gate, 1, NULL, NULL) < 0 && errno == EINTR)
			;
		return gate.revents & POLLIN;
	}
	while ((n = read(p->gate_fd, &byte, 1)) < 0 && errno == EINTR)
		;
	return n == 1;
}

static _Noreturn void in_child(const struct prepared *p)
{
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
	caps_drop();
	tell(p->status_fd, READY, 0);
	if (p->l->filter) {
		int ret = filter_install(p->l->filter);

		*p->installed = ret < 0 ? ret : ret + 1;
	}
	if (!wait_at_gate(p))
		give_up(p, GATE);
	/* execve() takes the strings as writable and does not write to them. */
	/* NOLINTBEGIN(performance-no-int-to-ptr) */
	execve(p->l->path, (char *const *)(uintptr_t)p->l->argv,
	       (char *const *)(uintptr_t)p->l->environment);
	/* NOLINTEND(performance-no-int-to-ptr) */
	give_up(p, EXEC);
}

static void close_all(const int *fds, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (fds[i] >= 0)
			close(fds[i]);
}

/* The descriptor moved above those that the child redirects; of -1, -1. */
static int raise_fd(int low)
{
	int high = low < 0 ? -1 : fcntl(low, F_DUPFD_CLOEXEC, 16);

	close_all(&low, 1);
	return high;
}

int launch_memory_file(const char *name)
{
	return raise_fd(memfd_create(name, MFD_CLOEXEC));
}

/* A close-on-exec pipe whose ends are above them too. */
static int high_pipe(int fds[2])
{
	int low[2];

	if (pipe2(low, O_CLOEXEC))
		return -1;
	fds[0] = raise_fd(low[0]);
	fds[1] = raise_fd(low[1]);
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

static bool has_ended(pid_t pid)
{
	siginfo_t info = { .si_pid = 0 };

	return !waitid(P_PID, (id_t)pid, &info, WEXITED | WNOHANG | WNOWAIT) &&
	       info.si_pid == pid;
}

static int take_fd(int pidfd, int fd)
{
	int ret;

	caps_raise(CAPS_PTRACE);
	ret = (int)syscall(SYS_pidfd_getfd, pidfd, fd, 0);
	caps_lower(CAPS_PTRACE);
	return ret;
}

/* Wait for the filter, and take its listener from the child. */
static int wait_filter(struct launch *l, const volatile int *installed, struct err *e)
{
	static const struct timespec pause = { 0, 100000 };
	int pidfd;

	while (!*installed && !has_ended(l->pid))
		nanosleep(&pause, NULL);
	if (*installed <= 0)
		return err_set(e, EXIT_MEASURE, "installing the seccomp filter: %s",
			       *installed ? strerror(-*installed) : "the child died");
	if (!(l->filter->flags & SECCOMP_FILTER_FLAG_NEW_LISTENER))
		return 0;
	pidfd = (int)syscall(SYS_pidfd_open, l->pid, 0);
	if (pidfd >= 0)
		l->listener = take_fd(pidfd, *installed - 1);
	if (l->listener < 0)
		err_set(e, EXIT_MEASURE,
			"taking the filter's listener from the child (pidfd_getfd, Linux 5.6): "
			"%s; it needs what ptrace needs, 'tracetax doctor' says what",
			strerror(errno));
	if (pidfd >= 0)
		close(pidfd);
	return l->listener < 0 ? -1 : 0;
}

/* What of `prepared` needs memory. */
static int prepare(struct prepared *p, const struct launch *l, struct err *e)
{
	const int low_null = open("/dev/null", O_RDWR | O_CLOEXEC);
	void *page = mmap(NULL, sizeof(int), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
			  -1, 0);

	p->null_fd = raise_fd(low_null);
	/* Not a pipe: nobody reads before the end, and what is full would stop the child. */
	p->stderr_fd = launch_memory_file("tracetax-stderr");
	p->page = page == MAP_FAILED ? NULL : page;
	p->installed = p->page;
	p->set = CPU_ALLOC(CPU_MAX);
	p->set_size = CPU_ALLOC_SIZE(CPU_MAX);
	if (p->null_fd < 0 || p->stderr_fd < 0 || !p->set || !p->installed)
		return err_set(e, EXIT_MEASURE, "preparing the child: %s", strerror(errno));
	CPU_ZERO_S(p->set_size, p->set);
	for (size_t i = 0; i < l->cpus->n; i++)
		CPU_SET_S(l->cpus->cpu[i], p->set_size, p->set);
	return 0;
}

static void unprepare(struct prepared *p)
{
	close_all(&p->null_fd, 1);
	if (p->set)
		CPU_FREE(p->set);
	if (p->page)
		munmap(p->page, sizeof(int));
}

/* The child's pid, or -1 with `e` set. */
static pid_t fork_child(struct prepared *p, struct err *e)
{
	sigset_t all;
	pid_t pid;

	/* No handler of ours may run in the child, whose memory it would take for the parent's.
	 */
	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, &p->mask);
	pid = fork();
	if (!pid)
		in_child(p);
	sigprocmask(SIG_SETMASK, &p->mask, NULL);
	if (pid < 0)
		err_set(e, EXIT_MEASURE, "fork: %s", strerror(errno));
	return pid;
}

int launch_fork(struct launch *l, struct err *e)
{
	struct prepared p = { .l = l, .parent = getpid(), .null_fd = -1, .stderr_fd = -1 };
	int gate[2] = { -1, -1 }, status[2] = { -1, -1 };
	int ret = prepare(&p, l, e);

	l->pid = -1;
	l->listener = -1;
	if (l->filter && l->filter->has_read && l->filter->has_ppoll)
		ret = err_set(e, EXIT_USAGE,
			      "--filter: the child waits for its tracer by read or ppoll: "
			      "leave one of the two out");
	if (!ret && (high_pipe(gate) || high_pipe(status)))
		ret = err_set(e, EXIT_MEASURE, "pipe: %s", strerror(errno));
	p.gate_fd = gate[0];
	p.status_fd = status[1];
	if (!ret)
		l->pid = fork_child(&p, e);
	close_all((int[]) { gate[0], status[1] }, 2);
	l->gate_fd = gate[1];
	l->status_fd = status[0];
	l->stderr_fd = p.stderr_fd;
	ret = l->pid < 0 || wait_ready(l, e) || (l->filter && wait_filter(l, p.installed, e))
		      ? -1
		      : 0;
	unprepare(&p);
	if (!ret)
		return 0;
	close_all((int[]) { l->gate_fd, l->status_fd, l->stderr_fd, l->listener }, 4);
	if (l->pid > 0)
		kill(l->pid, SIGKILL);
	if (l->pid > 0)
		while (waitpid(l->pid, NULL, 0) < 0 && errno == EINTR)
			;
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
	ssize_t n = pread(l->stderr_fd, said, size - 1, 0);
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
