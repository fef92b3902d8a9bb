/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A small file made, read back and removed: seven calls that do some work each. In /tmp, under
 * a name of its own. A child that is killed can leave its last one, which the harness removes.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>

#include "child/syscall.h"
#include "child/workload.h"

enum { SIZE = 10, MODE = 0600 };

struct own {
	char path[64];
	char buf[SIZE];
};

static enum child_status prepare(struct worker *w)
{
	struct own *own = calloc(1, sizeof(*own));

	if (!own)
		return worker_failed(CHILD_CALL_FAILED, "calloc", ENOMEM);
	w->own = own;
	snprintf(own->path, sizeof(own->path), CHILD_FILE_FORMAT, (int)getpid(), w->id);
	return CHILD_DONE;
}

/* One opening: transfer SIZE bytes, close. */
static enum child_status use(struct own *own, int flags, long transfer)
{
	long fd = inline_call(SYS_openat, AT_FDCWD, inline_address(own->path),
			      flags | O_CLOEXEC, MODE);
	long n, closed;

	if (fd < 0)
		return worker_failed(CHILD_OPEN_FAILED, own->path, -fd);
	n = inline_call(transfer, fd, inline_address(own->buf), SIZE, 0);
	closed = inline_call(SYS_close, fd, 0, 0, 0);
	if (n != SIZE || closed)
		return worker_failed(CHILD_CALL_FAILED, own->path,
				     n < 0    ? -n
				     : closed ? -closed
					      : ENOSPC);
	return CHILD_DONE;
}

static enum child_status step(struct worker *w)
{
	struct own *own = w->own;
	enum child_status status = use(own, O_WRONLY | O_CREAT | O_EXCL, SYS_write);
	long removed;

	if (!status)
		status = use(own, O_RDONLY, SYS_read);
	removed = inline_call(SYS_unlinkat, AT_FDCWD, inline_address(own->path), 0, 0);
	if (!status && removed)
		status = worker_failed(CHILD_CALL_FAILED, own->path, -removed);
	return status;
}

static enum child_status run(struct worker *w)
{
	return WORKER_LOOP(w, step, NULL);
}

const struct workload workload_files = {
	.name = "files",
	.calls_each = 7,
	.prepare = prepare,
	.step = step,
	.run = run,
};
