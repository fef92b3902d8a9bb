/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Samples sorted into cells. What a report needs of each sample is kept as a row of numbers,
 * about a hundred bytes, so a million samples fit in memory.
 */
#ifndef TRACETAX_GROUP_H
#define TRACETAX_GROUP_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "probe/sample-io.h"

enum quantity {
	Q_UTIME,
	Q_STIME,
	Q_RUNTIME,
	Q_WALL,
	Q_TRUE_USER,
	Q_TRACER_UTIME,
	Q_TRACER_STIME,
	Q_GHZ, /* mean of before and after */
	Q_STEAL,
	Q_INTERRUPTED,   /* windows */
	Q_WINDOW_MEDIAN, /* ns */
	/* Of the loop, by the child's own word: utime, stime, run time and wall time. */
	Q_LOOP_UTIME,
	Q_LOOP_STIME,
	Q_LOOP_RUNTIME,
	Q_LOOP,
	Q_SYSCALLS, /* made in the loop */
	Q_CALL,     /* wall time of the loop for each of them; unknown when there are none */
	Q_RATE,     /* operations a second */
	N_QUANTITIES,
};

/* One counted sample. Nanoseconds unless said; NaN: unknown. */
struct row {
	double block; /* unique within the machine: campaigns do not share blocks */
	double q[N_QUANTITIES];
};

/* A machine, and a way of running on it, that campaign lines of the file have in common. */
struct machine_group {
	json_t *campaign; /* the first of its campaign lines */
	size_t campaigns;
	double tick_ns;    /* NaN when the campaign line does not know HZ */
	double outside_ns; /* user time per iteration outside its window; 0 when unknown */
	bool sampled;      /* the split is sampled by ticks, or not known not to be */
};

/* A cell of one machine. */
struct group {
	size_t machine;
	struct sample key; /* only the fields that name the cell are meant */
	struct row *rows;  /* counted samples, in order of their blocks */
	size_t n, capacity;
	size_t warmups;
	size_t failures;   /* runs that gave no sample */
	size_t sums_known; /* samples of which utime + stime, run time and tick are known */
	size_t sums_off;   /* those that are off by over a tick */
	double migrations; /* summed; of those samples that know */
	double lost;   /* events, summed, of which the tracer was told; NaN: it says nothing */
	double missed; /* calls of the loop that it did not count, summed; NaN: it counts none
			*/
	/*
	 * No wait4 of ours saw the child: its times are those of its loop, and so are those of
	 * the cell that it is compared with.
	 */
	bool inside;
	char last_failure[256];
};

struct groups {
	struct machine_group *machines;
	size_t n_machines, machines_capacity;
	struct group **cells; /* sorted once groups_finish() has run */
	size_t n, cells_capacity;
	size_t samples; /* counted */
	size_t failures;
	size_t torn;
	/* Private to the sink. */
	void *index;
	void *campaigns; /* tree of texts that name those read */
	struct group *last;
	struct group *spare; /* the next cell, or a key to look one up with */
	size_t machine;      /* of the campaign at hand */
	double first_block;  /* what its block numbers count from */
	double next_block;
};

void groups_init(struct groups *g);

/*
 * Its arg is the struct groups. A campaign that has been read already is an error
 * (EXIT_USAGE): its samples would make every interval too narrow.
 */
extern const struct sample_sink groups_sink;

/*
 * Sort cells by machine, workload, op, N, placement, CPUs, child, iterations and then tracer,
 * so that a family (cells that differ in the tracer only) stands together; and their rows.
 */
void groups_finish(struct groups *g);

/* Whether two cells differ in nothing but the tracer. */
bool group_same_family(const struct group *a, const struct group *b);

/* The quantity that stands for q in this cell and its baseline: of the loop where `inside`. */
enum quantity group_quantity(const struct group *c, enum quantity q);

void groups_free(struct groups *g);

#endif
