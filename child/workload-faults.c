/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The other way into the kernel: a page touched for the first time. No tracer of system calls
 * sees it. Once a round the pages are given back, which is one call.
 */
#include <stdlib.h>
#include <sys/mman.h>

#include "child/syscall.h"
#include "child/workload.h"

enum { PAGES = 1024 };

struct own {
	char *area;
	size_t page_size;
	unsigned next;
};

static enum child_status prepare(struct worker *w)
{
	struct own *own = calloc(1, sizeof(*own));
	void *area;

	if (!own)
		return worker_failed(CHILD_CALL_FAILED, "calloc", ENOMEM);
	w->own = own;
	own->page_size = (size_t)sysconf(_SC_PAGESIZE);
	area = mmap(NULL, PAGES * own->page_size, PROT_READ | PROT_WRITE,
		    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (area == MAP_FAILED)
		return worker_failed(CHILD_CALL_FAILED, "mmap", errno);
	/* A huge page would be one fault for 512 of ours. Kernels without them say EINVAL. */
	madvise(area, PAGES * own->page_size, MADV_NOHUGEPAGE);
	own->area = area;
	return CHILD_DONE;
}

static enum child_status give_back(struct worker *w)
{
	struct own *own = w->own;
	long ret = inline_call(SYS_madvise, inline_address(own->area),
			       (long)(PAGES * own->page_size), MADV_DONTNEED, 0);

	w->syscalls++;
	own->next = 0;
	return ret ? worker_failed(CHILD_CALL_FAILED, "madvise", -ret) : CHILD_DONE;
}

static inline __attribute__((always_inline)) enum child_status inline_step(struct worker *w)
{
	struct own *own = w->own;

	*(volatile char *)(own->area + own->next++ * own->page_size) = 1;
	return own->next < PAGES ? CHILD_DONE : give_back(w);
}

static enum child_status step(struct worker *w)
{
	return inline_step(w);
}

static enum child_status run(struct worker *w)
{
	return WORKER_LOOP(w, inline_step, NULL);
}

static void finish(struct worker *w)
{
	struct own *own = w->own;

	if (own && own->area)
		munmap(own->area, PAGES * own->page_size);
}

const struct workload workload_faults = {
	.name = "faults",
	.prepare = prepare,
	.step = step,
	.run = run,
	.finish = finish,
};
