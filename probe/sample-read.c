/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The reader. Sample lines go through yajl, which calls back per value and builds no tree: a
 * million lines are read in seconds. Campaign lines, one a file, become a jansson object.
 */
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <yajl/yajl_parse.h>

#include "base/xalloc.h"
#include "probe/sample-io.h"

/* What one line has given so far. */
struct line {
	struct sample s;
	char type[16];
	int depth;                       /* 1: in the line's own object */
	bool in_type;                    /* the value to come is the type */
	const struct sample_field *want; /* the field whose value comes, NULL: ignored */
	const struct sample_field *next; /* where the search for a key starts */
	uint64_t seen;                   /* a bit per row of sample_fields */
	char problem[160];
};

/*
 * Note what is wrong and go on: whether it matters depends on the line's type, which may come
 * later. A campaign line has fields of its own under any name.
 */
static int complain(struct line *l, const char *what)
{
	if (l->problem[0])
		return 1;
	snprintf(l->problem, sizeof(l->problem), "field '%s' %s",
		 l->want ? l->want->name : "type", what);
	return 1;
}

static int on_null(void *arg)
{
	struct line *l = arg;

	if (l->depth != 1 || !l->want)
		return 1;
	if (l->want->type != SAMPLE_INT || l->want->required)
		return complain(l, "must not be null");
	l->seen |= UINT64_C(1) << (l->want - sample_fields);
	return 1;
}

static int on_boolean(void *arg, int value)
{
	struct line *l = arg;

	if (l->depth != 1 || !l->want)
		return 1;
	if (l->want->type != SAMPLE_BOOL)
		return complain(l, "must not be true or false");
	*(bool *)((char *)&l->s + l->want->offset) = value;
	return 1;
}

static int on_integer(void *arg, long long value)
{
	struct line *l = arg;

	if (l->depth != 1 || !l->want)
		return l->in_type && l->depth == 1 ? complain(l, "must be a text") : 1;
	if (l->want->type != SAMPLE_INT)
		return complain(l, "must not be a number");
	if (value < 0)
		return complain(l, "must not be negative");
	*sample_int(&l->s, l->want) = value;
	l->seen |= UINT64_C(1) << (l->want - sample_fields);
	return 1;
}

static int on_double(void *arg, double value)
{
	struct line *l = arg;

	(void)value;
	return l->depth == 1 && l->want ? complain(l, "must be a whole number") : 1;
}

/*
 * What is read may be printed, and a file of others must not send escapes to a terminal:
 * control characters, those of ISO 6429's C1 set (U+0080 to U+009F) too, become '?'.
 */
static void make_harmless(char *text)
{
	for (unsigned char *p = (unsigned char *)text; *p; p++) {
		if (iscntrl(*p))
			*p = '?';
		else if (p[0] == 0xc2 && p[1] >= 0x80 && p[1] <= 0x9f)
			p[0] = p[1] = '?';
	}
}

static void make_tree_harmless(json_t *o)
{
	if (json_is_string(o)) {
		char *text = xstrdup(json_string_value(o));

		make_harmless(text);
		json_string_set(o, text);
		free(text);
	}
	for (size_t i = 0; i < json_array_size(o); i++)
		make_tree_harmless(json_array_get(o, i));
	for (void *i = json_object_iter(o); i; i = json_object_iter_next(o, i))
		make_tree_harmless(json_object_iter_value(i));
}

static int on_string(void *arg, const unsigned char *text, size_t n)
{
	struct line *l = arg;
	char *to = l->type;
	size_t size = sizeof(l->type);

	if (l->depth != 1 || !(l->want || l->in_type))
		return 1;
	if (l->want) {
		if (l->want->type != SAMPLE_TEXT)
			return complain(l, "must not be a text");
		to = (char *)&l->s + l->want->offset;
		size = l->want->size;
		l->seen |= UINT64_C(1) << (l->want - sample_fields);
	}
	if (n >= size || memchr(text, '\0', n))
		return complain(l, "is too long or holds a NUL");
	memcpy(to, text, n);
	to[n] = '\0';
	make_harmless(to);
	return 1;
}

