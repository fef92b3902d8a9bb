/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/xalloc.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"

static _Noreturn void out_of_memory(void)
{
	fputs("tracetax: out of memory\n", stderr);
	exit(EXIT_MEASURE);
}

void *xcalloc(size_t n, size_t size)
{
	void *p = calloc(n ? n : 1, size);

	if (!p)
		out_of_memory();
	return p;
}

void *xreallocarray(void *p, size_t n, size_t size)
{
	void *q = reallocarray(p, n ? n : 1, size);

	if (!q)
		out_of_memory();
	return q;
}

char *xstrdup(const char *s)
{
	char *copy = strdup(s);

	if (!copy)
		out_of_memory();
	return copy;
}

char *xasprintf(const char *fmt, ...)
{
	char *text = NULL;
	va_list ap;

	va_start(ap, fmt);
	if (vasprintf(&text, fmt, ap) < 0)
		out_of_memory();
	va_end(ap);
	return text;
}

void *xgrow(void *array, size_t used, size_t *capacity, size_t size)
{
	if (used < *capacity)
		return array;
	*capacity = *capacity ? 2 * *capacity : 16;
	return xreallocarray(array, *capacity, size);
}
