/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The CPUs: model, topology, frequency, isolation, mitigations. */
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/parse.h"
#include "base/xalloc.h"
#include "probe/machine-facts.h"
#include "probe/sysroot.h"

#define CPU_DIR "/sys/devices/system/cpu"

/* The "cpuN" lines of /proc/stat: the online CPUs (proc_stat(5)). */
static int online_of_stat(const char *root, struct cpulist *out)
{
	char *text = sysroot_read(root, "/proc/stat");

	for (const char *at = text; at; at = strchr(at, '\n')) {
		int cpu;

		at += *at == '\n';
		/* "cpu " with a blank is the sum of all. */
		if (strncmp(at, "cpu", 3) != 0 || !isdigit((unsigned char)at[3]))
			continue;
		if (sscanf(at + 3, "%d", &cpu) == 1 && cpu < CPU_MAX)
			cpulist_add(out, cpu);
	}
	free(text);
	return out->n ? 0 : -1;
}

static int read_online(const char *root, struct cpulist *out, struct err *e)
{
	char *text = sysroot_read(root, CPU_DIR "/online");
	int rc = text ? cpulist_parse(CPU_DIR "/online", text, out, NULL) : -1;

	free(text);
	if ((rc || !out->n) && online_of_stat(root, out))
		return err_set(e, EXIT_MEASURE,
			       "no CPU in %s" CPU_DIR "/online nor in %s/proc/stat", root,
			       root);
	return 0;
}

int machine_read_cpus(const char *root, struct machine *m, struct err *e)
{
	if (read_online(root, &m->online, e))
		return -1;
	m->cpu = xcalloc(m->online.n, sizeof(*m->cpu));
	for (size_t i = 0; i < m->online.n; i++) {
		struct machine_cpu *c = &m->cpu[i];
		int cpu = m->online.cpu[i];

		c->cpu = cpu;
		c->min_khz = c->max_khz = -1;
		c->governor =
			sysroot_read(root, CPU_DIR "/cpu%d/cpufreq/scaling_governor", cpu);
		c->driver = sysroot_read(root, CPU_DIR "/cpu%d/cpufreq/scaling_driver", cpu);
		sysroot_read_int(root, &c->min_khz, CPU_DIR "/cpu%d/cpufreq/scaling_min_freq",
				 cpu);
		sysroot_read_int(root, &c->max_khz, CPU_DIR "/cpu%d/cpufreq/scaling_max_freq",
				 cpu);
	}
	return 0;
}

char *cpuinfo_next(const char **at, const char *key)
{
	size_t n = strlen(key);

	while (*at && **at) {
		const char *line = *at;
		size_t length = strcspn(line, "\n");
		const char *colon = memchr(line, ':', length);

		*at = line + length + (line[length] == '\n');
		if (!colon || strncmp(line, key, n) != 0 ||
		    line + n + strspn(line + n, " \t") != colon)
			continue;
		colon++;
		colon += strspn(colon, " \t");
		return strndup(colon, (size_t)(line + length - colon));
	}
	return NULL;
}

/* Is `one` a whole item of a list joined by " + "? */
static bool has_item(const char *list, const char *one)
{
	size_t n = strlen(one);

	for (const char *at = list; at; at = strstr(at, " + ")) {
		at += at == list ? 0 : 3;
		if (!strncmp(at, one, n) && (!at[n] || !strncmp(at + n, " + ", 3)))
			return true;
	}
	return false;
}

/* Append to a list joined by " + " unless it is in it. Takes both over. */
static char *join_once(char *list, char *one)
{
	char *both;

	if (!list)
		return one;
	if (has_item(list, one)) {
		free(one);
		return list;
	}
	both = xasprintf("%s + %s", list, one);
	free(list);
	free(one);
	return both;
}

