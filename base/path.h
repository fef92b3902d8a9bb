/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Finding programs the way execvp(3) does.
 */
#ifndef TRACETAX_PATH_H
#define TRACETAX_PATH_H

/*
 * The name itself where it has a slash and can be executed, else the first in PATH that can;
 * the caller frees it. NULL: none.
 */
char *path_find(const char *program);

#endif
