/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What child and harness share: the area in which the child reports its work, and the
 * statuses it ends with. With workload-info.h the only header of child/ that describes an
 * interface to probe/ beside the counter and the operations.
 */
#ifndef TRACETAX_CHILD_REPORT_H
#define TRACETAX_CHILD_REPORT_H

#include <stdint.h>

/* CPU times as the child reads them of itself, around its loop. Nanoseconds. */
struct child_times {
	uint64_t utime_ns; /* getrusage(2), RUSAGE_SELF and RUSAGE_CHILDREN together */
	uint64_t stime_ns;
	uint64_t runtime_ns; /* CLOCK_PROCESS_CPUTIME_ID: its own threads only */
};

/*
 * The area: a memory file that the harness made, sized and pre-faulted, inherited as a file
 * descriptor (--report FD) and mapped by the child. The harness sets magic, size and
 * capacity and clears the rest; the child fills it and writes iterations_done last of all,
 * when every iteration is done.
 */
struct child_report {
	uint64_t magic;           /* CHILD_REPORT_MAGIC */
	uint64_t capacity;        /* windows that fit */
	uint64_t iterations_done; /* by the child, at its end */
	uint64_t syscalls;        /* made by its loop, start-up and exit not counted */
	uint64_t windows;         /* filled below; 0 without --windows */
	uint64_t dispatched;      /* of the calls, by SIGSYS; 0 without --dispatch */
	uint64_t loop_counts;     /* the loop's wall time, counter units (child/counter.h) */
	uint64_t pid;             /* of the child, known from its start */
	struct child_times begin; /* of the loop */
	struct child_times end;
	uint64_t wait_status; /* of a command, child/shim.h */
	uint64_t reserved;
	uint64_t window[]; /* user-mode windows in counter units, in order (child/counter.h) */
};

/* Changes with the layout: a child of another version does not match. */
#define CHILD_REPORT_MAGIC UINT64_C(0x7472746178000003)

/*
 * The descriptors behind which it finds its area in every run, same argv, same stack; and that
 * to which a tracer that is a program writes.
 */
enum { CHILD_REPORT_FD = 3, CHILD_OUT_FD = 4 };

/* The files that `files` and `mix` make, of one thread each: pid, thread from 0. */
#define CHILD_FILE_FORMAT "/tmp/tracetax-%d-%u"

/* Exit statuses. None is a shell's (126, 127) or a sanitizer's (1). */
enum child_status {
	CHILD_DONE = 0,
	CHILD_BAD_ARGUMENT = 80,
	CHILD_NO_REPORT_AREA = 81,
	CHILD_OPEN_FAILED = 82,
	CHILD_SHORT_READ = 83,
	CHILD_CALL_FAILED = 84, /* a call of the loop, or one that prepares it */
	CHILD_NO_DISPATCH = 85, /* Syscall User Dispatch can't be switched on */
	CHILD_MISCOUNTED = 86,  /* SIGSYS came more or less often than calls were made */
};

#endif
