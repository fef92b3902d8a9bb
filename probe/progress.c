/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "probe/progress.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "probe/rate.h"

void progress_start(struct progress *p, bool wanted, int64_t total)
{
	const char *term = getenv("TERM");

	*p = (struct progress) { .total = total, .start_ns = monotonic_ns() };
	p->on = wanted && isatty(STDERR_FILENO) && !(term && !strcmp(term, "dumb"));
}

void progress_step(struct progress *p, const struct cell *c)
{
	struct winsize size = { 0 };
	char text[256];
	int64_t left_ns = 0;
	int columns;

	p->done++;
	if (!p->on)
		return;
	if (p->done > 1)
		left_ns = (monotonic_ns() - p->start_ns) / (p->done - 1) *
			  (p->total - p->done + 1);
	columns = ioctl(STDERR_FILENO, TIOCGWINSZ, &size) || !size.ws_col ? 80 : size.ws_col;
	snprintf(text, sizeof(text),
		 "run %" PRId64 "/%" PRId64 "  %s N=%" PRId64 " %s %s  %s%" PRId64 " s left",
		 p->done, p->total, c->workload, c->ops, c->tracer, c->place.name,
		 p->done > 1 ? "about " : "? ", left_ns / 1000000000);
	fprintf(stderr, "\r\033[K%.*s", columns - 1, text);
	fflush(stderr);
}

void progress_clear(struct progress *p)
{
	if (!p->on || !p->done)
		return;
	fputs("\r\033[K", stderr);
	fflush(stderr);
}
