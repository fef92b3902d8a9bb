/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The tracers that a command can name: those built in and those that the user has added.
 */
#ifndef TRACETAX_CMD_TRACER_LIST_H
#define TRACETAX_CMD_TRACER_LIST_H

#include <jansson.h>

#include "probe/plan.h"
#include "probe/tracer.h"

/* What a tracer of the user's consists of; all of it the heap's. */
struct own_tracer {
	struct tracer_ops *ops;
	struct outside *outside;
	char *name, *command;
};

struct tracer_list {
	const struct tracer_ops **all; /* ended by NULL */
	size_t n;
	struct own_tracer *own; /* of the user; also in `all` */
	size_t n_own;
};

void tracer_list_init(struct tracer_list *l);

/* "NAME=command {}". -1 with `e` set (EXIT_USAGE). */
int tracer_list_add(struct tracer_list *l, const char *text, struct err *e);

/* Refuse names that are unknown (EXIT_USAGE) or that do not work here (EXIT_MEASURE). */
int tracer_list_check(const struct tracer_list *l, char *const *names, size_t n, struct err *e);

/* Print each with what it needs, and whether it works here and why not; exits. */
_Noreturn void tracer_list_print(const struct tracer_list *l);

/*
 * For the campaign line: "tracers", whether each works or why not; "tracer_versions" of the
 * programs among those that the plan uses; "tracer_commands" of the user's own.
 */
void tracer_list_json(const struct tracer_list *l, const struct plan *p, json_t *campaign);

/* Whether the plan uses one that is a program of its own. */
bool tracer_list_any_outside(const struct tracer_list *l, const struct plan *p);

void tracer_list_free(struct tracer_list *l);

#endif
