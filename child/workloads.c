/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include "child/workload.h"

static const struct workload *const workloads[] = {
	&workload_pread,    &workload_compute, &workload_write,   &workload_dd,
	&workload_getpid,   &workload_files,   &workload_futex,   &workload_sleep,
	&workload_forkexec, &workload_faults,  &workload_signals, &workload_mix,
	&workload_pipe,
};

const struct workload *workload_find(const char *name)
{
	for (unsigned i = 0; i < sizeof(workloads) / sizeof(workloads[0]); i++)
		if (!strcmp(workloads[i]->name, name))
			return workloads[i];
	return NULL;
}
