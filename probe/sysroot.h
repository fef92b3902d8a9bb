/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Everything read from /proc, /sys, /boot, /lib and /run goes through a replaceable root, so
 * that the files of another machine can stand in for those of this one. `root` is "" for the
 * real machine, else a directory that holds proc/, sys/, boot/. Paths begin with a slash.
 *
 * A file that is not there gives errno ENOENT (or ENOTDIR); one that is there and cannot be
 * read gives EACCES, EPERM, EIO and the like. Symbolic links below a fixture root have to be
 * relative, or they lead out of it.
 */
#ifndef TRACETAX_SYSROOT_H
#define TRACETAX_SYSROOT_H

#include <stdbool.h>
#include <stdint.h>

/* /proc/cpuinfo of the largest machines stays below; larger files fail with EFBIG. */
enum { SYSROOT_FILE_MAX = 8 << 20 };

/* Is this the machine we run on? What can be tried may be tried only there. */
bool sysroot_is_real(const char *root);

/* root + path; the caller frees it. */
char *sysroot_path(const char *root, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/*
 * A whole small file. NUL bytes become newlines (/proc/PID/environ, the device tree) and the
 * newlines at the end are removed. The caller frees it. NULL with errno set on failure.
 */
char *sysroot_read(const char *root, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* A file with one decimal whole number. 0, or -1 with errno set (EINVAL: not a number). */
int sysroot_read_int(const char *root, int64_t *out, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* What a symbolic link says. The caller frees it. NULL with errno set on failure. */
char *sysroot_link(const char *root, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

bool sysroot_exists(const char *root, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

#endif
