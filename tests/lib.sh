#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# What the end-to-end scripts share. Each case prints "ok NAME", "not ok NAME" or
# "skip NAME: reason"; a script ends with `finish`.
# shellcheck disable=SC2034 # variables are the scripts'
set -u
B=$(realpath "${B:-build}")
TRACETAX=$B/tracetax
CHILD=$B/tracetax-child
# Without them "nothing is left" would always hold.
for tool in pgrep ps python3 objdump; do
	command -v "$tool" >/dev/null || {
		echo "not ok needs $tool"
		exit 1
	}
done
T=$(mktemp -d)
trap 'rm -rf "$T"' EXIT
failed=0

# check NAME COMMAND...: the case is ok if the command is. What it prints explains a failure.
check() {
	local name=$1 said
	shift
	if said=$("$@" 2>&1); then
		echo "ok $name"
	else
		echo "not ok $name"
		[ -z "$said" ] || sed 's/^/    /' <<<"$said"
		sed 's/^/    stdout: /;10q' "$T/out" 2>/dev/null
		sed 's/^/    stderr: /;10q' "$T/err" 2>/dev/null
		failed=1
	fi
}

skip() {
	echo "skip $1: $2"
}

# own_tracefs: run the script again where tracefs is, mounted for it alone, if it is not and we
# may; tests that need it are skipped elsewhere.
own_tracefs() {
	[ -e /sys/kernel/tracing/events ] || [ -n "${OWN_TRACEFS:-}" ] && return
	OWN_TRACEFS=1 exec unshare -m "$BASH" -c \
		'mount -t tracefs nodev /sys/kernel/tracing 2>/dev/null; exec "$BASH" "$0" "$@"' "$0" "$@"
}

# available A,B,...: those of the tracers that work here.
available() {
	[ -f "$T/tracers" ] || timeout 60 "$TRACETAX" run --tracers list >"$T/tracers" 2>/dev/null
	local tracer list=
	for tracer in ${1//,/ }; do
		grep -qE "^$tracer +yes" "$T/tracers" && list=$list,$tracer
	done
	echo "${list#,}"
}

# why_not TRACER: what the list says; a reason in any case.
why_not() {
	grep -A2 -E "^$1 +no" "$T/tracers" | sed -n '3s/^ *//p' | grep . || echo "not in the list"
}

finish() {
	exit "$failed"
}

# run COMMAND...: its output in $T/out and $T/err, its status in $status. Never hangs.
run() {
	status=0
	timeout 60 "$@" >"$T/out" 2>"$T/err" </dev/null || status=$?
}

# ended STATUS [WORDS...]: it ended so, and stderr has each of the words.
ended() {
	local word
	if [ "$status" != "$1" ]; then
		echo "exit status $status instead of $1"
		return 1
	fi
	shift
	for word in "$@"; do
		if ! grep -qF -- "$word" "$T/err"; then
			echo "stderr does not say '$word'"
			return 1
		fi
	done
}

# one_line: stderr is one line.
one_line() {
	[ "$(wc -l <"$T/err")" = 1 ]
}

# samples FILE EXPRESSION: a python expression over `samples` (dicts, warm-up left out),
# `failures`, `campaigns` and `all_samples`.
samples() {
	python3 - "$1" "$2" <<'PY'
import json, sys
lines = [json.loads(l) for l in open(sys.argv[1], encoding="utf-8")]
campaigns = [l for l in lines if l["type"] == "campaign"]
all_samples = [l for l in lines if l["type"] == "sample"]
samples = [l for l in all_samples if not l["warmup"]]
failures = [l for l in lines if l["type"] == "failure"]
ok = eval("(" + sys.argv[2] + ")")
if not ok:
    print(sys.argv[2], "is", ok, "of", len(samples), "samples", samples[:1])
sys.exit(not ok)
PY
}

# alive NAME: a process (not a zombie) whose program or command line has the name.
alive() {
	local stat
	for pid in $(pgrep -f -- "$1"); do
		[ "$pid" = $$ ] && continue
		read -r stat < <(ps -o stat= -p "$pid")
		case ${stat:-Z} in Z*) ;; *) return 0 ;; esac
	done
	return 1
}

# gone NAME: within ten seconds nothing of that name is alive.
gone() {
	local _
	for _ in $(seq 500); do
		alive "$1" || return 0
		sleep 0.02
	done
	pgrep -fa -- "$1"
	return 1
}

# until COMMAND...: it succeeds within ten seconds.
until_true() {
	local _
	for _ in $(seq 500); do
		"$@" >/dev/null 2>&1 && return 0
		sleep 0.02
	done
	echo "never true: $*"
	return 1
}

# both COMMAND1 -- COMMAND2 ...: every command, split at the word --.
both() {
	local part=()
	for word in "$@" --; do
		if [ "$word" = -- ]; then
			"${part[@]}" || return 1
			part=()
		else
			part+=("$word")
		fi
	done
}
