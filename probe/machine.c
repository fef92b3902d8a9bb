/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "probe/machine.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "probe/machine-facts.h"
#include "probe/sysroot.h"

static const struct {
	const char *name;
	fact_reader *read;
} rows[FACT_N] = {
	[FACT_KERNEL] = { "kernel", fact_kernel },
	[FACT_KERNEL_VERSION] = { "kernel_version", fact_kernel_version },
	[FACT_ARCH] = { "arch", fact_arch },
	[FACT_HOSTNAME] = { "hostname", fact_hostname },
	[FACT_CPU_MODEL] = { "cpu_model", fact_cpu_model },
	[FACT_CPUS_ONLINE] = { "cpus_online", fact_cpus_online },
	[FACT_CPUS_POSSIBLE] = { "cpus_possible", fact_cpus_possible },
	[FACT_SOCKETS] = { "sockets", fact_sockets },
	[FACT_CORES] = { "cores", fact_cores },
	[FACT_THREADS_PER_CORE] = { "threads_per_core", fact_threads_per_core },
	[FACT_NUMA_NODES] = { "numa_nodes", fact_numa_nodes },
	[FACT_HZ] = { "hz", fact_hz },
	[FACT_ACCOUNTING] = { "accounting", fact_accounting },
	[FACT_ACCOUNTING_CPUS] = { "accounting_cpus", fact_accounting_cpus },
	[FACT_ACCOUNTING_SOURCE] = { "accounting_source", fact_accounting_source },
	[FACT_IRQ_TIME_ACCOUNTING] = { "irq_time_accounting", fact_irq_time },
	[FACT_PARAVIRT_TIME_ACCOUNTING] = { "paravirt_time_accounting", fact_paravirt_time },
	[FACT_CLOCKSOURCE] = { "clocksource", fact_clocksource },
	[FACT_CLOCKSOURCES] = { "clocksources", fact_clocksources },
	[FACT_VIRTUALISATION] = { "virtualisation", fact_virtualisation },
	[FACT_CONTAINER] = { "container", fact_container },
	[FACT_STEAL_MS] = { "steal_ms", fact_steal_ms },
	[FACT_STEAL_RATIO] = { "steal_ratio", fact_steal_ratio },
	[FACT_GOVERNOR] = { "governor", fact_governor },
	[FACT_CPUFREQ_DRIVER] = { "cpufreq_driver", fact_cpufreq_driver },
	[FACT_MIN_KHZ] = { "min_khz", fact_min_khz },
	[FACT_MAX_KHZ] = { "max_khz", fact_max_khz },
	[FACT_TURBO] = { "turbo", fact_turbo },
	[FACT_SMT] = { "smt", fact_smt },
	[FACT_ISOLATED] = { "isolated", fact_isolated },
	[FACT_NOHZ_FULL] = { "nohz_full", fact_nohz_full },
	[FACT_MITIGATIONS] = { "mitigations", fact_mitigations },
	[FACT_YAMA_PTRACE_SCOPE] = { "yama_ptrace_scope", fact_yama },
	[FACT_PERF_EVENT_PARANOID] = { "perf_event_paranoid", fact_perf },
};

void fact_text(struct fact *f, char *text)
{
	f->kind = FACT_TEXT;
	f->text = text;
}

void fact_number(struct fact *f, int64_t number)
{
	f->kind = FACT_NUMBER;
	f->number = number;
}

void fact_real(struct fact *f, double real)
{
	f->kind = FACT_REAL;
	f->real = real;
}

void fact_truth(struct fact *f, bool truth)
{
	f->kind = FACT_TRUTH;
	f->number = truth;
}

void fact_unknown(struct fact *f, const char *fmt, ...)
{
	char text[512];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	f->kind = FACT_UNKNOWN;
	f->why = xstrdup(text);
}

static void unknown_file(const struct source *s, struct fact *f, const char *path)
{
	int err = errno;

	if (err == ENOENT && !strncmp(path, "/sys/", 5) &&
	    !sysroot_exists(s->root, "/sys/devices"))
		fact_unknown(f, "/sys is not there");
	else
		fact_unknown(f, "%s: %s", path, strerror(err));
}

void fact_file_text(const struct source *s, struct fact *f, const char *path)
{
	char *text = sysroot_read(s->root, "%s", path);

	if (text)
		fact_text(f, text);
	else
		unknown_file(s, f, path);
}

void fact_file_number(const struct source *s, struct fact *f, const char *path)
{
	int64_t number;

	if (!sysroot_read_int(s->root, &number, "%s", path))
		fact_number(f, number);
	else
		unknown_file(s, f, path);
}

static void source_free(struct source *s)
{
	free(s->release);
	free(s->cpuinfo);
	kconfig_free(&s->config);
	free(s->config_why);
	free(s->accounting_why);
}

int machine_read(const char *root, bool experiment, struct machine *m, struct err *e)
{
	struct source s = { .root = root, .m = m };
	struct err config_err;

	memset(m, 0, sizeof(*m));
	if (!sysroot_exists(root, "/proc"))
		return err_set(e, EXIT_USAGE, "%s/proc: %s", root, strerror(errno));
	if (machine_read_cpus(root, m, e)) {
		machine_free(m);
		return -1;
	}
	s.release = sysroot_read(root, "/proc/sys/kernel/osrelease");
	s.cpuinfo = sysroot_read(root, "/proc/cpuinfo");
	if (kconfig_read(root, s.release ? s.release : "", &s.config, &config_err))
		s.config_why = xstrdup(config_err.text);
	machine_read_accounting(&s, experiment && sysroot_is_real(root), m);
	for (size_t i = 0; i < FACT_N; i++)
		rows[i].read(&s, &m->fact[i]);
	source_free(&s);
	return 0;
}

