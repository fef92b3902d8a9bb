/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tracers that are programs of their own: strace and its like, run as people run them. The
 * program starts the child; what the child spent is the child's own word for its loop
 * (child/report.h), what the program spent is read from its zombie.
 */
#ifndef TRACETAX_OUTSIDE_H
#define TRACETAX_OUTSIDE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

/* How many system calls it saw, or lost, is read from what it wrote. */
struct outside_count {
	const char *pattern; /* POSIX extended; NULL: it does not say */
	const char *except;  /* lines that match this do not count; NULL: none */
	bool sum;            /* of the numbers in the pattern's group; else lines are counted */
	bool halved;         /* they are stops, two a call */
};

struct outside {
	const char *program; /* found in PATH */
	/*
	 * The words after it. "{}" is replaced by the words of the command; within a word
	 * {command} by all of them joined by spaces, {out} by the file to write to, {calls} by
	 * the system calls to look at.
	 */
	const char *const *words;
	const char *version; /* the option that prints it; NULL: there is none */
	struct outside_count calls, lost;
	bool chooses;      /* it looks at {calls} only */
	bool lossy;        /* it can miss events without saying so */
	bool dynamic_only; /* it can't trace static programs: it gets tracetax-child-dynamic */
	bool no_forks;     /* what the command forks is not traced */
	bool root_only;
	/* What it needs of the kernel; as tracer_ops.supported. */
	bool (*needs)(char *why, size_t size);
};

/* Whether it is installed and what it needs is there; if not, why and what to type. */
bool outside_supported(const struct outside *o, char *why, size_t size);

/* The first line of what it prints as its version; the caller frees. NULL: not known. */
char *outside_version(const struct outside *o);

/* Its argv for a command; freed by split_free() of base/parse.h, *n words. */
char **outside_argv(const struct outside *o, const char *path, const char *const *command,
		    const char *calls, size_t *n);

/*
 * Whether it can trace a command of the user's, which it sees behind a process that starts
 * it (child/shim.h); if not, why.
 */
bool outside_takes(const struct outside *o, char *const *command, char *why, size_t size);

/* Its environment: PATH, HOME and what keeps its output the same everywhere. As above. */
char **outside_environment(size_t *n);

/*
 * Count in what it wrote, from the beginning of the file. SAMPLE_UNKNOWN where it does not
 * say. 0, or -1 with `e` set.
 */
int outside_read(const struct outside *o, int fd, int64_t *calls, int64_t *lost, struct err *e);

/*
 * A row for a command of the user's, in which {} stands for the child: run by the shell, so
 * that it means what it would mean there. Released with free(); `command` is kept.
 */
struct outside *outside_custom(const char *command, struct err *e);

#endif
