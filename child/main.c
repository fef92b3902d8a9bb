/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * tracetax-child: the program that is measured. Static and small, so that what happens before
 * its loop is short and the same in every run.
 */
#include <errno.h>
#include <getopt.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "child/shim.h"
#include "child/workload-info.h"
#include "child/workload.h"

enum { MAX_CPU = 65535 };

struct args {
	const char *workload;
	const char *op;
	uint64_t iterations; /* 0: the workload's own number */
	uint64_t ops;
	uint64_t threads;  /* 0: the workload's own number */
	uint64_t duration; /* 0: fixed work */
	int report_fd;     /* -1: none */
	bool windows;
	const char *run; /* a command's path, its argv behind the options; NULL: none */
	char **argv;
	uint64_t dispatch;    /* 1: by Syscall User Dispatch */
	int cpu, partner_cpu; /* where to run; -1: anywhere */
};

static int bad(const char *option, const char *value, const char *allowed)
{
	fprintf(stderr, "tracetax-child: %s: '%s' is not %s\n", option, value, allowed);
	return CHILD_BAD_ARGUMENT;
}

/* A whole number from min to max; false after a message. */
static bool number(const char *option, const char *text, uint64_t min, uint64_t max,
		   uint64_t *out)
{
	char allowed[80];
	char *end;
	unsigned long long v;

	errno = 0;
	v = strtoull(text, &end, 10);
	if (text[0] < '0' || text[0] > '9' || *end || errno || v < min || v > max) {
		snprintf(allowed, sizeof(allowed), "a whole number from %llu to %llu",
			 (unsigned long long)min, (unsigned long long)max);
		bad(option, text, allowed);
		return false;
	}
	*out = v;
	return true;
}

static const char usage_text[] =
	"Usage: tracetax-child [--workload NAME] [--op mem|reg|none] [--ops N]\n"
	"                      [--iterations N | --duration COUNTS] [--threads N]\n"
	"                      [--cpu N] [--partner-cpu N] [--dispatch 0|1]\n"
	"                      [--report FD [--windows]]\n"
	"       tracetax-child --run PATH --report FD [--cpu N] -- ARGV...\n"
	"The program that tracetax measures; see tracetax(1).\n";

/* 0, or the status to end with; -1 for --help. */
static int parse_args(int argc, char **argv, struct args *a)
{
	static const struct option options[] = {
		{ "workload", required_argument, NULL, 'w' },
		{ "op", required_argument, NULL, 'p' },
		{ "iterations", required_argument, NULL, 'i' },
		{ "ops", required_argument, NULL, 'n' },
		{ "threads", required_argument, NULL, 't' },
		{ "duration", required_argument, NULL, 'd' },
		{ "run", required_argument, NULL, 'R' },
		{ "dispatch", required_argument, NULL, 'D' },
		{ "cpu", required_argument, NULL, 'c' },
		{ "partner-cpu", required_argument, NULL, 'P' },
		{ "report", required_argument, NULL, 'r' },
		{ "windows", no_argument, NULL, 'W' },
		{ "help", no_argument, NULL, 'h' },
		{ NULL, 0, NULL, 0 },
	};
	uint64_t fd; /* or a CPU */

	for (int c; (c = getopt_long(argc, argv, "+", options, NULL)) != -1;) {
		bool fine = true;

		if (c == 'w')
			a->workload = optarg;
		else if (c == 'p')
			a->op = optarg;
		else if (c == 'i')
			fine = number("--iterations", optarg, 1, UINT32_MAX, &a->iterations);
		else if (c == 'n')
			fine = number("--ops", optarg, 0, UINT32_MAX, &a->ops);
		else if (c == 't')
			fine = number("--threads", optarg, 1, CHILD_MAX_THREADS, &a->threads);
		else if (c == 'd')
			fine = number("--duration", optarg, 1, UINT64_MAX, &a->duration);
		else if (c == 'D')
			fine = number("--dispatch", optarg, 0, 1, &a->dispatch);
		else if (c == 'c' && (fine = number("--cpu", optarg, 0, MAX_CPU, &fd)))
			a->cpu = (int)fd;
		else if (c == 'P' && (fine = number("--partner-cpu", optarg, 0, MAX_CPU, &fd)))
			a->partner_cpu = (int)fd;
		else if (c == 'r' && (fine = number("--report", optarg, 0, INT32_MAX, &fd)))
			a->report_fd = (int)fd;
		else if (c == 'R')
			a->run = optarg;
		else if (c == 'W')
			a->windows = true;
		else if (c == 'h')
			return -1;
		else if (c == '?')
			fine = false;
		if (!fine)
			return CHILD_BAD_ARGUMENT;
	}
	a->argv = argv + optind;
	if (a->run)
		return 0;
	if (optind < argc)
		return bad("argument", argv[optind], "an option; none takes a bare word");
	if (a->windows && a->report_fd < 0)
		return bad("--windows", "without --report",
			   "enough: windows need a place to go");
	if (a->windows && a->duration)
		return bad("--windows", "with --duration",
			   "possible: how many windows it makes is not known");
	return 0;
}

