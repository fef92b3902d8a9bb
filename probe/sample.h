/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The sample record: what one run of one cell gave, and its form as one JSON line. This and
 * sample-io.h are all that analysis/ sees of probe/.
 */
#ifndef TRACETAX_SAMPLE_H
#define TRACETAX_SAMPLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A quantity that could not be had; null in JSON. No quantity below is ever negative. */
#define SAMPLE_UNKNOWN INT64_MIN

/* The version of the file format this program writes and the newest it reads. */
enum { SAMPLE_SCHEMA = 1 };

struct sample {
	/* The cell: one point of the matrix. */
	char workload[32];  /* what the child did per iteration */
	char op[16];        /* mem, reg, none */
	char child[16];     /* plain, windows (instrumented: clocks its own user time) */
	char tracer[32];    /* how it was observed */
	char placement[24]; /* same, cross, free or CHILDCPU:TRACERCPU */
	int64_t ops;        /* operations per iteration */
	int64_t iterations; /* asked for; 0 with a duration */
	int64_t threads;
	int64_t duration_ns; /* of fixed time; 0: fixed work */
	int64_t cpu;         /* the child's CPU; unknown when free */
	int64_t tracer_cpu;  /* the tracer's; unknown when free */

	/* Where it stands in the campaign. */
	int64_t block;    /* 0 is the warm-up */
	bool warmup;      /* not counted */
	int64_t start_ns; /* since the campaign's start, CLOCK_MONOTONIC */
	int64_t aslr;     /* 1: the child ran with address randomisation on */

	/* wait4(2) rusage of the zombie; microseconds there, stored in ns. */
	int64_t utime_ns;
	int64_t stime_ns;
	int64_t nvcsw;  /* voluntary context switches */
	int64_t nivcsw; /* involuntary */
	int64_t minflt;
	int64_t majflt;
	int64_t maxrss_kib;

	/* The other witnesses, read while the child was a zombie. */
	int64_t runtime_ns;       /* /proc/PID/schedstat field 1, sum_exec_runtime */
	int64_t waiting_ns;       /* /proc/PID/schedstat field 2, runnable but not running */
	int64_t cpuclock_ns;      /* clock_gettime(clock_getcpuclockid(PID)) */
	int64_t stat_utime_ticks; /* /proc/PID/stat field 14, in USER_HZ ticks */
	int64_t stat_stime_ticks; /* /proc/PID/stat field 15 */
	int64_t tree; /* 1: it may have had children, whose times wait4 counts and clocks do not
		       */
	int64_t preexec_ns; /* field 1 of schedstat just before the release: fork's part */
	int64_t end_cpu;    /* /proc/PID/stat field 39: the CPU it ended on */
	int64_t migrations; /* se.nr_migrations of /proc/PID/sched since the release */

	/* From the release of the child to its zombie. */
	int64_t wall_ns;
	int64_t tracer_utime_ns; /* getrusage(RUSAGE_SELF) of the tracer */
	int64_t tracer_stime_ns;
	int64_t tracer_runtime_ns; /* its CLOCK_PROCESS_CPUTIME_ID */
	int64_t stops;             /* of every kind */
	int64_t syscall_stops;     /* two a system call */
	int64_t signals;           /* delivered to the child through the tracer */
	int64_t group_stops;       /* the child was stopped by a signal, and continued */
	int64_t forks;             /* fork, vfork and clone seen by the tracer */
	int64_t calls_traced;      /* system calls it counted, by whatever mechanism */
	int64_t events_lost;       /* those it was told of having missed */

	/* Over the run, on the CPUs used; /proc/stat, USER_HZ resolution. */
	int64_t steal_ns;
	int64_t irq_ns;
	int64_t softirq_ns;
	int64_t khz_before; /* effective frequency of the child's CPU, from the reg chain */
	int64_t khz_after;

	/* What the child says of its loop (child/report.h): start-up and exit are not in it. */
	int64_t operations;      /* iterations done */
	int64_t syscalls;        /* made */
	int64_t loop_ns;         /* wall time */
	int64_t loop_utime_ns;   /* getrusage(2) of itself and its children, after - before */
	int64_t loop_stime_ns;   /* the same */
	int64_t loop_runtime_ns; /* CLOCK_PROCESS_CPUTIME_ID, after - before: not its children
				  */

	/* What the child clocked; unknown for the plain child (probe/windows.h). */
	int64_t true_user_ns;
	int64_t windows;          /* how many */
	int64_t interrupted;      /* longer than the bound: something ran in between */
	int64_t excess_ns;        /* their excess over the median, not in true_user_ns */
	int64_t window_median_ps; /* picoseconds */

	/* Not a sample but the record of a run that failed: why. Empty for a sample. */
	char failure[256];
};

/* Every quantity unknown, every text empty. */
void sample_init(struct sample *s);

enum sample_type { SAMPLE_TEXT, SAMPLE_INT, SAMPLE_BOOL };

/* One field of the record: a row of the table that reader and writer share. */
struct sample_field {
	const char *name;
	size_t length; /* of the name */
	size_t offset; /* of the member in struct sample */
	size_t size;   /* of a text's array */
	enum sample_type type;
	bool required; /* a line without it is refused */
};

/* The table, ended by a row whose name is NULL. */
extern const struct sample_field sample_fields[];

static inline int64_t *sample_int(struct sample *s, const struct sample_field *f)
{
	return (int64_t *)(void *)((char *)s + f->offset);
}

#endif
