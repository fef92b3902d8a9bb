/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The plan's cells and orders, and placements. */
#include <gsl/gsl_cdf.h>

#include "probe/placement.h"
#include "probe/plan.h"
#include "tests/unit.h"

static char *const workloads[] = { (char[]) { "pread" }, (char[]) { "compute" } };
static char *const kinds[] = { (char[]) { "mem" } };
static char *const children[] = { (char[]) { "plain" }, (char[]) { "windows" } };
static char *const names[] = { (char[]) { "none" }, (char[]) { "aa" }, (char[]) { "syscall" } };
static const int64_t ops[] = { 0, 512 };
static const struct place places[] = { { "same", 1, 1 }, { "cross", 1, 0 } };

static const struct matrix matrix = {
	workloads, 2, kinds, 1, children, 2, names, 3, ops, 2, places, 2, 1000, 0, 0,
};

enum { CELLS = 2 * 1 * 2 * 3 * 2 * 2 };

static void test_every_cell_once(void **state)
{
	struct plan p;

	(void)state;
	plan_init(&p, 1);
	plan_add(&p, &matrix);
	assert_int_equal(p.n, CELLS);
	for (size_t i = 0; i < p.n; i++)
		for (size_t k = 0; k < i; k++) {
			const struct cell *a = &p.cells[i], *b = &p.cells[k];

			assert_false(a->workload == b->workload && a->op == b->op &&
				     a->child == b->child && a->tracer == b->tracer &&
				     a->ops == b->ops &&
				     a->place.tracer_cpu == b->place.tracer_cpu);
		}
	for (int block = 0; block < 100; block++) {
		const size_t *order = plan_next_block(&p);
		int seen[CELLS] = { 0 };

		for (size_t i = 0; i < p.n; i++) {
			assert_in_range(order[i], 0, CELLS - 1);
			assert_int_equal(seen[order[i]]++, 0);
		}
	}
	plan_free(&p);
}

/* How many places of n orders of two seeds are equal. */
static size_t equal_places(uint32_t a, uint32_t b)
{
	struct plan p, q;
	size_t equal = 0;

	plan_init(&p, a);
	plan_init(&q, b);
	plan_add(&p, &matrix);
	plan_add(&q, &matrix);
	for (int block = 0; block < 10; block++) {
		const size_t *x = plan_next_block(&p), *y = plan_next_block(&q);

		for (size_t i = 0; i < CELLS; i++)
			equal += x[i] == y[i];
	}
	plan_free(&p);
	plan_free(&q);
	return equal;
}

static void test_seed(void **state)
{
	(void)state;
	assert_int_equal(equal_places(7, 7), (size_t)10 * CELLS);
	/* By chance one in CELLS, some 10 of 480. The seeds are fixed, so is the outcome. */
	assert_true(equal_places(7, 8) < 60);
}

/*
 * Each cell is as likely at each position: chi-square of a CELLS × CELLS table over 4800
 * blocks (100 expected each), (CELLS-1)² degrees of freedom, at an error rate of 1e-6; the
 * seed is fixed.
 */
static void test_uniform(void **state)
{
	static double count[CELLS][CELLS];
	const int blocks = 100 * CELLS;
	struct plan p;
	double chi = 0;

	(void)state;
	plan_init(&p, 2011);
	plan_add(&p, &matrix);
	for (int block = 0; block < blocks; block++) {
		const size_t *order = plan_next_block(&p);

		for (size_t i = 0; i < CELLS; i++)
			count[i][order[i]]++;
	}
	for (size_t i = 0; i < CELLS; i++)
		for (size_t k = 0; k < CELLS; k++)
			chi += (count[i][k] - 100) * (count[i][k] - 100) / 100;
	assert_true(chi < gsl_cdf_chisq_Qinv(1e-6, (CELLS - 1.0) * (CELLS - 1.0)));
	assert_true(chi > gsl_cdf_chisq_Pinv(1e-6, (CELLS - 1.0) * (CELLS - 1.0)));
	plan_free(&p);
}