/* Lines come in the table's order, so the next row is nearly always the one. */
static int on_key(void *arg, const unsigned char *key, size_t n)
{
	struct line *l = arg;
	const struct sample_field *f = l->next;

	if (l->depth != 1)
		return 1;
	l->want = NULL;
	l->in_type = n == 4 && !memcmp(key, "type", 4);
	if (l->in_type)
		return 1;
	for (int wraps = 0;; f++) {
		if (!f->name) {
			if (wraps++)
				return 1; /* unknown: its value is ignored */
			f = sample_fields;
		}
		if (f->length == n && !memcmp(f->name, key, n)) {
			l->want = f;
			l->next = f + 1;
			return 1;
		}
	}
}

static int on_open(void *arg)
{
	struct line *l = arg;

	if (l->depth == 1 && l->want)
		complain(l, "must not be a list or an object");
	l->depth++;
	return 1;
}

static int on_close(void *arg)
{
	struct line *l = arg;

	l->depth--;
	return 1;
}

static int on_array(void *arg)
{
	struct line *l = arg;

	if (l->depth == 0)
		return 0; /* not an object: ends the parsing */
	return on_open(arg);
}

static const yajl_callbacks callbacks = {
	.yajl_null = on_null,
	.yajl_boolean = on_boolean,
	.yajl_integer = on_integer,
	.yajl_double = on_double,
	.yajl_string = on_string,
	.yajl_start_map = on_open,
	.yajl_map_key = on_key,
	.yajl_end_map = on_close,
	.yajl_start_array = on_array,
	.yajl_end_array = on_close,
};

struct reader {
	const char *path;
	size_t number; /* of the line at hand, from 1 */
	bool in_campaign;
	size_t torn;
	size_t pending_torn; /* the number of a bad line that a campaign may excuse, or 0 */
	struct err pending;
	yajl_handle yajl;
	struct line line;
	const struct sample_sink *sink;
	void *arg;
};

static void reader_reset(struct reader *r)
{
	if (r->yajl)
		yajl_free(r->yajl);
	r->yajl = yajl_alloc(&callbacks, NULL, &r->line);
	if (!r->yajl || !yajl_config(r->yajl, yajl_allow_multiple_values, 1)) {
		fputs("tracetax: out of memory\n", stderr);
		exit(EXIT_MEASURE);
	}
}

/* Parse the line into r->line. -1 with `e` set when it is no whole JSON object of ours. */
static int parse_line(struct reader *r, const char *text, size_t n, struct err *e)
{
	struct line *l = &r->line;
	yajl_status status;

	sample_init(&l->s);
	l->type[0] = l->problem[0] = '\0';
	l->depth = 0;
	l->in_type = false;
	l->want = NULL;
	l->next = sample_fields;
	l->seen = 0;
	status = yajl_parse(r->yajl, (const unsigned char *)text, n);
	if (status == yajl_status_ok && l->depth == 0 && l->type[0])
		return 0;
	if (status != yajl_status_ok || l->depth)
		snprintf(l->problem, sizeof(l->problem), "not a JSON object, or cut short");
	else if (!l->problem[0])
		snprintf(l->problem, sizeof(l->problem), "no field 'type'");
	reader_reset(r);
	return err_set(e, EXIT_USAGE, "%s:%zu: %s", r->path, r->number, l->problem);
}

