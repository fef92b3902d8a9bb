/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Campaigns: what their runs become, which are pooled, which are refused. */
#include <signal.h>
#include <unistd.h>

#include "tests/script.h"
#include "tests/unit.h"

static char *const both_children[] = { (char[]) { "plain" }, (char[]) { "windows" } };

static void test_blocks(void **state)
{
	char path[] = "/tmp/tracetax-analysis-XXXXXX";
	struct script x = { 40e6, 60e6, 40e6, 42e6, 40e6, 90e6, .spread = 0.01 };
	json_t *line = script_campaign("box", "tick");
	struct outcome out;
	struct groups g, again;
	struct err e;

	(void)state;
	close(mkstemp(path));
	groups_init(&g);
	assert_int_equal(script_run(&x, both_children, 2, 5, path, line, &g, &out, &e), 0);
	groups_finish(&g);
	assert_int_equal(out.samples, 30);
	assert_int_equal(x.runs, 36);
	assert_int_equal(g.n, 6);
	for (size_t i = 0; i < g.n; i++) {
		assert_int_equal(g.cells[i]->n, 5);
		assert_int_equal(g.cells[i]->warmups, 1);
		for (size_t k = 0; k < 5; k++) /* each block once, in order */
			assert_close(g.cells[i]->rows[k].block, (double)k + 1, 0);
	}
	groups_init(&again);
	assert_int_equal(samples_read(path, &groups_sink, &again, NULL, &e), 0);
	groups_finish(&again);
	assert_int_equal(again.samples, 30);
	assert_memory_equal(again.cells[2]->rows, g.cells[2]->rows, 5 * sizeof(struct row));
	groups_free(&g);
	groups_free(&again);
	json_decref(line);
	gsl_rng_free(x.rng);
	unlink(path);
}

static void test_failures(void **state)
{
	json_t *line = script_campaign("box", "tick");
	struct script late = { 40e6, 60e6, 40e6, 42e6, 40e6, 90e6, .fail_at = 8 };
	struct script early = { 40e6, 60e6, 40e6, 42e6, 40e6, 90e6, .fail_at = 2 };
	struct script broken = { 40e6, 60e6, 40e6, 42e6, 40e6, 90e6, .break_at = 8 };
	struct script asked = { 40e6, 60e6, 40e6, 42e6, 40e6, 90e6, .end_at = 8 };
	struct outcome out;
	struct groups g;
	struct err e;

	(void)state;
	groups_init(&g); /* in a counted block: recorded, and the campaign goes on */
	assert_int_equal(script_run(&late, script_windows, 1, 4, NULL, line, &g, &out, &e), 0);
	assert_int_equal(out.failures, 1);
	assert_int_equal(out.samples, 11);
	assert_int_equal(g.failures, 1);
	groups_free(&g);
	groups_init(&g); /* in the warm-up: the end */
	assert_int_equal(script_run(&early, script_windows, 1, 4, NULL, line, &g, &out, &e),
			 -1);
	assert_int_equal(e.code, EXIT_MEASURE);
	assert_says(e.text, "killed by SIGKILL");
	assert_int_equal(early.runs, 2);
	assert_int_equal(g.samples, 0);
	groups_free(&g);
	groups_init(&g); /* no run can be made: the end, what there is stays */
	assert_int_equal(script_run(&broken, script_windows, 1, 4, NULL, line, &g, &out, &e),
			 -1);
	assert_says(e.text, "no CPU left");
	assert_int_equal(g.samples, 4);
	groups_free(&g);
	groups_init(&g); /* a signal: the end, without an error */
	assert_int_equal(script_run(&asked, script_windows, 1, 4, NULL, line, &g, &out, &e), 0);
	assert_int_equal(out.ended_by, SIGINT);
	assert_int_equal(asked.runs, 8);
	assert_int_equal(g.samples, 5);
	groups_free(&g);
	json_decref(line);
	gsl_rng_free(late.rng);
	gsl_rng_free(early.rng);
	gsl_rng_free(broken.rng);
	gsl_rng_free(asked.rng);
}

/* --- machines --- */

static void test_machines(void **state)
{
	static const char *const hosts[] = { "one", "one", "two" };
	struct groups g;
	struct results r;

	(void)state;
	groups_init(&g);
	for (int i = 0; i < 3; i++) {
		struct script x = { 40e6, 60e6, 40e6, 42e6, 40e6, 90e6, .spread = 0.01 };
		json_t *line = script_campaign(hosts[i], "tick");
		struct outcome out;
		struct err e;

		assert_int_equal(script_run(&x, script_windows, 1, 6, NULL, line, &g, &out, &e),
				 0);
		json_decref(line);
		gsl_rng_free(x.rng);
	}
	groups_finish(&g);
	assert_int_equal(g.n_machines, 2);
	assert_int_equal(g.n, 6);
	assert_int_equal(g.cells[0]->n, 12); /* pooled */
	assert_int_equal(g.cells[3]->n, 6);
	for (size_t k = 1; k < 12; k++) /* blocks of both campaigns stay apart */
		assert_true(g.cells[0]->rows[k].block > g.cells[0]->rows[k - 1].block);
	results_make(&r, &g, 1);
	assert_int_equal(r.list[2].pairs, 12);
	assert_ptr_equal(r.list[5].base, g.cells[3]);
	script_done(&g, &r);
}

/* How many machines campaigns make that differ in one field; -1 when one is refused. */
static int machines_of(const char *field, json_t *first, json_t *second, struct err *e)
{
	json_t *const values[] = { first, second };
	struct groups g;
	int n = 0;

	groups_init(&g);
	for (int i = 0; i < 2; i++) {
		json_t *line = script_campaign("one", "tick");

		json_object_set_new(line, field, values[i]);
		if (groups_sink.campaign(&g, line, e))
			n = -1;
		json_decref(line);
	}
	if (!n)
		n = (int)g.n_machines;
	groups_finish(&g);
	groups_free(&g);
	return n;
}

/* Runs that were made in different ways are no repetitions of one another. */
static void test_pooling(void **state)
{
	struct err e;

	(void)state;
	assert_int_equal(machines_of("seed", json_integer(1), json_integer(2), &e), 1);
	assert_int_equal(machines_of("aslr", json_false(), json_true(), &e), 2);
	assert_int_equal(machines_of("rusage_at_stops", json_false(), json_true(), &e), 2);
	assert_int_equal(machines_of("tracetax", json_string("1"), json_string("2"), &e), 2);
	assert_int_equal(machines_of("start", json_string("then"), json_string("now"), &e), 1);
	assert_int_equal(machines_of("start", json_string("now"), json_string("now"), &e), -1);
	assert_int_equal(e.code, EXIT_USAGE);
	assert_non_null(strstr(e.text, "twice"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_blocks),
		cmocka_unit_test(test_failures),
		cmocka_unit_test(test_machines),
		cmocka_unit_test(test_pooling),
	};

	return cmocka_run_group_tests_name("campaigns", tests, NULL, NULL);
}
