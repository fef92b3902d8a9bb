/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Threads that fight for one lock. Its holder gives the CPU away once before it does its
 * operations: so the others find the lock taken also where all of them share a CPU, and each
 * iteration is a wait and a wake-up in the kernel.
 *
 * The lock has three states, as in U. Drepper, "Futexes Are Tricky" (2011), section 6: a
 * thread that has once waited takes it as contended, since it can't know who else waits.
 */
#include <linux/futex.h>

#include "child/syscall.h"
#include "child/workload.h"

enum { FREE, TAKEN, CONTENDED };

/* A cache line of its own. */
static uint32_t lock __attribute__((aligned(64)));

static long futex(struct worker *w, int op, uint32_t value)
{
	w->syscalls++;
	return inline_call(SYS_futex, inline_address(&lock), op, value, 0);
}

static enum child_status take(struct worker *w)
{
	uint32_t seen = FREE;

	if (!__atomic_compare_exchange_n(&lock, &seen, TAKEN, false, __ATOMIC_ACQUIRE,
					 __ATOMIC_RELAXED)) {
		while (__atomic_exchange_n(&lock, CONTENDED, __ATOMIC_ACQUIRE) != FREE) {
			long ret = futex(w, FUTEX_WAIT_PRIVATE, CONTENDED);

			if (ret < 0 && ret != -EAGAIN && ret != -EINTR)
				return worker_failed(CHILD_CALL_FAILED, "futex", -ret);
		}
	}
	inline_call(SYS_sched_yield, 0, 0, 0, 0);
	return CHILD_DONE;
}

static enum child_status give(struct worker *w)
{
	if (__atomic_exchange_n(&lock, FREE, __ATOMIC_RELEASE) == CONTENDED) {
		long ret = futex(w, FUTEX_WAKE_PRIVATE, 1);

		if (ret < 0)
			return worker_failed(CHILD_CALL_FAILED, "futex", -ret);
	}
	return CHILD_DONE;
}

static enum child_status run(struct worker *w)
{
	return WORKER_LOOP(w, take, give);
}

const struct workload workload_futex = {
	.name = "futex",
	.calls_each = 1, /* the yield */
	.run = run,
};
