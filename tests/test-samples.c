/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Samples to JSON lines and back; torn, hostile and newer lines. */
#include <fcntl.h>
#include <gsl/gsl_rng.h>
#include <unistd.h>

#include "base/xalloc.h"
#include "probe/sample-io.h"
#include "tests/unit.h"

/* What a reading gave. */
struct seen {
	size_t campaigns, samples, failures;
	struct sample last;
	char model[64]; /* machine.cpu_model of the last campaign */
};

static int take_campaign(void *arg, json_t *campaign, struct err *e)
{
	struct seen *s = arg;

	(void)e;
	assert_true(json_is_object(campaign));
	s->campaigns++;
	snprintf(s->model, sizeof(s->model), "%s",
		 json_string_value(
			 json_object_get(json_object_get(campaign, "machine"), "cpu_model")));
	return 0;
}

static int take_sample(void *arg, const struct sample *sample, struct err *e)
{
	struct seen *s = arg;

	(void)e;
	s->samples += !sample->failure[0];
	s->failures += sample->failure[0] != '\0';
	s->last = *sample;
	return 0;
}

static const struct sample_sink sink = { take_campaign, take_sample };

static char path[] = "/tmp/tracetax-samples-XXXXXX";

static int make_file(void **state)
{
	(void)state;
	close(mkstemp(path));
	return 0;
}

static int remove_file(void **state)
{
	(void)state;
	return unlink(path);
}

static void put(const char *text, size_t n)
{
	int fd = open(path, O_WRONLY | O_TRUNC);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, n), n);
	close(fd);
}

static int read_text(const char *text, struct seen *s, size_t *torn, struct err *e)
{
	*s = (struct seen) { 0 };
	*e = (struct err) { 0 };
	put(text, strlen(text));
	return samples_read(path, &sink, s, torn, e);
}

#define CAMPAIGN                                                                               \
	"{\"type\":\"campaign\",\"schema\":1,\"aslr\":false,\"machine\":{\"hz\":250}}\n"
#define CELL                                                                                   \
	"\"workload\":\"pread\",\"op\":\"mem\",\"child\":\"plain\",\"tracer\":\"none\","       \
	"\"placement\":\"same\",\"ops\":0,\"iterations\":10,\"block\":1"
#define SAMPLE "{\"type\":\"sample\"," CELL "}\n"

/* Every field gets a value of its own, goes out and comes back. */
static void test_round_trip(void **state)
{
	json_t *campaign = json_pack("{s:s, s:i}", "type", "campaign", "schema", SAMPLE_SCHEMA);
	struct sample s;
	struct seen seen = { 0 };
	struct err e;
	int fd;
	size_t rows = 0;

	(void)state;
	sample_init(&s);
	for (const struct sample_field *f = sample_fields; f->name; f++, rows++) {
		char *at = (char *)&s + f->offset;

		if (f->type == SAMPLE_TEXT)
			snprintf(at, f->size, "t%zu \"\\\xc3\xa4", rows);
		else if (f->type == SAMPLE_INT)
			*sample_int(&s, f) = (int64_t)(1000000007 * (rows + 1));
		else
			*(bool *)at = true;
	}
	assert_true(rows <= 64); /* the reader keeps a bit a row */
	put("", 0);
	fd = samples_open(path, &e);
	assert_true(fd >= 0);
	assert_int_equal(samples_write_campaign(fd, path, campaign, &e), 0);
	assert_int_equal(samples_write(fd, path, &s, &e), 0);
	assert_int_equal(samples_read(path, &sink, &seen, NULL, &e), 0);
	assert_int_equal(seen.failures, 1); /* its failure was set as well */
	for (const struct sample_field *f = sample_fields; f->name; f++) {
		const char *want = (char *)&s + f->offset,
			   *got = (char *)&seen.last + f->offset;

		if (f->type == SAMPLE_TEXT)
			assert_string_equal(got, want);
		else
			assert_memory_equal(got, want, f->type == SAMPLE_INT ? 8 : 1);
	}
	/* And with everything unknown that may be. */
	for (const struct sample_field *f = sample_fields; f->name; f++)
		if (f->type == SAMPLE_INT && !f->required)
			*sample_int(&s, f) = SAMPLE_UNKNOWN;
	s.failure[0] = '\0';
	assert_int_equal(samples_write(fd, path, &s, &e), 0);
	assert_int_equal(samples_read(path, &sink, &seen, NULL, &e), 0);
	assert_int_equal(seen.samples, 1);
	assert_int_equal(seen.last.utime_ns, SAMPLE_UNKNOWN);
	assert_int_equal(seen.last.ops, s.ops);
	close(fd);
	json_decref(campaign);
}

