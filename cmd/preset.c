/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cmd/preset.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "cmd/output.h"

/* One matrix of a preset. */
struct part {
	const char *workloads;
	const char *tracers; /* NULL: all built in but the next */
	const char *placements;
	const char *ops;
	const char *op;
	int64_t iterations;  /* 0: each workload's own number */
	int64_t duration_ns; /* 0: fixed work */
};

static const struct preset {
	const char *name;
	const char *summary;
	const char *filter;
	struct part part[PRESET_MAX_PARTS]; /* ended by one without workloads */
} presets[] = {
	{ "ladder",
	  "all built-in tracers on getpid and pread, beside a pipe round trip",
	  NULL,
	  { { "getpid,pread", NULL, "same,cross", "0", "mem", 3000, 0 },
	    { "getpid,pread", "singlestep", "same,cross", "0", "mem", 300, 0 },
	    { "pipe", "none", "same,cross", "0", "mem", 3000, 0 } } },
	{ "write-300k",
	  "300000 writes to /dev/null under strace, strace -c, perf stat; computing, strace -c",
	  NULL,
	  { { "write", "none,strace,strace-c,perf-stat", "same", "0", "mem", 300000, 0 },
	    { "compute", "none,strace-c", "same", "100", "reg", 3000000, 0 } } },
	{ "dd-1byte",
	  "100000 bytes one by one under strace, strace with a filter, perf trace",
	  /* What dd's loop does not call. */
	  "openat",
	  { { "dd", "none,strace,strace-seccomp,perf-trace", "same", "0", "mem", 100000,
	      0 } } },
	{ "io-lock-sleep",
	  "files, futex and sleep under perf trace -s and strace -c, fixed work and fixed time",
	  NULL,
	  { { "files,futex,sleep", "none,perf-trace-s,strace-c", "same", "0", "mem", 0, 0 },
	    { "files,futex,sleep", "none,perf-trace-s,strace-c", "same", "0", "mem", 0,
	      1000000000 } } },
};

enum { N_PRESETS = sizeof(presets) / sizeof(presets[0]) };

_Noreturn void preset_print(void)
{
	for (int i = 0; i < N_PRESETS; i++)
		printf("%-14s %s\n", presets[i].name, presets[i].summary);
	exit(output_done());
}

static const struct preset *find(const char *name)
{
	for (int i = 0; i < N_PRESETS; i++)
		if (!strcmp(presets[i].name, name))
			return &presets[i];
	return NULL;
}

static void append(char **list, const char *name)
{
	char *longer = xasprintf("%s%s%s", *list ? *list : "", *list ? "," : "", name);

	free(*list);
	*list = longer;
}

/* Those of the wanted tracers that work here; the others go to m->unavailable. */
static char *that_work(struct measure *m, char *const *names, size_t n, bool shared_cpu)
{
	char *list = NULL, why[512];

	for (size_t i = 0; i < n; i++) {
		const struct tracer_ops *t = tracer_find(m->tracers.all, names[i]);
		bool works = !t || tracer_supported(t, why, sizeof(why));

		if (works && t && t->other_cpu && shared_cpu) {
			works = false;
			snprintf(why, sizeof(why),
				 "it polls, and needs another CPU than the child's");
		}
		if (works)
			append(&list, names[i]);
		else if (!m->unavailable)
			m->unavailable = json_object();
		if (!works)
			json_object_set_new(m->unavailable, names[i], json_string(why));
	}
	return list;
}

static char *all_built_in_but_singlestep(void)
{
	char *list = NULL;

	for (size_t i = 0; tracers[i]; i++)
		if (!tracers[i]->outside && strcmp(tracers[i]->name, "singlestep") != 0)
			append(&list, tracers[i]->name);
	return list;
}

/* Whether tracer and child share a CPU everywhere. */
static bool only_same(const struct list *placements)
{
	for (size_t i = 0; i < placements->n; i++)
		if (strcmp(placements->item[i], "same") != 0)
			return false;
	return true;
}

/* Fill *to from the part, what the user gave before what it says. */
static int fill(const struct part *part, const struct matrix_options *o, struct measure *m,
		struct matrix_options *to, struct err *e)
{
	char *standard = part->tracers ? xstrdup(part->tracers) : all_built_in_but_singlestep();
	struct cpulist allowed;
	char *working;
	bool one_cpu;

	matrix_copy(to, o);
	if (cpulist_allowed(&allowed, e)) {
		free(standard);
		return -1;
	}
	one_cpu = allowed.n == 1;
	cpulist_free(&allowed);
	matrix_default(to, "--workloads", part->workloads);
	matrix_default(to, "--tracers", standard);
	matrix_default(to, "--placements", one_cpu ? "same" : part->placements);
	matrix_default(to, "--ops", part->ops);
	matrix_default(to, "--op", part->op);
	matrix_default(to, "--child", "plain");
	if (!to->duration_ns || !part->duration_ns)
		to->duration_ns = part->duration_ns;
	if (!to->iterations && !to->duration_ns)
		to->iterations = part->iterations;
	working = that_work(m, to->tracers.item, to->tracers.n, only_same(&to->placements));
	if (working)
		matrix_set(to, "--tracers", working);
	free(working);
	free(standard);
	return working ? 0 : err_set(e, EXIT_SKIP, "none of its tracers works here");
}

int preset_plan(const char *name, const struct matrix_options *o, struct measure *m,
		struct plan *p, struct preset_parts *parts, struct err *e)
{
	const struct preset *preset = find(name);

	if (!preset)
		return err_set(e, EXIT_USAGE,
			       "--preset: '%s' is not a preset; '--preset list' prints them",
			       name);
	m->preset = preset->name;
	if (!m->harness.filter)
		m->harness.filter = preset->filter;
	for (int i = 0; i < PRESET_MAX_PARTS && preset->part[i].workloads; i++) {
		struct matrix_options *to = &parts->part[i];

		parts->n = i + 1;
		if (fill(&preset->part[i], o, m, to, e) || matrix_plan(to, p, e))
			return err_prefix(e, "--preset %s", name);
	}
	return 0;
}

void preset_free(struct preset_parts *parts)
{
	for (int i = 0; i < parts->n; i++)
		matrix_free(&parts->part[i]);
}
