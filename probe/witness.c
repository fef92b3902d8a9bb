/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "probe/witness.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* The start of a file, or "" when it can't be read. */
static const char *slurp(char *buf, size_t size, const char *root, const char *path)
{
	char full[4096];
	size_t used = 0;
	ssize_t n = 0;
	int fd;

	buf[0] = '\0';
	if (snprintf(full, sizeof(full), "%s%s", root, path) >= (int)sizeof(full))
		return buf;
	fd = open(full, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return buf;
	while (used < size - 1 && (n = read(fd, buf + used, size - 1 - used)) > 0)
		used += (size_t)n;
	close(fd);
	buf[n < 0 ? 0 : used] = '\0';
	return buf;
}

static const char *slurp_pid(char *buf, size_t size, const char *root, pid_t pid,
			     const char *file)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d/%s", (int)pid, file);
	return slurp(buf, size, root, path);
}

void witness_parse_schedstat(const char *text, struct schedstat *out)
{
	if (sscanf(text, "%" SCNd64 " %" SCNd64, &out->run_ns, &out->wait_ns) != 2)
		*out = (struct schedstat) { SAMPLE_UNKNOWN, SAMPLE_UNKNOWN };
}

void witness_parse_stat(const char *text, struct pidstat *out)
{
	/* The name in field 2 may hold blanks and parentheses: fields count from its last ')'.
	 */
	const char *p = strrchr(text, ')');
	int field = 2;

	*out = (struct pidstat) { SAMPLE_UNKNOWN, SAMPLE_UNKNOWN, SAMPLE_UNKNOWN };
	while (p && (p = strchr(p, ' '))) {
		int64_t *to = NULL;

		p++;
		field++;
		if (field == 14)
			to = &out->utime_ticks;
		else if (field == 15)
			to = &out->stime_ticks;
		else if (field == 39)
			to = &out->cpu;
		if (to && sscanf(p, "%" SCNd64, to) != 1)
			*to = SAMPLE_UNKNOWN;
	}
}

int64_t witness_parse_migrations(const char *text)
{
	const char *p = strstr(text, "nr_migrations");
	int64_t n;

	if (!p || !(p = strchr(p, ':')) || sscanf(p + 1, "%" SCNd64, &n) != 1)
		return SAMPLE_UNKNOWN;
	return n;
}

/* USER_HZ is 100 on every architecture but alpha; sysconf(3) _SC_CLK_TCK tells. */
static int64_t user_hz_ns(void)
{
	long hz = sysconf(_SC_CLK_TCK);

	return 1000000000 / (hz > 0 ? hz : 100);
}

void witness_parse_cpustat(const char *text, int cpu, struct cpustat *out)
{
	const int64_t tick = user_hz_ns();
	char name[16];
	const char *p = text;
	int64_t irq, softirq, steal;

	*out = (struct cpustat) { SAMPLE_UNKNOWN, SAMPLE_UNKNOWN, SAMPLE_UNKNOWN };
	if (cpu < 0)
		snprintf(name, sizeof(name), "cpu ");
	else
		snprintf(name, sizeof(name), "cpu%d ", cpu);
	while (p && strncmp(p, name, strlen(name)) != 0)
		p = (p = strchr(p, '\n')) ? p + 1 : NULL;
	if (!p || sscanf(p, "%*s %*s %*s %*s %*s %*s %" SCNd64 " %" SCNd64 " %" SCNd64, &irq,
			 &softirq, &steal) != 3)
		return;
	*out = (struct cpustat) { irq * tick, softirq * tick, steal * tick };
}

void witness_schedstat(const char *root, pid_t pid, struct schedstat *out)
{
	char buf[128];

	witness_parse_schedstat(slurp_pid(buf, sizeof(buf), root, pid, "schedstat"), out);
}

void witness_stat(const char *root, pid_t pid, struct pidstat *out)
{
	char buf[2048];

	witness_parse_stat(slurp_pid(buf, sizeof(buf), root, pid, "stat"), out);
}

int64_t witness_migrations(const char *root, pid_t pid)
{
	char buf[4096];

	return witness_parse_migrations(slurp_pid(buf, sizeof(buf), root, pid, "sched"));
}

static void add_known(int64_t *to, int64_t v)
{
	*to = *to == SAMPLE_UNKNOWN || v == SAMPLE_UNKNOWN ? SAMPLE_UNKNOWN : *to + v;
}

void witness_cpustat(const char *root, int cpu, int tracer_cpu, struct cpustat *out)
{
	/* The per-CPU lines come first: 64 KiB hold those of some 800 CPUs. */
	char buf[65536];
	struct cpustat other;

	slurp(buf, sizeof(buf), root, "/proc/stat");
	if (cpu < 0 || tracer_cpu < 0)
		cpu = tracer_cpu = -1;
	witness_parse_cpustat(buf, cpu, out);
	if (cpu == tracer_cpu)
		return;
	witness_parse_cpustat(buf, tracer_cpu, &other);
	add_known(&out->irq_ns, other.irq_ns);
	add_known(&out->softirq_ns, other.softirq_ns);
	add_known(&out->steal_ns, other.steal_ns);
}

int64_t witness_cpuclock(pid_t pid)
{
	clockid_t id;
	struct timespec t;

	if (clock_getcpuclockid(pid, &id) || clock_gettime(id, &t))
		return SAMPLE_UNKNOWN;
	return t.tv_sec * INT64_C(1000000000) + t.tv_nsec;
}
