/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * {"schema":1,"campaign":{…},"machines":[…],"bootstrap":{…},"cells":[{…}]}. An unknown
 * quantity is null and says why.
 */
#include <jansson.h>
#include <math.h>

#include "analysis/report.h"

enum { REPORT_SCHEMA = 1 };

/* JSON knows neither NaN nor infinity. */
static json_t *real(double v)
{
	return isfinite(v) ? json_real(v) : json_null();
}

static json_t *count(double v)
{
	return isfinite(v) ? json_integer((json_int_t)v) : json_null();
}

static json_t *estimate(const struct result *r, enum figure f)
{
	const struct estimate e = r->figure[f];
	const char *why = result_why(r, f, true);
	json_t *o = json_object();

	json_object_set_new(o, "median", real(e.mid));
	json_object_set_new(o, "lo", real(e.lo));
	json_object_set_new(o, "hi", real(e.hi));
	if (f >= F_REPORTED_TO_TRUE)
		json_object_set_new(o, "of", json_string("means"));
	if (why)
		json_object_set_new(o, "why", json_string(why));
	else if (isinf(e.hi))
		json_object_set_new(o, "why",
				    json_string("open: the baseline can't be told from 0"));
	return o;
}

static json_t *value(const struct column *c, const struct result *r)
{
	switch (c->kind) {
	case COLUMN_TEXT:
		return json_string(c->text(r));
	case COLUMN_COUNT:
		return count(c->number(r));
	case COLUMN_NUMBER:
		return real(c->number(r));
	case COLUMN_ESTIMATE:
		break;
	}
	return estimate(r, c->figure);
}

static json_t *cell(const struct result *r)
{
	json_t *o = json_object();

	for (const struct column *c = columns; c->name; c++)
		json_object_set_new(o, c->name, value(c, r));
	return o;
}

enum { JSON_FLAGS = JSON_INDENT(2) | JSON_REAL_PRECISION(10) };

/* One cell at a time: thousands of them as one tree would take a gigabyte. */
static void put_cells(FILE *out, const struct results *r)
{
	for (size_t i = 0; i < r->n; i++) {
		json_t *o = cell(&r->list[i]);

		fputs(i ? ",\n" : "\n", out);
		json_dumpf(o, out, JSON_FLAGS);
		json_decref(o);
	}
}

void report_json(FILE *out, const struct results *r, const struct report_options *o)
{
	const struct groups *g = r->groups;
	json_t *top = json_object(), *machines = json_array();

	(void)o;
	for (size_t i = 0; i < g->n_machines; i++)
		json_array_append(machines, g->machines[i].campaign);
	json_object_set_new(top, "schema", json_integer(REPORT_SCHEMA));
	json_object_set_new(top, "campaign",
			    g->n_machines ? json_incref(g->machines[0].campaign) : json_null());
	json_object_set_new(top, "machines", machines);
	json_object_set_new(top, "samples", json_integer((json_int_t)g->samples));
	json_object_set_new(top, "failures", json_integer((json_int_t)g->failures));
	json_object_set_new(top, "bootstrap",
			    json_pack("{s:I, s:i, s:f}", "seed", (json_int_t)r->seed,
				      "resamples", BOOT_REPS, "confidence", 0.95));
	fputs("{", out);
	json_dumpf(top, out, JSON_FLAGS | JSON_EMBED);
	fputs(",\n\"cells\": [", out);
	put_cells(out, r);
	fputs("\n]\n}\n", out);
	json_decref(top);
}
