/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analysis/group.h"

#include <math.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"

/* --- order --- */

static int compare_int(int64_t a, int64_t b)
{
	return a < b ? -1 : a > b;
}

/* Where a name stands among the given ones, behind all of them when it is none. */
static int rank(const char *name, const char *const *first, int n)
{
	int i = 0;

	while (i < n && strcmp(name, first[i]) != 0)
		i++;
	return i;
}

static int compare_ranked(const char *a, const char *b, const char *const *first, int n)
{
	int by_rank = rank(a, first, n) - rank(b, first, n);

	return by_rank ? by_rank : strcmp(a, b);
}

/* All that names a cell but its tracer. */
static int compare_family(const struct group *a, const struct group *b)
{
	static const char *const places[] = { "same", "cross", "free" };
	int c;

	if ((c = compare_int((int64_t)a->machine, (int64_t)b->machine)) ||
	    (c = strcmp(a->key.workload, b->key.workload)) ||
	    (c = strcmp(a->key.op, b->key.op)) || (c = compare_int(a->key.ops, b->key.ops)) ||
	    (c = compare_ranked(a->key.placement, b->key.placement, places, 3)) ||
	    (c = compare_int(a->key.cpu, b->key.cpu)) ||
	    (c = compare_int(a->key.tracer_cpu, b->key.tracer_cpu)) ||
	    (c = strcmp(a->key.child, b->key.child)) ||
	    (c = compare_int(a->key.threads, b->key.threads)) ||
	    (c = compare_int(a->key.duration_ns, b->key.duration_ns)))
		return c;
	return compare_int(a->key.iterations, b->key.iterations);
}

static int compare_cells(const void *a, const void *b)
{
	static const char *const tracers[] = { "none", "aa", "null" };
	const struct group *x = a, *y = b;
	int c = compare_family(x, y);

	return c ? c : compare_ranked(x->key.tracer, y->key.tracer, tracers, 3);
}

static int compare_cell_pointers(const void *a, const void *b)
{
	return compare_cells(*(struct group *const *)a, *(struct group *const *)b);
}

static int compare_rows(const void *a, const void *b)
{
	const struct row *x = a, *y = b;

	return x->block < y->block ? -1 : x->block > y->block;
}

bool group_same_family(const struct group *a, const struct group *b)
{
	return !compare_family(a, b);
}

/* --- campaigns --- */

static bool same_value(const json_t *a, const json_t *b, const char *name)
{
	json_t *p = json_object_get(a, name), *q = json_object_get(b, name);

	return p == q || (p && q && json_equal(p, q));
}

/*
 * Whether samples of the two campaigns may be pooled: the same machine in the same state, and
 * runs made the same way.
 */
static bool may_pool(const json_t *a, const json_t *b)
{
	static const char *const names[] = { "hostname",  "kernel",    "kernel_version",
					     "cpu_model", "hz",        "accounting",
					     "governor",  "nohz_full", "clocksource" };
	const json_t *x = json_object_get(a, "machine"), *y = json_object_get(b, "machine");

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (!same_value(x, y, names[i]))
			return false;
	}
	return same_value(a, b, "tracetax") && same_value(a, b, "aslr") &&
	       same_value(a, b, "rusage_at_stops");
}

static int compare_texts(const void *a, const void *b)
{
	return strcmp(a, b);
}

/*
 * Remember the campaign; -1 when it is here already. Host, start to the millisecond and seed
 * tell campaigns apart; one that does not say when it started is taken to be new.
 */
static int remember_campaign(struct groups *g, const json_t *campaign, struct err *e)
{
	const json_t *host = json_object_get(json_object_get(campaign, "machine"), "hostname");
	const char *start = json_string_value(json_object_get(campaign, "start"));
	const char *name = json_string_value(host);
	json_int_t seed = json_integer_value(json_object_get(campaign, "seed"));
	char *id, **found;

	if (!start)
		return 0;
	id = xasprintf("%s, seed %" JSON_INTEGER_FORMAT " on %s", start, seed,
		       name ? name : "an unnamed host");
	found = tsearch(id, &g->campaigns, compare_texts);
	if (found && *found == id)
		return 0;
	free(id);
	if (!found)
		return err_set(e, EXIT_MEASURE, "out of memory");
	return err_set(e, EXIT_USAGE,
		       "the campaign of %s is given twice; its samples would count twice",
		       *found);
}

