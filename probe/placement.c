/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "probe/placement.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"

static int check_allowed(const char *option, int cpu, const struct cpulist *allowed,
			 struct err *e)
{
	char *list;

	if (cpulist_has(allowed, cpu))
		return 0;
	list = cpulist_format(allowed);
	err_set(e, EXIT_USAGE, "%s: CPU %d is offline or not allowed; allowed: %s", option, cpu,
		list);
	free(list);
	return -1;
}

/* The allowed CPU after `cpu`, the first after the last. */
static int next_cpu(int cpu, const struct cpulist *allowed)
{
	for (size_t i = 0; i < allowed->n; i++)
		if (allowed->cpu[i] > cpu)
			return allowed->cpu[i];
	return allowed->cpu[0];
}

static int explicit_place(const char *name, const struct cpulist *allowed, struct place *p,
			  struct err *e)
{
	int used = 0;

	/* Nine digits: more would not fit, and no machine has so many CPUs. */
	if (sscanf(name, "%9d:%9d%n", &p->cpu, &p->tracer_cpu, &used) != 2 || name[used] ||
	    strspn(name, "0123456789:") != strlen(name))
		return err_set(
			e, EXIT_USAGE,
			"--placements: '%s' is not same, cross, free or CHILD:TRACER as in 0:1",
			name);
	return check_allowed("--placements", p->cpu, allowed, e) ||
			       check_allowed("--placements", p->tracer_cpu, allowed, e)
		       ? -1
		       : 0;
}

static int relative_place(const char *name, int cpu, const struct cpulist *allowed,
			  struct place *p, struct err *e)
{
	p->cpu = cpu;
	p->tracer_cpu = !strcmp(name, "same") ? cpu : next_cpu(cpu, allowed);
	if (!strcmp(name, "cross") && p->tracer_cpu == cpu)
		return err_set(e, EXIT_USAGE,
			       "--placements: 'cross' needs two CPUs, only CPU %d is allowed",
			       cpu);
	return check_allowed("--cpus", cpu, allowed, e);
}

/* One place under two names would be one cell twice. */
static int check_new(const struct place *places, size_t n, const struct place *p, struct err *e)
{
	for (size_t i = 0; i < n; i++)
		if (places[i].cpu == p->cpu && places[i].tracer_cpu == p->tracer_cpu)
			return err_set(e, EXIT_USAGE,
				       "--placements: '%s' is the same place as '%s'", p->name,
				       places[i].name);
	return 0;
}

int placement_resolve(char *const *names, size_t n_names, const struct cpulist *child_cpus,
		      const struct cpulist *allowed, struct place **places, size_t *n,
		      struct err *e)
{
	int last = allowed->cpu[allowed->n - 1];
	const struct cpulist one = { &last, 1 };
	size_t capacity = 0;
	int ret = 0;

	*places = NULL;
	*n = 0;
	if (!child_cpus->n)
		child_cpus = &one;
	for (size_t i = 0; i < n_names && !ret; i++) {
		const bool relative = !strcmp(names[i], "same") || !strcmp(names[i], "cross");

		for (size_t j = 0; j < (relative ? child_cpus->n : 1) && !ret; j++) {
			struct place p = { .cpu = CPU_ANY, .tracer_cpu = CPU_ANY };

			snprintf(p.name, sizeof(p.name), "%s", names[i]);
			if (relative)
				ret = relative_place(names[i], child_cpus->cpu[j], allowed, &p,
						     e);
			else if (strcmp(names[i], "free") != 0)
				ret = explicit_place(names[i], allowed, &p, e);
			if (!ret)
				ret = check_new(*places, *n, &p, e);
			*places = xgrow(*places, *n, &capacity, sizeof(**places));
			(*places)[(*n)++] = p;
		}
	}
	if (!ret)
		return 0;
	free(*places);
	*places = NULL;
	*n = 0;
	return -1;
}
