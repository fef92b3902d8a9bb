/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The 2011 child: per iteration one pread() of 128 bytes at offset 0 of its own executable,
 * then N operations. The file is in the page cache, since it has just been executed.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>

#include "child/syscall.h"
#include "child/workload.h"

enum { READ_SIZE = 128 };

struct own {
	int fd;
	char buf[READ_SIZE];
};

static enum child_status prepare(struct worker *w)
{
	struct own *own = malloc(sizeof(*own));

	if (!own)
		return worker_failed(CHILD_CALL_FAILED, "malloc", ENOMEM);
	w->own = own;
	own->fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	return own->fd < 0 ? worker_failed(CHILD_OPEN_FAILED, "open /proc/self/exe", errno)
			   : CHILD_DONE;
}

static enum child_status bad_read(long got)
{
	if (got < 0)
		return worker_failed(CHILD_SHORT_READ, "pread", -got);
	fprintf(stderr, "tracetax-child: pread: %ld bytes instead of %d\n", got, READ_SIZE);
	return CHILD_SHORT_READ;
}

static inline __attribute__((always_inline)) enum child_status inline_step(struct worker *w)
{
	struct own *own = w->own;
	long got = inline_call(SYS_pread64, own->fd, inline_address(own->buf), READ_SIZE, 0);

	return got == READ_SIZE ? CHILD_DONE : bad_read(got);
}

static enum child_status step(struct worker *w)
{
	return inline_step(w);
}

static enum child_status run(struct worker *w)
{
	return WORKER_LOOP(w, inline_step, NULL);
}

const struct workload workload_pread = {
	.name = "pread",
	.calls_each = 1,
	.prepare = prepare,
	.step = step,
	.run = run,
};
