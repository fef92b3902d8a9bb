/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * PTRACE_SYSEMU, the way user-mode kernels trace: the child stops before each system call, the
 * kernel does not make it, and we put the result where the child expects it. One stop a call.
 *
 * We make the calls of which the results can be had from outside: getpid, reading /dev/zero,
 * writing /dev/null, pread of the child's own executable. For every other the child is sent
 * back to its instruction and makes the call itself, under PTRACE_SYSCALL, which are three
 * stops more: the exit of the call that was not made, and entry and exit of the one that is.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <unistd.h>

#include "base/xalloc.h"
#include "probe/ptrace-loop.h"

#if defined(__x86_64__)

/* `syscall`, and `int $0x80` as well. */
enum { FDS = 16, BUFFER = 4096, SYSCALL_INSTRUCTION_SIZE = 2 };

/* Code segment of 64-bit programs; others number their calls differently
 * (arch/x86/include/asm/segment.h __USER_CS, 6.1). */
enum { USER_CS = 0x33 };

/* What is behind a descriptor of the child. */
enum behind { NOT_ASKED, DEV_NULL, DEV_ZERO, EXECUTABLE, ANYTHING_ELSE };

struct own {
	enum behind fd[FDS]; /* forgotten whenever the child makes another call itself */
	int exe;             /* its executable; -1: not opened yet */
	char buffer[BUFFER];
};

/* State of a tracee: how many stops of the call that it makes itself are still to come. */
enum { EMULATING = 0, STOPS_OF_OWN_CALL = 3 };

static enum behind ask(pid_t pid, unsigned long fd)
{
	char path[64];
	struct stat st, exe;

	snprintf(path, sizeof(path), "/proc/%d/fd/%lu", (int)pid, fd);
	if (stat(path, &st))
		return ANYTHING_ELSE;
	if (S_ISCHR(st.st_mode) && st.st_rdev == makedev(1, 3))
		return DEV_NULL;
	if (S_ISCHR(st.st_mode) && st.st_rdev == makedev(1, 5))
		return DEV_ZERO;
	snprintf(path, sizeof(path), "/proc/%d/exe", (int)pid);
	if (!stat(path, &exe) && exe.st_dev == st.st_dev && exe.st_ino == st.st_ino)
		return EXECUTABLE;
	return ANYTHING_ELSE;
}

static bool is_behind(struct own *own, pid_t pid, unsigned long fd, enum behind what)
{
	if (fd >= FDS)
		return false;
	if (own->fd[fd] == NOT_ASKED)
		own->fd[fd] = ask(pid, fd);
	return own->fd[fd] == what;
}

/* Give the child the first n bytes of our buffer. */
static bool give(const struct own *own, pid_t pid, unsigned long address, size_t n)
{
	/* process_vm_writev() does not write to `from`, and `to` is an address of the child's.
	 */
	/* NOLINTBEGIN(performance-no-int-to-ptr) */
	const struct iovec from = { (void *)(uintptr_t)own->buffer, n };
	const struct iovec to = { (void *)(uintptr_t)address, n };
	/* NOLINTEND(performance-no-int-to-ptr) */

	return process_vm_writev(pid, &from, 1, &to, 1, 0) == (ssize_t)n;
}

static bool emulate_read(struct own *own, pid_t pid, struct user_regs_struct *r)
{
	if (r->rdx > BUFFER || !is_behind(own, pid, r->rdi, DEV_ZERO))
		return false;
	memset(own->buffer, 0, r->rdx);
	r->rax = r->rdx;
	return give(own, pid, r->rsi, r->rdx);
}

static bool emulate_pread(struct own *own, pid_t pid, struct user_regs_struct *r)
{
	char path[64];
	ssize_t got;

	if (r->rdx > BUFFER || !is_behind(own, pid, r->rdi, EXECUTABLE))
		return false;
	if (own->exe < 0) {
		snprintf(path, sizeof(path), "/proc/%d/exe", (int)pid);
		own->exe = open(path, O_RDONLY | O_CLOEXEC);
	}
	got = pread(own->exe, own->buffer, r->rdx, (off_t)r->r10);
	if (got < 0)
		return false;
	r->rax = (unsigned long)got;
	return give(own, pid, r->rsi, (size_t)got);
}

/* Whether we can make the call; its result is in *r then. */
static bool emulate(struct trace *t, pid_t tid, struct user_regs_struct *r)
{
	struct own *own = t->own;

	switch (r->orig_rax) {
	case SYS_getpid:
		/* Of others than the child it is not known whether they are its threads. */
		r->rax = (unsigned long)tid;
		return tid == t->child;
	case SYS_write:
		r->rax = r->rdx;
		return is_behind(own, tid, r->rdi, DEV_NULL);
	case SYS_read:
		return emulate_read(own, tid, r);
	case SYS_pread64:
		return emulate_pread(own, tid, r);
	default:
		return false;
	}
}

static int at_call(struct trace *t, struct tracee *x)
{
	struct own *own = t->own;
	struct user_regs_struct r;

	if (x->state != EMULATING) {
		if (--x->state == EMULATING)
			x->request = PTRACE_SYSEMU;
		return 0;
	}
	if (ptrace(PTRACE_GETREGS, x->tid, NULL, &r))
		return -1;
	t->calls++;
	if (r.cs != USER_CS || !emulate(t, x->tid, &r)) {
		memset(own->fd, 0, sizeof(own->fd));
		r.rip -= SYSCALL_INSTRUCTION_SIZE;
		r.rax = r.orig_rax;
		x->state = STOPS_OF_OWN_CALL;
		x->request = PTRACE_SYSCALL;
	}
	return ptrace(PTRACE_SETREGS, x->tid, NULL, &r) ? -1 : 0;
}

static int start(struct trace *t, struct err *e)
{
	struct own *own = xcalloc(1, sizeof(*own));

	own->exe = -1;
	t->own = own;
	t->calls = 0;
	return ptrace_seize(t, e);
}

static int follow(struct trace *t, struct err *e)
{
	static const struct ptrace_style style = {
		.request = PTRACE_SYSEMU,
		.at_call = at_call,
	};

	return ptrace_follow(t, &style, e);
}

static void finish(struct trace *t)
{
	struct own *own = t->own;

	if (own && own->exe >= 0)
		close(own->exe);
	free(own);
	t->own = NULL;
}

static long try_sysemu(pid_t pid)
{
	return ptrace(PTRACE_SYSEMU, pid, NULL, 0L);
}

static bool supported(char *why, size_t size)
{
	return ptrace_request_supported(try_sysemu, "PTRACE_SYSEMU", why, size);
}

#else

static bool supported(char *why, size_t size)
{
	snprintf(why, size, "its registers are known to tracetax on x86-64 only");
	return false;
}

static int start(struct trace *t, struct err *e)
{
	(void)t;
	return err_set(e, EXIT_MEASURE, "sysemu is written for x86-64 only");
}

static int follow(struct trace *t, struct err *e)
{
	return tracer_await_zombie(t, e);
}

static void finish(struct trace *t)
{
	(void)t;
}

#endif

const struct tracer_ops tracer_sysemu = {
	.name = "sysemu",
	.summary = "PTRACE_SYSEMU: one stop a call, and the tracer makes its result",
	.needs = "ptrace, x86-64",
	.supported = supported,
	.start = start,
	.follow = follow,
	.finish = finish,
};
