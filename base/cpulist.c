/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/cpulist.h"

#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"

void cpulist_add(struct cpulist *l, int cpu)
{
	size_t at = l->n;

	while (at > 0 && l->cpu[at - 1] > cpu)
		at--;
	if (at > 0 && l->cpu[at - 1] == cpu)
		return;
	l->cpu = xreallocarray(l->cpu, l->n + 1, sizeof(*l->cpu));
	memmove(l->cpu + at + 1, l->cpu + at, (l->n - at) * sizeof(*l->cpu));
	l->cpu[at] = cpu;
	l->n++;
}

bool cpulist_has(const struct cpulist *l, int cpu)
{
	for (size_t i = 0; i < l->n; i++)
		if (l->cpu[i] == cpu)
			return true;
	return false;
}

void cpulist_free(struct cpulist *l)
{
	free(l->cpu);
	*l = (struct cpulist) { 0 };
}

/* A decimal number below CPU_MAX at *p; *p moves behind it. -1 when there is none. */
static int take_number(const char **p)
{
	int v = 0;

	if (**p < '0' || **p > '9')
		return -1;
	for (; **p >= '0' && **p <= '9'; (*p)++) {
		v = v * 10 + (**p - '0');
		if (v >= CPU_MAX)
			return -1;
	}
	return v;
}

/* One of "N", "A-B", "A-B:used/group" at *p. */
static int take_range(const char **p, struct cpulist *l)
{
	int used = 1, group = 1;
	int first = take_number(p), last = first;

	if (first >= 0 && **p == '-') {
		(*p)++;
		last = take_number(p);
		if (last >= 0 && **p == ':') {
			(*p)++;
			used = take_number(p);
			if (used < 1 || **p != '/')
				return -1;
			(*p)++;
			group = take_number(p);
		}
	}
	if (first < 0 || last < first || group < 1 || used > group)
		return -1;
	for (int cpu = first; cpu <= last; cpu++)
		if ((cpu - first) % group < used)
			cpulist_add(l, cpu);
	return 0;
}

int cpulist_parse(const char *what, const char *text, struct cpulist *out, struct err *e)
{
	struct cpulist l = { 0 };
	const char *p = text;
	int bad;

	*out = l;
	if (!*p || !strcmp(p, "\n"))
		return 0;
	while (!(bad = take_range(&p, &l)) && *p == ',')
		p++;
	if (bad || (*p && strcmp(p, "\n") != 0)) {
		cpulist_free(&l);
		return err_set(e, EXIT_USAGE,
			       "%s: '%.*s' is not a list of CPUs like 0-3,8 (numbers below %d)",
			       what, (int)strcspn(text, "\n"), text, CPU_MAX);
	}
	*out = l;
	return 0;
}

char *cpulist_format(const struct cpulist *l)
{
	char *text = xstrdup("");

	for (size_t i = 0, j; i < l->n; i = j) {
		char *longer;

		for (j = i + 1; j < l->n && l->cpu[j] == l->cpu[j - 1] + 1; j++)
			;
		if (j == i + 1)
			longer = xasprintf("%s%s%d", text, i ? "," : "", l->cpu[i]);
		else
			longer = xasprintf("%s%s%d-%d", text, i ? "," : "", l->cpu[i],
					   l->cpu[j - 1]);
		free(text);
		text = longer;
	}
	return text;
}

int cpulist_allowed(struct cpulist *out, struct err *e)
{
	cpu_set_t *set = CPU_ALLOC(CPU_MAX);
	size_t size = CPU_ALLOC_SIZE(CPU_MAX);

	*out = (struct cpulist) { 0 };
	if (!set)
		return err_set(e, EXIT_MEASURE, "no memory for a CPU set");
	if (sched_getaffinity(0, size, set)) {
		CPU_FREE(set);
		return err_set(e, EXIT_MEASURE, "sched_getaffinity: %s", strerror(errno));
	}
	for (int cpu = 0; cpu < CPU_MAX; cpu++)
		if (CPU_ISSET_S(cpu, size, set))
			cpulist_add(out, cpu);
	CPU_FREE(set);
	return 0;
}
