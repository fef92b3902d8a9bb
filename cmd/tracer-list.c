/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cmd/tracer-list.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "cmd/output.h"
#include "probe/sample.h"

void tracer_list_init(struct tracer_list *l)
{
	*l = (struct tracer_list) { 0 };
	while (tracers[l->n])
		l->n++;
	l->all = xcalloc(l->n + 1, sizeof(struct tracer_ops *));
	memcpy(l->all, tracers, l->n * sizeof(struct tracer_ops *));
}

static int check_name(const struct tracer_list *l, const char *name, struct err *e)
{
	static const char allowed[] =
		"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-";
	const size_t most = sizeof(((struct sample *)0)->tracer) - 1;

	if (!name[0] || strspn(name, allowed) != strlen(name) || strlen(name) > most)
		return err_set(e, EXIT_USAGE,
			       "--tracer: the name '%s' is not 1 to %zu letters, digits, '.', "
			       "'_' or '-'",
			       name, most);
	if (tracer_find(l->all, name))
		return err_set(e, EXIT_USAGE, "--tracer: there is a tracer '%s' already", name);
	return 0;
}

static void add(struct tracer_list *l, char *name, const char *command, struct outside *outside)
{
	struct own_tracer own = {
		.ops = xcalloc(1, sizeof(*own.ops)),
		.outside = outside,
		.name = name,
		.command = xstrdup(command),
	};

	*own.ops = (struct tracer_ops) {
		.name = name,
		.summary = own.command,
		.needs = "what its command needs",
		.outside = outside,
		.follow = tracer_await_zombie,
	};
	l->all = xreallocarray(l->all, l->n + 2, sizeof(struct tracer_ops *));
	l->all[l->n++] = own.ops;
	l->all[l->n] = NULL;
	l->own = xreallocarray(l->own, l->n_own + 1, sizeof(*l->own));
	l->own[l->n_own++] = own;
}

int tracer_list_add(struct tracer_list *l, const char *text, struct err *e)
{
	const char *equals = strchr(text, '=');
	struct outside *outside;
	char *name;

	if (!equals)
		return err_set(e, EXIT_USAGE,
			       "--tracer: '%s' is not NAME=command {}, as in 'mine=strace -e "
			       "trace=read -o /dev/null {}'",
			       text);
	name = xasprintf("%.*s", (int)(equals - text), text);
	outside = check_name(l, name, e) ? NULL : outside_custom(equals + 1, e);
	if (!outside) {
		free(name);
		return -1;
	}
	add(l, name, equals + 1, outside);
	return 0;
}

int tracer_list_check(const struct tracer_list *l, char *const *names, size_t n, struct err *e)
{
	char why[512];

	for (size_t i = 0; i < n; i++) {
		const struct tracer_ops *t = tracer_find(l->all, names[i]);

		if (!t)
			return err_set(
				e, EXIT_USAGE,
				"--tracers: '%s' is not a tracer; '--tracers list' prints them",
				names[i]);
		if (!tracer_supported(t, why, sizeof(why)))
			return err_set(e, EXIT_MEASURE, "tracer %s does not work here: %s",
				       t->name, why);
	}
	return 0;
}

_Noreturn void tracer_list_print(const struct tracer_list *l)
{
	char why[512];

	for (size_t i = 0; l->all[i]; i++) {
		const struct tracer_ops *t = l->all[i];
		bool works = tracer_supported(t, why, sizeof(why));

		printf("%-14s %-3s  %s\n", t->name, works ? "yes" : "no", t->summary);
		printf("%-14s      needs %s\n", "", t->needs);
		if (!works)
			printf("%-14s      %s\n", "", why);
	}
	exit(output_done());
}

static json_t *supported(const struct tracer_list *l)
{
	json_t *all = json_object();
	char why[512];

	for (size_t i = 0; l->all[i]; i++)
		json_object_set_new(all, l->all[i]->name,
				    tracer_supported(l->all[i], why, sizeof(why))
					    ? json_true()
					    : json_string(why));
	return all;
}

static json_t *versions(const struct tracer_list *l, const struct plan *p)
{
	json_t *all = json_object();

	for (size_t i = 0; l->all[i]; i++) {
		const struct outside *o = l->all[i]->outside;
		char *version;

		if (!o || !plan_count(p, l->all[i]->name) || json_object_get(all, o->program))
			continue;
		version = outside_version(o);
		if (version)
			json_object_set_new(all, o->program, json_string(version));
		free(version);
	}
	return all;
}

void tracer_list_json(const struct tracer_list *l, const struct plan *p, json_t *campaign)
{
	json_t *commands = json_object();

	for (size_t i = 0; i < l->n_own; i++)
		json_object_set_new(commands, l->own[i].name, json_string(l->own[i].command));
	json_object_set_new(campaign, "tracers", supported(l));
	json_object_set_new(campaign, "tracer_versions", versions(l, p));
	json_object_set_new(campaign, "tracer_commands", commands);
}

bool tracer_list_any_outside(const struct tracer_list *l, const struct plan *p)
{
	for (size_t i = 0; l->all[i]; i++)
		if (l->all[i]->outside && plan_count(p, l->all[i]->name))
			return true;
	return false;
}

void tracer_list_free(struct tracer_list *l)
{
	for (size_t i = 0; i < l->n_own; i++) {
		free(l->own[i].name);
		free(l->own[i].command);
		free(l->own[i].outside);
		free(l->own[i].ops);
	}
	free(l->own);
	free(l->all);
}
