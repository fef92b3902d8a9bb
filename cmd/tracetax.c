/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tracetax: the table of subcommands. */
#include <argp.h>
#include <gsl/gsl_errno.h>
#include <langinfo.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "cmd/cmd.h"
#include "cmd/output.h"
#include "probe/caps.h"

static const struct command {
	const char *name;
	const char *summary;
	int (*run)(int argc, char **argv);
} commands[] = {
	{ "lkml2011", "the 2011 experiment: today's figures beside its own", cmd_lkml2011 },
	{ "run", "any matrix of workloads, operations, tracers and CPUs", cmd_run },
	{ "report", "samples to text, JSON, CSV or Markdown", cmd_report },
	{ "doctor", "what this machine can measure, and what would disturb it", cmd_doctor },
};

enum { N_COMMANDS = sizeof(commands) / sizeof(commands[0]) };

static void usage(FILE *out)
{
	fputs("Usage: tracetax COMMAND [OPTION...]\n"
	      "Measures how tracing distorts CPU-time accounting.\n\n",
	      out);
	for (int i = 0; i < N_COMMANDS; i++)
		fprintf(out, "  %-10s %s\n", commands[i].name, commands[i].summary);
	fputs("\n'tracetax COMMAND --help' tells more; so does tracetax(1).\n"
	      "Exit status: 0 fine, 1 a gate failed, 2 wrong usage or input, 3 not measured "
	      "or\n"
	      "not written, 4 nothing here can be measured, 5 not enough evidence.\n",
	      out);
}

static int print_and_check(void (*print)(FILE *))
{
	print(stdout);
	return output_done();
}

static void version(FILE *out)
{
	fputs("tracetax " TRACETAX_VERSION "\n", out);
}

static int unknown_command(const char *name)
{
	fprintf(stderr, "tracetax: '%s' is not a command:", name);
	for (int i = 0; i < N_COMMANDS; i++)
		fprintf(stderr, "%s %s", i ? "," : "", commands[i].name);
	fputs("; see 'tracetax --help'\n", stderr);
	return EXIT_USAGE;
}

int main(int argc, char **argv)
{
	caps_start();
	atexit(output_at_exit);
	argp_err_exit_status = EXIT_USAGE;
	gsl_set_error_handler_off(); /* its default aborts; results that fail are NaN */
	/* A closed pipe and a file at its limit are errors to report, not a silent end. */
	signal(SIGPIPE, SIG_IGN);
	signal(SIGXFSZ, SIG_IGN);
	/* Output is UTF-8. Numbers keep their point: LC_NUMERIC stays "C". */
	setlocale(LC_CTYPE, "");
	if (strcmp(nl_langinfo(CODESET), "UTF-8") != 0)
		setlocale(LC_CTYPE, "C.UTF-8");
	if (argc < 2) {
		usage(stderr);
		return EXIT_USAGE;
	}
	if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h") || !strcmp(argv[1], "help"))
		return print_and_check(usage);
	if (!strcmp(argv[1], "--version") || !strcmp(argv[1], "-V"))
		return print_and_check(version);
	for (int i = 0; i < N_COMMANDS; i++)
		if (!strcmp(commands[i].name, argv[1]))
			return commands[i].run(argc - 1, argv + 1);
	return unknown_command(argv[1]);
}
