/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/parse.h"
#include "base/path.h"
#include "base/xalloc.h"
#include "child/workload-info.h"
#include "probe/run-state.h"

/* The calls that filters name: what the user chose, or all that the workload makes. */
static const char *chosen_calls(const struct run *r)
{
	const struct workload_info *info = workload_info_find(r->c->workload);

	return r->h->o.filter ? r->h->o.filter : info ? info->calls : "";
}

static void clear_report(struct child_report *report)
{
	const uint64_t magic = report->magic, capacity = report->capacity;

	*report = (struct child_report) { .magic = magic, .capacity = capacity };
}

/* The child itself, or the command in its place, held at its gate. */
static int launch_child(struct run *r, struct err *e)
{
	int cpu = r->c->place.cpu, ret = 0;
	const struct cpulist one = { &cpu, 1 };

	r->launch.path = r->command ? r->command->path : r->h->o.child_path;
	r->launch.argv = r->command ? (const char *const *)r->command->argv : r->argv.word;
	r->launch.cpus = cpu == CPU_ANY ? &r->h->allowed : &one;
	if (r->tracer->filter) {
		ret = filter_make(&r->filter, r->tracer->filter, chosen_calls(r), e);
		r->launch.filter = &r->filter;
	}
	return ret ? -1 : launch_fork(&r->launch, e);
}

/* A tracer that is a program: it starts the child, which pins itself. */
static int launch_program(struct run *r, struct err *e)
{
	const struct outside *o = r->tracer->outside;
	int cpu = r->c->place.tracer_cpu, ret = -1;
	const struct cpulist one = { &cpu, 1 };
	size_t words = 0;
	char **argv;

	r->program_path = path_find(o->program);
	if (!r->program_path)
		return err_set(e, EXIT_MEASURE, "%s is not in PATH any more", o->program);
	argv = outside_argv(o, r->program_path, r->argv.word, chosen_calls(r), &words);
	r->launch.path = r->program_path;
	r->launch.argv = (const char *const *)argv;
	r->launch.cpus = cpu == CPU_ANY ? &r->h->allowed : &one;
	r->launch.report_fd = r->h->report_fd;
	r->launch.out_fd = launch_memory_file("tracetax-out");
	if (r->launch.out_fd < 0)
		err_set(e, EXIT_MEASURE, "a file for what %s writes: %s", o->program,
			strerror(errno));
	else
		ret = launch_fork(&r->launch, e);
	split_free(argv, words);
	return ret;
}

int run_launch(struct run *r, struct err *e)
{
	static const char *const no_environment[] = { NULL };
	const struct harness_options *o = &r->h->o;
	size_t variables = 0;
	char **environment = NULL;
	const char *child;
	int ret;

	r->launch = (struct launch) {
		.environment = no_environment,
		.aslr = o->aslr,
		.stdin_fd = -1,
		.stdout_fd = -1,
		.report_fd = r->command ? -1 : r->h->report_fd,
		.out_fd = -1,
	};
	child = o->child_path;
	if (r->tracer->outside && r->tracer->outside->dynamic_only)
		child = r->child_path = xasprintf("%s-dynamic", o->child_path);
	if (r->command) {
		child_argv_run(&r->argv, child, r->c, r->command);
		r->launch.environment = (const char *const *)environ;
		r->launch.stdin_fd = command_input(r->command);
		r->launch.stdout_fd = r->command->show_output ? STDOUT_FILENO : -1;
		r->launch.show_stderr = r->command->show_output;
	} else {
		child_argv_fill(&r->argv, child, r->c, r->tracer->in_process,
				rate_ns_per_count(&r->h->rate));
	}
	if (!r->command && o->like_outside) {
		environment = outside_environment(&variables);
		r->launch.environment = (const char *const *)environment;
	}
	clear_report(r->h->report);
	ret = r->tracer->outside ? launch_program(r, e) : launch_child(r, e);
	if (r->launch.stdin_fd >= 0)
		close(r->launch.stdin_fd);
	split_free(environment, variables);
	return ret;
}

void run_release(struct run *r)
{
	filter_free(&r->filter);
	child_argv_free(&r->argv);
	free(r->program_path);
	free(r->child_path);
	if (r->launch.listener >= 0)
		close(r->launch.listener);
	if (r->launch.out_fd >= 0)
		close(r->launch.out_fd);
}
