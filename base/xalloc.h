/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Allocation that does not return without memory: on failure one line on stderr and exit 3.
 * Everything is released with free().
 */
#ifndef TRACETAX_XALLOC_H
#define TRACETAX_XALLOC_H

#include <stddef.h>

/* Zeroed memory for n objects of `size` bytes; n * size is checked for overflow. */
void *xcalloc(size_t n, size_t size) __attribute__((malloc, alloc_size(1, 2), returns_nonnull));

/* realloc() to n objects of `size` bytes. */
void *xreallocarray(void *p, size_t n, size_t size) __attribute__((returns_nonnull));

char *xstrdup(const char *s) __attribute__((malloc, returns_nonnull));

/* A formatted string. */
char *xasprintf(const char *fmt, ...)
	__attribute__((format(printf, 1, 2), malloc, returns_nonnull));

/*
 * Make room for one more object in a growing array: doubles *capacity when `used` has
 * reached it. Returns the array, perhaps moved.
 */
void *xgrow(void *array, size_t used, size_t *capacity, size_t size)
	__attribute__((returns_nonnull));

#endif
