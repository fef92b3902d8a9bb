/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "child/dispatch.h"

#include <errno.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#include "child/workload.h"

#if defined(__x86_64__)

#ifndef PR_SET_SYSCALL_USER_DISPATCH
#define PR_SET_SYSCALL_USER_DISPATCH 59
#define PR_SYS_DISPATCH_OFF          0
#define PR_SYS_DISPATCH_ON           1
#endif

/* What the kernel reads at each call of the thread: 0 lets it through, 1 makes it SIGSYS. */
enum { LET_THROUGH = 0, DISPATCH = 1 };

/* The return from a handler is a system call too, the restorer's: it has to get through. */
enum { RESTORER_SIZE = 16 };

/* The kernel's struct sigaction, arch/x86/include/uapi/asm/signal.h: it has the restorer. */
struct kernel_sigaction {
	uintptr_t handler;
	unsigned long flags;
	uintptr_t restorer;
	uint64_t mask;
};

static _Thread_local volatile char selector;
static _Thread_local volatile uint64_t came;

static long make_call(const greg_t *r)
{
	/* A child on our stack would return from this handler before we do. */
	long nr = r[REG_RAX] == SYS_vfork ? SYS_fork : r[REG_RAX];
	long ret;
	register long r10 __asm__("r10") = r[REG_R10];
	register long r8 __asm__("r8") = r[REG_R8];
	register long r9 __asm__("r9") = r[REG_R9];

	__asm__ volatile("syscall"
			 : "=a"(ret)
			 : "a"(nr), "D"(r[REG_RDI]), "S"(r[REG_RSI]), "d"(r[REG_RDX]), "r"(r10),
			   "r"(r8), "r"(r9)
			 : "rcx", "r11", "memory");
	return ret;
}

static void on_sigsys(int sig, siginfo_t *info, void *context)
{
	greg_t *r = ((ucontext_t *)context)->uc_mcontext.gregs;

	(void)sig;
	(void)info;
	selector = LET_THROUGH;
	came++;
	r[REG_RAX] = make_call(r);
	selector = DISPATCH;
}

enum child_status dispatch_on(void)
{
	struct sigaction act = { .sa_sigaction = on_sigsys, .sa_flags = SA_SIGINFO };
	struct kernel_sigaction now;

	sigemptyset(&act.sa_mask);
	if (sigaction(SIGSYS, &act, NULL) ||
	    syscall(SYS_rt_sigaction, SIGSYS, NULL, &now, sizeof(now.mask)))
		return worker_failed(CHILD_NO_DISPATCH, "sigaction", errno);
	came = 0;
	selector = LET_THROUGH;
	if (prctl(PR_SET_SYSCALL_USER_DISPATCH, PR_SYS_DISPATCH_ON, now.restorer,
		  (unsigned long)RESTORER_SIZE, &selector))
		return worker_failed(CHILD_NO_DISPATCH, "prctl(PR_SET_SYSCALL_USER_DISPATCH)",
				     errno);
	selector = DISPATCH;
	return CHILD_DONE;
}

uint64_t dispatch_off(void)
{
	selector = LET_THROUGH;
	prctl(PR_SET_SYSCALL_USER_DISPATCH, PR_SYS_DISPATCH_OFF, 0UL, 0UL, 0UL);
	return came;
}

#else

enum child_status dispatch_on(void)
{
	return worker_failed(CHILD_NO_DISPATCH, "--dispatch", ENOSYS);
}

uint64_t dispatch_off(void)
{
	return 0;
}

#endif
