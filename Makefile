# SPDX-License-Identifier: GPL-3.0-or-later
# make            build/tracetax and build/tracetax-child
# make demo       install what is missing, build, run the 2011 experiment (about a minute)
# make test       install what is missing, build, run every test
# make bench      speed as ratios measured side by side in one run
# make lint       clang-format, cppcheck, clang-tidy, shellcheck
# make install    PREFIX=/usr/local, DESTDIR
# DEVELOPER=1     strict warnings as errors
# SANITIZE=LIST   -fsanitize=LIST for everything but the child

VERSION := 0.1.0
PREFIX ?= /usr/local
BINDIR = $(PREFIX)/bin
MANDIR = $(PREFIX)/share/man

CC = gcc
CFLAGS ?= -O2 -g
PKG_CONFIG ?= pkg-config
LIBS := libcap libseccomp gsl jansson smartcols yajl zlib

comma := ,
B := build$(if $(SANITIZE),/sanitize-$(subst $(comma),-,$(SANITIZE)))

WARN := -Wall -Wextra -Wformat=2 -Wstrict-prototypes -Wmissing-prototypes -Wshadow \
	-Wpointer-arith -Wwrite-strings -Wundef
ifdef DEVELOPER
WARN += -Werror -Wvla -Wcast-qual -Wnull-dereference -Wswitch-enum
endif

STD := -std=gnu17 -D_GNU_SOURCE -I.
ALL_CFLAGS = $(STD) $(WARN) $(shell $(PKG_CONFIG) --cflags $(LIBS)) $(CFLAGS)
ALL_CFLAGS += -DTRACETAX_VERSION='"$(VERSION)"'
ALL_LDLIBS = $(shell $(PKG_CONFIG) --libs $(LIBS)) -lm
ifdef SANITIZE
ALL_CFLAGS += -fsanitize=$(SANITIZE) -fno-sanitize-recover=all -fno-omit-frame-pointer
ALL_LDFLAGS += -fsanitize=$(SANITIZE)
endif

# The child is what is measured: its flags are fixed, whatever the caller's CFLAGS say.
CHILD_CFLAGS := $(STD) $(WARN) -O2 -g -fno-pie -fno-stack-protector \
	-fno-tree-vectorize -fno-unroll-loops
CHILD_LDFLAGS := -static -no-pie

PROGRAM_SRC := $(wildcard base/*.c probe/*.c analysis/*.c cmd/*.c)
CHILD_SRC := $(wildcard child/*.c)
TEST_SRC := $(wildcard tests/test-*.c)
TEST_CHILD_SRC := $(wildcard tests/child-*.c)

PROGRAM_OBJ := $(PROGRAM_SRC:%.c=$B/%.o)
# Everything but main(): what the unit tests link against.
LIB_OBJ := $(filter-out $B/cmd/tracetax.o,$(PROGRAM_OBJ))
CHILD_OBJ := $(CHILD_SRC:%.c=$B/%.o)
TESTS := $(TEST_SRC:%.c=$B/%)
TEST_CHILDREN := $(TEST_CHILD_SRC:%.c=$B/%)
TEST_SUPPORT := $(filter-out $(TEST_SRC) $(TEST_CHILD_SRC),$(wildcard tests/*.c))

all: $B/tracetax $B/tracetax-child $B/tracetax-child-dynamic

$B/tracetax: $(PROGRAM_OBJ)
	$(CC) $(ALL_LDFLAGS) $(LDFLAGS) -o $@ $^ $(ALL_LDLIBS)

$B/tracetax-child: $(CHILD_OBJ)
	$(CC) $(CHILD_LDFLAGS) -o $@ $^

# For tracers that can't trace static programs (ltrace).
$B/tracetax-child-dynamic: $(CHILD_OBJ)
	$(CC) -no-pie -o $@ $^

$B/child/%.o: child/%.c Makefile
	@mkdir -p $(@D)
	$(CC) $(CHILD_CFLAGS) -MMD -MP -c -o $@ $<

$B/%.o: %.c Makefile
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) -MMD -MP -c -o $@ $<

$B/tests/test-%: $B/tests/test-%.o $(TEST_SUPPORT:%.c=$B/%.o) $(LIB_OBJ)
	$(CC) $(ALL_LDFLAGS) $(LDFLAGS) -o $@ $^ $(ALL_LDLIBS) -lcmocka

# Children that misbehave on purpose; like the child, never sanitized.
$B/tests/child-%: tests/child-%.c Makefile
	@mkdir -p $(@D)
	$(CC) $(CHILD_CFLAGS) $(CHILD_LDFLAGS) -MMD -MP -o $@ $<

-include $(wildcard $B/*/*.d)

build-deps test-deps lint-deps bench-deps:
	@scripts/install-deps $(@:-deps=)

demo: build-deps
	@$(MAKE) --no-print-directory all
	$B/tracetax lkml2011

test: test-deps
	@$(MAKE) --no-print-directory check

check: all $(TESTS) $(TEST_CHILDREN)
	B=$B TESTS="$(TESTS)" tests/run-all

bench: bench-deps
	@$(MAKE) --no-print-directory all $B/tests/bench/loop2011
	B=$B tests/bench/run

$B/tests/bench/loop2011: tests/bench/loop2011.c Makefile
	@mkdir -p $(@D)
	$(CC) $(STD) $(WARN) -O2 -o $@ $<

lint: lint-deps
	@$(MAKE) --no-print-directory check-lint

C_FILES = $(wildcard base/*.[ch] child/*.[ch] probe/*.[ch] analysis/*.[ch] cmd/*.[ch] \
	tests/*.[ch] tests/bench/*.[ch])
SHELL_FILES = scripts/install-deps .ci/run $(shell grep -lE '^\#!.*\b(ba)?sh' -r tests scripts)

check-lint:
	clang-format --dry-run -Werror $(C_FILES)
	cppcheck --quiet --error-exitcode=1 --std=c11 --enable=warning,performance,portability \
		--inline-suppr --suppress=missingIncludeSystem -I. -D_GNU_SOURCE \
		-DTRACETAX_VERSION='""' $(filter %.c,$(C_FILES))
	printf '%s\n' $(filter %.c,$(C_FILES)) | xargs -P2 -n1 sh -c \
		'clang-tidy --quiet "$$@" -- $(STD) -DTRACETAX_VERSION=\"\" $(shell $(PKG_CONFIG) --cflags $(LIBS))' clang-tidy
	shellcheck --exclude=SC2317,SC2016,SC2001 $(sort $(SHELL_FILES))

install: all
	install -D -m 755 $B/tracetax $(DESTDIR)$(BINDIR)/tracetax
	install -D -m 755 $B/tracetax-child $(DESTDIR)$(PREFIX)/libexec/tracetax/tracetax-child
	install -D -m 755 $B/tracetax-child-dynamic \
		$(DESTDIR)$(PREFIX)/libexec/tracetax/tracetax-child-dynamic
	install -D -m 644 man/tracetax.1 $(DESTDIR)$(MANDIR)/man1/tracetax.1

clean:
	rm -rf build

.PHONY: all demo test check bench lint check-lint install clean build-deps test-deps lint-deps \
	bench-deps
.SECONDARY:
