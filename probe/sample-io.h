/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Samples as JSON lines.
 *
 * Line 1 of a campaign is {"type":"campaign","schema":1,…}; then one {"type":"sample",…} a
 * run, or {"type":"failure",…,"failure":"why"} for a run that gave no sample. Files can be
 * concatenated: a sample belongs to the campaign line before it.
 */
#ifndef TRACETAX_SAMPLE_IO_H
#define TRACETAX_SAMPLE_IO_H

#include <jansson.h>

#include "base/err.h"
#include "probe/sample.h"

/* --- writing --- */

/*
 * Open for appending, made if it does not exist. A last line that an earlier crash tore is
 * closed with a newline, so that the next campaign starts on a line of its own. Returns a
 * close-on-exec descriptor or -1 with `e` set.
 */
int samples_open(const char *path, struct err *e);

/* Append one line, in one write(2). 0, or -1 with `e` set when not all of it was written. */
int samples_write_campaign(int fd, const char *path, const json_t *campaign, struct err *e);
int samples_write(int fd, const char *path, const struct sample *s, struct err *e);

/* --- reading --- */

/* Who gets what is read. A function that returns -1 with `e` set ends the reading. */
struct sample_sink {
	/* A campaign begins. The object is the reader's: json_incref() it to keep it. */
	int (*campaign)(void *arg, json_t *campaign, struct err *e);
	/* A sample, or (failure not empty) a failed run. Valid during the call. */
	int (*sample)(void *arg, const struct sample *s, struct err *e);
};

/*
 * Read the file (or standard input, path "-") to its end.
 *
 * Unknown fields and unknown line types are ignored; a missing quantity is unknown. A newer
 * schema, a sample before any campaign line, a malformed line, a wrong type, a negative or
 * too large number and a missing required field are errors that name file and line
 * (EXIT_USAGE). A torn line at the very end, or just before a campaign line, is dropped with
 * a warning on stderr, and counted in *torn (may be NULL).
 */
int samples_read(const char *path, const struct sample_sink *sink, void *arg, size_t *torn,
		 struct err *e);

#endif
