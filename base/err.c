/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/err.h"

#include <stdarg.h>
#include <stdio.h>

int err_set(struct err *e, enum exit_code code, const char *fmt, ...)
{
	va_list ap;

	if (!e)
		return -1;
	e->code = code;
	va_start(ap, fmt);
	vsnprintf(e->text, sizeof(e->text), fmt, ap);
	va_end(ap);
	return -1;
}

int err_prefix(struct err *e, const char *fmt, ...)
{
	char head[sizeof(e->text) / 2];
	char tail[sizeof(e->text)];
	va_list ap;

	if (!e)
		return -1;
	va_start(ap, fmt);
	vsnprintf(head, sizeof(head), fmt, ap);
	va_end(ap);
	snprintf(tail, sizeof(tail), "%s", e->text);
	/* The head is at most half of the text: what is cut is the end of the tail. */
	snprintf(e->text, sizeof(e->text), "%s: %.*s", head,
		 (int)(sizeof(e->text) - sizeof(head) - 3), tail);
	return -1;
}

int err_print(const struct err *e)
{
	fflush(stdout);
	fprintf(stderr, "tracetax: %s\n", e->text);
	return (int)e->code;
}

void warn(const char *fmt, ...)
{
	va_list ap;

	fflush(stdout);
	fputs("tracetax: warning: ", stderr);
	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	fputc('\n', stderr);
}