/* Map the area and check that it is ours and large enough. NULL after a message. */
static struct child_report *map_report(const struct args *a)
{
	struct child_report *r;
	struct stat st;
	size_t need = sizeof(*r) + (a->windows ? a->iterations * sizeof(r->window[0]) : 0);

	if (fstat(a->report_fd, &st) || (size_t)st.st_size < need) {
		fprintf(stderr, "tracetax-child: --report %d: no area of %zu bytes behind it\n",
			a->report_fd, need);
		return NULL;
	}
	/* Populated at once: a page fault inside a window would be taken for an interrupt. */
	r = mmap(NULL, need, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, a->report_fd,
		 0);
	if (r == MAP_FAILED) {
		fprintf(stderr, "tracetax-child: --report %d: mmap: %s\n", a->report_fd,
			strerror(errno));
		return NULL;
	}
	if (r->magic != CHILD_REPORT_MAGIC) {
		fprintf(stderr, "tracetax-child: --report %d: made by another version\n",
			a->report_fd);
		return NULL;
	}
	return r;
}

/* What was not asked for is the workload's own. */
static void take_defaults(struct args *a)
{
	const struct workload_info *info = workload_info_find(a->workload);

	if (!a->threads)
		a->threads = info->threads;
	if (a->duration)
		a->iterations = UINT64_MAX;
	else if (!a->iterations)
		a->iterations = info->iterations;
}

int pin_to(int cpu)
{
	cpu_set_t *set = CPU_ALLOC((size_t)cpu + 1);
	const size_t size = CPU_ALLOC_SIZE((size_t)cpu + 1);
	int ret;

	if (!set)
		return -1;
	CPU_ZERO_S(size, set);
	CPU_SET_S((size_t)cpu, size, set);
	ret = sched_setaffinity(0, size, set);
	CPU_FREE(set);
	return ret;
}

/* What is not a workload: child/shim.h. */
static int run_command(struct args *a)
{
	struct child_report *report = a->report_fd < 0 ? NULL : map_report(a);

	if (!report)
		return CHILD_NO_REPORT_AREA;
	if (!a->argv[0])
		return bad("--run", a->run, "enough: its argv is missing");
	return shim_run(a->run, a->argv, a->cpu, report);
}

int main(int argc, char **argv)
{
	struct args a = {
		.workload = "pread", .op = "mem", .ops = 512, .report_fd = -1, .cpu = -1
	};
	const struct workload *w;
	const struct op *op;
	struct job job = { 0 };
	const char *names;
	int status;

	if (argc == 2 && !strcmp(argv[1], "--nothing"))
		return CHILD_DONE;
	status = parse_args(argc, argv, &a);
	if (status < 0)
		return fputs(usage_text, stdout) < 0 || fflush(stdout) ? CHILD_BAD_ARGUMENT : 0;
	if (status)
		return status;
	if (!(w = workload_find(a.workload)))
		return bad("--workload", a.workload, workload_info_names());
	if (!(op = op_find(a.op, &names)))
		return bad("--op", a.op, names);
	if (a.run)
		return run_command(&a);
	take_defaults(&a);
	job.iterations = a.iterations;
	job.duration = a.duration;
	job.threads = a.threads;
	job.ops = a.ops;
	job.op = op->run;
	job.dispatch = a.dispatch != 0;
	job.partner_cpu = a.partner_cpu;
	if (a.cpu >= 0 && pin_to(a.cpu))
		return (int)worker_failed(CHILD_BAD_ARGUMENT, "--cpu", errno);
	if (a.report_fd >= 0 && !(job.report = map_report(&a)))
		return CHILD_NO_REPORT_AREA;
	if (a.windows)
		job.window = job.report->window;
	return (int)workers_run(&job, w);
}
