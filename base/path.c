/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/path.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/xalloc.h"

static bool is_program(const char *path)
{
	struct stat st;

	return !stat(path, &st) && S_ISREG(st.st_mode) && !access(path, X_OK);
}

char *path_find(const char *program)
{
	const char *path = getenv("PATH"), *end;

	if (strchr(program, '/'))
		return is_program(program) ? xstrdup(program) : NULL;
	for (; path && *path; path = *end ? end + 1 : end) {
		char *whole;

		end = strchrnul(path, ':');
		/* An empty entry is the working directory. */
		whole = xasprintf("%.*s/%s", end == path ? 1 : (int)(end - path),
				  end == path ? "." : path, program);
		if (is_program(whole))
			return whole;
		free(whole);
	}
	return NULL;
}
