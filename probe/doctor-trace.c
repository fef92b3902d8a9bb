/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The checks on what may be traced and read. */
#include <errno.h>
#include <inttypes.h>
#include <linux/capability.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/xalloc.h"
#include "probe/caps.h"
#include "probe/doctor-rows.h"
#include "probe/sysroot.h"

enum { SECCOMP_STRICT = 1, SECCOMP_FILTER = 2 }; /* proc_pid_status(5) */

/* Documentation/admin-guide/LSM/Yama.rst */
enum { YAMA_SAME_USER = 0, YAMA_DESCENDANTS = 1, YAMA_CAPABLE = 2, YAMA_NOBODY = 3 };

static const char yama_off[] = "sysctl kernel.yama.ptrace_scope=0";
/* From 3 there is no way back at run time. */
static const char yama_find[] = "grep -r ptrace_scope /etc/sysctl.* /usr/lib/sysctl.d";

/* Run `child` in a fork of its own; its exit status, or -1. */
static int in_child(int (*child)(void))
{
	pid_t pid = fork();
	int status;

	if (!pid)
		_exit(child());
	if (pid < 0)
		return -1;
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return -1;
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* Seize a waiting child of our own and let it die. 0, or the errno of ptrace(2). */
static int try_seize(void)
{
	pid_t pid = fork();
	int err = 0;

	if (!pid) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		for (;;)
			pause();
	}
	if (pid < 0)
		return errno;
	if (ptrace(PTRACE_SEIZE, pid, NULL, NULL) < 0)
		err = errno;
	kill(pid, SIGKILL);
	while (waitpid(pid, NULL, __WALL) < 0 && errno == EINTR)
		;
	return err;
}

/* One thing that can keep a process from tracing its own child, the likeliest first. */
struct culprit {
	bool (*is)(const struct patient *p);
	const char *why;
	const char *mend;   /* for the host */
	const char *option; /* for docker and podman */
	bool certain;       /* it forbids, rather than that it may */
};

static bool yama_is_nobody(const struct patient *p)
{
	return machine_number(p->m, FACT_YAMA_PTRACE_SCOPE, 0) == YAMA_NOBODY;
}

static bool yama_wants_cap(const struct patient *p)
{
	return machine_number(p->m, FACT_YAMA_PTRACE_SCOPE, 0) == YAMA_CAPABLE &&
	       !patient_has_cap(p, CAP_SYS_PTRACE);
}

static bool is_filtered(const struct patient *p)
{
	return p->seccomp > 0;
}

static bool is_traced(const struct patient *p)
{
	return p->tracer_pid > 0;
}

static bool anything(const struct patient *p)
{
	(void)p;
	return true;
}

static const struct culprit culprits[] = {
	{ yama_is_nobody,
	  "Yama scope 3 forbids ptrace until the next boot: take out the setting, then reboot.",
	  yama_find, NULL, true },
	{ yama_wants_cap, "Yama scope 2 leaves ptrace to processes with CAP_SYS_PTRACE.",
	  yama_off, NULL, true },
	{ is_filtered, "A seccomp filter is active and may forbid ptrace.", NULL,
	  "--cap-add=SYS_PTRACE", false },
	{ is_traced, "This process is traced itself, and so are its children.", NULL, NULL,
	  false },
	{ anything, "A security module (SELinux deny_ptrace, AppArmor) may forbid it.", NULL,
	  NULL, false },
};

static const struct culprit *find_culprit(const struct patient *p)
{
	const struct culprit *c = culprits;

	while (!c->is(p))
		c++;
	return c;
}

static void blame(const struct patient *p, struct doctor_line *l, const struct culprit *c)
{
	char *mend = c->mend ? host_command(p, c->mend) : NULL;

	if (c->option)
		mend = container_option(p, c->option);
	line_why(l, c->why, mend);
	free(mend);
}

void check_ptrace(const struct patient *p, struct doctor_line *l)
{
	const struct culprit *c = find_culprit(p);
	int err;

	if (p->real) {
		err = try_seize();
		if (!err)
			return line_set(l, DOCTOR_OK, "permitted: a child was seized");
		line_set(l, DOCTOR_MISSING, "refused: %s", strerror(err));
		return blame(p, l, c);
	}
	if (c->certain) {
		line_set(l, DOCTOR_MISSING, "forbidden; cannot be tried there");
		return blame(p, l, c);
	}
	line_set(l, DOCTOR_OK, "nothing seen that forbids it; cannot be tried there");
	if (c->is == anything)
		return;
	l->state = DOCTOR_WARNING;
	blame(p, l, c);
}

void check_yama(const struct patient *p, struct doctor_line *l)
{
	static const char *const means[] = {
		[YAMA_SAME_USER] = "every process of the same user may be traced",
		[YAMA_DESCENDANTS] = "only descendants may be traced",
		[YAMA_CAPABLE] = "only with CAP_SYS_PTRACE",
		[YAMA_NOBODY] = "nothing may be traced until the next boot",
	};
	int64_t scope = machine_number(p->m, FACT_YAMA_PTRACE_SCOPE, -1);
	char *mend;

	if (scope < YAMA_SAME_USER || scope > YAMA_NOBODY) {
		const char *why = p->m->fact[FACT_YAMA_PTRACE_SCOPE].why;

		return line_set(l, DOCTOR_OK, "%s", why ? why : "unknown scope");
	}
	line_set(l, DOCTOR_OK, "scope %" PRId64 ": %s", scope, means[scope]);
	if (scope == YAMA_SAME_USER ||
	    (scope != YAMA_NOBODY && patient_has_cap(p, CAP_SYS_PTRACE)))
		return;
	l->state = scope == YAMA_DESCENDANTS ? DOCTOR_WARNING : DOCTOR_MISSING;
	mend = host_command(p, scope == YAMA_NOBODY ? yama_find : yama_off);
	line_why(l,
		 scope == YAMA_DESCENDANTS
			 ? "Its own children can be traced, a running pid not."
		 : scope == YAMA_CAPABLE ? "Not even its own children can be traced."
					 : "Only a reboot without this setting undoes it.",
		 mend);
	free(mend);
}

