/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What doctor says of other machines, and of this one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka.h wants the four above. */
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "probe/doctor.h"

#define FIXTURES "tests/fixtures/machines/"

/* One line as it has to be. */
struct expected {
	const char *name;
	enum doctor_state state;
	const char *value;
	const char *mend; /* NULL: none */
};

static void examine(const char *machine, struct machine *m, struct doctor_report *r)
{
	char *root = xasprintf(FIXTURES "%s", machine);
	struct err e;

	if (machine_read(root, false, m, &e))
		fail_msg("%s", e.text);
	doctor_run(root, m, r);
	free(root);
}

static void assert_line(const struct doctor_report *r, const struct expected *x)
{
	const struct doctor_line *l = doctor_find(r, x->name);

	assert_non_null(l);
	if (l->state != x->state || strcmp(l->value, x->value) != 0)
		fail_msg("%s: %s '%s', not %s '%s'", x->name, doctor_state_name(l->state),
			 l->value, doctor_state_name(x->state), x->value);
	if (strcmp(l->mend ? l->mend : "", x->mend ? x->mend : "") != 0)
		fail_msg("%s is mended by '%s', not '%s'", x->name, l->mend ? l->mend : "",
			 x->mend ? x->mend : "");
}

/* Nothing ok has a reason, everything else has one; all of it fits 100 columns. */
static void assert_sane(const struct doctor_report *r)
{
	for (size_t i = 0; i < r->n; i++) {
		const struct doctor_line *l = &r->line[i];

		assert_non_null(l->value);
		assert_int_equal(l->state != DOCTOR_OK, l->why != NULL);
		if (l->mend)
			assert_non_null(l->why);
		/* The first line names the kernel and the CPU: as long as these are. */
		assert_in_range(strlen(l->value), 1, i ? 77 : 90);
		if (l->why)
			assert_in_range(strlen(l->why), 1, 96);
	}
}

static void assert_lines(const char *machine, const struct expected *x, size_t n)
{
	struct doctor_report r;
	struct machine m;

	examine(machine, &m, &r);
	for (size_t i = 0; i < n; i++)
		assert_line(&r, &x[i]);
	assert_sane(&r);
	doctor_free(&r);
	machine_free(&m);
}

#define ASSERT_LINES(machine, x) assert_lines(machine, x, sizeof(x) / sizeof((x)[0]))

static const char yama_off[] = "sysctl kernel.yama.ptrace_scope=0";
static const char yama_find[] = "grep -r ptrace_scope /etc/sysctl.* /usr/lib/sysctl.d";

static void test_laptop(void **state)
{
	static const struct expected x[] = {
		{ "kernel", DOCTOR_OK,
		  "6.1.0-28-amd64 x86_64, CPUs 0-3, AMD Ryzen 3 3200U with Radeon Vega Mobile "
		  "Gfx",
		  NULL },
		{ "accounting", DOCTOR_OK,
		  "tick 0-3 (config and nohz_full; cannot be tried there)", NULL },
		{ "hz", DOCTOR_OK, "250, a tick is 4 ms", NULL },
		{ "clocksource", DOCTOR_OK, "tsc", NULL },
		{ "virtualisation", DOCTOR_OK, "none", NULL },
		{ "governor", DOCTOR_WARNING,
		  "powersave, driver acpi-cpufreq, 1.40 to 2.60 GHz",
		  "cpupower frequency-set -g performance" },
		{ "turbo", DOCTOR_WARNING, "on",
		  "echo 0 > /sys/devices/system/cpu/cpufreq/boost" },
		{ "smt", DOCTOR_WARNING, "on, 2 threads a core",
		  "echo off > /sys/devices/system/cpu/smt/control" },
		{ "isolation", DOCTOR_WARNING, "no isolated CPU, nohz_full none", NULL },
		{ "ptrace", DOCTOR_OK, "nothing seen that forbids it; cannot be tried there",
		  NULL },
		{ "yama", DOCTOR_WARNING, "scope 1: only descendants may be traced", yama_off },
		{ "seccomp", DOCTOR_OK, "no filter", NULL },
		{ "container", DOCTOR_OK, "none", NULL },
		{ "cap_sys_ptrace", DOCTOR_WARNING, "not there", "sudo tracetax doctor" },
		{ "cap_dac_read_search", DOCTOR_WARNING, "not there", "sudo tracetax doctor" },
		{ "perf", DOCTOR_WARNING, "paranoid 3", "sysctl kernel.perf_event_paranoid=1" },
		{ "schedstat", DOCTOR_OK, "/proc/PID/schedstat gives the exact run time",
		  NULL },
		{ "randomisation", DOCTOR_OK, "cannot be tried there", NULL },
	};

	(void)state;
	ASSERT_LINES("laptop", x);
}

