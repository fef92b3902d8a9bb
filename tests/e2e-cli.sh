#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The command line: wrong input, outputs that can't be written, placements, counts, seeds.
. tests/lib.sh

# --- wrong usage: status, one line, and what it must name; nothing is written ---
# wrong WORDS... -- ARGUMENTS...
wrong() {
	local words=()
	while [ "$1" != -- ]; do
		words+=("$1")
		shift
	done
	shift
	rm -f "$T/wrong.jsonl"
	run "$TRACETAX" "$@"
	check "wrong: $*" both ended 2 "${words[@]}" -- one_line -- test ! -e "$T/wrong.jsonl"
}
r=(run -o "$T/wrong.jsonl")
wrong --runs "'0'" "1 to 1000000" -- "${r[@]}" --runs 0
wrong --runs "'x'" -- "${r[@]}" --runs x
wrong --runs "'-1'" -- "${r[@]}" --runs=-1
wrong --runs "'99999999999999999999'" -- "${r[@]}" --runs 99999999999999999999
wrong --ops "'a'" "0 to" -- "${r[@]}" --ops a
wrong --ops "'1,,2'" "empty item" -- "${r[@]}" --ops 1,,2
wrong --ops "'1'" twice -- "${r[@]}" --ops 1,1
wrong --op "'foo'" "mem, reg, none" -- "${r[@]}" --op foo
wrong --child "'foo'" "windows, plain" -- "${r[@]}" --child foo
wrong --workloads "'foo'" "pread, compute" -- "${r[@]}" --workloads foo
wrong --iterations "'0'" "1 to 4294967295" -- "${r[@]}" --iterations 0
wrong --tracers "'foo'" "--tracers list" -- "${r[@]}" --tracers foo
wrong --tracers "'none'" twice -- "${r[@]}" --tracers none,none
wrong --ops "'01'" "same as '1'" -- "${r[@]}" --ops 1,01
wrong --placements "'0:00'" "same place as '0:0'" -- "${r[@]}" --placements 0:0,0:00
wrong --placements "'4294967296:0'" "CHILD:TRACER" -- "${r[@]}" --placements 4294967296:0
wrong --cpus "no effect" "same or cross" -- "${r[@]}" --cpus 0 --placements free
wrong --placements "'foo'" "same, cross, free" -- "${r[@]}" --placements foo
wrong --placements "'5:'" "CHILD:TRACER" -- "${r[@]}" --placements 5:
wrong --placements "CPU 8000" "allowed:" -- "${r[@]}" --placements 8000:0
wrong --cpus "CPU 8000" "allowed:" -- "${r[@]}" --cpus 8000
wrong --cpus "'3-1'" "0-3,8" -- "${r[@]}" --cpus 3-1
wrong --cpus "'1,0-'" -- "${r[@]}" --cpus 1,0-
wrong --cpus empty -- "${r[@]}" --cpus ""
wrong --timeout "'0'" "1ms to 720h" -- "${r[@]}" --timeout 0
wrong --timeout "'1y'" "ms, s, min, h" -- "${r[@]}" --timeout 1y
wrong --timeout "'inf'" -- "${r[@]}" --timeout inf
wrong --seed "'-1'" "0 to 4294967295" -- "${r[@]}" --seed=-1
wrong --format "'foo'" "text, json, csv or markdown" -- "${r[@]}" --format foo
wrong --columns "'foo'" "--columns list" -- "${r[@]}" --columns foo
wrong "'extra'" -- "${r[@]}" extra
wrong --time "'abc'" -- lkml2011 --time abc
wrong "'foo'" "lkml2011, run, report, doctor" -- foo
wrong "no FILE" -- report
wrong none-such "No such file" -- report "$T/none-such"
wrong "$T" "Is a directory" -- report "$T"
wrong /bin/ls:1 -- report /bin/ls
wrong "/dev/null" empty -- report /dev/null
run "$TRACETAX"
check "no command: usage, exit 2" ended 2 Usage: lkml2011
run "$TRACETAX" run --none-such
check "unknown option: exit 2, named" ended 2 --none-such

