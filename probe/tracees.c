/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "probe/tracees.h"

#include <search.h>
#include <stdlib.h>

#include "base/xalloc.h"

static int compare(const void *a, const void *b)
{
	const struct tracee *x = a, *y = b;

	return x->tid < y->tid ? -1 : x->tid > y->tid;
}

/* Also one that is gone and not yet announced. */
static struct tracee *look_up(struct tracees *t, pid_t tid)
{
	const struct tracee key = { .tid = tid };
	struct tracee **found;

	if (t->last && t->last->tid == tid)
		return t->last;
	found = tfind(&key, &t->tree, compare);
	if (found)
		t->last = *found;
	return found ? *found : NULL;
}

static struct tracee *add(struct tracees *t, pid_t tid)
{
	struct tracee *new = xcalloc(1, sizeof(*new));

	new->tid = tid;
	if (!tsearch(new, &t->tree, compare)) {
		free(new);
		return NULL;
	}
	t->alive++;
	t->last = new;
	return new;
}

static void forget(struct tracees *t, struct tracee *x)
{
	tdelete(x, &t->tree, compare);
	t->last = NULL;
	free(x);
}

struct tracee *tracees_find(struct tracees *t, pid_t tid)
{
	struct tracee *x = look_up(t, tid);

	return x && !x->gone ? x : NULL;
}

struct tracee *tracees_reported(struct tracees *t, pid_t tid)
{
	struct tracee *x = look_up(t, tid);

	if (!x)
		return add(t, tid);
	if (x->gone) { /* the id is in use again */
		*x = (struct tracee) { .tid = tid };
		t->alive++;
	}
	return x;
}

void tracees_announced(struct tracees *t, pid_t tid)
{
	struct tracee *x = look_up(t, tid);

	if (x && x->gone)
		return forget(t, x);
	if (!x)
		x = add(t, tid);
	if (x)
		x->announced = true;
}

void tracees_gone(struct tracees *t, pid_t tid)
{
	struct tracee *x = tracees_find(t, tid);

	if (!x)
		return;
	t->alive--;
	if (x->announced)
		forget(t, x);
	else
		x->gone = true;
}

/* What twalk_r(3) hands on. */
struct each {
	void (*f)(struct tracee *x, void *arg);
	void *arg;
};

static void visit(const void *node, VISIT order, void *closure)
{
	const struct each *each = closure;

	if (order == postorder || order == leaf)
		each->f(*(struct tracee *const *)node, each->arg);
}

void tracees_each(struct tracees *t, void (*f)(struct tracee *x, void *arg), void *arg)
{
	struct each each = { f, arg };

	twalk_r(t->tree, visit, &each);
}

void tracees_free(struct tracees *t)
{
	tdestroy(t->tree, free);
	*t = (struct tracees) { 0 };
}
