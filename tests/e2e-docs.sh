#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The manual page and the README say what the programs say: every option, column and tracer.
set -u
B=${B:-build}
failed=0

# check NAME COMMAND...: one case.
check() {
	local name=$1
	shift
	if "$@"; then
		echo "ok $name"
	else
		echo "not ok $name"
		failed=1
	fi
}

# The words that stand in neither text, on stderr.
all_in_man() {
	local word missing=0
	for word in "$@"; do
		if ! grep -qF -- "$word" <<<"$man_text"; then
			echo "not in man/tracetax.1: $word" >&2
			missing=1
		fi
	done
	[ "$#" -gt 0 ] && [ "$missing" = 0 ]
}

# Options as the page writes them: hyphens are escaped there.
man_text=$(sed 's/\\-/-/g' man/tracetax.1)

for command in run lkml2011 report doctor; do
	mapfile -t options < <("$B/tracetax" "$command" --help |
		grep -oE '^ .*--[a-z0-9-]+' | grep -oE -- '--[a-z0-9-]+' | grep -vE -- '--(help|usage)$')
	check "man page has every option of $command" all_in_man "${options[@]}"
done

mapfile -t columns < <("$B/tracetax" report --columns list | awk '{ print $1 "@T{" }')
check "man page has every column" all_in_man "${columns[@]}"

mapfile -t tracers < <("$B/tracetax" run --tracers list | awk '/^[a-z]/ { print $1 "@T{" }')
check "man page has every tracer" all_in_man "${tracers[@]}"

check "a missing word is seen" eval '! all_in_man --no-such-option 2>/dev/null'

# The README's example commands parse: each with --help behind it.
readme_commands_run() {
	local line bad=0
	while read -r line; do
		# shellcheck disable=SC2086 # a command line
		if ! "$B/tracetax" ${line#build/tracetax } --help >/dev/null 2>&1; then
			echo "README: does not run: $line" >&2
			bad=1
		fi
	done < <(grep -E '^build/tracetax ' README.md)
	[ "$bad" = 0 ]
}
check "the README's commands run" readme_commands_run

readme_targets_exist() {
	local target
	# shellcheck disable=SC2013 # words are meant
	for target in $(grep -oE "make [a-z]+" README.md | cut -d" " -f2 | sort -u); do
		make -n "$target" >/dev/null 2>&1 || { echo "README: make $target" >&2; return 1; }
	done
}
check "the README's make targets exist" readme_targets_exist

exit "$failed"
