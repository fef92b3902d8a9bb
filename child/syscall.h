/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * System calls without a function around them, so that the counter is read right before and
 * right after the instruction that enters the kernel. They return the kernel's value:
 * negative errno on failure.
 */
#ifndef TRACETAX_CHILD_SYSCALL_H
#define TRACETAX_CHILD_SYSCALL_H

#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined(__x86_64__)

static inline __attribute__((always_inline)) long inline_call(long nr, long a, long b, long c,
							      long d)
{
	long ret;
	register long r10 __asm__("r10") = d;

	__asm__ volatile("syscall"
			 : "=a"(ret)
			 : "a"(nr), "D"(a), "S"(b), "d"(c), "r"(r10)
			 : "rcx", "r11", "memory");
	return ret;
}

#elif defined(__aarch64__)

static inline __attribute__((always_inline)) long inline_call(long nr, long a, long b, long c,
							      long d)
{
	register long x8 __asm__("x8") = nr;
	register long x0 __asm__("x0") = a;
	register long x1 __asm__("x1") = b;
	register long x2 __asm__("x2") = c;
	register long x3 __asm__("x3") = d;

	__asm__ volatile("svc 0" : "+r"(x0) : "r"(x8), "r"(x1), "r"(x2), "r"(x3) : "memory");
	return x0;
}

#else

static inline long inline_call(long nr, long a, long b, long c, long d)
{
	long ret = syscall(nr, a, b, c, d);

	return ret < 0 ? -errno : ret;
}

#endif

static inline __attribute__((always_inline)) long inline_address(const void *p)
{
	return (long)(uintptr_t)p;
}

#endif