static void test_nohz_server(void **state)
{
	static const struct expected x[] = {
		{ "accounting", DOCTOR_OK,
		  "tick 0-1; virt-gen 2-7 (config and nohz_full; cannot be tried there)",
		  NULL },
		{ "governor", DOCTOR_OK, "performance, driver intel_pstate, 0.80 to 3.00 GHz",
		  NULL },
		{ "turbo", DOCTOR_OK, "off", NULL },
		{ "smt", DOCTOR_OK, "off", NULL },
		{ "isolation", DOCTOR_OK, "isolated CPUs 2-7, nohz_full 2-7", NULL },
		{ "cap_sys_ptrace", DOCTOR_OK, "there", NULL },
		{ "cap_perfmon", DOCTOR_OK, "there", NULL },
		{ "perf", DOCTOR_OK, "paranoid 2, overruled by capability", NULL },
	};

	(void)state;
	ASSERT_LINES("nohz-server", x);
}

static void test_arm64(void **state)
{
	static const struct expected x[] = {
		{ "clocksource", DOCTOR_OK, "arch_sys_counter", NULL },
		{ "governor", DOCTOR_WARNING,
		  "schedutil 0-1; performance 2-3, driver cpufreq-dt, 0.41 to 2.20 GHz",
		  "cpupower frequency-set -g performance" },
		{ "turbo", DOCTOR_MISSING,
		  "unknown: neither intel_pstate/no_turbo nor cpufreq/boost", NULL },
		{ "smt", DOCTOR_OK, "one thread a core", NULL },
		{ "perf", DOCTOR_OK, "paranoid 1", NULL },
	};

	(void)state;
	ASSERT_LINES("arm64-board", x);
}

static void test_container(void **state)
{
	static const struct expected x[] = {
		{ "accounting", DOCTOR_MISSING,
		  "unknown: no kernel config in /proc/config.gz, /boot or /lib/modules", NULL },
		{ "virtualisation", DOCTOR_WARNING,
		  "unknown hypervisor, 4.80 % of CPU time stolen since boot", NULL },
		{ "governor", DOCTOR_MISSING, "none: /sys is not there (a virtual machine)",
		  NULL },
		{ "ptrace", DOCTOR_WARNING,
		  "nothing seen that forbids it; cannot be tried there",
		  "docker run --cap-add=SYS_PTRACE IMAGE" },
		/* Not namespaced, and read-only in there. */
		{ "yama", DOCTOR_WARNING, "scope 1: only descendants may be traced",
		  "sysctl kernel.yama.ptrace_scope=0  # on the host" },
		{ "seccomp", DOCTOR_WARNING, "a filter is active",
		  "docker run --security-opt seccomp=unconfined IMAGE" },
		{ "container", DOCTOR_OK, "docker", NULL },
		{ "cap_sys_ptrace", DOCTOR_WARNING, "not there",
		  "docker run --cap-add=SYS_PTRACE IMAGE" },
		{ "cap_perfmon", DOCTOR_WARNING, "not there",
		  "docker run --cap-add=PERFMON IMAGE" },
		{ "perf", DOCTOR_WARNING, "paranoid 4",
		  "sysctl kernel.perf_event_paranoid=1  # on the host" },
		{ "randomisation", DOCTOR_WARNING, "cannot be tried there",
		  "docker run --security-opt seccomp=unconfined IMAGE" },
	};

	(void)state;
	ASSERT_LINES("container", x);
}

