/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is read of other machines, from trees of their files. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka.h wants the four above. */
#include <cmocka.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "probe/kconfig.h"
#include "probe/machine.h"
#include "probe/sysroot.h"

#define FIXTURES "tests/fixtures/machines/"

static json_t *load(const char *name)
{
	char *root = xasprintf(FIXTURES "%s", name);
	struct machine m;
	struct err e;
	json_t *o;

	if (machine_read(root, true, &m, &e))
		fail_msg("%s", e.text);
	o = machine_json(&m);
	machine_free(&m);
	free(root);
	return o;
}

static const char *text_of(const json_t *o, const char *name)
{
	const char *text = json_string_value(json_object_get(o, name));

	return text ? text : "(no text)";
}

static void assert_text(const json_t *o, const char *name, const char *expected)
{
	if (strcmp(text_of(o, name), expected) != 0)
		fail_msg("%s is '%s', not '%s'", name, text_of(o, name), expected);
}

static void assert_number(const json_t *o, const char *name, int64_t expected)
{
	const json_t *v = json_object_get(o, name);

	if (!json_is_integer(v) || json_integer_value(v) != expected)
		fail_msg("%s is %lld, not %lld", name, (long long)json_integer_value(v),
			 (long long)expected);
}

static void assert_truth(const json_t *o, const char *name, bool expected)
{
	const json_t *v = json_object_get(o, name);

	if (!json_is_boolean(v) || json_is_true(v) != expected)
		fail_msg("%s is not %s", name, expected ? "true" : "false");
}

/* null, and the sibling says why. */
static void assert_unknown(const json_t *o, const char *name, const char *why)
{
	char *sibling = xasprintf("%s_why", name);

	if (!json_is_null(json_object_get(o, name)))
		fail_msg("%s is not null", name);
	assert_text(o, sibling, why);
	free(sibling);
}

static void test_laptop(void **state)
{
	json_t *o = load("laptop");

	(void)state;
	assert_text(o, "kernel", "6.1.0-28-amd64");
	assert_text(o, "kernel_version",
		    "#1 SMP PREEMPT_DYNAMIC Debian 6.1.119-1 (2024-11-22)");
	assert_text(o, "arch", "x86_64");
	assert_text(o, "hostname", "laptop");
	assert_text(o, "cpu_model", "AMD Ryzen 3 3200U with Radeon Vega Mobile Gfx");
	assert_text(o, "cpus_online", "0-3");
	assert_text(o, "cpus_possible", "0-7");
	assert_number(o, "sockets", 1);
	assert_number(o, "cores", 2);
	assert_number(o, "threads_per_core", 2);
	assert_number(o, "numa_nodes", 1);
	assert_number(o, "hz", 250);
	assert_text(o, "accounting", "tick");
	assert_text(o, "accounting_source", "config and nohz_full");
	assert_truth(o, "irq_time_accounting", false);
	assert_truth(o, "paravirt_time_accounting", true);
	assert_text(o, "clocksource", "tsc");
	assert_text(o, "clocksources", "tsc hpet acpi_pm");
	assert_text(o, "virtualisation", "none");
	assert_text(o, "container", "none");
	assert_text(o, "governor", "powersave");
	assert_text(o, "cpufreq_driver", "acpi-cpufreq");
	assert_number(o, "min_khz", 1400000);
	assert_number(o, "max_khz", 2600000);
	assert_truth(o, "turbo", true);
	assert_text(o, "smt", "on");
	assert_text(o, "isolated", "");
	assert_text(o, "nohz_full", "");
	assert_text(o, "mitigations",
		    "retbleed: untrained return thunk; SMT vulnerable | spectre_v2: "
		    "Retpolines, IBPB: conditional, STIBP: disabled, RSB filling");
	assert_number(o, "yama_ptrace_scope", 1);
	assert_number(o, "perf_event_paranoid", 3);
	assert_int_equal(json_array_size(json_object_get(o, "cpufreq")), 1);
	json_decref(o);
}

