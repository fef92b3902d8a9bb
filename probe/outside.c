/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "probe/outside.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/path.h"
#include "base/xalloc.h"
#include "child/report.h"
#include "probe/sample.h"

/* --- the program --- */

bool outside_supported(const struct outside *o, char *why, size_t size)
{
	char *path = path_find(o->program);

	if (!path) {
		snprintf(why, size, "%s is not installed (no such program in PATH)",
			 o->program);
		return false;
	}
	free(path);
	if (o->root_only && geteuid()) {
		snprintf(why, size, "%s works for root only; try 'sudo tracetax'", o->program);
		return false;
	}
	return !o->needs || o->needs(why, size);
}

char *outside_version(const struct outside *o)
{
	char *path = o->version ? path_find(o->program) : NULL, *line = NULL;
	size_t size = 0;
	ssize_t n = -1;
	int fds[2];
	pid_t pid = -1;
	FILE *f;

	if (!path || pipe2(fds, O_CLOEXEC)) {
		free(path);
		return NULL;
	}
	pid = fork();
	if (!pid) {
		if (dup2(fds[1], 1) >= 0 && dup2(fds[1], 2) >= 0)
			execl(path, o->program, o->version, (char *)NULL);
		_exit(127);
	}
	close(fds[1]);
	f = fdopen(fds[0], "re");
	if (f) {
		n = getline(&line, &size, f);
		while (fgetc(f) != EOF) /* it is not to die of SIGPIPE */
			;
		fclose(f);
	}
	while (pid > 0 && waitpid(pid, NULL, 0) < 0 && errno == EINTR)
		;
	free(path);
	if (n > 0)
		line[strcspn(line, "\n")] = '\0';
	else
		free(line);
	return n > 0 ? line : NULL;
}

/* --- its command line --- */

struct words {
	char **word;
	size_t n, capacity;
};

static void add(struct words *w, char *word)
{
	w->word = xgrow(w->word, w->n, &w->capacity, sizeof(*w->word));
	w->word[w->n++] = word;
}

static char *join(const char *const *command)
{
	char *all = xstrdup(command[0]);

	for (size_t i = 1; command[i]; i++) {
		char *longer = xasprintf("%s %s", all, command[i]);

		free(all);
		all = longer;
	}
	return all;
}

/* The word with every `what` in it replaced; both the word's and the result's are the heap's.
 */
static char *replace(char *word, const char *what, const char *by)
{
	char *at = strstr(word, what), *longer;

	if (!at)
		return word;
	longer = xasprintf("%.*s%s%s", (int)(at - word), word, by, at + strlen(what));
	free(word);
	return longer;
}

char **outside_argv(const struct outside *o, const char *path, const char *const *command,
		    const char *calls, size_t *n)
{
	char *out = xasprintf("/dev/fd/%d", CHILD_OUT_FD), *joined = join(command);
	struct words w = { 0 };

	add(&w, xstrdup(path));
	for (size_t i = 0; o->words[i]; i++) {
		char *word;

		if (!strcmp(o->words[i], "{}")) {
			for (size_t k = 0; command[k]; k++)
				add(&w, xstrdup(command[k]));
			continue;
		}
		word = replace(xstrdup(o->words[i]), "{out}", out);
		word = replace(word, "{command}", joined);
		add(&w, replace(word, "{calls}", calls[0] ? calls : "none"));
	}
	*n = w.n;
	add(&w, NULL);
	free(out);
	free(joined);
	return w.word;
}

char **outside_environment(size_t *n)
{
	static const char *const kept[] = { "PATH", "HOME" };
	struct words w = { 0 };

	for (size_t i = 0; i < sizeof(kept) / sizeof(kept[0]); i++)
		if (getenv(kept[i]))
			add(&w, xasprintf("%s=%s", kept[i], getenv(kept[i])));
	add(&w, xstrdup("LC_ALL=C"));
	add(&w, xstrdup("TERM=dumb"));
	add(&w, xstrdup("PERF_CONFIG=/dev/null"));
	*n = w.n;
	add(&w, NULL);
	return w.word;
}

