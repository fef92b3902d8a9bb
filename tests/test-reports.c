/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reports in every format. */
#include "analysis/report.h"
#include "tests/script.h"
#include "tests/unit.h"

static char *written(const char *format, const struct results *r)
{
	const struct report_options o = { 0 };
	char *text = NULL;
	size_t n;
	FILE *f = open_memstream(&text, &n);
	struct err e;

	assert_int_equal(report_write(f, "memory", format_find(format), r, &o, &e), 0);
	fclose(f);
	return text;
}

static size_t count(const char *text, size_t n, char c)
{
	size_t found = 0;
	bool quoted = false;

	for (size_t i = 0; i < n; i++) {
		quoted ^= text[i] == '"';
		found += text[i] == c && !quoted && !(i && text[i - 1] == '\\');
	}
	return found;
}

/* Every line of the kind has as many separators as the first of its table. */
static void assert_rectangular(const char *text, char separator, bool only_rows)
{
	size_t want = 0;

	for (const char *p = text; *p;) {
		size_t n = strcspn(p, "\n"), found = count(p, n, separator);

		if (only_rows && *p != '|') {
			want = 0;
		} else {
			if (want && found != want)
				fail_msg("%zu separators, not %zu: %.*s", found, want, (int)n,
					 p);
			want = found;
		}
		p += n + (p[n] == '\n');
	}
}

/* What a program that reads it needs. */
static const char *const required[] = {
	"workload",
	"ops",
	"iterations",
	"tracer",
	"placement",
	"cpu",
	"tracer_cpu",
	"runs",
	"ticks",
	"verdict",
	"sentence",
	"utime_ns",
	"stime_ns",
	"runtime_ns",
	"wall_ns",
	"true_user_ns",
	"tracer_utime_ns",
	"tracer_stime_ns",
	"ns_per_call",
	"ghz",
	"utime_ratio",
	"stime_ratio",
	"runtime_ratio",
	"true_user_ratio",
	"misattributed_ns",
	"real_ns",
};

static void test_json(void **state)
{
	struct script x = { 200e6, 300e6, 200e6,         220e6,
			    200e6, 900e6, .ticks = true, .spread = 0.01 };
	struct groups g;
	struct results r;
	json_t *top, *cells, *cell, *figure;
	char *text;

	(void)state;
	script_results(&x, 8, "tick", &g, &r);
	text = written("json", &r);
	top = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
	assert_non_null(top);
	assert_int_equal(json_integer_value(json_object_get(top, "schema")), 1);
	assert_true(json_is_object(json_object_get(top, "campaign")));
	cells = json_object_get(top, "cells");
	assert_int_equal(json_array_size(cells), 3);
	for (size_t i = 0; i < json_array_size(cells); i++)
		for (size_t k = 0; k < sizeof(required) / sizeof(required[0]); k++)
			if (!json_object_get(json_array_get(cells, i), required[k]))
				fail_msg("cell %zu has no %s", i, required[k]);
	cell = json_array_get(cells, 0); /* the baseline has no ratio, and says why */
	figure = json_object_get(cell, "utime_ratio");
	assert_true(json_is_null(json_object_get(figure, "median")));
	assert_string_equal(json_string_value(json_object_get(figure, "why")),
			    "this is the baseline");
	cell = json_array_get(cells, 2);
	figure = json_object_get(cell, "utime_ratio");
	assert_close(json_real_value(json_object_get(figure, "median")),
		     script_find(&r, "syscall")->figure[F_UTIME_RATIO].mid, 1e-8);
	assert_null(json_object_get(figure, "why"));
	json_decref(top);
	free(text);
	script_done(&g, &r);
}

static void test_formats(void **state)
{
	struct script x = { 200e6, 300e6, 200e6,         220e6,
			    200e6, 900e6, .ticks = true, .spread = 0.01 };
	struct groups g;
	struct results r;
	char *text;

	(void)state;
	script_results(&x, 8, "tick", &g, &r);
	text = written("csv", &r);
	assert_rectangular(text, ',', false);
	assert_says(text, "utime_ratio,utime_ratio_lo,utime_ratio_hi");
	free(text);
	text = written("markdown", &r);
	assert_rectangular(text, '|', true);
	assert_says(text, script_find(&r, "syscall")->sentence);
	free(text);
	text = written("text", &r);
	assert_says(text, "inflated");
	free(text);
	script_done(&g, &r);
}

static void test_full(void **state)
{
	const struct report_options o = { 0 };
	struct script x = { 200e6, 300e6, 200e6,         220e6,
			    200e6, 900e6, .ticks = true, .spread = 0.01 };
	struct groups g;
	struct results r;

	(void)state;
	script_results(&x, 8, "tick", &g, &r);
	for (const struct format *f = formats; f->name; f++) {
		FILE *full = fopen("/dev/full", "w");
		struct err e;

		assert_non_null(full);
		assert_int_equal(report_write(full, "/dev/full", f, &r, &o, &e), -1);
		assert_int_equal(e.code, EXIT_MEASURE);
		assert_says(e.text, "/dev/full");
		fclose(full);
	}
	script_done(&g, &r);
}

/* Reports of next to nothing: no sample, one run, no baseline, no known HZ. */
static void test_sparse(void **state)
{
	struct script x = { 200e6, 300e6, 200e6,         220e6,
			    200e6, 900e6, .ticks = true, .spread = 0.01 };
	struct groups g;
	struct results r;

	(void)state;
	groups_init(&g);
	groups_finish(&g);
	results_make(&r, &g, 1);
	for (const struct format *f = formats; f->name; f++)
		free(written(f->name, &r));
	script_done(&g, &r);
	script_results(&x, 1, "tick", &g, &r);
	assert_int_equal(script_find(&r, "syscall")->verdict, VERDICT_INCONCLUSIVE);
	for (const struct format *f = formats; f->name; f++)
		free(written(f->name, &r));
	results_free(&r);
	g.machines[0].tick_ns = NAN;
	snprintf(g.cells[0]->key.tracer, sizeof(g.cells[0]->key.tracer), "other");
	results_make(&r, &g, 1);
	assert_says(script_find(&r, "syscall")->reason, "no untraced cell");
	for (const struct format *f = formats; f->name; f++)
		free(written(f->name, &r));
	script_done(&g, &r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_json),
		cmocka_unit_test(test_formats),
		cmocka_unit_test(test_full),
		cmocka_unit_test(test_sparse),
	};

	return cmocka_run_group_tests_name("reports", tests, NULL, NULL);
}
