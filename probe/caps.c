/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "probe/caps.h"

#include <errno.h>
#include <linux/capability.h>
#include <stdbool.h>
#include <sys/syscall.h>
#include <unistd.h>

const struct caps_row caps_rows[] = {
	{ CAP_SYS_PTRACE, CAPS_PTRACE, "cap_sys_ptrace",
	  "run --pid on other users' processes, and ptrace at any Yama scope",
	  "--cap-add=SYS_PTRACE" },
	{ CAP_PERFMON, CAPS_EVENTS, "cap_perfmon",
	  "counting kernel events: tracers count, ring, perf-stat, perf-trace",
	  "--cap-add=PERFMON" },
	{ CAP_DAC_READ_SEARCH, CAPS_EVENTS, "cap_dac_read_search",
	  "the same tracers where tracefs is readable by root only",
	  "--cap-add=DAC_READ_SEARCH" },
	{ CAP_SYS_NICE, -1, "cap_sys_nice", "raising priorities against disturbance",
	  "--cap-add=SYS_NICE" },
	{ CAP_NET_ADMIN, -1, "cap_net_admin",
	  "taskstats, the kernel's record of each thread's end", "--cap-add=NET_ADMIN" },
	{ .name = NULL },
};

/* Where capabilities are not the user's own but this file's. */
static bool from_file(void)
{
	return getuid() != 0;
}

/* Set or clear effective ones; what is not permitted stays as it is. */
static void set(enum caps_feature f, cap_flag_value_t value)
{
	int saved = errno;
	cap_t caps = cap_get_proc();

	for (const struct caps_row *row = caps_rows; caps && row->name; row++) {
		cap_flag_value_t permitted = CAP_CLEAR;

		if (row->feature == (int)f &&
		    !cap_get_flag(caps, row->cap, CAP_PERMITTED, &permitted) &&
		    permitted == CAP_SET)
			cap_set_flag(caps, CAP_EFFECTIVE, 1, &row->cap, value);
	}
	/* Without it the call that follows is refused, and says so. */
	if (caps) {
		cap_set_proc(caps);
		cap_free(caps);
	}
	errno = saved;
}

void caps_start(void)
{
	cap_t caps = from_file() ? cap_get_proc() : NULL;

	if (!caps)
		return;
	cap_clear_flag(caps, CAP_EFFECTIVE);
	cap_set_proc(caps);
	cap_free(caps);
}

void caps_raise(enum caps_feature f)
{
	if (from_file())
		set(f, CAP_SET);
}

void caps_lower(enum caps_feature f)
{
	if (from_file())
		set(f, CAP_CLEAR);
}

void caps_drop(void)
{
	struct __user_cap_header_struct header = { _LINUX_CAPABILITY_VERSION_3, 0 };
	const struct __user_cap_data_struct none[_LINUX_CAPABILITY_U32S_3] = { { 0, 0, 0 } };

	/* The system call itself: libcap's function allocates. */
	if (from_file())
		syscall(SYS_capset, &header, none);
}
