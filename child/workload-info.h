/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The workloads as both programs know them: names, defaults, and which system calls each
 * makes. What they do is in workload-NAME.c, which only the child has.
 */
#ifndef TRACETAX_CHILD_WORKLOAD_INFO_H
#define TRACETAX_CHILD_WORKLOAD_INFO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* The most that --threads takes. */
enum { CHILD_MAX_THREADS = 4096 };

struct workload_info {
	const char *name;
	const char *summary;
	const char *calls;   /* of the loop, as a comma list; "": it makes none of its own */
	uint32_t iterations; /* by default: a run of some tens of milliseconds untraced */
	uint32_t threads;    /* by default */
	bool forks;          /* its CPU time is that of a tree of processes */
};

/* All of them, ended by a row without a name. In the header, since two programs have it. */
static const struct workload_info workload_info[] = {
	{ "pread", "pread of 128 bytes of its own executable, then N operations", "pread64",
	  32768, 1, false },
	{ "compute", "N operations and no system call", "", 32768, 1, false },
	{ "write", "write of 1 byte to /dev/null", "write", 32768, 1, false },
	{ "dd", "read of 1 byte of /dev/zero and write of it to /dev/null", "read,write", 32768,
	  1, false },
	{ "getpid", "getpid: the least a system call can do", "getpid", 32768, 1, false },
	{ "files", "open, write 10 bytes, close, open, read, close, unlink, in /tmp",
	  "openat,write,close,read,unlinkat", 2048, 1, false },
	{ "futex", "threads fight for one lock, whose holder yields the CPU once",
	  "futex,sched_yield", 8192, 4, false },
	{ "sleep", "sleep of 10 ms", "clock_nanosleep", 10, 1, false },
	{ "forkexec", "vfork, exec of a program that does nothing, wait",
	  "vfork,clone,execve,exit_group,wait4", 100, 1, true },
	{ "faults", "a page fault instead of a system call", "madvise", 32768, 1, false },
	{ "signals", "a signal to itself, and the return from its handler",
	  "tgkill,rt_sigreturn", 8192, 1, false },
	{ "mix", "pread, write, getpid, files, faults and signals in turn",
	  "pread64,write,getpid,openat,close,read,unlinkat,madvise,tgkill,rt_sigreturn", 8192,
	  1, false },
	{ "pipe", "a byte to another process, on the tracer's CPU, and back", "read,write",
	  4096, 1, true },
	{ NULL, NULL, NULL, 0, 0, false },
};

/* NULL when there is none of that name. */
static inline const struct workload_info *workload_info_find(const char *name)
{
	for (const struct workload_info *w = workload_info; w->name; w++)
		if (!strcmp(w->name, name))
			return w;
	return NULL;
}

/* "pread, compute, ...", for messages. */
static inline const char *workload_info_names(void)
{
	static char all[256];
	size_t used = 0;

	for (const struct workload_info *w = workload_info; w->name; w++)
		used += (size_t)snprintf(all + used, sizeof(all) - used, "%s%s",
					 used ? ", " : "", w->name);
	return all;
}

#endif
