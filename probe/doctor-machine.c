/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The checks on the kernel, its clocks and the CPUs. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "probe/doctor-rows.h"
#include "probe/sysroot.h"

void check_kernel(const struct patient *p, struct doctor_line *l)
{
	const char *kernel = machine_text(p->m, FACT_KERNEL);
	const char *arch = machine_text(p->m, FACT_ARCH);
	const char *model = machine_text(p->m, FACT_CPU_MODEL);

	if (!kernel)
		return line_unknown(l, p, FACT_KERNEL,
				    "Results say little without the kernel they belong to.");
	line_set(l, DOCTOR_OK, "%s %s, CPUs %s, %s", kernel, arch ? arch : "(unknown arch)",
		 machine_text(p->m, FACT_CPUS_ONLINE), model ? model : "unknown model");
}

/* The first CPU of each mode that the configuration claims and that we may run on. */
static void pick_one_of_each(const struct machine *m, struct cpulist *out)
{
	bool done[ACCOUNTING_VIRT_NATIVE + 1] = { [ACCOUNTING_UNKNOWN] = true };
	struct cpulist allowed;

	if (cpulist_allowed(&allowed, NULL))
		return;
	for (size_t i = 0; i < m->online.n; i++) {
		if (done[m->cpu[i].accounting] || !cpulist_has(&allowed, m->cpu[i].cpu))
			continue;
		done[m->cpu[i].accounting] = true;
		cpulist_add(out, m->cpu[i].cpu);
	}
	cpulist_free(&allowed);
}

static bool agrees(enum accounting_mode mode, enum accounting_verdict verdict)
{
	return (mode == ACCOUNTING_TICK) == (verdict == ACCOUNTING_SAMPLED);
}

/* What the experiment says of the claimed modes; false when it contradicts one. */
static bool confirm(const struct machine *m, char **said)
{
	struct cpulist cpus = { 0 };
	enum accounting_verdict verdict[ACCOUNTING_VIRT_NATIVE + 1] = { 0 };
	bool fits = true, decided = true;
	char *list;

	pick_one_of_each(m, &cpus);
	if (!cpus.n || accounting_try(&cpus, accounting_tick_ns(), verdict, NULL)) {
		*said = xstrdup("no experiment possible");
		cpulist_free(&cpus);
		return true;
	}
	for (size_t i = 0; i < cpus.n; i++) {
		if (verdict[i] == ACCOUNTING_UNDECIDED)
			decided = false;
		else
			fits &= agrees(machine_accounting(m, cpus.cpu[i]), verdict[i]);
	}
	list = cpulist_format(&cpus);
	*said = xasprintf("experiment on CPU %s %s", list,
			  !fits     ? "contradicts"
			  : decided ? "agrees"
				    : "undecided");
	free(list);
	cpulist_free(&cpus);
	return fits;
}

void check_accounting(const struct patient *p, struct doctor_line *l)
{
	const char *cpus = machine_text(p->m, FACT_ACCOUNTING_CPUS);
	const char *source = machine_text(p->m, FACT_ACCOUNTING_SOURCE);
	char *said = NULL;
	bool fits = true;

	if (!machine_text(p->m, FACT_ACCOUNTING))
		return line_unknown(l, p, FACT_ACCOUNTING,
				    "Whether user and system time are sampled or measured "
				    "decides what they are worth.");
	if (!p->real)
		said = xstrdup("cannot be tried there");
	else if (source && strcmp(source, "experiment") != 0)
		fits = confirm(p->m, &said);
	line_set(l, fits ? DOCTOR_OK : DOCTOR_WARNING, "%s (%s%s%s)", cpus,
		 source ? source : "source unknown", said ? "; " : "", said ? said : "");
	if (!fits)
		line_why(l, "The split of CPU time is not what the kernel config promises.",
			 NULL);
	free(said);
}

