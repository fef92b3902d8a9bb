/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The kernel's build configuration: /proc/config.gz (CONFIG_IKCONFIG_PROC), else
 * /boot/config-RELEASE, else /lib/modules/RELEASE/config.
 */
#ifndef TRACETAX_KCONFIG_H
#define TRACETAX_KCONFIG_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"

struct kconfig {
	char *text; /* the whole file */
	char *path; /* where it was found, without the root */
};

/*
 * `release` is that of the running kernel. 0, or -1 with `e` set (EXIT_MEASURE) when none of
 * the three can be read; `out` is then empty. Release with kconfig_free().
 */
int kconfig_read(const char *root, const char *release, struct kconfig *out, struct err *e);

/* "CONFIG_NAME=y"? The name is given without CONFIG_. */
bool kconfig_on(const struct kconfig *c, const char *name);

/* A number: CONFIG_HZ=250. 0, or -1 when it is not there or no number. */
int kconfig_int(const struct kconfig *c, const char *name, int64_t *out);

void kconfig_free(struct kconfig *c);

#endif
