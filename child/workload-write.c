/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Writing one byte at a time to /dev/null, and with `dd` also reading it from /dev/zero: what
 * dd bs=1 does.
 */
#include <fcntl.h>
#include <stdlib.h>

#include "child/syscall.h"
#include "child/workload.h"

struct own {
	int zero, null;
	char byte;
};

static enum child_status prepare(struct worker *w)
{
	struct own *own = calloc(1, sizeof(*own));

	if (!own)
		return worker_failed(CHILD_CALL_FAILED, "calloc", ENOMEM);
	w->own = own;
	own->zero = open("/dev/zero", O_RDONLY | O_CLOEXEC);
	own->null = open("/dev/null", O_WRONLY | O_CLOEXEC);
	return own->zero < 0 || own->null < 0
		       ? worker_failed(CHILD_OPEN_FAILED, "open /dev/zero and /dev/null", errno)
		       : CHILD_DONE;
}

/* Both calls give 1; anything else is a failure. */
static enum child_status bad(const char *call, long got)
{
	return worker_failed(CHILD_CALL_FAILED, call, got < 0 ? -got : EIO);
}

static inline __attribute__((always_inline)) enum child_status write_step(struct worker *w)
{
	struct own *own = w->own;
	long put = inline_call(SYS_write, own->null, inline_address(&own->byte), 1, 0);

	return put == 1 ? CHILD_DONE : bad("write", put);
}

static inline __attribute__((always_inline)) enum child_status dd_step(struct worker *w)
{
	struct own *own = w->own;
	long got = inline_call(SYS_read, own->zero, inline_address(&own->byte), 1, 0);

	return got == 1 ? write_step(w) : bad("read", got);
}

static enum child_status step(struct worker *w)
{
	return write_step(w);
}

static enum child_status run_write(struct worker *w)
{
	return WORKER_LOOP(w, write_step, NULL);
}

static enum child_status run_dd(struct worker *w)
{
	return WORKER_LOOP(w, dd_step, NULL);
}

const struct workload workload_write = {
	.name = "write",
	.calls_each = 1,
	.prepare = prepare,
	.step = step,
	.run = run_write,
};

const struct workload workload_dd = {
	.name = "dd",
	.calls_each = 2,
	.prepare = prepare,
	.run = run_dd,
};
