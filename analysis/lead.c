/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analysis/lead.h"

#include <string.h>

#include "analysis/lkml2011.h"

static const struct lead leads[] = {
	{ "lkml2011", lkml2011_print, false },      { "ladder", ladder_print, true },
	{ "write-300k", published_print, true },    { "dd-1byte", published_print, true },
	{ "io-lock-sleep", published_print, true },
};

const struct lead *lead_find(const char *name)
{
	for (size_t i = 0; i < sizeof(leads) / sizeof(leads[0]); i++)
		if (!strcmp(leads[i].name, name))
			return &leads[i];
	return NULL;
}

const struct lead *lead_of(const struct groups *g)
{
	const struct lead *found = NULL;

	for (size_t i = 0; i < g->n_machines; i++) {
		const char *preset =
			json_string_value(json_object_get(g->machines[i].campaign, "preset"));
		const struct lead *lead = preset ? lead_find(preset) : NULL;

		if (!lead || (found && lead != found))
			return NULL;
		found = lead;
	}
	return found;
}
