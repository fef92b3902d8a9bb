/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TRACETAX_SENTENCE_H
#define TRACETAX_SENTENCE_H

#include "analysis/result.h"

/* Fill r->sentence: what was measured and what it means, for somebody who has to act on it. */
void sentence_make(struct result *r);

/* "1.23 s", "36.0 ms", "812 µs", "20 ns": three digits, into buf; a sign only when negative. */
const char *sentence_time(double ns, char *buf, size_t size);

#endif
