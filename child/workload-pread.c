/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The 2011 child: per iteration one pread() of 128 bytes at offset 0 of its own executable,
 * then N operations. The file is in the page cache, since it has just been executed.
 */
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "child/counter.h"
#include "child/syscall.h"
#include "child/workload.h"

enum { READ_SIZE = 128 };

/*
 * A window opens just after pread() has returned and closes just before the next iteration
 * enters the kernel again: iteration i's operations are window i. Instantiated twice, so that
 * the plain child has no branch that the instrumented one lacks.
 */
static inline __attribute__((always_inline)) long loop(const struct job *job, int fd,
						       bool windows)
{
	char buf[READ_SIZE];

	for (uint64_t i = 0; i < job->iterations; i++) {
		long got = inline_pread(fd, buf, sizeof(buf));

		if (windows) {
			uint64_t opened = counter_read();

			job->op(job->ops);
			job->window[i] = counter_read() - opened;
		} else {
			job->op(job->ops);
		}
		if (got != READ_SIZE)
			return got;
	}
	return READ_SIZE;
}

static enum child_status run(const struct job *job, uint64_t *syscalls)
{
	int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	long got;

	if (fd < 0) {
		fprintf(stderr, "tracetax-child: open /proc/self/exe: %s\n", strerror(errno));
		return CHILD_OPEN_FAILED;
	}
	got = job->window ? loop(job, fd, true) : loop(job, fd, false);
	close(fd);
	if (got < 0) {
		fprintf(stderr, "tracetax-child: pread: %s\n", strerror((int)-got));
		return CHILD_SHORT_READ;
	}
	if (got != READ_SIZE) {
		fprintf(stderr, "tracetax-child: pread: %ld bytes instead of %d\n", got,
			READ_SIZE);
		return CHILD_SHORT_READ;
	}
	*syscalls = job->iterations;
	return CHILD_DONE;
}

const struct workload workload_pread = {
	.name = "pread",
	.summary = "pread of 128 bytes of its own executable, then N operations",
	.run = run,
};