static void test_nohz_server(void **state)
{
	json_t *o = load("nohz-server");

	(void)state;
	assert_text(o, "accounting", "mixed");
	assert_text(o, "accounting_cpus", "tick 0-1; virt-gen 2-7");
	assert_truth(o, "irq_time_accounting", true);
	assert_truth(o, "paravirt_time_accounting", false);
	assert_number(o, "hz", 1000);
	assert_number(o, "sockets", 2);
	assert_number(o, "cores", 8);
	assert_number(o, "numa_nodes", 2);
	assert_text(o, "governor", "performance");
	assert_truth(o, "turbo", false);
	assert_text(o, "isolated", "2-7");
	assert_text(o, "nohz_full", "2-7");
	assert_text(o, "mitigations", "meltdown: PTI");
	json_decref(o);
}

static void test_arm64(void **state)
{
	json_t *o = load("arm64-board");

	(void)state;
	assert_text(o, "arch", "aarch64");
	assert_text(o, "cpu_model", "ARM 0x41 part 0xd05 + ARM 0x41 part 0xd0b");
	assert_text(o, "governor", "schedutil 0-1; performance 2-3");
	assert_text(o, "cpufreq_driver", "cpufreq-dt");
	assert_number(o, "min_khz", 408000);
	assert_number(o, "max_khz", 2200000);
	assert_int_equal(json_array_size(json_object_get(o, "cpufreq")), 2);
	assert_text(o, "virtualisation", "none");
	assert_unknown(o, "turbo", "neither intel_pstate/no_turbo nor cpufreq/boost");
	json_decref(o);
}

static void test_container(void **state)
{
	json_t *o = load("container");
	const char *no_config = "no kernel config in /proc/config.gz, /boot or /lib/modules";

	(void)state;
	/* Without /sys the CPUs come from /proc/stat, whose first line is no CPU. */
	assert_text(o, "cpus_online", "0-1");
	assert_text(o, "container", "docker");
	assert_text(o, "virtualisation", "unknown hypervisor");
	/* 480 of 10,000 ticks of 10 ms. */
	assert_number(o, "steal_ms", 4800);
	assert_true(json_real_value(json_object_get(o, "steal_ratio")) == 0.048);
	assert_text(o, "nohz_full", "");
	assert_unknown(o, "accounting", no_config);
	assert_unknown(o, "accounting_source", no_config);
	assert_text(o, "accounting_cpus", "unknown 0-1");
	assert_unknown(o, "irq_time_accounting", no_config);
	assert_unknown(o, "hz", no_config);
	assert_unknown(o, "arch", "/proc/sys/kernel/arch: No such file or directory");
	assert_unknown(o, "clocksource", "/sys is not there");
	assert_unknown(o, "governor", "/sys is not there");
	assert_unknown(o, "sockets", "no CPU topology in sysfs");
	json_decref(o);
}

static void test_guest(void **state)
{
	json_t *o = load("guest-without-yama");

	(void)state;
	assert_unknown(o, "yama_ptrace_scope", "no Yama in this kernel");
	assert_text(o, "virtualisation", "qemu");
	/* /.dockerenv is there, but the first namespaces are no container. */
	assert_text(o, "container", "none");
	json_decref(o);
}

static void test_nohz_full_alone(void **state)
{
	json_t *o = load("yama-capable");

	(void)state;
	assert_text(o, "accounting_cpus", "tick 0; virt-gen 1");
	assert_text(o, "accounting_source", "nohz_full");
	json_decref(o);
	o = load("hardened");
	assert_text(o, "nohz_full", "");
	assert_text(o, "accounting", "tick");
	json_decref(o);
}

static void test_no_machine(void **state)
{
	struct machine m;
	struct err e;

	(void)state;
	assert_int_equal(machine_read("tests/fixtures/nowhere", false, &m, &e), -1);
	assert_int_equal(e.code, EXIT_USAGE);
	assert_string_equal(e.text, "tests/fixtures/nowhere/proc: No such file or directory");
}

