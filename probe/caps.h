/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Capabilities, for a tracetax that is installed with some ("setcap
 * cap_sys_ptrace,cap_perfmon,cap_dac_read_search=p"): raised only for the call that needs them
 * and lowered behind it, so that the rest of the program runs without. What root has is left
 * alone: it is the user's own.
 *
 * The child gets none: capabilities of a file end at the exec of another that has none
 * (capabilities(7), man-pages 6.03), and before it they are dropped.
 */
#ifndef TRACETAX_CAPS_H
#define TRACETAX_CAPS_H

#include <stddef.h>
#include <sys/capability.h>

/* What a feature needs. */
enum caps_feature {
	CAPS_PTRACE, /* attaching to a process of another's, or under a Yama scope */
	CAPS_EVENTS, /* counting what the kernel does: perf events and tracefs */
	CAPS_FEATURES,
};

/* One that tracetax has a use for. */
struct caps_row {
	cap_value_t cap;
	int feature;         /* that raises it; -1: none, it is only named */
	const char *name;    /* as doctor says it */
	const char *enables; /* one clause */
	const char *option;  /* of docker and podman */
};

/* All of them, ended by a row without a name. */
extern const struct caps_row caps_rows[];

/* At the start of the program: nothing is raised. */
void caps_start(void);

/* What the feature needs of what there is; lower it again after the call, whatever it gave. */
void caps_raise(enum caps_feature f);
void caps_lower(enum caps_feature f);

/* In a forked child, before its exec: none is left. Async-signal-safe. */
void caps_drop(void);

#endif
