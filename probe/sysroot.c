/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "probe/sysroot.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "base/parse.h"
#include "base/xalloc.h"

bool sysroot_is_real(const char *root)
{
	return !root[0];
}

__attribute__((format(printf, 2, 0))) static char *join(const char *root, const char *fmt,
							va_list ap)
{
	char path[PATH_MAX];

	vsnprintf(path, sizeof(path), fmt, ap);
	return xasprintf("%s%s", root, path);
}

char *sysroot_path(const char *root, const char *fmt, ...)
{
	va_list ap;
	char *path;

	va_start(ap, fmt);
	path = join(root, fmt, ap);
	va_end(ap);
	return path;
}

/* free() may change errno (before glibc 2.33), and errno is what the caller asks for. */
static void free_keep_errno(void *p)
{
	int err = errno;

	free(p);
	errno = err;
}

/* Files of /proc and /sys have no size in stat(2): read until the end. */
static char *slurp(int fd, size_t *n)
{
	size_t room = 4096;
	char *text = xcalloc(room, 1);
	ssize_t got;

	*n = 0;
	while ((got = read(fd, text + *n, room - *n - 1)) != 0) {
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			goto fail;
		*n += (size_t)got;
		if (*n > SYSROOT_FILE_MAX) {
			errno = EFBIG;
			goto fail;
		}
		if (*n + 1 == room) {
			room *= 2;
			text = xreallocarray(text, room, 1);
		}
	}
	text[*n] = '\0';
	return text;
fail:
	free_keep_errno(text);
	return NULL;
}

static char *read_text(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	char *text;
	size_t n;
	int err;

	if (fd < 0)
		return NULL;
	text = slurp(fd, &n);
	err = errno;
	close(fd);
	errno = err;
	if (!text)
		return NULL;
	for (size_t i = 0; i < n; i++)
		if (!text[i])
			text[i] = '\n';
	while (n && text[n - 1] == '\n')
		text[--n] = '\0';
	return text;
}

char *sysroot_read(const char *root, const char *fmt, ...)
{
	va_list ap;
	char *path;
	char *text;

	va_start(ap, fmt);
	path = join(root, fmt, ap);
	va_end(ap);
	text = read_text(path);
	free_keep_errno(path);
	return text;
}

int sysroot_read_int(const char *root, int64_t *out, const char *fmt, ...)
{
	va_list ap;
	char *path;
	char *text;
	int rc;

	va_start(ap, fmt);
	path = join(root, fmt, ap);
	va_end(ap);
	text = read_text(path);
	free_keep_errno(path);
	if (!text)
		return -1;
	rc = parse_int("file", text, INT64_MIN, INT64_MAX, out, NULL);
	free(text);
	if (rc)
		errno = EINVAL;
	return rc;
}

char *sysroot_link(const char *root, const char *fmt, ...)
{
	char target[PATH_MAX];
	va_list ap;
	char *path;
	ssize_t n;

	va_start(ap, fmt);
	path = join(root, fmt, ap);
	va_end(ap);
	n = readlink(path, target, sizeof(target) - 1);
	free_keep_errno(path);
	if (n < 0)
		return NULL;
	target[n] = '\0';
	return xstrdup(target);
}

bool sysroot_exists(const char *root, const char *fmt, ...)
{
	va_list ap;
	char *path;
	bool there;

	va_start(ap, fmt);
	path = join(root, fmt, ap);
	va_end(ap);
	there = access(path, F_OK) == 0;
	free_keep_errno(path);
	return there;
}