/* arm64 gives numbers only (arch/arm64/kernel/cpuinfo.c). */
static char *arm_models(const char *cpuinfo)
{
	const char *at = cpuinfo;
	char *models = NULL;
	char *maker;

	while ((maker = cpuinfo_next(&at, "CPU implementer"))) {
		char *part = cpuinfo_next(&at, "CPU part");

		models = join_once(models,
				   xasprintf("ARM %s part %s", maker, part ? part : "unknown"));
		free(maker);
		free(part);
	}
	return models;
}

void fact_cpu_model(const struct source *s, struct fact *f)
{
	/* x86 and loongarch; mips; powerpc; riscv; s390 */
	static const char *const key[] = { "model name", "Model Name", "cpu model",
					   "cpu",        "uarch",      "processor 0" };
	char *models = NULL;

	if (!s->cpuinfo)
		return fact_unknown(f, "/proc/cpuinfo cannot be read");
	for (size_t i = 0; !models && i < sizeof(key) / sizeof(key[0]); i++) {
		const char *at = s->cpuinfo;
		char *one;

		while ((one = cpuinfo_next(&at, key[i])))
			models = join_once(models, one);
	}
	if (!models)
		models = arm_models(s->cpuinfo);
	if (models)
		fact_text(f, models);
	else
		fact_unknown(f, "/proc/cpuinfo names no model");
}

void fact_cpus_online(const struct source *s, struct fact *f)
{
	fact_text(f, cpulist_format(&s->m->online));
}

void fact_cpus_possible(const struct source *s, struct fact *f)
{
	fact_file_text(s, f, CPU_DIR "/possible");
}

/*
 * One file of a CPU's topology directory: a list of CPUs that share something. Counts the
 * groups, by their first member, and the size of the largest.
 */
static int count_groups(const struct source *s, const char *file, int64_t *groups,
			int64_t *largest)
{
	*groups = *largest = 0;
	for (size_t i = 0; i < s->m->online.n; i++) {
		int cpu = s->m->online.cpu[i];
		char *text = sysroot_read(s->root, CPU_DIR "/cpu%d/topology/%s", cpu, file);
		struct cpulist l = { 0 };

		if (!text || cpulist_parse(file, text, &l, NULL) || !l.n) {
			free(text);
			cpulist_free(&l);
			return -1;
		}
		*groups += l.cpu[0] == cpu;
		if ((int64_t)l.n > *largest)
			*largest = (int64_t)l.n;
		cpulist_free(&l);
		free(text);
	}
	return 0;
}

static void unknown_topology(struct fact *f)
{
	fact_unknown(f, "no CPU topology in sysfs");
}

/* core_siblings_list is the older name of package_cpus_list and still there. */
void fact_sockets(const struct source *s, struct fact *f)
{
	int64_t groups, largest;

	if (count_groups(s, "core_siblings_list", &groups, &largest))
		return unknown_topology(f);
	fact_number(f, groups);
}

void fact_cores(const struct source *s, struct fact *f)
{
	int64_t groups, largest;

	if (count_groups(s, "thread_siblings_list", &groups, &largest))
		return unknown_topology(f);
	fact_number(f, groups);
}

void fact_threads_per_core(const struct source *s, struct fact *f)
{
	int64_t groups, largest;

	if (count_groups(s, "thread_siblings_list", &groups, &largest))
		return unknown_topology(f);
	fact_number(f, largest);
}

void fact_numa_nodes(const struct source *s, struct fact *f)
{
	char *text = sysroot_read(s->root, "/sys/devices/system/node/online");
	struct cpulist l = { 0 };

	if (!text || cpulist_parse("node/online", text, &l, NULL))
		fact_unknown(f, "no NUMA nodes in sysfs");
	else
		fact_number(f, (int64_t)l.n);
	cpulist_free(&l);
	free(text);
}

static const char *governor_of(const struct machine_cpu *c)
{
	return c->governor;
}

static const char *driver_of(const struct machine_cpu *c)
{
	return c->driver;
}

static void no_cpufreq(const struct source *s, struct fact *f)
{
	if (!sysroot_exists(s->root, CPU_DIR))
		fact_unknown(f, "/sys is not there");
	else
		fact_unknown(f, "no cpufreq driver");
}

