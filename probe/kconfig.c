/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "probe/kconfig.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "base/parse.h"
#include "base/xalloc.h"
#include "probe/sysroot.h"

/* gzread() also reads plain files. */
static char *read_gz(const char *path)
{
	size_t room = 1 << 16;
	size_t n = 0;
	gzFile f = gzopen(path, "rbe");
	char *text;
	int got;

	if (!f)
		return NULL;
	text = xcalloc(room, 1);
	while ((got = gzread(f, text + n, (unsigned)(room - n - 1))) > 0) {
		n += (size_t)got;
		if (n > SYSROOT_FILE_MAX)
			break;
		if (n + 1 == room) {
			room *= 2;
			text = xreallocarray(text, room, 1);
		}
	}
	text[n] = '\0';
	gzclose(f);
	/* A cut or damaged file is no evidence that an option is off. */
	if (got || !n) {
		free(text);
		return NULL;
	}
	return text;
}

int kconfig_read(const char *root, const char *release, struct kconfig *out, struct err *e)
{
	char *place[] = {
		xstrdup("/proc/config.gz"),
		xasprintf("/boot/config-%s", release),
		xasprintf("/lib/modules/%s/config", release),
	};

	memset(out, 0, sizeof(*out));
	for (size_t i = 0; i < sizeof(place) / sizeof(place[0]); i++) {
		char *path = sysroot_path(root, "%s", place[i]);

		if (!out->text && (out->text = read_gz(path)))
			out->path = xstrdup(place[i]);
		free(path);
		free(place[i]);
	}
	if (out->text)
		return 0;
	return err_set(e, EXIT_MEASURE,
		       "no kernel config in /proc/config.gz, /boot or /lib/modules");
}

/* What stands behind "CONFIG_NAME=" up to the end of the line; the caller frees it. */
static char *value_of(const struct kconfig *c, const char *name)
{
	char *key = xasprintf("CONFIG_%s=", name);
	size_t n = strlen(key);
	const char *at = c->text;
	char *value = NULL;

	while (at && (at = strstr(at, key)) && at != c->text && at[-1] != '\n')
		at += n;
	if (at)
		value = strndup(at + n, strcspn(at + n, "\n"));
	free(key);
	return value;
}

bool kconfig_on(const struct kconfig *c, const char *name)
{
	char *value = value_of(c, name);
	bool on = value && !strcmp(value, "y");

	free(value);
	return on;
}

int kconfig_int(const struct kconfig *c, const char *name, int64_t *out)
{
	char *value = value_of(c, name);
	int rc = value ? parse_int(name, value, INT64_MIN, INT64_MAX, out, NULL) : -1;

	free(value);
	return rc;
}

void kconfig_free(struct kconfig *c)
{
	free(c->text);
	free(c->path);
	memset(c, 0, sizeof(*c));
}
