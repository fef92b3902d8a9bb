/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include "child/workload.h"

static const struct workload *const workloads[] = {
	&workload_pread,
	&workload_compute,
};

const struct workload *workload_find(const char *name, const char **names)
{
	if (names)
		*names = "pread, compute";
	for (unsigned i = 0; i < sizeof(workloads) / sizeof(workloads[0]); i++)
		if (!strcmp(workloads[i]->name, name))
			return workloads[i];
	return NULL;
}
