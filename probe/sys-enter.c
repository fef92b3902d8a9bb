/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "probe/sys-enter.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "probe/caps.h"
#include "probe/sysroot.h"

/* Its number, or -1 with `e` set. tracefs is mounted where debugfs had it before 4.1. */
static long sys_enter_id(struct err *e)
{
	char *text;
	int error;
	long id = 0;

	caps_raise(CAPS_EVENTS);
	text = sysroot_read("", "/sys/kernel/tracing/events/raw_syscalls/sys_enter/id");
	error = text ? 0 : errno;
	if (!text)
		text = sysroot_read(
			"", "/sys/kernel/debug/tracing/events/raw_syscalls/sys_enter/id");
	caps_lower(CAPS_EVENTS);
	if (text)
		id = strtol(text, NULL, 10);
	free(text);
	if (id > 0)
		return id;
	if (error == EACCES || error == EPERM)
		return err_set(
			e, EXIT_MEASURE,
			"tracefs can't be read (%s); try 'sudo tracetax', or 'sudo mount "
			"-o remount,mode=755 /sys/kernel/tracing'",
			strerror(error));
	return err_set(e, EXIT_MEASURE,
		       "no tracepoint raw_syscalls:sys_enter (%s); as root 'mount -t tracefs "
		       "nodev /sys/kernel/tracing', and the kernel needs "
		       "CONFIG_FTRACE_SYSCALLS",
		       strerror(error));
}

int sys_enter_attr(struct perf_event_attr *attr, struct err *e)
{
	long id = sys_enter_id(e);

	*attr = (struct perf_event_attr) {
		.type = PERF_TYPE_TRACEPOINT,
		.size = sizeof(*attr),
		.config = (unsigned long)id,
		.disabled = 1,
		.inherit = 1,
	};
	return id < 0 ? -1 : 0;
}

int sys_enter_open(struct perf_event_attr *attr, pid_t tid, int cpu, struct err *e)
{
	int fd;

	caps_raise(CAPS_EVENTS);
	fd = (int)syscall(SYS_perf_event_open, attr, tid, cpu, -1, PERF_FLAG_FD_CLOEXEC);
	caps_lower(CAPS_EVENTS);
	if (fd < 0)
		err_set(e, EXIT_MEASURE,
			"perf_event_open on raw_syscalls:sys_enter: %s; try 'sudo tracetax', "
			"or "
			"'sysctl kernel.perf_event_paranoid=-1'",
			strerror(errno));
	return fd;
}

int64_t sys_enter_read(int fd)
{
	uint64_t count = 0;

	return fd >= 0 && read(fd, &count, sizeof(count)) == sizeof(count) ? (int64_t)count : 0;
}

int64_t sys_enter_close(int fd)
{
	int64_t count = sys_enter_read(fd);

	if (fd >= 0)
		close(fd);
	return count;
}

bool sys_enter_supported(char *why, size_t size)
{
	struct perf_event_attr attr;
	struct err e;
	int fd = sys_enter_attr(&attr, &e) ? -1 : sys_enter_open(&attr, getpid(), -1, &e);

	if (fd >= 0) {
		close(fd);
		return true;
	}
	snprintf(why, size, "%.400s", e.text);
	return false;
}