void check_hz(const struct patient *p, struct doctor_line *l)
{
	int64_t hz = machine_number(p->m, FACT_HZ, 0);
	int64_t tick_ns = p->real ? accounting_tick_ns() : -1;

	if (hz <= 0)
		return line_unknown(l, p, FACT_HZ,
				    "The error of sampled times depends on the tick.");
	line_set(l, DOCTOR_OK, "%" PRId64 ", a tick is %.3g ms", hz, 1e3 / (double)hz);
	if (tick_ns <= 0 || (1000000000 + tick_ns / 2) / tick_ns == hz)
		return;
	line_set(l, DOCTOR_WARNING, "%" PRId64 " says the config, %" PRId64 " the clock", hz,
		 (1000000000 + tick_ns / 2) / tick_ns);
	line_why(l, "The kernel config that was found is not that of the running kernel.",
		 NULL);
}

static bool has_word(const char *words, const char *word)
{
	size_t n = strlen(word);

	for (const char *at = words; at && *at; at += strcspn(at, " "), at += strspn(at, " "))
		if (!strncmp(at, word, n) && (at[n] == ' ' || !at[n]))
			return true;
	return false;
}

void check_clocksource(const struct patient *p, struct doctor_line *l)
{
	static const char set_tsc[] =
		"echo tsc > /sys/devices/system/clocksource/clocksource0/current_clocksource";
	const char *now = machine_text(p->m, FACT_CLOCKSOURCE);
	const char *all = machine_text(p->m, FACT_CLOCKSOURCES);
	const char *arch = machine_text(p->m, FACT_ARCH);
	char *mend = NULL;

	if (!now)
		return line_unknown(l, p, FACT_CLOCKSOURCE,
				    "A slow clock makes every window of user time longer.");
	line_set(l, DOCTOR_OK, "%s", now);
	if (!arch || (strcmp(arch, "x86_64") != 0 && strcmp(arch, "i686") != 0) ||
	    !strcmp(now, "tsc"))
		return;
	line_set(l, DOCTOR_WARNING, "%s, available: %s", now, all ? all : "unknown");
	if (has_word(all, "tsc"))
		mend = host_command(p, set_tsc);
	line_why(l,
		 mend ? "Reading the time costs more than with tsc, in the kernel too."
		      : "The kernel does not offer tsc: windows clocked with it may be wrong.",
		 mend);
	free(mend);
}

void check_virtualisation(const struct patient *p, struct doctor_line *l)
{
	const struct fact *steal = &p->m->fact[FACT_STEAL_RATIO];
	const char *name = machine_text(p->m, FACT_VIRTUALISATION);
	char *stolen =
		steal->kind == FACT_REAL
			? xasprintf("%.2f %% of CPU time stolen since boot", steal->real * 100)
			: xstrdup("steal unknown");

	if (!name) {
		line_unknown(l, p, FACT_VIRTUALISATION,
			     "A hypervisor can take the CPU away and delay ticks.");
	} else if (!strcmp(name, "none")) {
		line_set(l, DOCTOR_OK, "none");
	} else {
		line_set(l, DOCTOR_WARNING, "%s, %s", name, stolen);
		line_why(l,
			 "A hypervisor can take the CPU away and delay ticks: compare with "
			 "bare metal.",
			 NULL);
	}
	free(stolen);
}

/* "800 MHz to 4.7 GHz" in kHz would be hard to read. */
static char *range(const struct machine *m)
{
	int64_t min = machine_number(m, FACT_MIN_KHZ, -1);
	int64_t max = machine_number(m, FACT_MAX_KHZ, -1);

	if (min < 0 || max < 0)
		return xstrdup("range unknown");
	return xasprintf("%.2f to %.2f GHz", (double)min / 1e6, (double)max / 1e6);
}

static bool every_cpu_offers(const struct patient *p, const char *governor)
{
	for (size_t i = 0; i < p->m->online.n; i++) {
		char *all = sysroot_read(
			p->root,
			"/sys/devices/system/cpu/cpu%d/cpufreq/scaling_available_governors",
			p->m->online.cpu[i]);
		bool has = has_word(all, governor);

		free(all);
		if (!has)
			return false;
	}
	return true;
}

