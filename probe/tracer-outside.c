/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The programs people use, with the options with which they use them: threads and forks
 * followed, output into a file. How each tells its count was read from strace 6.1, perf 6.1,
 * bpftrace 0.17, gdb 13.1 and ltrace 0.7.3.
 */
#include "probe/outside.h"
#include "probe/ptrace-loop.h"
#include "probe/sys-enter.h"
#include "probe/tracer.h"

#define WORDS(...)                                                                             \
	(const char *const[])                                                                  \
	{                                                                                      \
		__VA_ARGS__, NULL                                                              \
	}

/* A call is one line, or two when another thread's came between: the second says "resumed". */
#define STRACE_LINES                                                                           \
	{                                                                                      \
		.pattern = "^([0-9]+ +)?[a-z_0-9]+\\("                                         \
	}
/* "100.00    1.298935          12    100016           total": errors may be missing. */
#define STRACE_TOTAL                                                                           \
	{                                                                                      \
		.pattern = "^ *[0-9.]+ +[0-9.]+ +[0-9]+ +([0-9]+) .* ?total$", .sum = true     \
	}
#define PERF_LOST                                                                              \
	{                                                                                      \
		.pattern = "^LOST ([0-9]+) events!", .sum = true                               \
	}

static const struct outside strace = {
	.program = "strace",
	.words = WORDS("-f", "-o", "{out}", "{}"),
	.version = "--version",
	.calls = STRACE_LINES,
	.needs = ptrace_supported,
};

static const struct outside strace_c = {
	.program = "strace",
	.words = WORDS("-f", "-c", "-o", "{out}", "{}"),
	.version = "--version",
	.calls = STRACE_TOTAL,
	.needs = ptrace_supported,
};

static const struct outside strace_cw = {
	.program = "strace",
	.words = WORDS("-f", "-c", "-w", "-o", "{out}", "{}"),
	.version = "--version",
	.calls = STRACE_TOTAL,
	.needs = ptrace_supported,
};

static const struct outside strace_seccomp = {
	.program = "strace",
	.words = WORDS("-f", "--seccomp-bpf", "-e", "trace={calls}", "-o", "{out}", "{}"),
	.version = "--version",
	.chooses = true,
	.calls = STRACE_LINES,
	.needs = ptrace_supported,
};

static const struct outside perf_stat = {
	.program = "perf",
	.words = WORDS("stat", "-x", ",", "-e", "raw_syscalls:sys_enter", "-o", "{out}", "--",
		       "{}"),
	.version = "--version",
	.calls = { .pattern = "^([0-9]+),[^,]*,raw_syscalls:sys_enter,", .sum = true },
	.needs = sys_enter_supported,
};

/* A call whose entry was shown before another thread's has a second line, "[continued]". */
static const struct outside perf_trace = {
	.program = "perf",
	.words = WORDS("trace", "-o", "{out}", "--", "{}"),
	.version = "--version",
	.calls = { .pattern = "^ ", .except = "\\[continued\\]: " },
	.lost = PERF_LOST,
	.lossy = true,
	.needs = sys_enter_supported,
};

/* Its table: "   pread64           100000      0  1149.280 …", one for each thread. */
static const struct outside perf_trace_s = {
	.program = "perf",
	.words = WORDS("trace", "-s", "-o", "{out}", "--", "{}"),
	.version = "--version",
	.calls = { .pattern = "^   [a-z_0-9]+ +([0-9]+) +[0-9]+ ", .sum = true },
	.lost = PERF_LOST,
	.lossy = true,
	.needs = sys_enter_supported,
};

/* -c splits at single spaces and knows no quotes (bpftrace 0.17). */
static const struct outside bpftrace_count = {
	.program = "bpftrace",
	.words = WORDS("-q", "-f", "json", "-o", "{out}", "-e",
		       "BEGIN { @t[cpid] = 1 } "
		       "tracepoint:sched:sched_process_fork /@t[args->parent_pid]/ "
		       "{ @t[args->child_pid] = 1 } "
		       "tracepoint:sched:sched_process_exit /@t[tid]/ { delete(@t[tid]) } "
		       "tracepoint:raw_syscalls:sys_enter /@t[tid]/ { @n = count() } "
		       "END { clear(@t) }",
		       "-c", "{command}"),
	.version = "--version",
	.calls = { .pattern = "\"@n\": ([0-9]+)", .sum = true },
	.root_only = true,
	.needs = sys_enter_supported,
};