static void test_good(void **state)
{
	static const struct {
		const char *text;
		size_t campaigns, samples, failures, torn;
	} good[] = {
		{ CAMPAIGN, 1, 0, 0, 0 },
		{ CAMPAIGN SAMPLE SAMPLE, 1, 2, 0, 0 },
		{ CAMPAIGN SAMPLE CAMPAIGN SAMPLE, 2, 2, 0, 0 },
		{ CAMPAIGN "\n" SAMPLE "\n\n", 1, 1, 0, 0 },
		{ CAMPAIGN "{\"type\":\"failure\"," CELL ",\"failure\":\"x\"}\n", 1, 0, 1, 0 },
		{ CAMPAIGN "{\"type\":\"note\",\"utime_ns\":\"any\"}\n" SAMPLE, 1, 1, 0, 0 },
		{ CAMPAIGN "{" CELL ",\"new\":{\"utime_ns\":[1,{}]},\"type\":\"sample\"}\n", 1,
		  1, 0, 0 },
		{ CAMPAIGN "{\"type\":\"sample\"," CELL ",\"utime_ns\":null}\n", 1, 1, 0, 0 },
		/* Torn at the end, and torn before a campaign. */
		{ CAMPAIGN SAMPLE "{\"type\":\"sam", 1, 1, 0, 1 },
		{ CAMPAIGN SAMPLE "{\"type\":\"sam\n" CAMPAIGN SAMPLE, 2, 2, 0, 1 },
		/* Whole but for its newline. */
		{ CAMPAIGN "{\"type\":\"sample\"," CELL "}", 1, 1, 0, 0 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		struct seen s;
		struct err e;
		size_t torn;

		if (read_text(good[i].text, &s, &torn, &e))
			fail_msg("%zu: %s", i, e.text);
		if (s.campaigns != good[i].campaigns || s.samples != good[i].samples ||
		    s.failures != good[i].failures || torn != good[i].torn)
			fail_msg("%zu: %zu campaigns, %zu samples, %zu failures, %zu torn", i,
				 s.campaigns, s.samples, s.failures, torn);
	}
}

static void test_bad(void **state)
{
	static const struct {
		const char *text, *line, *word;
	} bad[] = {
		{ "", "", "empty" },
		{ SAMPLE, ":1:", "before any campaign" },
		{ "{\"type\":\"campaign\",\"schema\":2}\n", ":1:", "schema 2 is newer" },
		{ "{\"type\":\"campaign\"}\n", ":1:", "schema" },
		{ CAMPAIGN "{\"type\":\"sam\n" SAMPLE, ":2:", "cut short" },
		{ CAMPAIGN "[1]\n" SAMPLE, ":2:", "not a JSON object" },
		{ CAMPAIGN "{}\n" SAMPLE, ":2:", "'type'" },
		{ CAMPAIGN "{\"type\":3}\n" SAMPLE, ":2:", "'type'" },
		{ CAMPAIGN "{\"type\":\"sample\"," CELL "}}\n" SAMPLE, ":2:", "JSON" },
		{ CAMPAIGN "{\"type\":\"sample\"}\n", ":2:", "no field 'workload'" },
#define WITH(field) CAMPAIGN "{\"type\":\"sample\"," CELL "," field "}\n"
		{ WITH("\"utime_ns\":-1"), ":2:", "'utime_ns' must not be negative" },
		{ WITH("\"utime_ns\":1.5"), ":2:", "'utime_ns' must be a whole number" },
		{ WITH("\"utime_ns\":1e400"), ":2:", "" },
		{ WITH("\"utime_ns\":99999999999999999999"), ":2:", "" },
		{ WITH("\"utime_ns\":\"1\""), ":2:", "'utime_ns' must not be a text" },
		{ WITH("\"utime_ns\":[1]"), ":2:", "'utime_ns' must not be a list" },
		{ WITH("\"utime_ns\":true"), ":2:", "'utime_ns' must not be true" },
		{ WITH("\"iterations\":0"), ":2:", "'iterations' must be at least 1" },
		{ WITH("\"ops\":null"), ":2:", "'ops' must not be null" },
		{ WITH("\"warmup\":1"), ":2:", "'warmup' must not be a number" },
		{ WITH("\"tracer\":1"), ":2:", "'tracer' must not be a number" },
		{ WITH("\"tracer\":\"0123456789012345678901234567890123456789\""),
		  ":2:", "'tracer' is too long" },
		{ WITH("\"tracer\":\"a\\u0000b\""),
		  ":2:", "'tracer' is too long or holds a NUL" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct seen s;
		struct err e;

		if (!read_text(bad[i].text, &s, NULL, &e))
			fail_msg("%zu was read: %s", i, bad[i].text);
		assert_int_equal(e.code, EXIT_USAGE);
		assert_says(e.text, path);
		assert_says(e.text, bad[i].line);
		assert_says(e.text, bad[i].word);
	}
}

static void test_control_characters(void **state)
{
	struct seen s;
	struct err e;

	(void)state;
	assert_int_equal(read_text(WITH("\"tracer\":\"\\u001b[31m\\n\u00b5\""), &s, NULL, &e),
			 0);
	assert_string_equal(s.last.tracer, "?[31m?\u00b5");
	/* C1 controls, and the texts of a campaign line. */
	assert_int_equal(read_text(WITH("\"tracer\":\"\\u009b1m\u00c2\""), &s, NULL, &e), 0);
	assert_string_equal(s.last.tracer, "??1m\u00c2");
	assert_int_equal(
		read_text("{\"type\":\"campaign\",\"schema\":1,\"machine\":"
			  "{\"cpu_model\":\"a\\u001b]0;x\\u0007\\n\\u0085\"}}\n" SAMPLE,
			  &s, NULL, &e),
		0);
	assert_string_equal(s.model, "a?]0;x????");
}

/* Whatever a byte or two does to good lines: read, or refused with the file's name. */
static void test_fuzz(void **state)
{
	static const char good[] = CAMPAIGN SAMPLE SAMPLE;
	gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
	size_t refused = 0;

	(void)state;
	gsl_rng_set(rng, 2011);
	for (int i = 0; i < 20000; i++) {
		char text[sizeof(good)];
		struct seen s = { 0 };
		struct err e;

		memcpy(text, good, sizeof(good));
		for (unsigned long n = 1 + gsl_rng_uniform_int(rng, 3); n; n--)
			text[gsl_rng_uniform_int(rng, sizeof(good) - 1)] =
				(char)gsl_rng_uniform_int(rng, 256);
		put(text, sizeof(good) - 1 - gsl_rng_uniform_int(rng, 20));
		if (!samples_read(path, &sink, &s, NULL, &e))
			continue;
		refused++;
		assert_int_equal(e.code, EXIT_USAGE);
		assert_says(e.text, path);
	}
	assert_true(refused > 5000 && refused < 20000);
	gsl_rng_free(rng);
}

/* A sink's own error ends the reading and comes through. */
static int refuse(void *arg, const struct sample *s, struct err *e)
{
	(void)arg;
	(void)s;
	return err_set(e, EXIT_GATE, "enough");
}

static void test_sink_error(void **state)
{
	const struct sample_sink refusing = { take_campaign, refuse };
	struct seen s = { 0 };
	struct err e;

	(void)state;
	put(CAMPAIGN SAMPLE SAMPLE, strlen(CAMPAIGN SAMPLE SAMPLE));
	assert_int_equal(samples_read(path, &refusing, &s, NULL, &e), -1);
	assert_int_equal(e.code, EXIT_GATE);
}

static void test_unwritable(void **state)
{
	struct sample s;
	struct err e;
	int fd = samples_open("/dev/full", &e);

	(void)state;
	sample_init(&s);
	assert_true(fd >= 0);
	assert_int_equal(samples_write(fd, "/dev/full", &s, &e), -1);
	assert_int_equal(e.code, EXIT_MEASURE);
	assert_says(e.text, "/dev/full");
	assert_says(e.text, "No space left");
	close(fd);
	assert_int_equal(samples_open("/no/such/place", &e), -1);
	assert_says(e.text, "/no/such/place");
}

/* Appending behind a torn line starts a line of its own. */
static void test_append(void **state)
{
	json_t *campaign = json_pack("{s:s, s:i}", "type", "campaign", "schema", SAMPLE_SCHEMA);
	struct seen s = { 0 };
	struct err e;
	size_t torn;
	int fd;

	(void)state;
	put(CAMPAIGN "{\"type\":", strlen(CAMPAIGN "{\"type\":"));
	fd = samples_open(path, &e);
	assert_true(fd >= 0);
	assert_int_equal(samples_write_campaign(fd, path, campaign, &e), 0);
	close(fd);
	assert_int_equal(samples_read(path, &sink, &s, &torn, &e), 0);
	assert_int_equal(s.campaigns, 2);
	assert_int_equal(torn, 1);
	json_decref(campaign);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_round_trip), cmocka_unit_test(test_good),
		cmocka_unit_test(test_bad),        cmocka_unit_test(test_control_characters),
		cmocka_unit_test(test_fuzz),       cmocka_unit_test(test_sink_error),
		cmocka_unit_test(test_unwritable), cmocka_unit_test(test_append),
	};

	return cmocka_run_group_tests_name("samples", tests, make_file, remove_file);
}
