/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The kernel's own tracepoint at the entry of system calls, raw_syscalls:sys_enter, by
 * perf_event_open(2): no stop, no other process on the way. `count` counts; `ring` has each
 * written as a record into a ring buffer that we read, and counts those that found it full.
 *
 * Events are inherited by what the child forks, and begin at its exec (enable_on_exec). A ring
 * of an inherited event must be of one CPU (kernel/events/core.c perf_mmap(), 6.1): so there
 * is an event and a ring for each CPU.
 */
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/cpulist.h"
#include "base/xalloc.h"
#include "probe/sys-enter.h"
#include "probe/sysroot.h"
#include "probe/tracer.h"

/* --- count --- */

struct counter {
	int fd;
};

static int start_count(struct trace *t, struct err *e)
{
	struct counter *own = xcalloc(1, sizeof(*own));
	struct perf_event_attr attr;

	t->own = own;
	own->fd = -1;
	if (sys_enter_attr(&attr, e))
		return -1;
	attr.enable_on_exec = 1;
	own->fd = sys_enter_open(&attr, t->child, -1, e);
	return own->fd < 0 ? -1 : 0;
}

/* The count of a process that has ended has been added to that of its event by then. */
static void finish_count(struct trace *t)
{
	struct counter *own = t->own;

	if (own && own->fd >= 0)
		t->calls = sys_enter_close(own->fd);
	free(own);
	t->own = NULL;
}

const struct tracer_ops tracer_count = {
	.name = "count",
	.summary = "a perf counter on raw_syscalls:sys_enter: no stop at all",
	.needs = "tracefs, perf events of the kernel",
	.supported = sys_enter_supported,
	.start = start_count,
	.follow = tracer_await_zombie,
	.finish = finish_count,
};

/* --- ring --- */

/*
 * Pages of data for each CPU: 512 KiB, what an unprivileged process may lock
 * (kernel.perf_event_mlock_kb, Documentation/admin-guide/sysctl/kernel.rst). A record is 72
 * bytes and 16 MiB/s are 230,000 calls a second; we wake at half.
 */
enum { DATA_PAGES = 128 };

struct ring {
	int fd;
	struct perf_event_mmap_page *page; /* its data behind it */
};

struct rings {
	struct ring *ring;
	struct pollfd *poll; /* one each, and the child's pidfd */
	size_t n;
	size_t page_size;
	int pidfd;
};

static int open_ring(struct rings *own, struct ring *r, struct perf_event_attr *attr,
		     pid_t child, int cpu, struct err *e)
{
	void *map;

	r->fd = sys_enter_open(attr, child, cpu, e);
	if (r->fd < 0)
		return -1;
	map = mmap(NULL, (DATA_PAGES + 1) * own->page_size, PROT_READ | PROT_WRITE, MAP_SHARED,
		   r->fd, 0);
	if (map == MAP_FAILED)
		return err_set(e, EXIT_MEASURE,
			       "a ring of %d pages for CPU %d: %s; try 'sudo tracetax', or "
			       "'sysctl kernel.perf_event_mlock_kb=%d'",
			       DATA_PAGES, cpu, strerror(errno), 8 * DATA_PAGES);
	r->page = map;
	return 0;
}

/* All: what the child forks may be anywhere, whatever CPU we are pinned to. */
static int online_cpus(struct cpulist *out, struct err *e)
{
	static const char path[] = "/sys/devices/system/cpu/online";
	char *text = sysroot_read("", path);
	int ret = text ? cpulist_parse(path, text, out, e)
		       : err_set(e, EXIT_MEASURE, "%s: %s", path, strerror(errno));

	free(text);
	return ret;
}

