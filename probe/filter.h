/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Seccomp filters for chosen system calls, built by libseccomp, as programs that a forked
 * child can install with async-signal-safe calls only.
 *
 * Calls that no rule names are allowed. From Linux 5.11 on the kernel does not even run the
 * program for a call that it always allows (kernel/seccomp.c seccomp_cache_check_allow(), 6.1).
 */
#ifndef TRACETAX_FILTER_H
#define TRACETAX_FILTER_H

#include <linux/filter.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

enum filter_action {
	FILTER_NONE,   /* no filter at all */
	FILTER_ALLOW,  /* a filter that names the calls and allows them too */
	FILTER_TRACE,  /* SECCOMP_RET_TRACE: a ptrace stop, PTRACE_EVENT_SECCOMP */
	FILTER_NOTIFY, /* SECCOMP_RET_USER_NOTIF: a notification to the listener (5.0) */
};

struct filter {
	struct sock_fprog program; /* filter_free() releases it */
	unsigned flags;            /* of seccomp(2), SECCOMP_SET_MODE_FILTER */
	bool has_read, has_ppoll;  /* whether it names that call */
};

/*
 * Build the filter that answers `action` to the calls named in the comma list, which may be
 * empty. 0, or -1 with `e` set (EXIT_USAGE, naming the option --filter) when a name is no
 * system call that libseccomp knows.
 */
int filter_make(struct filter *f, enum filter_action action, const char *calls, struct err *e);
void filter_free(struct filter *f);

/*
 * Install it in the calling thread. Async-signal-safe. Without CAP_SYS_ADMIN this sets
 * no_new_privs, as seccomp(2) demands: exec of a set-user-ID program then gains nothing.
 * Returns 0, or with FILTER_NOTIFY the listener's descriptor (close-on-exec); negative errno
 * on failure.
 */
int filter_install(const struct filter *f);

/*
 * For tracers' `supported`: install one of that action in a process made for it, and ask
 * `also` (NULL: nothing), which gets the listener and returns 0 or an errno, there.
 */
bool filter_supported(enum filter_action action, int (*also)(int listener), char *why,
		      size_t size);

#endif
