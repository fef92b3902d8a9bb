/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Who refused to let us attach. The order is that in which the kernel asks
 * (kernel/ptrace.c ptrace_attach() and __ptrace_may_access(), security/yama/yama_lsm.c, 6.1):
 * whether it is traced already, whose it is, whether it has dropped its dumpable flag or has
 * capabilities that we lack, then Yama and the other security modules.
 */
#include <errno.h>
#include <inttypes.h>
#include <linux/capability.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/xalloc.h"
#include "probe/attach.h"
#include "probe/machine.h"
#include "probe/sysroot.h"

/* What is known of the two processes. */
struct refusal {
	pid_t pid;
	int error;
	int64_t uid;       /* of the process; -1: unknown */
	int64_t tracer;    /* of the process; 0: none */
	bool kernel;       /* a kernel thread */
	uint64_t caps;     /* permitted, of the process */
	uint64_t our_caps; /* that we can raise */
	int64_t yama;      /* its scope; -1: not there */
	bool descendant;   /* of ours */
	bool same_userns;
	bool container; /* we are in one */
	bool filtered;  /* by seccomp, we are */
};

static bool we_have(const struct refusal *r, int cap)
{
	return r->our_caps >> cap & 1;
}

static bool is_traced(const struct refusal *r)
{
	return r->tracer > 0;
}

static bool is_kernel(const struct refusal *r)
{
	return r->kernel;
}

static bool is_anothers(const struct refusal *r)
{
	return r->uid >= 0 && r->uid != (int64_t)getuid() && !we_have(r, CAP_SYS_PTRACE);
}

static bool is_elsewhere(const struct refusal *r)
{
	return !r->same_userns;
}

static bool has_more_caps(const struct refusal *r)
{
	return (r->caps & ~r->our_caps) && !we_have(r, CAP_SYS_PTRACE);
}

static bool yama_nobody(const struct refusal *r)
{
	return r->yama >= 3;
}

static bool yama_capable(const struct refusal *r)
{
	return r->yama == 2 && !we_have(r, CAP_SYS_PTRACE);
}

static bool yama_descendants(const struct refusal *r)
{
	return r->yama == 1 && !r->descendant && !we_have(r, CAP_SYS_PTRACE);
}

static bool in_filter(const struct refusal *r)
{
	return r->filtered;
}

static bool in_container(const struct refusal *r)
{
	return r->container;
}

static bool otherwise(const struct refusal *r)
{
	(void)r;
	return true;
}

static const struct {
	bool (*is)(const struct refusal *r);
	const char *why; /* who refused */
	const char *mend;
	size_t number; /* behind `why`: where in struct refusal it is; 0: none */
} rows[] = {
	{ is_traced, "it is being traced already, by process",
	  "end that tracer first; a process has one at a time",
	  offsetof(struct refusal, tracer) },
	{ is_kernel, "it is a kernel thread", "those can't be traced", 0 },
	{ is_anothers, "it belongs to another user, uid", "run 'sudo tracetax run --pid …'",
	  offsetof(struct refusal, uid) },
	{ has_more_caps, "it has capabilities that this process lacks",
	  "run 'sudo tracetax run --pid …' or 'setcap cap_sys_ptrace=p' on tracetax", 0 },
	{ yama_nobody, "Yama forbids it until the next boot (kernel.yama.ptrace_scope=3)",
	  "take that setting out of /etc/sysctl.d and reboot", 0 },
	{ yama_capable, "Yama leaves it to CAP_SYS_PTRACE (kernel.yama.ptrace_scope=2)",
	  "run 'sudo tracetax run --pid …'", 0 },
	{ yama_descendants,
	  "Yama allows only one's own descendants (kernel.yama.ptrace_scope=1)",
	  "run 'sudo tracetax run --pid …' or 'sudo sysctl kernel.yama.ptrace_scope=0'", 0 },
	{ is_elsewhere, "it is in another user namespace, a container of its own",
	  "run tracetax inside that container, or as root on the host", 0 },
	{ in_filter, "a seccomp filter of this process may forbid ptrace",
	  "start the container with '--cap-add=SYS_PTRACE --security-opt seccomp=unconfined'",
	  0 },
	{ in_container, "the container may forbid it",
	  "start it with '--cap-add=SYS_PTRACE', and '--pid=host' for processes outside", 0 },
	{ otherwise,
	  "the process is not dumpable (prctl(2), PR_SET_DUMPABLE; it has changed its user), "
	  "or "
	  "a security module (AppArmor, SELinux deny_ptrace) forbids it",
	  "run 'sudo tracetax run --pid …'", 0 },
};

