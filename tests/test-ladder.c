/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Loop times, cells that no wait4 saw, fixed time, and the tables of canned experiments. */
#include "tests/unit.h"

#include "analysis/distortion.h"
#include "analysis/lead.h"
#include "tests/script.h"

enum { BLOCKS = 8 };

struct feed {
	struct groups g;
	struct results r;
	json_t *line;
};

static void begin(struct feed *f, const char *preset)
{
	f->line = script_campaign("box", "virt-gen");
	if (preset)
		json_object_set_new(f->line, "preset", json_string(preset));
	json_object_set_new(f->line, "unavailable", json_pack("{s:s}", "ring", "no ring here"));
	groups_init(&f->g);
	assert_int_equal(groups_sink.campaign(&f->g, f->line, NULL), 0);
}

/* A cell's samples, as `base` says, alike but for 1 % in the loop's time. */
static void add(struct feed *f, const struct sample *base)
{
	for (int i = 1; i <= BLOCKS; i++) {
		struct sample s = *base;

		s.block = i;
		s.loop_ns += s.loop_ns / 100 * (i % 3);
		assert_int_equal(groups_sink.sample(&f->g, &s, NULL), 0);
	}
}

static void end(struct feed *f)
{
	groups_finish(&f->g);
	results_make(&f->r, &f->g, 1);
}

static void finish(struct feed *f)
{
	results_free(&f->r);
	groups_free(&f->g);
	json_decref(f->line);
}

static struct sample sample(const char *workload, const char *tracer, int64_t loop_ns)
{
	struct sample s;

	sample_init(&s);
	snprintf(s.workload, sizeof(s.workload), "%s", workload);
	snprintf(s.tracer, sizeof(s.tracer), "%s", tracer);
	snprintf(s.placement, sizeof(s.placement), "same");
	snprintf(s.op, sizeof(s.op), "mem");
	snprintf(s.child, sizeof(s.child), "plain");
	s.ops = 0;
	s.iterations = s.operations = s.syscalls = 1000;
	s.threads = 1;
	s.duration_ns = s.tree = 0;
	s.warmup = false;
	s.loop_ns = loop_ns;
	s.wall_ns = loop_ns * 2;
	s.utime_ns = 100000000;
	s.stime_ns = 300000000;
	s.runtime_ns = 400000000;
	s.loop_utime_ns = 50000000;
	s.loop_stime_ns = 150000000;
	s.loop_runtime_ns = 200000000;
	s.tracer_utime_ns = s.tracer_stime_ns = 150000000;
	return s;
}

/* Compared with the loop of the untraced runs, not with all of them. */
static void test_inside(void **state)
{
	struct sample base = sample("pread", "none", 1000000),
		      outside = sample("pread", "strace", 3000000);
	const struct result *r;
	struct feed f;

	(void)state;
	outside.utime_ns = outside.stime_ns = outside.runtime_ns = SAMPLE_UNKNOWN;
	outside.loop_utime_ns = 100000000;
	begin(&f, NULL);
	add(&f, &base);
	add(&f, &outside);
	end(&f);
	r = script_find(&f.r, "strace");
	assert_close(r->figure[F_UTIME].mid, 1e8, 1);
	assert_close(r->figure[F_UTIME_RATIO].mid, 2, 1e-9);
	assert_close(r->figure[F_STIME_RATIO].mid, 1, 1e-9);
	/* (150 + 150) / 150 */
	assert_close(r->figure[F_SYSTEM_SUM_RATIO].mid, 2, 1e-9);
	assert_close(r->figure[F_LOOP_RATIO].mid, 3, 1e-6);
	assert_close(r->figure[F_RATE_RATIO].mid, 1 / 3.0, 1e-6);
	/* The untraced cell itself is what wait4 saw of it. */
	assert_close(script_find(&f.r, "none")->figure[F_UTIME].mid, 1e8, 1);
	finish(&f);
}

