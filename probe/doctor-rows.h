/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Inside doctor_run(): what the checks share. Each fills one line. */
#ifndef TRACETAX_DOCTOR_ROWS_H
#define TRACETAX_DOCTOR_ROWS_H

#include <stdbool.h>

#include "probe/caps.h"
#include "probe/doctor.h"

/* What a check may look at. */
struct patient {
	const char *root;
	bool real;
	const struct machine *m;
	const char *container; /* "none" or its name */
	uint64_t caps;         /* that can be raised, bit CAP_… of linux/capability.h */
	bool caps_known;
	int seccomp; /* "Seccomp:" of proc_pid_status(5): 0 off, 1 strict, 2 filter; -1 unknown
		      */
	int uid;     /* real user id, 0 if unknown */
	int tracer_pid; /* who traces this process; 0 nobody */
};

typedef void doctor_check(const struct patient *p, struct doctor_line *l);

/* State and value; no why. */
void line_set(struct doctor_line *l, enum doctor_state state, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* Why it matters, one sentence; and what mends it, NULL for nothing. */
void line_why(struct doctor_line *l, const char *why, const char *mend);

/* The fact is not known: state, and the fact's own reason as the value. */
void line_unknown(struct doctor_line *l, const struct patient *p, enum fact_id id,
		  const char *why);

bool patient_in_container(const struct patient *p);
bool patient_has_cap(const struct patient *p, int cap);

/*
 * A sysctl or a write to /sys: not namespaced, so in a container it has to be typed on the
 * host. The caller frees it.
 */
char *host_command(const struct patient *p, const char *command);

/* How to start the container with one more option; NULL if it is none we know. Caller frees. */
char *container_option(const struct patient *p, const char *option);

/* doctor-machine.c */
doctor_check check_kernel, check_accounting, check_hz, check_clocksource, check_virtualisation;
doctor_check check_governor, check_turbo, check_smt, check_isolation;

/* doctor-trace.c */
doctor_check check_ptrace, check_yama, check_seccomp, check_container;
doctor_check check_perf, check_schedstat, check_randomisation;

/* One line a capability, after the others. */
void check_capability(const struct patient *p, struct doctor_line *l,
		      const struct caps_row *row);

#endif