/* A field of /proc/PID/status as a number; -1 when there is none. */
static int64_t status_field(const char *text, const char *name, int base)
{
	const char *at = text ? strstr(text, name) : NULL;

	return at ? (int64_t)strtoull(at + strlen(name), NULL, base) : -1;
}

static bool same_userns(pid_t pid)
{
	char path[64];
	struct stat mine, its;

	snprintf(path, sizeof(path), "/proc/%d/ns/user", (int)pid);
	/* What we may not even look at is decided by the other rows. */
	return stat("/proc/self/ns/user", &mine) || stat(path, &its) ||
	       (mine.st_ino == its.st_ino && mine.st_dev == its.st_dev);
}

/* Whether we are among the ancestors of the process. */
static bool is_descendant(pid_t pid)
{
	const pid_t self = getpid();

	for (int depth = 0; pid > 1 && depth < 1000; depth++) {
		char *text = sysroot_read("", "/proc/%d/status", (int)pid);

		if (pid == self) {
			free(text);
			return true;
		}
		pid = (pid_t)status_field(text, "\nPPid:", 10);
		free(text);
	}
	return false;
}

static void look(struct refusal *r, pid_t pid, int error)
{
	char *its = sysroot_read("", "/proc/%d/status", (int)pid),
	     *ours = sysroot_read("", "/proc/self/status"), *exe;
	struct machine m;

	*r = (struct refusal) { .pid = pid, .error = error, .yama = -1 };
	r->uid = status_field(its, "\nUid:", 10);
	r->tracer = status_field(its, "\nTracerPid:", 10);
	r->caps = (uint64_t)status_field(its, "\nCapPrm:", 16);
	r->kernel = status_field(its, "\nKthread:", 10) == 1;
	r->our_caps = (uint64_t)status_field(ours, "\nCapPrm:", 16);
	r->filtered = status_field(ours, "\nSeccomp:", 10) > 0;
	r->same_userns = same_userns(pid);
	r->descendant = is_descendant(pid);
	if (!machine_read("", false, &m, NULL)) {
		const char *container = machine_text(&m, FACT_CONTAINER);

		r->yama = machine_number(&m, FACT_YAMA_PTRACE_SCOPE, -1);
		r->container = container && strcmp(container, "none") != 0;
		machine_free(&m);
	}
	/* Before 6.10 no field says so, but kernel threads have an empty command line. */
	exe = sysroot_read("", "/proc/%d/cmdline", (int)pid);
	r->kernel |= exe && !exe[0];
	free(exe);
	free(its);
	free(ours);
}

int attach_refused(pid_t pid, int error, struct err *e)
{
	struct refusal r;
	size_t i = 0;
	char *why;

	if (error == ESRCH)
		return err_set(e, EXIT_USAGE, "--pid: process %d has ended", (int)pid);
	look(&r, pid, error);
	while (!rows[i].is(&r)) /* the last is always */
		i++;
	if (rows[i].number) {
		int64_t number;

		memcpy(&number, (const char *)&r + rows[i].number, sizeof(number));
		why = xasprintf("%s %" PRId64, rows[i].why, number);
	} else {
		why = xstrdup(rows[i].why);
	}
	err_set(e, EXIT_MEASURE, "--pid %d: attaching is refused (%s): %s; %s", (int)pid,
		strerror(error), why, rows[i].mend);
	free(why);
	return -1;
}