void check_seccomp(const struct patient *p, struct doctor_line *l)
{
	char *mend;

	if (p->seccomp < 0) {
		line_set(l, DOCTOR_MISSING, "unknown: /proc/self/status cannot be read");
		return line_why(l,
				"A seccomp filter may forbid calls and makes each one slower.",
				NULL);
	}
	if (!p->seccomp)
		return line_set(l, DOCTOR_OK, "no filter");
	line_set(l, DOCTOR_WARNING, "%s",
		 p->seccomp == SECCOMP_FILTER ? "a filter is active" : "strict mode");
	mend = container_option(p, "--security-opt seccomp=unconfined");
	line_why(l, "A filter runs at each system call: every call is slower, traced or not.",
		 mend);
	free(mend);
}

void check_container(const struct patient *p, struct doctor_line *l)
{
	line_set(l, DOCTOR_OK, "%s", p->container);
}

void check_capability(const struct patient *p, struct doctor_line *l,
		      const struct caps_row *row)
{
	char *why, *mend;

	if (!p->caps_known) {
		line_set(l, DOCTOR_MISSING, "unknown: no CapEff in /proc/self/status");
	} else if (patient_has_cap(p, (int)row->cap)) {
		return line_set(l, DOCTOR_OK, "there");
	} else {
		line_set(l, DOCTOR_WARNING, "not there");
	}
	why = xasprintf("It would enable %s.", row->enables);
	/* Who is root and lacks one gains nothing from sudo. */
	mend = patient_in_container(p) ? container_option(p, row->option)
	       : p->uid                ? xstrdup("sudo tracetax doctor")
				       : NULL;
	line_why(l, why, mend);
	free(why);
	free(mend);
}

/* Documentation/admin-guide/sysctl/kernel.rst: 2 and more keep kernel events from users. */
void check_perf(const struct patient *p, struct doctor_line *l)
{
	enum { KERNEL_EVENTS = 1 };
	const struct fact *f = &p->m->fact[FACT_PERF_EVENT_PARANOID];
	char *mend;

	if (f->kind != FACT_NUMBER)
		return line_unknown(l, p, FACT_PERF_EVENT_PARANOID,
				    "A kernel without perf events has no cycle counts.");
	if (patient_has_cap(p, CAP_PERFMON) || patient_has_cap(p, CAP_SYS_ADMIN))
		return line_set(l, DOCTOR_OK, "paranoid %" PRId64 ", overruled by capability",
				f->number);
	line_set(l, DOCTOR_OK, "paranoid %" PRId64, f->number);
	if (f->number <= KERNEL_EVENTS)
		return;
	l->state = DOCTOR_WARNING;
	mend = host_command(p, "sysctl kernel.perf_event_paranoid=1");
	line_why(l, "perf may count in user mode only, and from 3 on not even there.", mend);
	free(mend);
}

/*
 * Without CONFIG_SCHED_INFO there is no such file (fs/proc/base.c); before 5.14 it said
 * "0 0 0" when neither CONFIG_SCHEDSTATS nor delay accounting was on.
 */
void check_schedstat(const struct patient *p, struct doctor_line *l)
{
	char *text = sysroot_read(p->root, "/proc/self/schedstat");

	if (!text) {
		line_set(l, DOCTOR_MISSING, "/proc/self/schedstat: %s", strerror(errno));
		line_why(l, "The exact run time of one thread cannot be read.", NULL);
	} else if (!strcmp(text, "0 0 0")) {
		line_set(l, DOCTOR_MISSING, "/proc/self/schedstat is all zero");
		line_why(l,
			 "The exact run time of one thread cannot be read; boot with "
			 "\"delayacct\".",
			 NULL);
	} else {
		line_set(l, DOCTOR_OK, "/proc/PID/schedstat gives the exact run time");
	}
	free(text);
}

static int switch_randomisation_off(void)
{
	int now = personality(0xffffffff);

	if (now < 0)
		return errno;
	return personality((unsigned long)now | ADDR_NO_RANDOMIZE) < 0 ? errno : 0;
}

void check_randomisation(const struct patient *p, struct doctor_line *l)
{
	int err = p->real ? in_child(switch_randomisation_off) : 0;
	char *mend;

	if (p->real && !err)
		return line_set(l, DOCTOR_OK, "can be switched off");
	if (p->real)
		line_set(l, DOCTOR_WARNING, "cannot be switched off: %s",
			 err > 0 ? strerror(err) : "no child could be made");
	else
		line_set(l, p->seccomp > 0 ? DOCTOR_WARNING : DOCTOR_OK,
			 "cannot be tried there");
	if (l->state == DOCTOR_OK)
		return;
	mend = container_option(p, "--security-opt seccomp=unconfined");
	line_why(
		l,
		"Memory operations have two speeds by address layout: it has to stay the same.",
		mend);
	free(mend);
}
