/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Errors as values, exit codes, and the few ways tracetax talks on stderr.
 *
 * A function that can fail takes a `struct err *` as its last argument, fills it with
 * err_set() and returns -1 (or NULL). Nothing below cmd/ prints an error or exits, except
 * xalloc.h, since no caller can go on without memory. The command prints the text once, as
 * "tracetax: TEXT", and exits with the code.
 */
#ifndef TRACETAX_ERR_H
#define TRACETAX_ERR_H

/* What the process ends with; the manual page lists the same. */
enum exit_code {
	EXIT_FINE = 0,         /* measured, reported */
	EXIT_GATE = 1,         /* a gate or a check failed */
	EXIT_USAGE = 2,        /* wrong usage or bad input */
	EXIT_MEASURE = 3,      /* the measurement could not be made or not be written */
	EXIT_SKIP = 4,         /* nothing here can be measured */
	EXIT_INCONCLUSIVE = 5, /* not enough evidence for a verdict */
};

/* One error: the exit code it asks for and one line of text without a newline. */
struct err {
	enum exit_code code;
	char text[1024];
};

/* Fill `e` (may be NULL: the caller does not want to know) and return -1 always. */
int err_set(struct err *e, enum exit_code code, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* Put "PREFIX: " before the text that `e` holds; return -1 always. */
int err_prefix(struct err *e, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Print "tracetax: TEXT" on stderr and return the code, for `return err_print(&e);`. */
int err_print(const struct err *e);

/* Print "tracetax: warning: TEXT" on stderr. */
void warn(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

#endif
