/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the kernel is, how it keeps time and CPU time, what it permits. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/xalloc.h"
#include "probe/machine-facts.h"
#include "probe/sysroot.h"

void fact_kernel(const struct source *s, struct fact *f)
{
	fact_file_text(s, f, "/proc/sys/kernel/osrelease");
}

void fact_kernel_version(const struct source *s, struct fact *f)
{
	fact_file_text(s, f, "/proc/sys/kernel/version");
}

void fact_hostname(const struct source *s, struct fact *f)
{
	fact_file_text(s, f, "/proc/sys/kernel/hostname");
}

/* The file is there since 6.1. */
void fact_arch(const struct source *s, struct fact *f)
{
	struct utsname u;

	fact_file_text(s, f, "/proc/sys/kernel/arch");
	if (f->kind != FACT_UNKNOWN || !sysroot_is_real(s->root) || uname(&u))
		return;
	free(f->why);
	f->why = NULL;
	fact_text(f, xstrdup(u.machine));
}

void fact_hz(const struct source *s, struct fact *f)
{
	int64_t hz, tick_ns;

	if (s->config.text && !kconfig_int(&s->config, "HZ", &hz) && hz > 0)
		return fact_number(f, hz);
	tick_ns = sysroot_is_real(s->root) ? accounting_tick_ns() : -1;
	if (tick_ns > 0)
		return fact_number(f, (1000000000 + tick_ns / 2) / tick_ns);
	fact_unknown(f, "%s",
		     s->config.text ? "no CONFIG_HZ in the kernel config" : s->config_why);
}

static void from_config(const struct source *s, struct fact *f, const char *name)
{
	if (s->config.text)
		fact_truth(f, kconfig_on(&s->config, name));
	else
		fact_unknown(f, "%s", s->config_why);
}

void fact_irq_time(const struct source *s, struct fact *f)
{
	from_config(s, f, "IRQ_TIME_ACCOUNTING");
}

void fact_paravirt_time(const struct source *s, struct fact *f)
{
	from_config(s, f, "PARAVIRT_TIME_ACCOUNTING");
}

void fact_yama(const struct source *s, struct fact *f)
{
	fact_file_number(s, f, "/proc/sys/kernel/yama/ptrace_scope");
	if (f->kind != FACT_UNKNOWN || !sysroot_exists(s->root, "/proc/sys/kernel") ||
	    sysroot_exists(s->root, "/proc/sys/kernel/yama"))
		return;
	free(f->why);
	fact_unknown(f, "no Yama in this kernel");
}

void fact_perf(const struct source *s, struct fact *f)
{
	fact_file_number(s, f, "/proc/sys/kernel/perf_event_paranoid");
}

void fact_clocksource(const struct source *s, struct fact *f)
{
	fact_file_text(s, f,
		       "/sys/devices/system/clocksource/clocksource0/current_clocksource");
}

void fact_clocksources(const struct source *s, struct fact *f)
{
	fact_file_text(s, f,
		       "/sys/devices/system/clocksource/clocksource0/available_clocksource");
	/* The kernel writes a blank behind each name. */
	if (f->kind == FACT_TEXT && f->text[0] && f->text[strlen(f->text) - 1] == ' ')
		f->text[strlen(f->text) - 1] = '\0';
}

/* The first line of /proc/stat (proc_stat(5)), in USER_HZ: guest time is in user already. */
static int read_cpu_ticks(const struct source *s, uint64_t *steal, uint64_t *all)
{
	enum { STEAL = 7, FIELDS = 8 };
	char *text = sysroot_read(s->root, "/proc/stat");
	char *at = text;
	char *end;

	*steal = *all = 0;
	if (!text)
		return -1;
	errno = EINVAL;
	if (strncmp(at, "cpu ", 4) != 0)
		goto fail;
	at += 4;
	for (int i = 0; i < FIELDS; i++, at = end) {
		uint64_t ticks = strtoull(at, &end, 10);

		if (end == at)
			goto fail;
		*all += ticks;
		if (i == STEAL)
			*steal = ticks;
	}
	free(text);
	return 0;
fail:
	free(text);
	errno = EINVAL;
	return -1;
}

void fact_steal_ms(const struct source *s, struct fact *f)
{
	uint64_t steal, all;

	if (read_cpu_ticks(s, &steal, &all))
		return fact_unknown(f, "/proc/stat: %s", strerror(errno));
	fact_number(f, (int64_t)(steal * 1000 / (uint64_t)sysconf(_SC_CLK_TCK)));
}

void fact_steal_ratio(const struct source *s, struct fact *f)
{
	uint64_t steal, all;

	if (read_cpu_ticks(s, &steal, &all))
		return fact_unknown(f, "/proc/stat: %s", strerror(errno));
	fact_real(f, all ? (double)steal / (double)all : 0);
}

static const char *mode_of(const struct machine_cpu *c)
{
	return accounting_mode_name(c->accounting);
}

void fact_accounting(const struct source *s, struct fact *f)
{
	char *modes = machine_by_cpu(s->m, mode_of, false);

	if (strchr(modes, ' '))
		fact_text(f, xstrdup("mixed"));
	else if (strcmp(modes, accounting_mode_name(ACCOUNTING_UNKNOWN)) != 0)
		fact_text(f, xstrdup(modes));
	else
		fact_unknown(f, "%s", s->accounting_why);
	free(modes);
}

