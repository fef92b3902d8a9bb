/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "probe/sample.h"

#define FIELD(member, size, type, need)                                                        \
	{                                                                                      \
#member, sizeof(#member) - 1, offsetof(struct sample, member), size, type,     \
			need                                                                   \
	}
#define TEXT(member, need)                                                                     \
	FIELD(member, sizeof(((struct sample *)0)->member), SAMPLE_TEXT, need)
#define INT(member, need) FIELD(member, 0, SAMPLE_INT, need)
#define BOOL(member)      FIELD(member, 0, SAMPLE_BOOL, false)

/* In the order in which they are written. */
const struct sample_field sample_fields[] = {
	TEXT(workload, true),
	TEXT(op, true),
	TEXT(child, true),
	TEXT(tracer, true),
	TEXT(placement, true),
	INT(ops, true),
	INT(iterations, true),
	INT(threads, false),
	INT(duration_ns, false),
	INT(cpu, false),
	INT(tracer_cpu, false),
	INT(block, true),
	BOOL(warmup),
	INT(start_ns, false),
	BOOL(aslr),
	INT(utime_ns, false),
	INT(stime_ns, false),
	INT(nvcsw, false),
	INT(nivcsw, false),
	INT(minflt, false),
	INT(majflt, false),
	INT(maxrss_kib, false),
	INT(runtime_ns, false),
	INT(waiting_ns, false),
	INT(cpuclock_ns, false),
	INT(stat_utime_ticks, false),
	INT(stat_stime_ticks, false),
	INT(tree, false),
	INT(preexec_ns, false),
	INT(end_cpu, false),
	INT(migrations, false),
	INT(wall_ns, false),
	INT(tracer_utime_ns, false),
	INT(tracer_stime_ns, false),
	INT(tracer_runtime_ns, false),
	INT(stops, false),
	INT(syscall_stops, false),
	INT(signals, false),
	INT(group_stops, false),
	INT(forks, false),
	INT(calls_traced, false),
	INT(events_lost, false),
	INT(steal_ns, false),
	INT(irq_ns, false),
	INT(softirq_ns, false),
	INT(khz_before, false),
	INT(khz_after, false),
	INT(operations, false),
	INT(syscalls, false),
	INT(loop_ns, false),
	INT(loop_utime_ns, false),
	INT(loop_stime_ns, false),
	INT(loop_runtime_ns, false),
	INT(true_user_ns, false),
	INT(windows, false),
	INT(interrupted, false),
	INT(excess_ns, false),
	INT(window_median_ps, false),
	TEXT(failure, false),
	{ NULL, 0, 0, 0, SAMPLE_INT, false },
};

void sample_init(struct sample *s)
{
	*s = (struct sample) { 0 };
	for (const struct sample_field *f = sample_fields; f->name; f++)
		if (f->type == SAMPLE_INT)
			*sample_int(s, f) = SAMPLE_UNKNOWN;
}