static void test_guest(void **state)
{
	static const struct expected x[] = {
		{ "clocksource", DOCTOR_WARNING, "hpet, available: hpet acpi_pm", NULL },
		{ "virtualisation", DOCTOR_WARNING,
		  "qemu, 0.48 % of CPU time stolen since boot", NULL },
		{ "governor", DOCTOR_MISSING, "none: no cpufreq driver (a virtual machine)",
		  NULL },
		{ "smt", DOCTOR_OK, "notsupported", NULL },
		{ "yama", DOCTOR_OK, "no Yama in this kernel", NULL },
		{ "container", DOCTOR_OK, "none", NULL },
		{ "schedstat", DOCTOR_MISSING, "/proc/self/schedstat is all zero", NULL },
	};

	(void)state;
	ASSERT_LINES("guest-without-yama", x);
}

static void test_yama(void **state)
{
	static const struct expected capable[] = {
		{ "ptrace", DOCTOR_MISSING, "forbidden; cannot be tried there", yama_off },
		{ "yama", DOCTOR_MISSING, "scope 2: only with CAP_SYS_PTRACE", yama_off },
		{ "turbo", DOCTOR_WARNING, "on",
		  "echo 1 > /sys/devices/system/cpu/intel_pstate/no_turbo" },
	};
	/* All capabilities are there, and do not help; nor does a sysctl. */
	static const struct expected nobody[] = {
		{ "ptrace", DOCTOR_MISSING, "forbidden; cannot be tried there", yama_find },
		{ "yama", DOCTOR_MISSING, "scope 3: nothing may be traced until the next boot",
		  yama_find },
		{ "clocksource", DOCTOR_WARNING, "acpi_pm, available: tsc hpet acpi_pm",
		  "echo tsc > "
		  "/sys/devices/system/clocksource/clocksource0/current_clocksource" },
		/* The driver offers no such governor: there is nothing to type. */
		{ "governor", DOCTOR_WARNING, "powersave, driver amd-pstate, 0.40 to 3.70 GHz",
		  NULL },
		{ "schedstat", DOCTOR_MISSING,
		  "/proc/self/schedstat: No such file or directory", NULL },
	};

	(void)state;
	ASSERT_LINES("yama-capable", capable);
	ASSERT_LINES("hardened", nobody);
}

/* Here things are tried: no line may still say that they cannot be. */
static void test_this_machine(void **state)
{
	struct doctor_report r;
	struct machine m;
	struct err e;

	(void)state;
	if (machine_read("", true, &m, &e))
		fail_msg("%s", e.text);
	doctor_run("", &m, &r);
	for (size_t i = 0; i < r.n; i++) {
		assert_null(strstr(r.line[i].value, "cannot be tried"));
		assert_int_equal(r.line[i].state != DOCTOR_OK, r.line[i].why != NULL);
	}
	doctor_free(&r);
	machine_free(&m);
}

static void test_json(void **state)
{
	struct doctor_report r;
	struct machine m;
	json_t *o, *line;

	(void)state;
	examine("laptop", &m, &r);
	o = doctor_json(&r, &m);
	assert_int_equal(json_integer_value(json_object_get(o, "schema")), 1);
	assert_int_equal(json_array_size(json_object_get(o, "lines")), r.n);
	line = json_array_get(json_object_get(o, "lines"), 0);
	assert_string_equal(json_string_value(json_object_get(line, "name")), "kernel");
	assert_string_equal(json_string_value(json_object_get(line, "state")), "ok");
	assert_true(json_is_null(json_object_get(line, "why")));
	assert_true(json_is_null(json_object_get(line, "mend")));
	assert_string_equal(
		json_string_value(json_object_get(json_object_get(o, "machine"), "kernel")),
		"6.1.0-28-amd64");
	json_decref(o);
	doctor_free(&r);
	machine_free(&m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_laptop),       cmocka_unit_test(test_nohz_server),
		cmocka_unit_test(test_arm64),        cmocka_unit_test(test_container),
		cmocka_unit_test(test_guest),        cmocka_unit_test(test_yama),
		cmocka_unit_test(test_this_machine), cmocka_unit_test(test_json),
	};

	return cmocka_run_group_tests_name("doctor", tests, NULL, NULL);
}
