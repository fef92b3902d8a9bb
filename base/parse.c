/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/parse.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"

int parse_int(const char *what, const char *text, int64_t min, int64_t max, int64_t *out,
	      struct err *e)
{
	char *end;
	long long v;

	errno = 0;
	v = strtoll(text, &end, 10);
	/* strtoll() takes leading blanks and a plus sign; a typed number has neither. */
	if (!(isdigit((unsigned char)text[0]) || text[0] == '-') || *end || errno || v < min ||
	    v > max)
		return err_set(e, EXIT_USAGE,
			       "%s: '%s' is not a whole number from %" PRId64 " to %" PRId64,
			       what, text, min, max);
	*out = v;
	return 0;
}

int parse_duration_ns(const char *what, const char *text, int64_t *out, struct err *e)
{
	static const struct {
		const char *unit;
		double ns;
	} units[] = {
		{ "ms", 1e6 }, { "s", 1e9 }, { "min", 60e9 }, { "h", 3600e9 }, { "", 1e9 },
	};
	const double longest = 30.0 * 24 * 3600e9;
	const size_t digits = strspn(text, "0123456789.");
	char *end = NULL;
	double v = strtod(text, &end);

	/* Only decimal digits: strtod() would also take "inf", "nan", "1e9" and "0x1p3". */
	if (!digits || end != text + digits)
		end = NULL;
	for (size_t i = 0; end && isfinite(v) && i < sizeof(units) / sizeof(units[0]); i++) {
		if (strcmp(end, units[i].unit) != 0)
			continue;
		if (v * units[i].ns < 1e6 || v * units[i].ns > longest)
			break;
		*out = (int64_t)(v * units[i].ns);
		return 0;
	}
	return err_set(e, EXIT_USAGE,
		       "%s: '%s' is not a duration from 1ms to 720h (units: ms, s, min, h)",
		       what, text);
}

int split_list(const char *what, const char *text, char ***items, size_t *n, struct err *e)
{
	size_t count = 0, capacity = 0;
	char **list = NULL;

	for (const char *p = text;; p++) {
		size_t len = strcspn(p, ",");

		if (!len) {
			split_free(list, count);
			return err_set(e, EXIT_USAGE, "%s: '%s' has an empty item; write a,b,c",
				       what, text);
		}
		list = xgrow(list, count, &capacity, sizeof(*list));
		list[count] = xcalloc(len + 1, 1);
		memcpy(list[count++], p, len);
		p += len;
		if (!*p)
			break;
	}
	*items = list;
	*n = count;
	return 0;
}

void split_free(char **items, size_t n)
{
	for (size_t i = 0; i < n; i++)
		free(items[i]);
	free(items);
}
