/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * No tracer: the harness sleeps until the child has ended. `aa` is the same a second time
 * under a name of its own: what differs between the two is the noise floor.
 */
#include "probe/tracer.h"

const struct tracer_ops tracer_none = {
	.name = "none",
	.summary = "not traced: the baseline",
	.needs = "nothing",
	.supported = tracer_always,
	.follow = tracer_await_zombie,
};

const struct tracer_ops tracer_aa = {
	.name = "aa",
	.summary = "not traced, a second time: the noise floor",
	.needs = "nothing",
	.supported = tracer_always,
	.follow = tracer_await_zombie,
};
