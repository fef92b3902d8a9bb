/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A little of everything, in a fixed order: calls cheap and dear, faults, signals.
 */
#include <stdlib.h>

#include "child/syscall.h"
#include "child/workload.h"

enum { PREAD, WRITE, GETPID, FILES, FAULTS, SIGNALS, N_PARTS };

static const struct workload *const parts[N_PARTS] = {
	[PREAD] = &workload_pread, [WRITE] = &workload_write,   [GETPID] = &workload_getpid,
	[FILES] = &workload_files, [FAULTS] = &workload_faults, [SIGNALS] = &workload_signals,
};

/* One round. */
static const unsigned char order[] = {
	PREAD, WRITE, GETPID, PREAD,  FAULTS, WRITE, PREAD,  GETPID,
	FILES, PREAD, WRITE,  FAULTS, PREAD,  WRITE, GETPID, SIGNALS,
};

struct own {
	struct worker part[N_PARTS];
	unsigned next;
};

static enum child_status prepare(struct worker *w)
{
	struct own *own = calloc(1, sizeof(*own));
	enum child_status status = CHILD_DONE;

	if (!own)
		return worker_failed(CHILD_CALL_FAILED, "calloc", ENOMEM);
	w->own = own;
	for (int i = 0; i < N_PARTS && !status; i++) {
		own->part[i] = (struct worker) {
			.job = w->job,
			.workload = parts[i],
			.id = w->id,
		};
		if (parts[i]->prepare)
			status = parts[i]->prepare(&own->part[i]);
	}
	return status;
}

static enum child_status step(struct worker *w)
{
	struct own *own = w->own;
	struct worker *part = &own->part[order[own->next]];

	own->next = (own->next + 1) % (unsigned)sizeof(order);
	part->done++;
	return part->workload->step(part);
}

static enum child_status run(struct worker *w)
{
	return WORKER_LOOP(w, step, NULL);
}

static void finish(struct worker *w)
{
	struct own *own = w->own;

	for (int i = 0; own && i < N_PARTS; i++) {
		struct worker *part = &own->part[i];

		if (!part->workload)
			continue;
		w->syscalls += part->done * part->workload->calls_each + part->syscalls;
		w->elsewhere += part->done * part->workload->elsewhere_each + part->elsewhere;
		if (part->workload->finish)
			part->workload->finish(part);
		free(part->own);
	}
}

const struct workload workload_mix = {
	.name = "mix",
	.prepare = prepare,
	.run = run,
	.finish = finish,
};
