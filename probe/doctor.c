/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "probe/doctor.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/capability.h>

#include "base/xalloc.h"
#include "probe/doctor-rows.h"
#include "probe/sysroot.h"

static const struct {
	const char *name;
	doctor_check *check;
} rows[] = {
	{ "kernel", check_kernel },
	{ "accounting", check_accounting },
	{ "hz", check_hz },
	{ "clocksource", check_clocksource },
	{ "virtualisation", check_virtualisation },
	{ "governor", check_governor },
	{ "turbo", check_turbo },
	{ "smt", check_smt },
	{ "isolation", check_isolation },
	{ "ptrace", check_ptrace },
	{ "yama", check_yama },
	{ "seccomp", check_seccomp },
	{ "container", check_container },
	{ "perf", check_perf },
	{ "schedstat", check_schedstat },
	{ "randomisation", check_randomisation },
};

enum { N_ROWS = sizeof(rows) / sizeof(rows[0]) };

const char *doctor_state_name(enum doctor_state state)
{
	static const char *const name[] = {
		[DOCTOR_OK] = "ok",
		[DOCTOR_WARNING] = "warning",
		[DOCTOR_MISSING] = "missing",
	};

	return name[state];
}

void line_set(struct doctor_line *l, enum doctor_state state, const char *fmt, ...)
{
	char text[1024];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	free(l->value);
	l->state = state;
	l->value = xstrdup(text);
}

void line_why(struct doctor_line *l, const char *why, const char *mend)
{
	free(l->why);
	free(l->mend);
	l->why = xstrdup(why);
	l->mend = mend ? xstrdup(mend) : NULL;
}

void line_unknown(struct doctor_line *l, const struct patient *p, enum fact_id id,
		  const char *why)
{
	const char *reason = p->m->fact[id].why;

	line_set(l, DOCTOR_MISSING, "unknown: %s", reason ? reason : "not text");
	line_why(l, why, NULL);
}

bool patient_in_container(const struct patient *p)
{
	return strcmp(p->container, "none") != 0;
}

bool patient_has_cap(const struct patient *p, int cap)
{
	return p->caps_known && p->caps >> cap & 1;
}

char *host_command(const struct patient *p, const char *command)
{
	return xasprintf("%s%s", command, patient_in_container(p) ? "  # on the host" : "");
}

char *container_option(const struct patient *p, const char *option)
{
	if (strcmp(p->container, "docker") != 0 && strcmp(p->container, "podman") != 0)
		return NULL;
	return xasprintf("%s run %s IMAGE", p->container, option);
}

/* The value of a "NAME:" line, in the base given; `otherwise` when it is not there. */
static uint64_t status_field(const char *status, const char *name, int base, uint64_t otherwise)
{
	char *key = xasprintf("\n%s:", name);
	const char *at = status ? strstr(status, key) : NULL;
	uint64_t v = at ? strtoull(at + strlen(key), NULL, base) : otherwise;

	free(key);
	return v;
}

static void read_caps(struct patient *p, const char *status)
{
	static const char name[] = "CapEff";
	cap_t caps;

	if (!p->real) {
		p->caps_known = status && strstr(status, name);
		p->caps = status_field(status, name, 16, 0);
		return;
	}
	caps = cap_get_proc();
	if (!caps)
		return;
	p->caps_known = true;
	for (cap_value_t cap = 0; cap < cap_max_bits(); cap++) {
		cap_flag_value_t set = CAP_CLEAR;

		if (!cap_get_flag(caps, cap, CAP_PERMITTED, &set) && set == CAP_SET)
			p->caps |= UINT64_C(1) << cap;
	}
	cap_free(caps);
}

static void read_patient(const char *root, const struct machine *m, struct patient *p)
{
	const char *container = machine_text(m, FACT_CONTAINER);
	char *status = sysroot_read(root, "/proc/self/status");

	*p = (struct patient) { .root = root, .real = sysroot_is_real(root), .m = m };
	p->container = container ? container : "none";
	/* A kernel without seccomp has no such line, and no filter. */
	p->seccomp = status ? (int)status_field(status, "Seccomp", 10, 0) : -1;
	p->uid = (int)status_field(status, "Uid", 10, 0);
	p->tracer_pid = (int)status_field(status, "TracerPid", 10, 0);
	read_caps(p, status);
	free(status);
}

void doctor_run(const char *root, const struct machine *m, struct doctor_report *out)
{
	struct patient p;
	size_t caps = 0;

	read_patient(root, m, &p);
	while (caps_rows[caps].name)
		caps++;
	out->n = N_ROWS + caps;
	out->line = xcalloc(out->n, sizeof(*out->line));
	for (size_t i = 0; i < N_ROWS; i++) {
		out->line[i].name = rows[i].name;
		rows[i].check(&p, &out->line[i]);
	}
	for (size_t i = 0; i < caps; i++) {
		out->line[N_ROWS + i].name = caps_rows[i].name;
		check_capability(&p, &out->line[N_ROWS + i], &caps_rows[i]);
	}
}

json_t *doctor_json(const struct doctor_report *r, const struct machine *m)
{
	json_t *lines = json_array();

	for (size_t i = 0; i < r->n; i++) {
		const struct doctor_line *l = &r->line[i];
		json_t *value = json_string(l->value);

		json_array_append_new(lines,
				      json_pack("{s:s,s:s,s:o,s:s?,s:s?}", "name", l->name,
						"state", doctor_state_name(l->state), "value",
						value ? value : json_string("(not UTF-8)"),
						"why", l->why, "mend", l->mend));
	}
	return json_pack("{s:i,s:o,s:o}", "schema", 1, "lines", lines, "machine",
			 machine_json(m));
}

const struct doctor_line *doctor_find(const struct doctor_report *r, const char *name)
{
	for (size_t i = 0; i < r->n; i++)
		if (!strcmp(r->line[i].name, name))
			return &r->line[i];
	return NULL;
}

void doctor_free(struct doctor_report *r)
{
	for (size_t i = 0; i < r->n; i++) {
		free(r->line[i].value);
		free(r->line[i].why);
		free(r->line[i].mend);
	}
	free(r->line);
	r->line = NULL;
	r->n = 0;
}
