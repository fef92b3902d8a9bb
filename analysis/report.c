/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analysis/report.h"

#include <errno.h>
#include <string.h>

const struct format formats[] = {
	{ "text", "tables and sentences", report_text },
	{ "json", "everything, as data", report_json },
	{ "csv", "a row a cell, every column", report_csv },
	{ "markdown", "the text's tables and sentences for a page", report_markdown },
	{ NULL, NULL, NULL },
};

const struct format *format_find(const char *name)
{
	for (const struct format *f = formats; f->name; f++)
		if (!strcmp(f->name, name))
			return f;
	return NULL;
}

int report_write(FILE *out, const char *name, const struct format *f, const struct results *r,
		 const struct report_options *o, struct err *e)
{
	errno = 0;
	f->write(out, r, o);
	if (fflush(out) || ferror(out))
		return err_set(e, EXIT_MEASURE, "%s: write: %s", name,
			       errno ? strerror(errno) : "failed");
	return 0;
}