static void read_machine(struct machine_group *m)
{
	const json_t *machine = json_object_get(m->campaign, "machine");
	const json_t *hz = json_object_get(machine, "hz");
	const char *mode = json_string_value(json_object_get(machine, "accounting"));

	m->tick_ns = json_is_integer(hz) && json_integer_value(hz) > 0
			     ? 1e9 / (double)json_integer_value(hz)
			     : NAN;
	m->outside_ns =
		json_number_value(json_object_get(m->campaign, "outside_window_ps")) / 1000;
	m->sampled = !mode || strncmp(mode, "virt", 4) != 0;
}

static int take_campaign(void *arg, json_t *campaign, struct err *e)
{
	struct groups *g = arg;
	size_t i = 0;

	if (remember_campaign(g, campaign, e))
		return -1;
	while (i < g->n_machines && !may_pool(g->machines[i].campaign, campaign))
		i++;
	if (i == g->n_machines) {
		g->machines =
			xgrow(g->machines, i, &g->machines_capacity, sizeof(*g->machines));
		g->machines[i] = (struct machine_group) { .campaign = json_incref(campaign) };
		read_machine(&g->machines[i]);
		g->n_machines++;
	}
	g->machines[i].campaigns++;
	g->machine = i;
	g->first_block = g->next_block;
	return 0;
}

/* --- samples --- */

static double known(int64_t v)
{
	return v == SAMPLE_UNKNOWN ? NAN : (double)v;
}

/*
 * The exact run time: of all threads. With children wait4 has more than the clocks, which are
 * the process's own: there it is the sum that it reports, exact to a microsecond a process.
 */
static double runtime(const struct sample *s)
{
	if (s->tree == 1)
		return known(s->utime_ns) + known(s->stime_ns);
	return known(s->threads > 1 ? s->cpuclock_ns : s->runtime_ns);
}

static double positive(int64_t v)
{
	return v > 0 ? (double)v : NAN;
}

static struct row make_row(const struct sample *s)
{
	return (struct row) {
		.q = {
			[Q_UTIME] = known(s->utime_ns),
			[Q_STIME] = known(s->stime_ns),
			[Q_RUNTIME] = runtime(s),
			[Q_WALL] = known(s->wall_ns),
			[Q_TRUE_USER] = known(s->true_user_ns),
			[Q_TRACER_UTIME] = known(s->tracer_utime_ns),
			[Q_TRACER_STIME] = known(s->tracer_stime_ns),
			[Q_GHZ] = (known(s->khz_before) + known(s->khz_after)) / 2e6,
			[Q_STEAL] = known(s->steal_ns),
			[Q_INTERRUPTED] = known(s->interrupted),
			[Q_WINDOW_MEDIAN] = known(s->window_median_ps) / 1e3,
			[Q_LOOP_UTIME] = known(s->loop_utime_ns),
			[Q_LOOP_STIME] = known(s->loop_stime_ns),
			[Q_LOOP_RUNTIME] = s->tree == 1 ? known(s->loop_utime_ns) +
								  known(s->loop_stime_ns)
							: known(s->loop_runtime_ns),
			[Q_LOOP] = known(s->loop_ns),
			[Q_SYSCALLS] = known(s->syscalls),
			[Q_CALL] = known(s->loop_ns) / positive(s->syscalls),
			[Q_RATE] = known(s->operations) / positive(s->loop_ns) * 1e9,
		},
	};
}

/* The cell of the sample, made when it is its first. NULL without memory. */
static struct group *find_cell(struct groups *g, const struct sample *s)
{
	struct group **found;