static void cpufreq_fact(const struct source *s, struct fact *f,
			 const char *(*name_of)(const struct machine_cpu *))
{
	for (size_t i = 0; i < s->m->online.n; i++)
		if (name_of(&s->m->cpu[i]))
			return fact_text(f, machine_by_cpu(s->m, name_of, false));
	no_cpufreq(s, f);
}

void fact_governor(const struct source *s, struct fact *f)
{
	cpufreq_fact(s, f, governor_of);
}

void fact_cpufreq_driver(const struct source *s, struct fact *f)
{
	cpufreq_fact(s, f, driver_of);
}

void fact_min_khz(const struct source *s, struct fact *f)
{
	int64_t khz = -1;

	for (size_t i = 0; i < s->m->online.n; i++) {
		int64_t one = s->m->cpu[i].min_khz;

		if (one >= 0 && (khz < 0 || one < khz))
			khz = one;
	}
	if (khz < 0)
		return no_cpufreq(s, f);
	fact_number(f, khz);
}

void fact_max_khz(const struct source *s, struct fact *f)
{
	int64_t khz = -1;

	for (size_t i = 0; i < s->m->online.n; i++)
		if (s->m->cpu[i].max_khz > khz)
			khz = s->m->cpu[i].max_khz;
	if (khz < 0)
		return no_cpufreq(s, f);
	fact_number(f, khz);
}

/* Documentation/admin-guide/pm/intel_pstate.rst and cpufreq.rst. */
void fact_turbo(const struct source *s, struct fact *f)
{
	int64_t v;

	if (!sysroot_read_int(s->root, &v, CPU_DIR "/intel_pstate/no_turbo"))
		return fact_truth(f, !v);
	if (!sysroot_read_int(s->root, &v, CPU_DIR "/cpufreq/boost"))
		return fact_truth(f, v);
	fact_unknown(f, "neither intel_pstate/no_turbo nor cpufreq/boost");
}

void fact_smt(const struct source *s, struct fact *f)
{
	fact_file_text(s, f, CPU_DIR "/smt/control");
}

void fact_isolated(const struct source *s, struct fact *f)
{
	fact_file_text(s, f, CPU_DIR "/isolated");
}

void fact_nohz_full(const struct source *s, struct fact *f)
{
	struct cpulist l;
	char *why = NULL;

	if (read_nohz_full(s->root, &l, &why))
		fact_unknown(f, "%s", why);
	else
		fact_text(f, cpulist_format(&l));
	cpulist_free(&l);
	free(why);
}

static int not_hidden(const struct dirent *d)
{
	return d->d_name[0] != '.';
}

/* "Mitigation: Retpolines; …" is shorter and as clear without the first word. */
static char *add_mitigation(char *all, const char *name, const char *text)
{
	static const char head[] = "Mitigation: ";
	char *more;

	if (!strcmp(text, "Not affected"))
		return all;
	if (!strncmp(text, head, sizeof(head) - 1))
		text += sizeof(head) - 1;
	more = xasprintf("%s%s%s: %s", all, *all ? " | " : "", name, text);
	free(all);
	return more;
}

void fact_mitigations(const struct source *s, struct fact *f)
{
	char *dir = sysroot_path(s->root, CPU_DIR "/vulnerabilities");
	struct dirent **entry;
	int n = scandir(dir, &entry, not_hidden, alphasort);
	char *all = xstrdup("");

	free(dir);
	if (n < 0) {
		free(all);
		return fact_unknown(f, "no " CPU_DIR "/vulnerabilities");
	}
	for (int i = 0; i < n; i++) {
		char *text =
			sysroot_read(s->root, CPU_DIR "/vulnerabilities/%s", entry[i]->d_name);

		if (text)
			all = add_mitigation(all, entry[i]->d_name, text);
		free(text);
		free(entry[i]);
	}
	free(entry);
	fact_text(f, all);
}