/*
 * Stops at each call as it does for its user, but for the prompt: the catchpoint is ignored
 * more often than it can come. It does not follow forks in that.
 */
static const struct outside gdb = {
	.program = "gdb",
	.words = WORDS("-nx", "-batch", "-iex", "set auto-load no", "-iex",
		       "set debuginfod enabled off", "-ex", "set logging file {out}", "-ex",
		       "set logging overwrite on", "-ex", "set logging redirect on", "-ex",
		       "set logging enabled on", "-ex", "set startup-with-shell off", "-ex",
		       "set disable-randomization off", "-ex", "unset environment LINES", "-ex",
		       "unset environment COLUMNS", "-ex", "handle all nostop noprint pass",
		       "-ex", "set print inferior-events off", "-ex",
		       "set print thread-events off", "-ex", "catch syscall", "-ex",
		       "ignore 1 2000000000", "-ex", "run", "-ex", "info breakpoints", "-ex",
		       "quit $_isvoid($_exitcode) ? 128 + $_exitsignal : $_exitcode", "--args",
		       "{}"),
	.version = "--version",
	.calls = { .pattern = "catchpoint already hit ([0-9]+) time",
		   .sum = true,
		   .halved = true },
	.no_forks = true,
	.needs = ptrace_supported,
};

static const struct outside ltrace = {
	.program = "ltrace",
	.words = WORDS("-S", "-f", "-o", "{out}", "{}"),
	.version = "--version",
	.calls = { .pattern = "^[0-9]+ SYS_" },
	.dynamic_only = true,
	.needs = ptrace_supported,
};

const struct tracer_ops tracer_strace = {
	.name = "strace",
	.summary = "strace -f -o FILE: every call decoded and written",
	.needs = "strace, ptrace",
	.outside = &strace,
	.follow = tracer_await_zombie,
};

const struct tracer_ops tracer_strace_c = {
	.name = "strace-c",
	.summary = "strace -f -c: calls counted and timed",
	.needs = "strace, ptrace",
	.outside = &strace_c,
	.follow = tracer_await_zombie,
};

const struct tracer_ops tracer_strace_cw = {
	.name = "strace-cw",
	.summary = "strace -f -c -w: the same by wall time",
	.needs = "strace, ptrace",
	.outside = &strace_cw,
	.follow = tracer_await_zombie,
};

const struct tracer_ops tracer_strace_seccomp = {
	.name = "strace-seccomp",
	.summary = "strace -f --seccomp-bpf -e trace=CALLS: stopped at the chosen calls only",
	.needs = "strace, ptrace, seccomp filters",
	.outside = &strace_seccomp,
	.follow = tracer_await_zombie,
};

const struct tracer_ops tracer_perf_stat = {
	.name = "perf-stat",
	.summary = "perf stat -e raw_syscalls:sys_enter: calls counted in the kernel",
	.needs = "perf, tracefs, perf events of the kernel",
	.outside = &perf_stat,
	.follow = tracer_await_zombie,
};

const struct tracer_ops tracer_perf_trace = {
	.name = "perf-trace",
	.summary = "perf trace -o FILE: every call decoded and written, through a ring buffer",
	.needs = "perf, tracefs, perf events of the kernel",
	.outside = &perf_trace,
	.follow = tracer_await_zombie,
};

const struct tracer_ops tracer_perf_trace_s = {
	.name = "perf-trace-s",
	.summary = "perf trace -s: a summary, through a ring buffer",
	.needs = "perf, tracefs, perf events of the kernel",
	.outside = &perf_trace_s,
	.follow = tracer_await_zombie,
};

const struct tracer_ops tracer_bpftrace_count = {
	.name = "bpftrace-count",
	.summary = "bpftrace: a BPF program counts the calls of the process and its children",
	.needs = "bpftrace, root, tracefs",
	.outside = &bpftrace_count,
	.follow = tracer_await_zombie,
};

const struct tracer_ops tracer_gdb = {
	.name = "gdb",
	.summary = "gdb with 'catch syscall', continued at each stop; forks not followed",
	.needs = "gdb, ptrace",
	.outside = &gdb,
	.follow = tracer_await_zombie,
};

const struct tracer_ops tracer_ltrace = {
	.name = "ltrace",
	.summary =
		"ltrace -S -f -o FILE: library and system calls written (of a dynamic child)",
	.needs = "ltrace, ptrace",
	.outside = &ltrace,
	.follow = tracer_await_zombie,
};
