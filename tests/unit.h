/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What every unit test includes first: cmocka.h wants the four headers before it. */
#ifndef TRACETAX_TESTS_UNIT_H
#define TRACETAX_TESTS_UNIT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* Behind the four. */
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* cmocka 1.1 has no message for a condition on doubles. */
#define assert_close(a, b, tolerance)                                                          \
	do {                                                                                   \
		double a_ = (a), b_ = (b);                                                     \
		if (!(fabs(a_ - b_) <= (tolerance)))                                           \
			fail_msg("%s is %.10g, not %.10g", #a, a_, b_);                        \
	} while (0)

#define assert_says(text, word)                                                                \
	do {                                                                                   \
		if (!strstr(text, word))                                                       \
			fail_msg("'%s' does not say '%s'", text, word);                        \
	} while (0)

#endif
