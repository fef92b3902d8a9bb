/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Syscall User Dispatch: every system call of the thread comes back to it as SIGSYS, and its
 * handler makes the call. prctl(2), PR_SET_SYSCALL_USER_DISPATCH, Linux 5.11, where the
 * architecture has the generic entry (x86 from the start); Documentation/admin-guide/
 * syscall-user-dispatch.rst, 6.1. It ends at exec and is not inherited by fork or clone, so
 * only the child itself can switch it on.
 */
#ifndef TRACETAX_CHILD_DISPATCH_H
#define TRACETAX_CHILD_DISPATCH_H

#include <stdint.h>

#include "child/report.h"

/* For the calling thread. CHILD_NO_DISPATCH after a message where it can't be had. */
enum child_status dispatch_on(void);

/* Off again; how many calls came. */
uint64_t dispatch_off(void);

#endif