	if (!g->spare)
		g->spare = xcalloc(1, sizeof(*g->spare));
	g->spare->machine = g->machine;
	g->spare->key = *s;
	if (g->last && !compare_cells(g->last, g->spare))
		return g->last;
	found = tsearch(g->spare, &g->index, compare_cells);
	if (!found)
		return NULL;
	if (*found == g->spare) {
		g->cells = xgrow(g->cells, g->n, &g->cells_capacity, sizeof(struct group *));
		g->cells[g->n++] = g->spare;
		g->spare = NULL;
	}
	return *found;
}

static double at_least_0(double v)
{
	return v < 0 ? 0 : v;
}

/* What of a counted sample is only summed. */
static void sum_up(struct group *c, const struct sample *s, const struct row *row, double tick)
{
	const double off = fabs(row->q[Q_UTIME] + row->q[Q_STIME] - row->q[Q_RUNTIME]) - tick;

	if (s->tree != 1) { /* of a tree the run time is that sum */
		c->sums_known += !isnan(off);
		c->sums_off += off > 0;
	}
	if (s->migrations != SAMPLE_UNKNOWN)
		c->migrations += (double)s->migrations;
	c->lost += known(s->events_lost);
	c->missed += at_least_0(known(s->syscalls) - known(s->calls_traced));
	c->inside |= s->utime_ns == SAMPLE_UNKNOWN && s->loop_utime_ns != SAMPLE_UNKNOWN;
}

static int take_sample(void *arg, const struct sample *s, struct err *e)
{
	struct groups *g = arg;
	const double tick = g->machines[g->machine].tick_ns;
	struct group *c = find_cell(g, s);
	struct row row;

	if (!c)
		return err_set(e, EXIT_MEASURE, "out of memory");
	g->last = c;
	if (g->first_block + (double)s->block >= g->next_block)
		g->next_block = g->first_block + (double)s->block + 1;
	if (s->failure[0]) {
		c->failures++;
		g->failures++;
		memcpy(c->last_failure, s->failure, sizeof(c->last_failure));
		return 0;
	}
	if (s->warmup) {
		c->warmups++;
		return 0;
	}
	row = make_row(s);
	row.block = g->first_block + (double)s->block;
	sum_up(c, s, &row, tick);
	c->rows = xgrow(c->rows, c->n, &c->capacity, sizeof(*c->rows));
	c->rows[c->n++] = row;
	g->samples++;
	return 0;
}

const struct sample_sink groups_sink = { take_campaign, take_sample };

void groups_init(struct groups *g)
{
	*g = (struct groups) { 0 };
}

void groups_finish(struct groups *g)
{
	if (g->n)
		qsort(g->cells, g->n, sizeof(struct group *), compare_cell_pointers);
	for (size_t i = 0; i < g->n; i++) {
		struct group *c = g->cells[i];

		for (size_t r = 1; r < c->n; r++)
			if (c->rows[r].block < c->rows[r - 1].block) {
				qsort(c->rows, c->n, sizeof(*c->rows), compare_rows);
				break;
			}
	}
}

enum quantity group_quantity(const struct group *c, enum quantity q)
{
	if (!c->inside)
		return q;
	return q == Q_UTIME     ? Q_LOOP_UTIME
	       : q == Q_STIME   ? Q_LOOP_STIME
	       : q == Q_RUNTIME ? Q_LOOP_RUNTIME
				: q;
}

static void free_nothing(void *node)
{
	(void)node;
}

void groups_free(struct groups *g)
{
	tdestroy(g->index, free_nothing);
	tdestroy(g->campaigns, free);
	free(g->spare);
	for (size_t i = 0; i < g->n; i++) {
		free(g->cells[i]->rows);
		free(g->cells[i]);
	}
	for (size_t i = 0; i < g->n_machines; i++)
		json_decref(g->machines[i].campaign);
	free(g->cells);
	free(g->machines);
	groups_init(g);
}
