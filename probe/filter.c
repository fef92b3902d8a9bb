/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "probe/filter.h"

#include <errno.h>
#include <linux/seccomp.h>
#include <seccomp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/parse.h"
#include "base/xalloc.h"

/* One rule for each call. */
static int add_calls(scmp_filter_ctx ctx, uint32_t action, char *const *names, size_t n,
		     struct filter *f, struct err *e)
{
	for (size_t i = 0; i < n; i++) {
		const int nr = seccomp_syscall_resolve_name(names[i]);
		int ret;

		if (nr == __NR_SCMP_ERROR)
			return err_set(e, EXIT_USAGE,
				       "--filter: '%s' is not the name of a system call",
				       names[i]);
		ret = seccomp_rule_add(ctx, action, nr, 0);
		if (ret && ret != -EEXIST)
			return err_set(e, EXIT_MEASURE, "--filter: '%s': %s", names[i],
				       strerror(-ret));
		f->has_read |= !strcmp(names[i], "read");
		f->has_ppoll |= !strcmp(names[i], "ppoll");
	}
	return 0;
}

/* libseccomp 2.5 exports to a descriptor only. */
static int take_program(scmp_filter_ctx ctx, struct filter *f)
{
	int fd = memfd_create("tracetax-filter", MFD_CLOEXEC), ret = -1;
	struct stat st;

	if (fd >= 0 && !seccomp_export_bpf(ctx, fd) && !fstat(fd, &st)) {
		f->program.len =
			(unsigned short)((size_t)st.st_size / sizeof(struct sock_filter));
		f->program.filter = xcalloc(f->program.len, sizeof(struct sock_filter));
		ret = pread(fd, f->program.filter, (size_t)st.st_size, 0) == st.st_size ? 0
											: -1;
	}
	if (fd >= 0)
		close(fd);
	return ret;
}

/* libseccomp makes no rule that says what is said to every other call: said afterwards. */
static void allow_instead(struct filter *f, uint32_t action)
{
	for (unsigned i = 0; i < f->program.len; i++) {
		struct sock_filter *s = &f->program.filter[i];

		if (s->code == (BPF_RET | BPF_K) && s->k == action)
			s->k = SECCOMP_RET_ALLOW;
	}
}

static int build(struct filter *f, enum filter_action action, char *const *names, size_t n,
		 struct err *e)
{
	const uint32_t says = action == FILTER_NOTIFY ? SCMP_ACT_NOTIFY : SCMP_ACT_TRACE(0);
	scmp_filter_ctx ctx = seccomp_init(SCMP_ACT_ALLOW);
	int ret = -1;

	if (!ctx)
		return err_set(e, EXIT_MEASURE, "libseccomp: no filter can be made");
	/* Programs of an architecture that is not in the filter run as ever. */
	seccomp_attr_set(ctx, SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_ALLOW);
	if (seccomp_arch_native() == SCMP_ARCH_X86_64)
		seccomp_arch_add(ctx, SCMP_ARCH_X86);
	if (!add_calls(ctx, says, names, n, f, e)) {
		ret = take_program(ctx, f);
		if (ret)
			err_set(e, EXIT_MEASURE, "libseccomp: exporting the filter failed");
	}
	seccomp_release(ctx);
	if (!ret && action == FILTER_ALLOW)
		allow_instead(f, SECCOMP_RET_TRACE);
	return ret;
}

int filter_make(struct filter *f, enum filter_action action, const char *calls, struct err *e)
{
	char **names = NULL;
	size_t n = 0;
	int ret;

	*f = (struct filter) { .flags = action == FILTER_NOTIFY
						? SECCOMP_FILTER_FLAG_NEW_LISTENER
						: 0 };
	/* A workload that makes no calls has a filter that names none. */
	if (calls[0] && split_list("--filter", calls, &names, &n, e))
		return -1;
	ret = build(f, action, names, n, e);
	split_free(names, n);
	if (ret)
		filter_free(f);
	return ret;
}

void filter_free(struct filter *f)
{
	free(f->program.filter);
	*f = (struct filter) { 0 };
}

int filter_install(const struct filter *f)
{
	long ret = syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, f->flags, &f->program);

	if (ret < 0 && errno == EACCES && !prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
		ret = syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, f->flags, &f->program);
	return ret < 0 ? -errno : (int)ret;
}

/* In the process made for it: what it ends with tells how far it came. */
enum { NOT_INSTALLED = 1, NOT_ALSO = 2 };

static _Noreturn void try_filter(const struct filter *f, int (*also)(int listener), int fd)
{
	int listener = filter_install(f), error = listener < 0 ? -listener : 0;
	int step = error ? NOT_INSTALLED : 0;

	if (!error && also && (error = also(listener)))
		step = NOT_ALSO;
	_exit(write(fd, &error, sizeof(error)) == sizeof(error) ? step : NOT_INSTALLED);
}

bool filter_supported(enum filter_action action, int (*also)(int listener), char *why,
		      size_t size)
{
	struct filter f;
	struct err e;
	int status = 0, error = EIO, fds[2];
	pid_t pid;

	/* A call that nobody makes between here and _exit(). */
	if (filter_make(&f, action, "swapoff", &e)) {
		/* libseccomp asks the kernel what it can before it takes a rule. */
		snprintf(
			why, size,
			"seccomp is refused, or the kernel has no such filter (libseccomp: %s)",
			strrchr(e.text, ':') ? strrchr(e.text, ':') + 2 : e.text);
		return false;
	}
	if (pipe(fds)) {
		snprintf(why, size, "pipe: %s", strerror(errno));
		filter_free(&f);
		return false;
	}
	pid = fork();
	if (!pid)
		try_filter(&f, also, fds[1]);
	filter_free(&f);
	close(fds[1]);
	if (pid < 0 || read(fds[0], &error, sizeof(error)) != sizeof(error))
		status = -1;
	close(fds[0]);
	while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	if (pid > 0 && WIFEXITED(status) && !WEXITSTATUS(status))
		return true;
	if (pid > 0 && WIFEXITED(status) && WEXITSTATUS(status) == NOT_ALSO)
		snprintf(why, size, "this kernel has no such notification (%s)",
			 strerror(error));
	else
		snprintf(why, size,
			 "seccomp is refused (%s): the kernel has no CONFIG_SECCOMP_FILTER, or "
			 "a filter forbids it; try 'docker run --security-opt "
			 "seccomp=unconfined'",
			 strerror(error));
	return false;
}