bool outside_takes(const struct outside *o, char *const *command, char *why, size_t size)
{
	bool joined = false;

	for (size_t i = 0; o->words[i]; i++)
		joined |= strstr(o->words[i], "{command}") != NULL;
	if (o->no_forks) {
		snprintf(why, size, "%s does not follow forks", o->program);
		return false;
	}
	for (size_t i = 0; joined && command[i]; i++)
		if (!command[i][0] || strpbrk(command[i], " \t\n")) {
			snprintf(why, size,
				 "%s splits its command at spaces: '%s' can't be "
				 "passed",
				 o->program, command[i]);
			return false;
		}
	return true;
}

/* --- what it wrote --- */

static int compile(regex_t *re, const char *pattern, struct err *e)
{
	char text[128];
	int error = regcomp(re, pattern, REG_EXTENDED);

	if (!error)
		return 0;
	regerror(error, re, text, sizeof(text));
	return err_set(e, EXIT_MEASURE, "pattern '%s': %s", pattern, text);
}

/* All lines of the file against one row. */
static int count(const struct outside_count *c, FILE *f, int64_t *out, struct err *e)
{
	regex_t yes, no;
	char *line = NULL;
	size_t size = 0;
	int64_t sum = 0;

	*out = SAMPLE_UNKNOWN;
	if (!c->pattern)
		return 0;
	if (compile(&yes, c->pattern, e))
		return -1;
	if (c->except && compile(&no, c->except, e)) {
		regfree(&yes);
		return -1;
	}
	rewind(f);
	while (getline(&line, &size, f) >= 0) {
		regmatch_t m[2];

		line[strcspn(line, "\n")] = '\0';
		if (regexec(&yes, line, 2, m, 0) ||
		    (c->except && !regexec(&no, line, 0, NULL, 0)))
			continue;
		sum += c->sum ? strtoll(line + m[1].rm_so, NULL, 10) : 1;
	}
	free(line);
	regfree(&yes);
	if (c->except)
		regfree(&no);
	*out = c->halved ? (sum + 1) / 2 : sum;
	return 0;
}

int outside_read(const struct outside *o, int fd, int64_t *calls, int64_t *lost, struct err *e)
{
	/* Its writer moved the offset of an open file of its own: ours is where it was. */
	int copy = fcntl(fd, F_DUPFD_CLOEXEC, 0);
	FILE *f = copy < 0 ? NULL : fdopen(copy, "re");
	int ret;

	if (!f) {
		if (copy >= 0)
			close(copy);
		return err_set(e, EXIT_MEASURE, "reading what %s wrote: %s", o->program,
			       strerror(errno));
	}
	ret = count(&o->calls, f, calls, e) || count(&o->lost, f, lost, e) ? -1 : 0;
	fclose(f);
	return ret;
}

/* --- the user's own --- */

struct custom {
	struct outside outside;
	const char *word[5];
	char script[];
};

struct outside *outside_custom(const char *command, struct err *e)
{
	static const char whole[] = "\"$@\"";
	const char *at = strstr(command, "{}");
	struct custom *c;
	size_t size;

	if (!at) {
		err_set(e, EXIT_USAGE,
			"--tracer: '%s' has no {}, which stands for the command to trace",
			command);
		return NULL;
	}
	size = strlen(command) + sizeof("exec ") + sizeof(whole);
	c = xcalloc(1, sizeof(*c) + size);
	snprintf(c->script, size, "exec %.*s%s%s", (int)(at - command), command, whole, at + 2);
	c->word[0] = "-c";
	c->word[1] = c->script;
	c->word[2] = "sh";
	c->word[3] = "{}";
	c->outside.program = "/bin/sh";
	c->outside.words = c->word;
	return &c->outside;
}
