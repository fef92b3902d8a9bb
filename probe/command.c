/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "probe/command.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/path.h"
#include "probe/launch.h"
#include "probe/status.h"

/* Standard input in memory, to its end; -1 with errno. */
static int copy_input(void)
{
	int copy = launch_memory_file("tracetax-stdin");
	char buf[65536];
	ssize_t n = 0;

	while (copy >= 0 && (n = read(STDIN_FILENO, buf, sizeof(buf))) != 0) {
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0 || write(copy, buf, (size_t)n) != n)
			break;
	}
	if (copy >= 0 && n) {
		close(copy);
		return -1;
	}
	return copy;
}

static int find_input(struct command *c, struct err *e)
{
	struct stat st;

	c->input = -1;
	if (isatty(STDIN_FILENO) || fstat(STDIN_FILENO, &st))
		return 0;
	c->input_offset = lseek(STDIN_FILENO, 0, SEEK_CUR);
	if (S_ISFIFO(st.st_mode) || S_ISSOCK(st.st_mode)) {
		c->input = copy_input();
		c->input_offset = 0;
		return c->input < 0
			       ? err_set(e, EXIT_MEASURE, "standard input: %s", strerror(errno))
			       : 0;
	}
	c->input = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 16);
	return 0;
}

int command_open(struct command *c, char **argv, struct err *e)
{
	c->argv = argv;
	c->status = -1;
	c->input = -1;
	c->path = path_find(argv[0]);
	if (!c->path)
		return err_set(e, EXIT_USAGE, "run: '%s' is no program, nor is one in PATH",
			       argv[0]);
	return find_input(c, e);
}

int command_input(const struct command *c)
{
	char path[32];
	int fd;

	if (c->input < 0)
		return -1;
	/* A descriptor of its own: its offset is moved by nobody else. */
	snprintf(path, sizeof(path), "/proc/self/fd/%d", c->input);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd >= 0 && c->input_offset > 0)
		lseek(fd, c->input_offset, SEEK_SET);
	return fd;
}

bool command_judge(struct command *c, int status, char *why, size_t size)
{
	const struct stop end = stop_classify(status), first = stop_classify(c->status);
	char text[64], before[64];

	stop_describe(end, text, sizeof(text));
	if ((end.kind != STOP_EXITED || end.code) && !c->ignore_failure) {
		snprintf(why, size, "the command %s; --ignore-failure takes it as it is", text);
		return false;
	}
	if (c->status < 0)
		c->status = status;
	if (status == c->status)
		return true;
	snprintf(why, size, "the command %s, in its first run it %s", text,
		 stop_describe(first, before, sizeof(before)));
	return false;
}

void command_close(struct command *c)
{
	free(c->path);
	c->path = NULL;
	if (c->input >= 0)
		close(c->input);
	c->input = -1;
}

int command_prepare(const char *script, struct err *e)
{
	int null = open("/dev/null", O_RDONLY | O_CLOEXEC), status = 0;
	pid_t pid = fork();
	char text[64];

	if (!pid) {
		if (dup2(null, STDIN_FILENO) >= 0 && dup2(STDERR_FILENO, STDOUT_FILENO) >= 0)
			execl("/bin/sh", "sh", "-c", script, (char *)NULL);
		_exit(127);
	}
	if (null >= 0)
		close(null);
	if (pid < 0)
		return err_set(e, EXIT_MEASURE, "--prepare: fork: %s", strerror(errno));
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return err_set(e, EXIT_MEASURE, "--prepare: %s", strerror(errno));
	if (WIFEXITED(status) && !WEXITSTATUS(status))
		return 0;
	return err_set(e, EXIT_MEASURE, "--prepare: '%s' %s", script,
		       stop_describe(stop_classify(status), text, sizeof(text)));
}