static void test_fixed_time(void **state)
{
	struct sample base = sample("write", "none", 1000000000),
		      traced = sample("write", "syscall", 1000000000);
	const struct result *r;
	struct feed f;

	(void)state;
	base.iterations = traced.iterations = 0;
	base.duration_ns = traced.duration_ns = 1000000000;
	traced.operations = 250;
	traced.utime_ns = 500000000;
	begin(&f, NULL);
	add(&f, &base);
	add(&f, &traced);
	end(&f);
	r = script_find(&f.r, "syscall");
	assert_int_equal(r->verdict, VERDICT_INCONCLUSIVE);
	assert_says(r->reason, "compare rates");
	assert_close(r->figure[F_RATE_RATIO].mid, 0.25, 1e-6);
	/* Per iteration: of those that were done. */
	assert_close(r->figure[F_UTIME_PER_CALL].mid, 5e8 / 250, 1e-3 * 5e8 / 250);
	finish(&f);
}

/* A tree's exact run time is what wait4 says; threads have the clock of all. */
static void test_tree_and_threads(void **state)
{
	struct sample tree = sample("forkexec", "none", 1000000),
		      threads = sample("futex", "none", 1000000);
	struct feed f;

	(void)state;
	tree.tree = 1;
	tree.runtime_ns = tree.cpuclock_ns = 10;
	threads.threads = 4;
	threads.runtime_ns = 10;
	threads.cpuclock_ns = 400000000;
	begin(&f, NULL);
	add(&f, &tree);
	add(&f, &threads);
	end(&f);
	for (size_t i = 0; i < f.r.n; i++) {
		assert_close(f.r.list[i].figure[F_RUNTIME].mid, 4e8, 1);
		assert_int_equal(f.r.list[i].cell->sums_off, 0);
	}
	finish(&f);
}

static char *printed(struct feed *f, const char *preset)
{
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);

	lead_find(preset)->print(out, &f->r, 0);
	fclose(out);
	return text;
}

/* Where the line that begins with the word is. */
static size_t line_of(const char *text, const char *word)
{
	char key[64];
	const char *at;

	snprintf(key, sizeof(key), "\n%s ", word);
	at = strstr(text, key);
	if (!at)
		fail_msg("no line '%s' in:\n%s", word, text);
	return (size_t)(at - text);
}

static void test_ladder(void **state)
{
	static const struct {
		const char *workload, *tracer;
		int64_t loop_ns;
	} cells[] = {
		{ "getpid", "syscall", 12000000 }, { "getpid", "none", 100000 },
		{ "getpid", "notify", 5000000 },   { "pread", "syscall", 13000000 },
		{ "pread", "none", 300000 },       { "pread", "notify", 6000000 },
		{ "pipe", "none", 2000000 },
	};
	struct feed f;
	char *text;

	(void)state;
	begin(&f, "ladder");
	for (size_t i = 0; i < sizeof(cells) / sizeof(cells[0]); i++) {
		const struct sample s =
			sample(cells[i].workload, cells[i].tracer, cells[i].loop_ns);

		add(&f, &s);
	}
	end(&f);
	assert_ptr_equal(lead_of(&f.g), lead_find("ladder"));
	text = printed(&f, "ladder");
	/* none 0.1, round trip 2 × 2, notify 5, syscall 12; what is not here comes last. */
	assert_true(line_of(text, "none") < line_of(text, "(pipe round trip)"));
	assert_true(line_of(text, "(pipe round trip)") < line_of(text, "notify"));
	assert_true(line_of(text, "notify") < line_of(text, "syscall"));
	assert_true(line_of(text, "syscall") < line_of(text, "ring"));
	assert_says(text, "4.04 ["); /* of the round trip: two calls, medians of 2.02 */
	assert_says(text, "+7.07");  /* syscall above notify: 12.12 - 5.05 */
	assert_says(text, "120.0");  /* times the untraced call */
	free(text);
	finish(&f);
}

static void test_published(void **state)
{
	struct sample base = sample("dd", "none", 1000000),
		      strace = sample("dd", "strace", 9000000);
	struct feed f;
	char *text;

	(void)state;
	begin(&f, "dd-1byte");
	add(&f, &base);
	add(&f, &strace);
	end(&f);
	text = printed(&f, "dd-1byte");
	assert_says(text, " 200 9.00 [9.00, 9.00] 9.00 [");
	free(text);
	finish(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_inside),           cmocka_unit_test(test_fixed_time),
		cmocka_unit_test(test_tree_and_threads), cmocka_unit_test(test_ladder),
		cmocka_unit_test(test_published),
	};

	return cmocka_run_group_tests_name("ladder", tests, NULL, NULL);
}