static void test_iterations(void **state)
{
	struct matrix other = matrix;
	struct plan p;

	(void)state;
	other.iterations = 5000;
	plan_init(&p, 1);
	plan_add(&p, &matrix);
	assert_int_equal(plan_max_windows(&p), 1000);
	plan_add(&p, &other);
	assert_int_equal(p.n, 2 * CELLS);
	assert_int_equal(plan_max_windows(&p), 5000);
	other.children = children; /* the first: plain, which needs none */
	other.n_children = 1;
	other.iterations = 9000;
	plan_add(&p, &other);
	assert_int_equal(plan_max_windows(&p), 5000);
	assert_int_equal(p.cells[0].iterations, 1000);
	assert_int_equal(p.cells[CELLS].iterations, 5000);
	plan_free(&p);
}

/* --- placements --- */

static struct place *resolve(const char *name, const char *cpus, const char *allowed, size_t *n,
			     struct err *e)
{
	char text[32];
	char *const list[] = { text };
	struct cpulist c, a;
	struct place *p = NULL;

	snprintf(text, sizeof(text), "%s", name);
	assert_int_equal(cpulist_parse("c", cpus, &c, NULL), 0);
	assert_int_equal(cpulist_parse("a", allowed, &a, NULL), 0);
	if (placement_resolve(list, 1, &c, &a, &p, n, e))
		assert_null(p);
	cpulist_free(&c);
	cpulist_free(&a);
	return p;
}

static void assert_place(const char *name, const char *cpus, int cpu, int tracer_cpu)
{
	size_t n;
	struct err e;
	struct place *p = resolve(name, cpus, "0-1,5", &n, &e);

	assert_non_null(p);
	assert_int_equal(n, 1);
	assert_string_equal(p->name, name);
	assert_int_equal(p->cpu, cpu);
	assert_int_equal(p->tracer_cpu, tracer_cpu);
	free(p);
}

static void test_placements(void **state)
{
	struct place *p;
	size_t n;

	(void)state;
	assert_place("same", "", 5, 5);
	assert_place("same", "0", 0, 0);
	assert_place("cross", "1", 1, 5);
	assert_place("cross", "5", 5, 0);
	assert_place("free", "1", CPU_ANY, CPU_ANY);
	assert_place("5:0", "1", 5, 0);
	p = resolve("cross", "0-1", "0-1,5", &n, NULL);
	assert_int_equal(n, 2);
	assert_int_equal(p[1].tracer_cpu, 5);
	free(p);
	p = resolve("free", "0-1", "0-1,5", &n, NULL);
	assert_int_equal(n, 1);
	free(p);
}

static void test_refused(void **state)
{
	static const struct {
		const char *name, *cpus, *allowed, *word;
	} bad[] = {
		{ "foo", "", "0-1", "'foo'" },    { "1:", "", "0-1", "'1:'" },
		{ "1:0x", "", "0-1", "'1:0x'" },  { "-1:0", "", "0-1", "'-1:0'" },
		{ "0:7", "", "0-1", "CPU 7" },    { "7:0", "", "0-1", "CPU 7" },
		{ "same", "3", "0-1", "--cpus" }, { "cross", "", "1", "two CPUs" },
		{ "cross", "3", "0-1", "CPU 3" },
	};
	struct err e;
	size_t n;

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		if (resolve(bad[i].name, bad[i].cpus, bad[i].allowed, &n, &e))
			fail_msg("%s was resolved", bad[i].name);
		assert_int_equal(e.code, EXIT_USAGE);
		assert_says(e.text, bad[i].word);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_every_cell_once), cmocka_unit_test(test_seed),
		cmocka_unit_test(test_uniform),         cmocka_unit_test(test_iterations),
		cmocka_unit_test(test_placements),      cmocka_unit_test(test_refused),
	};

	return cmocka_run_group_tests_name("plan", tests, NULL, NULL);
}