static int take_campaign(struct reader *r, const char *text, size_t n, struct err *e)
{
	json_error_t je;
	json_t *o = json_loadb(text, n, JSON_REJECT_DUPLICATES, &je);
	json_t *schema;
	int ret;

	if (!o) {
		make_harmless(je.text);
		return err_set(e, EXIT_USAGE, "%s:%zu: %s", r->path, r->number, je.text);
	}
	make_tree_harmless(o);
	schema = json_object_get(o, "schema");
	if (!json_is_integer(schema) || json_integer_value(schema) < 1)
		ret = err_set(e, EXIT_USAGE, "%s:%zu: the campaign line has no schema number",
			      r->path, r->number);
	else if (json_integer_value(schema) > SAMPLE_SCHEMA)
		ret = err_set(e, EXIT_USAGE,
			      "%s:%zu: schema %" JSON_INTEGER_FORMAT
			      " is newer than this tracetax reads (%d)",
			      r->path, r->number, json_integer_value(schema), SAMPLE_SCHEMA);
	else if ((ret = r->sink->campaign(r->arg, o, e)))
		err_prefix(e, "%s:%zu", r->path, r->number);
	json_decref(o);
	r->in_campaign = ret == 0;
	return ret;
}

static int take_sample(struct reader *r, struct err *e)
{
	struct line *l = &r->line;

	if (!r->in_campaign)
		return err_set(e, EXIT_USAGE, "%s:%zu: a sample before any campaign line",
			       r->path, r->number);
	if (l->problem[0])
		return err_set(e, EXIT_USAGE, "%s:%zu: %s", r->path, r->number, l->problem);
	for (const struct sample_field *f = sample_fields; f->name; f++)
		if (f->required && !(l->seen >> (f - sample_fields) & 1))
			return err_set(e, EXIT_USAGE, "%s:%zu: no field '%s'", r->path,
				       r->number, f->name);
	if (l->s.iterations < 1 && l->s.duration_ns < 1)
		return err_set(e, EXIT_USAGE,
			       "%s:%zu: 'iterations' must be at least 1, or 0 with a "
			       "'duration_ns'",
			       r->path, r->number);
	return r->sink->sample(r->arg, &l->s, e);
}

/* A bad line before this one can only be excused by a campaign that starts here. */
static int settle_pending(struct reader *r, bool excused, struct err *e)
{
	if (!r->pending_torn)
		return 0;
	if (!excused) {
		*e = r->pending;
		return -1;
	}
	warn("%s:%zu: dropped a torn line", r->path, r->pending_torn);
	r->torn++;
	r->pending_torn = 0;
	return 0;
}

static int take_line(struct reader *r, const char *text, size_t n, struct err *e)
{
	bool campaign;

	if (parse_line(r, text, n, e)) {
		if (r->pending_torn) {
			*e = r->pending;
			return -1;
		}
		r->pending_torn = r->number;
		r->pending = *e;
		return 0;
	}
	campaign = !strcmp(r->line.type, "campaign");
	if (settle_pending(r, campaign, e))
		return -1;
	if (campaign)
		return take_campaign(r, text, n, e);
	if (!strcmp(r->line.type, "sample") || !strcmp(r->line.type, "failure"))
		return take_sample(r, e);
	return 0;
}

int samples_read(const char *path, const struct sample_sink *sink, void *arg, size_t *torn,
		 struct err *e)
{
	struct reader r = { .path = path, .sink = sink, .arg = arg };
	FILE *f = strcmp(path, "-") ? fopen(path, "re") : stdin;
	char *text = NULL;
	size_t size = 0;
	int ret = 0;
	bool whole = true; /* the line at hand ended with a newline */

	if (!f)
		return err_set(e, EXIT_USAGE, "%s: %s", path, strerror(errno));
	reader_reset(&r);
	while (!ret && (errno = 0, 1)) {
		ssize_t n = getline(&text, &size, f);

		if (n < 0)
			break;
		r.number++;
		whole = text[n - 1] == '\n';
		if (n - whole > 0)
			ret = take_line(&r, text, (size_t)(n - whole), e);
	}
	if (!ret && ferror(f))
		ret = err_set(e, EXIT_USAGE, "%s: read: %s", path, strerror(errno));
	if (!ret)
		ret = settle_pending(&r, !whole && r.pending_torn == r.number, e);
	if (!ret && !r.number)
		ret = err_set(e, EXIT_USAGE, "%s: empty: not one campaign line", path);
	if (torn)
		*torn = r.torn;
	yajl_free(r.yajl);
	free(text);
	if (f != stdin)
		fclose(f);
	return ret;
}
