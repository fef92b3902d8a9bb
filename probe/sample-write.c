/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/xalloc.h"
#include "probe/sample-io.h"

static int write_all(int fd, const char *path, const char *text, size_t n, struct err *e)
{
	while (n) {
		ssize_t done = write(fd, text, n);

		if (done < 0 && errno == EINTR)
			continue;
		if (done < 0)
			return err_set(e, EXIT_MEASURE, "%s: write: %s", path, strerror(errno));
		text += done;
		n -= (size_t)done;
	}
	return 0;
}

int samples_open(const char *path, struct err *e)
{
	/* Readable too, to look at the last byte; a device may only be writable. */
	int fd = open(path, O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
	struct stat st;
	char last;

	if (fd < 0 && (errno == EACCES || errno == EINVAL))
		fd = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
	if (fd < 0)
		return err_set(e, EXIT_MEASURE, "%s: can't open for writing: %s", path,
			       strerror(errno));
	if (fstat(fd, &st) || !S_ISREG(st.st_mode) || !st.st_size)
		return fd;
	if (pread(fd, &last, 1, st.st_size - 1) == 1 && last != '\n' &&
	    write_all(fd, path, "\n", 1, e)) {
		close(fd);
		return -1;
	}
	return fd;
}

static int write_line(int fd, const char *path, const json_t *object, struct err *e)
{
	char *text = json_dumps(object, JSON_COMPACT);
	char *line;
	int ret;

	if (!text)
		return err_set(e, EXIT_MEASURE, "%s: no JSON for a line (out of memory?)",
			       path);
	line = xasprintf("%s\n", text);
	ret = write_all(fd, path, line, strlen(line), e);
	free(line);
	free(text);
	return ret;
}

int samples_write_campaign(int fd, const char *path, const json_t *campaign, struct err *e)
{
	return write_line(fd, path, campaign, e);
}

static json_t *field_json(const struct sample *s, const struct sample_field *f)
{
	const void *at = (const char *)s + f->offset;
	int64_t v;

	if (f->type == SAMPLE_TEXT)
		return json_string(at);
	if (f->type == SAMPLE_BOOL)
		return json_boolean(*(const bool *)at);
	v = *(const int64_t *)at;
	return v == SAMPLE_UNKNOWN ? json_null() : json_integer(v);
}

int samples_write(int fd, const char *path, const struct sample *s, struct err *e)
{
	json_t *o = json_object();
	int bad = json_object_set_new(o, "type",
				      json_string(s->failure[0] ? "failure" : "sample"));
	int ret;

	for (const struct sample_field *f = sample_fields; f->name; f++) {
		if (f->offset == offsetof(struct sample, failure) && !s->failure[0])
			continue;
		bad |= json_object_set_new(o, f->name, field_json(s, f));
	}
	ret = bad ? err_set(e, EXIT_MEASURE, "%s: no JSON for a sample (out of memory?)", path)
		  : write_line(fd, path, o, e);
	json_decref(o);
	return ret;
}
