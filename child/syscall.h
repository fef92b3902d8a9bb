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
#include <sys/syscall.h>
#include <unistd.h>

#if defined(__x86_64__)

static inline __attribute__((always_inline)) long inline_pread(int fd, void *buf, size_t n)
{
	long ret;
	register long offset __asm__("r10") = 0;

	__asm__ volatile("syscall"
			 : "=a"(ret)
			 : "a"((long)SYS_pread64), "D"((long)fd), "S"(buf), "d"(n), "r"(offset)
			 : "rcx", "r11", "memory");
	return ret;
}

#elif defined(__aarch64__)

static inline __attribute__((always_inline)) long inline_pread(int fd, void *buf, size_t n)
{
	register long x8 __asm__("x8") = SYS_pread64;
	register long x0 __asm__("x0") = fd;
	register void *x1 __asm__("x1") = buf;
	register size_t x2 __asm__("x2") = n;
	register long x3 __asm__("x3") = 0;

	__asm__ volatile("svc 0" : "+r"(x0) : "r"(x8), "r"(x1), "r"(x2), "r"(x3) : "memory");
	return x0;
}

#else

static inline long inline_pread(int fd, void *buf, size_t n)
{
	ssize_t ret = pread(fd, buf, n, 0);

	return ret < 0 ? -errno : ret;
}

#endif
#endif
