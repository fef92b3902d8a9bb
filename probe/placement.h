/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * From names of placements to CPUs.
 */
#ifndef TRACETAX_PLACEMENT_H
#define TRACETAX_PLACEMENT_H

#include <stddef.h>

#include "base/cpulist.h"
#include "base/err.h"
#include "probe/cell.h"

/*
 * `names` (each same, cross, free, or CHILD:TRACER as two CPU numbers) for every CPU of
 * `child_cpus`, in order. Of an empty `child_cpus` the last allowed CPU is taken: CPU 0 often
 * has more interrupts. `cross` puts the tracer on the next allowed CPU after the child's.
 * `free` and CHILD:TRACER do not depend on child_cpus and come once.
 *
 * 0 and *places (the caller frees it), or -1 with `e` set (EXIT_USAGE): an unknown name, a CPU
 * that is not in `allowed`, or `cross` with one CPU only.
 */
int placement_resolve(char *const *names, size_t n_names, const struct cpulist *child_cpus,
		      const struct cpulist *allowed, struct place **places, size_t *n,
		      struct err *e);

#endif
