/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The effective frequency of the CPU the caller runs on: a chain of dependent register adds
 * takes one cycle each (child/ops.h). No privilege, no PMU.
 */
#ifndef TRACETAX_GHZ_H
#define TRACETAX_GHZ_H

#include <stdint.h>

/*
 * In kHz. Eight chains of 40,000 adds, some 100 µs together at 3 GHz; the fastest counts,
 * since an interrupt or the hypervisor can only make one longer.
 */
int64_t ghz_measure_khz(double ns_per_count);

#endif
