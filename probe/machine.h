/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the tool knows of the machine, as named facts. Each is text, a number or a truth, or
 * unknown with the reason. Nothing comes from the machine we run on when `root` is a fixture:
 * no uname(2), no clock, no experiment.
 */
#ifndef TRACETAX_MACHINE_H
#define TRACETAX_MACHINE_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/cpulist.h"
#include "base/err.h"
#include "probe/accounting.h"

enum fact_id {
	FACT_KERNEL,                   /* /proc/sys/kernel/osrelease */
	FACT_KERNEL_VERSION,           /* /proc/sys/kernel/version */
	FACT_ARCH,                     /* /proc/sys/kernel/arch (6.1), else uname(2) */
	FACT_HOSTNAME,                 /* /proc/sys/kernel/hostname */
	FACT_CPU_MODEL,                /* /proc/cpuinfo, distinct models joined by " + " */
	FACT_CPUS_ONLINE,              /* "0-3" */
	FACT_CPUS_POSSIBLE,            /* "0-7" */
	FACT_SOCKETS,                  /* a number */
	FACT_CORES,                    /* of all sockets */
	FACT_THREADS_PER_CORE,         /* the most of any core */
	FACT_NUMA_NODES,               /* online */
	FACT_HZ,                       /* a number */
	FACT_ACCOUNTING,               /* accounting_mode_name() of all CPUs, or "mixed" */
	FACT_ACCOUNTING_CPUS,          /* "tick 0-1; virt-gen 2-7" */
	FACT_ACCOUNTING_SOURCE,        /* "config and nohz_full", "nohz_full", "experiment" */
	FACT_IRQ_TIME_ACCOUNTING,      /* true, false */
	FACT_PARAVIRT_TIME_ACCOUNTING, /* true, false */
	FACT_CLOCKSOURCE,              /* "tsc" */
	FACT_CLOCKSOURCES,             /* all available, blanks between */
	FACT_VIRTUALISATION,           /* "none", "kvm", "unknown hypervisor" */
	FACT_CONTAINER,                /* "none", "docker" */
	FACT_STEAL_MS,                 /* CPU time stolen since boot, all CPUs */
	FACT_STEAL_RATIO,              /* of all CPU time since boot, 0 to 1 */
	FACT_GOVERNOR,                 /* "performance", or by CPU if they differ */
	FACT_CPUFREQ_DRIVER,           /* the same */
	FACT_MIN_KHZ,                  /* lowest scaling_min_freq of any CPU */
	FACT_MAX_KHZ,                  /* highest scaling_max_freq */
	FACT_TURBO,                    /* true, false */
	FACT_SMT,         /* smt/control: "on", "off", "forceoff", "notsupported", … */
	FACT_ISOLATED,    /* CPU list, perhaps empty */
	FACT_NOHZ_FULL,   /* CPU list, perhaps empty */
	FACT_MITIGATIONS, /* "meltdown: PTI | spectre_v2: Retpolines", what is "Not affected"
			     left out */
	FACT_YAMA_PTRACE_SCOPE,   /* 0 to 3 */
	FACT_PERF_EVENT_PARANOID, /* -1 to 4 */
	FACT_N,
};

enum fact_kind { FACT_UNKNOWN, FACT_TEXT, FACT_NUMBER, FACT_REAL, FACT_TRUTH };

struct fact {
	enum fact_kind kind;
	char *text;     /* FACT_TEXT */
	int64_t number; /* FACT_NUMBER; FACT_TRUTH: 0 or 1 */
	double real;    /* FACT_REAL */
	char *why;      /* FACT_UNKNOWN: one clause, no full stop */
};

/* One online CPU. The frequencies are -1 and the strings NULL when cpufreq does not say. */
struct machine_cpu {
	int cpu;
	enum accounting_mode accounting;
	char *governor;
	char *driver;
	int64_t min_khz;
	int64_t max_khz;
};

struct machine {
	struct fact fact[FACT_N];
	struct cpulist online;
	struct machine_cpu *cpu; /* online.n of them, in the order of `online` */
};

/*
 * Read everything. With `experiment`, on the real root, the accounting mode of CPUs that the
 * configuration leaves open is found by accounting_try(): a third of a second at HZ=250.
 * Fails only when `root` holds no /proc (EXIT_USAGE) or names no CPU (EXIT_MEASURE); `m` is
 * then empty. Release with machine_free().
 */
int machine_read(const char *root, bool experiment, struct machine *m, struct err *e);

/*
 * The facts by their JSON names: those of the enum in lower case without FACT_. An unknown
 * one is null and has a sibling NAME_why. Also "cpufreq": one object for each group of CPUs
 * with the same governor, driver and range. A new reference: json_decref().
 */
json_t *machine_json(const struct machine *m);

/* The name in the JSON: "kernel_version". */
const char *machine_fact_name(enum fact_id id);

/* The text of a fact, NULL if it is unknown or no text. Owned by the machine. */
const char *machine_text(const struct machine *m, enum fact_id id);

/* The number or truth of a fact, or `otherwise`. */
int64_t machine_number(const struct machine *m, enum fact_id id, int64_t otherwise);

/* Of an online CPU; else ACCOUNTING_UNKNOWN. */
enum accounting_mode machine_accounting(const struct machine *m, int cpu);

/*
 * CPUs grouped by what `name_of` says of each: "performance" when all agree, else
 * "performance 0-3; powersave 4-7". NULL from name_of reads "none". The caller frees it.
 */
char *machine_by_cpu(const struct machine *m,
		     const char *(*name_of)(const struct machine_cpu *), bool list_if_same);

void machine_free(struct machine *m);

#endif