static void test_sysroot(void **state)
{
	int64_t number = 7;
	char *text;

	(void)state;
	text = sysroot_read(FIXTURES "laptop", "/proc/sys/kernel/%s", "hostname");
	assert_string_equal(text, "laptop");
	free(text);
	text = sysroot_read(FIXTURES "arm64-board", "/proc/device-tree/model");
	assert_string_equal(text, "Example Board Rev 1");
	free(text);
	errno = 0;
	assert_null(sysroot_read(FIXTURES "laptop", "/proc/nothing"));
	assert_int_equal(errno, ENOENT);
	assert_int_equal(
		sysroot_read_int(FIXTURES "laptop", &number, "/proc/sys/kernel/hostname"), -1);
	assert_int_equal(errno, EINVAL);
	assert_int_equal(number, 7);
	assert_int_equal(sysroot_read_int(FIXTURES "hardened", &number,
					  "/proc/sys/kernel/perf_event_paranoid"),
			 0);
	assert_int_equal(number, -1);
	text = sysroot_link(FIXTURES "container", "/proc/self/ns/pid");
	assert_string_equal(text, "pid:[4026532281]");
	free(text);
}

static void test_kconfig(void **state)
{
	struct kconfig c;
	int64_t hz;

	(void)state;
	assert_int_equal(kconfig_read(FIXTURES "nohz-server", "x", &c, NULL), 0);
	assert_string_equal(c.path, "/proc/config.gz");
	assert_true(kconfig_on(&c, "NO_HZ_FULL"));
	/* The name of one is the beginning of the other's. */
	assert_true(kconfig_on(&c, "CONTEXT_TRACKING_USER"));
	assert_false(kconfig_on(&c, "CONTEXT_TRACKING_USER_FORCE"));
	assert_false(kconfig_on(&c, "PARAVIRT_TIME_ACCOUNTING"));
	assert_int_equal(kconfig_int(&c, "HZ", &hz), 0);
	assert_int_equal(hz, 1000);
	kconfig_free(&c);
	assert_int_equal(kconfig_read(FIXTURES "laptop", "6.1.0-28-amd64", &c, NULL), 0);
	assert_string_equal(c.path, "/boot/config-6.1.0-28-amd64");
	kconfig_free(&c);
	assert_int_equal(kconfig_read(FIXTURES "laptop", "6.1.0", &c, NULL), -1);
}

static void test_by_config(void **state)
{
	int two[] = { 2, 3 };
	struct accounting_config none = { 0 };
	struct accounting_config list = { .have_nohz_full = true, .nohz_full = { two, 2 } };
	struct accounting_config gen = { .have_config = true, .gen = true };

	(void)state;
	assert_int_equal(accounting_by_config(&none, 0), ACCOUNTING_UNKNOWN);
	assert_int_equal(accounting_by_config(&list, 2), ACCOUNTING_VIRT_GEN);
	assert_int_equal(accounting_by_config(&list, 1), ACCOUNTING_TICK);
	none.have_nohz_full = true;
	assert_int_equal(accounting_by_config(&none, 0), ACCOUNTING_UNKNOWN);
	none.have_config = true;
	assert_int_equal(accounting_by_config(&none, 0), ACCOUNTING_TICK);
	none.native = true;
	assert_int_equal(accounting_by_config(&none, 0), ACCOUNTING_VIRT_NATIVE);
	/* Built in, but which CPUs are in nohz_full is not known. */
	assert_int_equal(accounting_by_config(&gen, 2), ACCOUNTING_UNKNOWN);
	gen.force = true;
	assert_int_equal(accounting_by_config(&gen, 2), ACCOUNTING_VIRT_GEN);
	list.have_config = true;
	assert_int_equal(accounting_by_config(&list, 2), ACCOUNTING_TICK);
	list.gen = true;
	assert_int_equal(accounting_by_config(&list, 3), ACCOUNTING_VIRT_GEN);
	assert_int_equal(accounting_by_config(&list, 4), ACCOUNTING_TICK);
}

/* `near` shares of 0.5, the rest of 1/3. */
static enum accounting_verdict classify(size_t near, size_t n)
{
	double share[ACCOUNTING_RUNS];

	for (size_t i = 0; i < n; i++)
		share[i] = i < near ? 0.5 : 1.0 / 3;
	return accounting_classify(share, n);
}