void check_governor(const struct patient *p, struct doctor_line *l)
{
	const char *governor = machine_text(p->m, FACT_GOVERNOR);
	const char *driver = machine_text(p->m, FACT_CPUFREQ_DRIVER);
	const char *virt = machine_text(p->m, FACT_VIRTUALISATION);
	char *khz = range(p->m);
	char *mend = NULL;

	if (!governor) {
		bool guest = virt && strcmp(virt, "none") != 0;

		line_set(l, DOCTOR_MISSING, "none: %s%s", p->m->fact[FACT_GOVERNOR].why,
			 guest ? " (a virtual machine)" : "");
		line_why(l, "The CPU frequency can neither be read nor be set here.", NULL);
	} else {
		line_set(l, DOCTOR_OK, "%s, driver %s, %s", governor,
			 driver ? driver : "unknown", khz);
		if (strcmp(governor, "performance") != 0) {
			l->state = DOCTOR_WARNING;
			if (every_cpu_offers(p, "performance"))
				mend = host_command(p, "cpupower frequency-set -g performance");
			line_why(
				l,
				"The frequency follows the load, and tracing changes the load.",
				mend);
		}
	}
	free(mend);
	free(khz);
}

void check_turbo(const struct patient *p, struct doctor_line *l)
{
	static const char intel[] = "/sys/devices/system/cpu/intel_pstate/no_turbo";
	static const char boost[] = "/sys/devices/system/cpu/cpufreq/boost";
	bool is_intel = sysroot_exists(p->root, intel);
	char *command, *mend;

	if (p->m->fact[FACT_TURBO].kind != FACT_TRUTH) {
		line_set(l, DOCTOR_MISSING, "unknown: %s", p->m->fact[FACT_TURBO].why);
		line_why(l,
			 "If the CPU has turbo, it can be neither seen nor switched off here.",
			 NULL);
		return;
	}
	if (!machine_number(p->m, FACT_TURBO, 0))
		return line_set(l, DOCTOR_OK, "off");
	line_set(l, DOCTOR_WARNING, "on");
	command = xasprintf("echo %d > %s", is_intel, is_intel ? intel : boost);
	mend = host_command(p, command);
	line_why(l, "The frequency depends on heat and on what the other cores do.", mend);
	free(command);
	free(mend);
}

void check_smt(const struct patient *p, struct doctor_line *l)
{
	const char *control = machine_text(p->m, FACT_SMT);
	int64_t threads = machine_number(p->m, FACT_THREADS_PER_CORE, 0);
	bool on = threads > 1 || (!threads && control && !strcmp(control, "on"));
	bool switchable = control && !strcmp(control, "on");
	char *mend;

	if (!control && !threads)
		return line_unknown(l, p, FACT_SMT,
				    "A busy sibling slows a core down, and is not seen here.");
	if (!on)
		return line_set(l, DOCTOR_OK, "%s", control ? control : "one thread a core");
	line_set(l, DOCTOR_WARNING, "on, %" PRId64 " threads a core", threads ? threads : 2);
	mend = switchable ? host_command(p, "echo off > /sys/devices/system/cpu/smt/control")
			  : NULL;
	line_why(l, "What runs on the sibling slows the measured core down.", mend);
	free(mend);
}

void check_isolation(const struct patient *p, struct doctor_line *l)
{
	const char *isolated = machine_text(p->m, FACT_ISOLATED);
	const char *nohz = machine_text(p->m, FACT_NOHZ_FULL);

	if (!isolated)
		return line_unknown(l, p, FACT_ISOLATED,
				    "Other tasks on the measured CPU disturb each run.");
	if (*isolated)
		return line_set(l, DOCTOR_OK, "isolated CPUs %s, nohz_full %s", isolated,
				!nohz   ? "unknown"
				: *nohz ? nohz
					: "none");
	line_set(l, DOCTOR_WARNING, "no isolated CPU, nohz_full %s",
		 !nohz   ? "unknown"
		 : *nohz ? nohz
			 : "none");
	if (p->m->online.n < 2)
		line_why(l, "Other tasks run on the only CPU, so every run is disturbed.",
			 NULL);
	else
		line_why(l,
			 "Other tasks may run on the measured CPU; boot with isolcpus= to keep "
			 "them off.",
			 NULL);
}
