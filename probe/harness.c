/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "probe/harness.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "base/xalloc.h"
#include "probe/cell.h"
#include "probe/watch.h"

static int open_report(struct harness *h, struct err *e)
{
	int low;

	h->report_size =
		sizeof(*h->report) + (size_t)h->o.max_windows * sizeof(h->report->window[0]);
	low = memfd_create("tracetax-report", MFD_CLOEXEC);
	/* Above the descriptors that a child redirects: dup2() onto itself keeps close-on-exec.
	 */
	if (low >= 0) {
		h->report_fd = fcntl(low, F_DUPFD_CLOEXEC, 16);
		close(low);
	}
	if (h->report_fd >= 0 && !ftruncate(h->report_fd, (off_t)h->report_size))
		h->report = mmap(NULL, h->report_size, PROT_READ | PROT_WRITE,
				 MAP_SHARED | MAP_POPULATE, h->report_fd, 0);
	if (h->report_fd < 0 || !h->report || h->report == MAP_FAILED)
		return err_set(e, EXIT_MEASURE,
			       "no report area of %zu bytes for %" PRId64 " windows: %s",
			       h->report_size, h->o.max_windows, strerror(errno));
	h->report->magic = CHILD_REPORT_MAGIC;
	h->report->capacity = (uint64_t)h->o.max_windows;
	return 0;
}

int harness_open(struct harness *h, const struct harness_options *o, struct err *e)
{
	*h = (struct harness) { .o = *o, .report_fd = -1 };
	if (h->o.max_windows < HARNESS_MIN_WINDOWS)
		h->o.max_windows = HARNESS_MIN_WINDOWS;
	rate_start(&h->rate);
	h->start_ns = h->rate.ns;
	if (cpulist_allowed(&h->allowed, e) || open_report(h, e))
		return -1;
	h->scratch = xcalloc((size_t)h->o.max_windows, sizeof(*h->scratch));
	/* What a command of the user's leaves behind is its own affair. */
	if (!h->o.command && prctl(PR_SET_CHILD_SUBREAPER, 1))
		return err_set(e, EXIT_MEASURE, "prctl(PR_SET_CHILD_SUBREAPER): %s",
			       strerror(errno));
	if (keeper_start(&h->keeper, e))
		return -1;
	return watch_install(e);
}

int harness_pin(const struct harness *h, int cpu, struct err *e)
{
	cpu_set_t *set = CPU_ALLOC(CPU_MAX);
	size_t size = CPU_ALLOC_SIZE(CPU_MAX);
	int ret;

	if (!set)
		return err_set(e, EXIT_MEASURE, "no memory for a CPU set");
	CPU_ZERO_S(size, set);
	for (size_t i = 0; i < h->allowed.n; i++)
		if (cpu == CPU_ANY || cpu == h->allowed.cpu[i])
			CPU_SET_S(h->allowed.cpu[i], size, set);
	ret = sched_setaffinity(0, size, set);
	CPU_FREE(set);
	return ret ? err_set(e, EXIT_MEASURE, "can't run on CPU %d: %s", cpu, strerror(errno))
		   : 0;
}

void harness_close(struct harness *h)
{
	harness_pin(h, CPU_ANY, NULL);
	if (h->keeper.group)
		keeper_stop(&h->keeper);
	if (h->report && h->report != MAP_FAILED)
		munmap(h->report, h->report_size);
	if (h->report_fd >= 0)
		close(h->report_fd);
	free(h->scratch);
	cpulist_free(&h->allowed);
}

char *harness_find_child(struct err *e)
{
	static const char *const places[] = { "", "../libexec/tracetax/" };
	char self[4096];
	ssize_t n = readlink("/proc/self/exe", self, sizeof(self) - 1);

	if (n < 0) {
		err_set(e, EXIT_MEASURE, "/proc/self/exe: %s; is /proc mounted?",
			strerror(errno));
		return NULL;
	}
	self[n] = '\0';
	*strrchr(self, '/') = '\0';
	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		char *path = xasprintf("%s/%stracetax-child", self, places[i]);

		if (!access(path, X_OK))
			return path;
		free(path);
	}
	err_set(e, EXIT_MEASURE,
		"tracetax-child is neither in %s nor in %s/../libexec/tracetax; "
		"name it with --child-path",
		self, self);
	return NULL;
}