void fact_accounting_cpus(const struct source *s, struct fact *f)
{
	fact_text(f, machine_by_cpu(s->m, mode_of, true));
}

void fact_accounting_source(const struct source *s, struct fact *f)
{
	if (s->accounting_source)
		fact_text(f, xstrdup(s->accounting_source));
	else
		fact_unknown(f, "%s", s->accounting_why);
}

/* The value of NAME= on the kernel command line; the caller frees it. NULL: not there. */
static char *cmdline_value(const char *cmdline, const char *name)
{
	size_t n = strlen(name);

	for (const char *at = cmdline; *at; at += strspn(at, " ")) {
		size_t word = strcspn(at, " ");

		if (word > n && !strncmp(at, name, n) && at[n] == '=')
			return strndup(at + n + 1, word - n - 1);
		at += word;
	}
	return NULL;
}

static int nohz_full_of_cmdline(const char *root, struct cpulist *out, char **why)
{
	char *cmdline = sysroot_read(root, "/proc/cmdline");
	struct err e;
	char *list;
	int rc;

	if (!cmdline) {
		*why = xasprintf("neither sysfs nor /proc/cmdline: %s", strerror(errno));
		return -1;
	}
	list = cmdline_value(cmdline, "nohz_full");
	rc = cpulist_parse("nohz_full=", list ? list : "", out, &e);
	if (rc)
		*why = xstrdup(e.text);
	free(list);
	free(cmdline);
	return rc;
}

int read_nohz_full(const char *root, struct cpulist *out, char **why)
{
	static const char path[] = "/sys/devices/system/cpu/nohz_full";
	char *text = sysroot_read(root, path);
	struct err e;
	int rc;

	memset(out, 0, sizeof(*out));
	if (!text && errno != ENOENT) {
		*why = xasprintf("%s: %s", path, strerror(errno));
		return -1;
	}
	if (!text && !sysroot_exists(root, "/sys/devices/system/cpu"))
		return nohz_full_of_cmdline(root, out, why);
	/*
	 * No file: no CONFIG_NO_HZ_FULL. "(null)": configured, no mask allocated, as nohz_full=
	 * was not given (print_cpus_nohz_full(), drivers/base/cpu.c).
	 */
	if (!text || strstr(text, "(null)")) {
		free(text);
		return 0;
	}
	rc = cpulist_parse(path, text, out, &e);
	if (rc)
		*why = xstrdup(e.text);
	free(text);
	return rc;
}

/* Measured, but how? Only these two have _NATIVE (arch/Kconfig, HAVE_VIRT_CPU_ACCOUNTING). */
static enum accounting_mode measured_here(void)
{
	struct utsname u;

	if (!uname(&u) && (!strncmp(u.machine, "s390", 4) || !strncmp(u.machine, "ppc", 3)))
		return ACCOUNTING_VIRT_NATIVE;
	return ACCOUNTING_VIRT_GEN;
}

static void by_experiment(struct source *s, struct machine *m)
{
	enum accounting_verdict *verdict = xcalloc(m->online.n, sizeof(*verdict));
	size_t found = 0;
	struct err e;

	if (accounting_try(&m->online, accounting_tick_ns(), verdict, &e)) {
		s->accounting_why = xasprintf("%s; %s", s->config_why, e.text);
		free(verdict);
		return;
	}
	for (size_t i = 0; i < m->online.n; i++) {
		if (verdict[i] == ACCOUNTING_UNDECIDED)
			continue;
		m->cpu[i].accounting =
			verdict[i] == ACCOUNTING_SAMPLED ? ACCOUNTING_TICK : measured_here();
		found++;
	}
	if (found)
		s->accounting_source = "experiment";
	else
		s->accounting_why =
			xasprintf("%s, and the experiment was undecided", s->config_why);
	free(verdict);
}

void machine_read_accounting(struct source *s, bool experiment, struct machine *m)
{
	struct accounting_config c = { .have_config = s->config.text != NULL };
	char *why = NULL;
	size_t unknown = 0;

	if (c.have_config) {
		c.native = kconfig_on(&s->config, "VIRT_CPU_ACCOUNTING_NATIVE");
		c.gen = kconfig_on(&s->config, "VIRT_CPU_ACCOUNTING_GEN");
		c.force = kconfig_on(&s->config, "CONTEXT_TRACKING_USER_FORCE") ||
			  kconfig_on(&s->config, "CONTEXT_TRACKING_FORCE");
	}
	c.have_nohz_full = !read_nohz_full(s->root, &c.nohz_full, &why);
	for (size_t i = 0; i < m->online.n; i++) {
		m->cpu[i].accounting = accounting_by_config(&c, m->cpu[i].cpu);
		unknown += m->cpu[i].accounting == ACCOUNTING_UNKNOWN;
	}
	if (!unknown)
		s->accounting_source = c.have_config ? "config and nohz_full" : "nohz_full";
	else if (experiment)
		by_experiment(s, m);
	else
		s->accounting_why = xstrdup(why ? why : s->config_why);
	cpulist_free(&c.nohz_full);
	free(why);
}
