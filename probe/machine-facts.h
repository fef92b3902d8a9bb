/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Inside machine_read(): what the readers of facts share. Each reader fills one fact; they are
 * the rows of the table in machine.c.
 */
#ifndef TRACETAX_MACHINE_FACTS_H
#define TRACETAX_MACHINE_FACTS_H

#include "probe/kconfig.h"
#include "probe/machine.h"

struct source {
	const char *root;
	char *release;         /* NULL if it cannot be read */
	char *cpuinfo;         /* /proc/cpuinfo, NULL if it cannot be read */
	struct kconfig config; /* text NULL: none */
	char *config_why;
	const char *accounting_source; /* NULL: unknown */
	char *accounting_why;
	const struct machine *m; /* the CPUs are filled in before the facts */
};

typedef void fact_reader(const struct source *s, struct fact *f);

/* Setting a fact. fact_text() takes the string over. */
void fact_text(struct fact *f, char *text);
void fact_number(struct fact *f, int64_t number);
void fact_real(struct fact *f, double real);
void fact_truth(struct fact *f, bool truth);
void fact_unknown(struct fact *f, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* From one file: its text, its number. Unknown with the file and errno if it can't be read. */
void fact_file_text(const struct source *s, struct fact *f, const char *path);
void fact_file_number(const struct source *s, struct fact *f, const char *path);

/* machine-kernel.c */
fact_reader fact_kernel, fact_kernel_version, fact_arch, fact_hostname, fact_hz;
fact_reader fact_irq_time, fact_paravirt_time, fact_yama, fact_perf;
fact_reader fact_clocksource, fact_clocksources, fact_steal_ms, fact_steal_ratio;
fact_reader fact_accounting, fact_accounting_cpus, fact_accounting_source;

/* machine-cpu.c */
fact_reader fact_cpu_model, fact_cpus_online, fact_cpus_possible, fact_sockets, fact_cores;
fact_reader fact_threads_per_core, fact_numa_nodes, fact_governor, fact_cpufreq_driver;
fact_reader fact_min_khz, fact_max_khz, fact_turbo, fact_smt, fact_isolated, fact_nohz_full;
fact_reader fact_mitigations;

/* machine-virt.c */
fact_reader fact_virtualisation, fact_container;

/* The online CPUs and their cpufreq files. */
int machine_read_cpus(const char *root, struct machine *m, struct err *e);

/* The accounting mode of each, and how it was found. */
void machine_read_accounting(struct source *s, bool experiment, struct machine *m);

/* The nohz_full list: sysfs, else the command line. 0, or -1 with why (the caller frees it). */
int read_nohz_full(const char *root, struct cpulist *out, char **why);

/*
 * The value of the first "KEY : VALUE" line of /proc/cpuinfo after *at, which moves behind it;
 * NULL when there is none. The caller frees it.
 */
char *cpuinfo_next(const char **at, const char *key);

#endif