static void test_classify(void **state)
{
	static const double three_ticks[] = { 0, 1.0 / 3, 0.668, 1, 0.6661, 0.332 };
	static const double four_or_two[] = { 0.25, 0.5, 0.75, 0, 0.5, 1 };
	static const double measured[] = { 0.47, 0.5, 0.53, 0.44, 0.56, 0.5 };
	static const double elsewhere[] = { 0.19, 0.18, 0.2, 0.249, 0.176, 0.195 };
	static const struct {
		const double *share;
		enum accounting_verdict verdict;
	} cases[] = {
		{ three_ticks, ACCOUNTING_SAMPLED },
		{ four_or_two, ACCOUNTING_SAMPLED },
		{ measured, ACCOUNTING_MEASURED },
		/* No tick would give it, and yet it is not what the child did. */
		{ elsewhere, ACCOUNTING_UNDECIDED },
	};
	double share[ACCOUNTING_RUNS];

	(void)state;
	for (size_t c = 0; c < sizeof(cases) / sizeof(cases[0]); c++) {
		for (size_t i = 0; i < ACCOUNTING_RUNS; i++)
			share[i] = cases[c].share[i % 6];
		if (accounting_classify(share, ACCOUNTING_RUNS) != cases[c].verdict)
			fail_msg("case %zu is not %d", c, cases[c].verdict);
	}
}

/*
 * 24 runs: P(X >= 20 | 1/2) is 12,951 / 2^24, below 1/1000, and P(X >= 19) = 55,455 / 2^24 is
 * not; P(X >= 12 | 1/5) is below, P(X >= 11) is not.
 */
static void test_thresholds(void **state)
{
	(void)state;
	assert_int_equal(classify(20, 24), ACCOUNTING_MEASURED);
	assert_int_equal(classify(19, 24), ACCOUNTING_UNDECIDED);
	assert_int_equal(classify(13, 24), ACCOUNTING_UNDECIDED);
	assert_int_equal(classify(12, 24), ACCOUNTING_SAMPLED);
	assert_int_equal(classify(0, 24), ACCOUNTING_SAMPLED);
	assert_int_equal(classify(12, 12), ACCOUNTING_MEASURED);
	assert_int_equal(classify(11, 11), ACCOUNTING_UNDECIDED);
	assert_int_equal(classify(0, 0), ACCOUNTING_UNDECIDED);
}

/* The experiment must not contradict what this kernel's own configuration says. */
static void test_experiment(void **state)
{
	enum accounting_verdict verdict[CPU_MAX];
	struct cpulist cpus;
	struct machine m;
	struct err e;

	(void)state;
	assert_int_equal(cpulist_allowed(&cpus, &e), 0);
	assert_int_equal(machine_read("", false, &m, &e), 0);
	if (accounting_try(&cpus, accounting_tick_ns(), verdict, &e))
		fail_msg("%s", e.text);
	for (size_t i = 0; i < cpus.n; i++) {
		enum accounting_mode mode = machine_accounting(&m, cpus.cpu[i]);

		if (mode == ACCOUNTING_TICK)
			assert_int_not_equal(verdict[i], ACCOUNTING_MEASURED);
		else if (mode != ACCOUNTING_UNKNOWN)
			assert_int_not_equal(verdict[i], ACCOUNTING_SAMPLED);
	}
	machine_free(&m);
	cpulist_free(&cpus);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_laptop),     cmocka_unit_test(test_nohz_server),
		cmocka_unit_test(test_arm64),      cmocka_unit_test(test_container),
		cmocka_unit_test(test_guest),      cmocka_unit_test(test_nohz_full_alone),
		cmocka_unit_test(test_no_machine), cmocka_unit_test(test_sysroot),
		cmocka_unit_test(test_kconfig),    cmocka_unit_test(test_by_config),
		cmocka_unit_test(test_classify),   cmocka_unit_test(test_thresholds),
		cmocka_unit_test(test_experiment),
	};

	return cmocka_run_group_tests_name("machine", tests, NULL, NULL);
}
