/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The subcommands. argv[0] is the subcommand's own name; each parses its own options and
 * returns the exit code of the program (base/err.h).
 */
#ifndef TRACETAX_CMD_H
#define TRACETAX_CMD_H

int cmd_run(int argc, char **argv);
int cmd_report(int argc, char **argv);
int cmd_lkml2011(int argc, char **argv);
int cmd_doctor(int argc, char **argv);

#endif