# --- output that can't be written ---
small=(run -q --tracers none --ops 0 --iterations 200 --runs 1)
run "$TRACETAX" "${small[@]}" -o "$T"
check "-o a directory" both ended 3 "$T" "Is a directory" -- one_line
run "$TRACETAX" "${small[@]}" -o "$T/no/such"
check "-o in no directory" both ended 3 "$T/no/such" "No such file" -- one_line
run "$TRACETAX" "${small[@]}" -o /dev/full
check "-o /dev/full" both ended 3 /dev/full "No space left" -- one_line
# The report area is the first file to reach the limit of 20 KiB.
run bash -c 'ulimit -f 20; exec "$0" "$@"' "$TRACETAX" "${small[@]}"
check "ulimit -f: a message, not SIGXFSZ" both ended 3 "File too large" -- one_line
if command -v setpriv >/dev/null && [ "$(id -u)" = 0 ]; then
	touch "$T/readonly" && chmod 444 "$T/readonly" && chmod 755 "$T"
	cp "$TRACETAX" "$CHILD" "$T/"
	nobody=(setpriv --reuid=65534 --regid=65534 --clear-groups)
	run "${nobody[@]}" "$T/tracetax" "${small[@]}" -o "$T/readonly"
	check "-o read-only" both ended 3 "$T/readonly" "Permission denied" -- one_line
	run "${nobody[@]}" "$T/tracetax" run -q --ops 0 --iterations 500 --runs 2
	check "an unprivileged user can run" ended 0
else
	skip "-o read-only, as another user" "needs root and setpriv"
fi
"$TRACETAX" "${small[@]}" -o "$T/good.jsonl" >/dev/null 2>&1
for command in "${small[*]}" "report $T/good.jsonl" "report --format json $T/good.jsonl" \
	"report --format csv $T/good.jsonl" doctor --help --version "run --help" "run --columns list" \
	"run --tracers list" "lkml2011 --time 1s --runs 1 -q"; do
	# shellcheck disable=SC2086 # words
	run sh -c 'exec "$0" "$@" >/dev/full' "$TRACETAX" $command
	check "stdout /dev/full: $command" ended 3 tracetax
done
# A closed pipe: the reader is gone before the first byte.
run bash -c 'trap "" PIPE; { sleep 0.3; exec "$0" report "$1"; } | true; exit "${PIPESTATUS[0]}"' \
	"$TRACETAX" "$T/good.jsonl"
check "stdout a closed pipe" ended 3 "Broken pipe"

# --- files ---
"$TRACETAX" "${small[@]}" -o "$T/good.jsonl" >/dev/null 2>&1
check "-o appends" samples "$T/good.jsonl" 'len(campaigns) == 2 and len(samples) == 2'
run "$TRACETAX" report --columns runs "$T/good.jsonl"
check "campaigns of one machine are pooled" grep -qE '^ +2$' "$T/out"
run "$TRACETAX" report "$T/good.jsonl" "$T/good.jsonl"
check "a campaign given twice: refused" both ended 2 "$T/good.jsonl:1" "given twice" -- one_line
head -c -20 "$T/good.jsonl" >"$T/torn.jsonl"
run "$TRACETAX" report "$T/torn.jsonl"
check "a torn end: dropped with a warning" ended 0 "torn"
"$TRACETAX" "${small[@]}" -o "$T/torn.jsonl" >/dev/null 2>&1
run "$TRACETAX" report --columns runs "$T/torn.jsonl"
check "appended behind a torn line: both are read" both ended 0 torn -- grep -qE '^ +2$' "$T/out"
run sh -c '"$0" report - <"$1"' "$TRACETAX" "$T/good.jsonl"
check "standard input" ended 0
run "$TRACETAX" report --format json "$T/good.jsonl"
check "JSON parses" python3 -c 'import json,sys; d=json.load(open(sys.argv[1])); assert d["cells"][0]["runs"] == 2' "$T/out"

# --- placements ---
two=$(python3 -c 'import os; c=sorted(os.sched_getaffinity(0)); print(*c[:2])')
read -r first second <<<"$two"
placed() {
	run "$TRACETAX" run -q --tracers none,syscall --ops 0 --iterations 500 --runs 1 \
		-o "$T/$1.jsonl" --placements "$1" "${@:2}"
}
placed same --cpus all
check "same, all CPUs" both ended 0 -- samples "$T/same.jsonl" \
	'all(s["cpu"] == s["tracer_cpu"] == s["end_cpu"] and not s["migrations"] for s in samples) and
	 len({s["cpu"] for s in samples}) == len(samples) / 2'
placed free
check "free" both ended 0 -- samples "$T/free.jsonl" \
	'all(s["cpu"] is None and s["tracer_cpu"] is None and s["end_cpu"] >= 0 for s in samples)'