const char *machine_fact_name(enum fact_id id)
{
	return rows[id].name;
}

const char *machine_text(const struct machine *m, enum fact_id id)
{
	return m->fact[id].kind == FACT_TEXT ? m->fact[id].text : NULL;
}

int64_t machine_number(const struct machine *m, enum fact_id id, int64_t otherwise)
{
	const struct fact *f = &m->fact[id];

	return f->kind == FACT_NUMBER || f->kind == FACT_TRUTH ? f->number : otherwise;
}

enum accounting_mode machine_accounting(const struct machine *m, int cpu)
{
	for (size_t i = 0; i < m->online.n; i++)
		if (m->cpu[i].cpu == cpu)
			return m->cpu[i].accounting;
	return ACCOUNTING_UNKNOWN;
}

static const char *or_none(const char *name)
{
	return name ? name : "none";
}

char *machine_by_cpu(const struct machine *m,
		     const char *(*name_of)(const struct machine_cpu *), bool list_if_same)
{
	char *all = xstrdup("");
	size_t groups = 0;

	for (size_t i = 0; i < m->online.n; i++) {
		const char *name = or_none(name_of(&m->cpu[i]));
		struct cpulist same = { 0 };
		bool seen = false;

		for (size_t j = 0; j < m->online.n; j++) {
			if (strcmp(name, or_none(name_of(&m->cpu[j]))) != 0)
				continue;
			seen |= j < i;
			cpulist_add(&same, m->cpu[j].cpu);
		}
		if (!seen) {
			char *list = cpulist_format(&same);
			char *more =
				xasprintf("%s%s%s %s", all, groups ? "; " : "", name, list);

			free(all);
			free(list);
			all = more;
			groups++;
		}
		cpulist_free(&same);
	}
	/* The name alone is the text up to its list, which has no blank. */
	if (groups == 1 && !list_if_same)
		*strrchr(all, ' ') = '\0';
	return all;
}

static json_t *fact_value(const struct fact *f)
{
	switch (f->kind) {
	case FACT_TEXT:
		/* Bytes that are not UTF-8, in a DMI string, would give no JSON at all. */
		return json_string(f->text) ?: json_string("(not UTF-8)");
	case FACT_NUMBER:
		return json_integer(f->number);
	case FACT_REAL:
		return json_real(f->real);
	case FACT_TRUTH:
		return json_boolean(f->number);
	case FACT_UNKNOWN:
	default:
		return json_null();
	}
}

static bool same_cpufreq(const struct machine_cpu *a, const struct machine_cpu *b)
{
	return !strcmp(or_none(a->governor), or_none(b->governor)) &&
	       !strcmp(or_none(a->driver), or_none(b->driver)) && a->min_khz == b->min_khz &&
	       a->max_khz == b->max_khz;
}

static json_t *khz_or_null(int64_t khz)
{
	return khz < 0 ? json_null() : json_integer(khz);
}

static json_t *cpufreq_json(const struct machine *m)
{
	json_t *groups = json_array();

	for (size_t i = 0; i < m->online.n; i++) {
		const struct machine_cpu *c = &m->cpu[i];
		struct cpulist same = { 0 };
		bool seen = !c->driver && !c->governor && c->max_khz < 0;
		char *list;

		for (size_t j = 0; j < m->online.n; j++) {
			if (!same_cpufreq(c, &m->cpu[j]))
				continue;
			seen |= j < i;
			cpulist_add(&same, m->cpu[j].cpu);
		}
		list = cpulist_format(&same);
		if (!seen)
			json_array_append_new(
				groups, json_pack("{s:s,s:s?,s:s?,s:o,s:o}", "cpus", list,
						  "governor", c->governor, "driver", c->driver,
						  "min_khz", khz_or_null(c->min_khz), "max_khz",
						  khz_or_null(c->max_khz)));
		free(list);
		cpulist_free(&same);
	}
	return groups;
}

json_t *machine_json(const struct machine *m)
{
	json_t *o = json_object();

	for (size_t i = 0; i < FACT_N; i++) {
		const struct fact *f = &m->fact[i];
		char *why;

		json_object_set_new(o, rows[i].name, fact_value(f));
		if (f->kind != FACT_UNKNOWN)
			continue;
		why = xasprintf("%s_why", rows[i].name);
		json_object_set_new(o, why, json_string(f->why));
		free(why);
	}
	json_object_set_new(o, "cpufreq", cpufreq_json(m));
	return o;
}

void machine_free(struct machine *m)
{
	for (size_t i = 0; i < FACT_N; i++) {
		free(m->fact[i].text);
		free(m->fact[i].why);
	}
	for (size_t i = 0; i < m->online.n; i++) {
		free(m->cpu[i].governor);
		free(m->cpu[i].driver);
	}
	free(m->cpu);
	cpulist_free(&m->online);
	memset(m, 0, sizeof(*m));
}