static int start_ring(struct trace *t, struct err *e)
{
	struct rings *own = xcalloc(1, sizeof(*own));
	struct cpulist online = { 0 };
	struct perf_event_attr attr;
	int ret = 0;

	t->own = own;
	t->calls = t->lost = 0;
	own->pidfd = -1;
	own->page_size = (size_t)sysconf(_SC_PAGESIZE);
	if (sys_enter_attr(&attr, e) || online_cpus(&online, e))
		return -1;
	attr.enable_on_exec = 1;
	attr.sample_period = 1;
	attr.sample_type = PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_RAW;
	attr.watermark = 1;
	attr.wakeup_watermark = (unsigned)(DATA_PAGES * own->page_size / 2);
	own->ring = xcalloc(online.n, sizeof(*own->ring));
	own->poll = xcalloc(online.n + 1, sizeof(*own->poll));
	for (size_t i = 0; i < online.n && !ret; i++) {
		own->n = i + 1;
		ret = open_ring(own, &own->ring[i], &attr, t->child, online.cpu[i], e);
		own->poll[i] = (struct pollfd) { own->ring[i].fd, POLLIN, 0 };
	}
	cpulist_free(&online);
	if (ret)
		return -1;
	own->pidfd = (int)syscall(SYS_pidfd_open, t->child, 0);
	own->poll[own->n] = (struct pollfd) { own->pidfd, POLLIN, 0 };
	return own->pidfd < 0 ? err_set(e, EXIT_MEASURE, "pidfd_open: %s", strerror(errno)) : 0;
}

/* The eight bytes at this position; records are aligned to eight, so none of these wraps. */
static uint64_t word_at(const struct rings *own, const struct ring *r, uint64_t position)
{
	const size_t size = DATA_PAGES * own->page_size;
	uint64_t word;

	memcpy(&word, (const char *)r->page + own->page_size + position % size, sizeof(word));
	return word;
}

/* linux/perf_event.h: data_head is read before the data, data_tail written after. */
static void drain(const struct rings *own, struct ring *r, struct trace *t)
{
	uint64_t head, tail = r->page->data_tail;

	head = __atomic_load_n(&r->page->data_head, __ATOMIC_ACQUIRE);
	while (tail < head) {
		const uint64_t word = word_at(own, r, tail);
		struct perf_event_header h;

		memcpy(&h, &word, sizeof(h));
		if (h.type == PERF_RECORD_SAMPLE)
			t->calls++;
		if (h.type == PERF_RECORD_LOST) /* { header, u64 id, u64 lost } */
			t->lost += (int64_t)word_at(own, r, tail + 2 * sizeof(word));
		tail += h.size;
	}
	__atomic_store_n(&r->page->data_tail, tail, __ATOMIC_RELEASE);
}

static int follow_ring(struct trace *t, struct err *e)
{
	struct rings *own = t->own;

	while (!own->poll[own->n].revents) {
		if (poll(own->poll, own->n + 1, -1) < 0 && errno != EINTR)
			return err_set(e, EXIT_MEASURE, "poll: %s", strerror(errno));
		for (size_t i = 0; i < own->n; i++)
			if (own->poll[i].revents & POLLIN)
				drain(own, &own->ring[i], t);
		/* POLLHUP: what the event was of has ended; the ring is read once more below.
		 */
		for (size_t i = 0; i < own->n; i++)
			if (own->poll[i].revents & (POLLHUP | POLLERR))
				own->poll[i].fd = -1;
	}
	return tracer_await_zombie(t, e);
}

/* Read what is left; how many events there were, also those that found it full. */
static int64_t close_ring(const struct rings *own, struct ring *r, struct trace *t)
{
	if (r->page) {
		drain(own, r, t);
		munmap(r->page, (DATA_PAGES + 1) * own->page_size);
	}
	return r->fd >= 0 ? sys_enter_close(r->fd) : 0;
}

static void finish_ring(struct trace *t)
{
	struct rings *own = t->own;
	int64_t counted = 0;

	if (!own)
		return;
	for (size_t i = 0; i < own->n; i++)
		counted += close_ring(own, &own->ring[i], t);
	/* A ring says what it lost only when there is room again: the counters know it all. */
	if (counted - t->calls > t->lost)
		t->lost = counted - t->calls;
	if (own->pidfd >= 0)
		close(own->pidfd);
	free(own->ring);
	free(own->poll);
	free(own);
	t->own = NULL;
}

const struct tracer_ops tracer_ring = {
	.name = "ring",
	.summary = "the same tracepoint into a ring buffer that the tracer reads",
	.needs = "tracefs, perf events of the kernel",
	.supported = sys_enter_supported,
	.start = start_ring,
	.follow = follow_ring,
	.finish = finish_ring,
};