if [ -n "${second:-}" ]; then
	placed cross --cpus "$first"
	check "cross" both ended 0 -- samples "$T/cross.jsonl" \
		"all(s['cpu'] == s['end_cpu'] == $first != s['tracer_cpu'] for s in samples)"
	placed "$second:$first"
	check "explicit" both ended 0 -- samples "$T/$second:$first.jsonl" \
		"all(s['cpu'] == s['end_cpu'] == $second and s['tracer_cpu'] == $first for s in samples)"
else
	skip "cross and explicit placements" "one CPU only"
fi
run taskset -c "$first" "$TRACETAX" run -q --placements cross --runs 1
check "cross on one CPU: refused" both ended 2 --placements cross "two CPUs" -- one_line

# --- counts ---
run "$TRACETAX" run -q --ops 0,16 --iterations 1000 --runs 2 --child plain,windows --op mem,reg \
	--seed 5 -o "$T/counts.jsonl"
check "counts: it runs" ended 0
check "none: no stops" samples "$T/counts.jsonl" \
	'all(s["stops"] == 0 for s in samples if s["tracer"] in ("none", "aa"))'
check "null: exec and exit only" samples "$T/counts.jsonl" \
	'all(s["stops"] == 2 and s["syscall_stops"] == 0 for s in samples if s["tracer"] == "null")'
# Start-up and exit of a static program: some twenty calls, with room for another libc.
check "syscall: two stops a call" samples "$T/counts.jsonl" \
	'all(2000 <= s["syscall_stops"] <= 2120 for s in samples if s["tracer"] == "syscall")'
check "every cell once a block" samples "$T/counts.jsonl" \
	'len(all_samples) == 3 * 32 and all(len({(s["ops"], s["op"], s["child"], s["tracer"])
	 for s in all_samples if s["block"] == b}) == 32 for b in range(3))'
check "one warm-up block" samples "$T/counts.jsonl" \
	'all(s["warmup"] == (s["block"] == 0) for s in all_samples)'
check "utime + stime is the run time, to a tick" samples "$T/counts.jsonl" \
	'all(abs(s["utime_ns"] + s["stime_ns"] - s["runtime_ns"]) <= 1e9 / campaigns[0]["machine"]["hz"]
	 and s["cpuclock_ns"] == s["runtime_ns"] for s in samples)'
check "windows: one an iteration, none in the plain child" samples "$T/counts.jsonl" \
	'all((s["windows"] == 1000 and 0 < s["true_user_ns"] <= s["wall_ns"]) if s["child"] == "windows"
	 else (s["windows"] is None and s["true_user_ns"] is None) for s in samples)'
run "$TRACETAX" run -q --ops 0,16 --iterations 1000 --runs 2 --child plain,windows --op mem,reg \
	--seed 5 -o "$T/again.jsonl"
order='[(s["ops"], s["op"], s["child"], s["tracer"]) for s in all_samples]'
check "the same seed, the same order" samples "$T/again.jsonl" \
	"$order == [(s['ops'], s['op'], s['child'], s['tracer']) for s in map(json.loads, open('$T/counts.jsonl')) if s['type'] == 'sample']"
run "$TRACETAX" run -q --ops 0 --iterations 1000 --runs 1 --tracers syscall --rusage-at-stops \
	-o "$T/rusage.jsonl"
check "--rusage-at-stops" both ended 0 -- samples "$T/rusage.jsonl" 'samples[0]["syscall_stops"] >= 2000'
run "$TRACETAX" run -q --workloads compute --ops 1000 --iterations 100 --runs 1 --tracers syscall \
	-o "$T/compute.jsonl"
check "compute: no call in the loop" both ended 0 -- samples "$T/compute.jsonl" \
	'samples[0]["syscall_stops"] < 120 and samples[0]["windows"] == 100'
run "$TRACETAX" lkml2011 -q --time 2s --runs 1 -o "$T/lkml.jsonl"
check "lkml2011: its cells" both ended 0 -- samples "$T/lkml.jsonl" \
	'{s["ops"] for s in samples} == {0, 512, 1024} and
	 {s["child"] for s in samples} == {"plain", "windows"} and
	 {s["tracer"] for s in samples} == {"none", "aa", "syscall"}'
check "lkml2011: the report's figures" grep -q 'E5500.* 298579 *659274 ' "$T/out"
finish
