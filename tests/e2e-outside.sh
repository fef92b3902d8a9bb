#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Tracers that are programs of their own, on every workload; and the user's own.
. tests/lib.sh
own_tracefs "$@"

all=strace,strace-c,strace-cw,strace-seccomp,perf-stat,perf-trace,perf-trace-s,bpftrace-count,gdb,ltrace
here=$(available $all)
for tracer in ${all//,/ }; do
	[[ ,$here, == *,$tracer,* ]] || skip "$tracer" "$(why_not "$tracer")"
done
# Those that take half a second to start run on a few workloads.
quick=
for tracer in ${here//,/ }; do
	[[ $tracer == strace* || $tracer == perf-stat ]] && quick=$quick,$tracer
done
quick=${quick#,}

go() {
	run "$TRACETAX" run -q --ops 0 --runs 1 -o "$T/$1.jsonl" "${@:2}"
}

# seen TRACERS...: each gave a sample, whose child's and tracer's times are there and apart.
told_apart='all(s["utime_ns"] is None and s["loop_utime_ns"] + s["loop_stime_ns"] >= 0 and
	s["tracer_runtime_ns"] > 0 and
	s["tracer_utime_ns"] + s["tracer_stime_ns"] == s["tracer_runtime_ns"] for s in samples
	if s["tracer"] != "none")'
for workload in pread compute write dd getpid files futex sleep forkexec faults signals mix; do
	n=40 these=$quick
	[ $workload = sleep ] && n=3
	[ $workload = forkexec ] && n=3
	case $workload in write | forkexec | futex) these=$here ;; esac
	if [ -z "$these" ]; then
		skip "$workload" "none of the programs works here"
		continue
	fi
	go "$workload" --workloads $workload --iterations $n --tracers "none,$these"
	check "$workload: every program gives a sample" both ended 0 -- samples "$T/$workload.jsonl" \
		"{s['tracer'] for s in samples} == set('none,$these'.split(',')) and not failures"
	check "$workload: child and tracer are told apart" samples "$T/$workload.jsonl" "$told_apart"
	# gdb follows no forks; perf trace can miss events, and never sees a handler's return.
	check "$workload: no call is missed" samples "$T/$workload.jsonl" \
		'all(s["calls_traced"] >= s["syscalls"] for s in samples if s["tracer"] != "none" and
		 not s["tracer"].startswith("perf-trace") and not (s["tracer"] == "gdb" and s["tree"]))'
done
if [ -n "$(available strace-seccomp)" ]; then
	check "strace-seccomp: the loop's calls and no other" samples "$T/pread.jsonl" \
		'all(s["calls_traced"] == 40 for s in samples if s["tracer"] == "strace-seccomp")'
fi
if [ -n "$(available perf-trace)" ]; then
	check "perf trace: lost events are known" samples "$T/write.jsonl" \
		'all(s["events_lost"] >= 0 for s in samples if s["tracer"].startswith("perf-trace"))'
fi

# --- versions, and the same environment for all ---
if [ -n "$(available strace)" ]; then
	check "versions are in the campaign line" samples "$T/pread.jsonl" \
		'campaigns[0]["tracer_versions"]["strace"].startswith("strace")'
	run "$TRACETAX" run -q --runs 6 --iterations 3000 --ops 512 --op reg --tracers none,strace-c --format json
	check "the child's own user time under strace is its own" both ended 0 -- python3 - "$T/out" <<'PY'
import json, sys
cells = {c["tracer"]: c for c in json.load(open(sys.argv[1]))["cells"]}
ratio = cells["strace-c"]["true_user_ratio"]
# Not the work's cost but its caches': a third more would be another quantity's.
assert 0.9 < ratio["median"] < 1.34, ratio
assert cells["strace-c"]["utime_ns"]["median"] is not None
PY
fi

# --- the user's own ---
go own --iterations 100 --tracer 'mine=env A=1 {}' --tracer 'other=sh -c "\"\$@\"; exit 0" x {}' \
	--tracers none,mine,other
check "--tracer: commands in which {} is the child" both ended 0 -- samples "$T/own.jsonl" \
	'{s["tracer"] for s in samples} == {"none", "mine", "other"} and
	 all(s["operations"] == 100 for s in samples) and
	 campaigns[0]["tracer_commands"]["mine"] == "env A=1 {}"'
go fails --iterations 100 --tracer 'bad=false {}' --tracers none,bad
check "a tracer that fails is no sample" both ended 3 bad "status 1" -- samples "$T/fails.jsonl" \
	'not any(s["tracer"] == "bad" for s in all_samples)'
go lazy --iterations 100 --tracer 'lazy=true {}' --tracers none,lazy
check "nor one that does not run the child" both ended 3 "0 of 100 iterations" -- samples "$T/lazy.jsonl" \
	'not any(s["tracer"] == "lazy" for s in all_samples)'
go less --iterations 100 --tracer 'less=sh -c "shift; exec \"\$@\"" x {} --iterations 50' --tracers none,less
check "nor one that changes what the child does" both ended 3 -- samples "$T/less.jsonl" \
	'not any(s["tracer"] == "less" for s in all_samples)'
go slow --timeout 300ms --tracer 'slow=sleep 60; {}' --tracers slow
check "one that hangs: the timeout, and nothing left" both ended 3 timeout -- gone "^sleep 60"
for bad in 'nothing' '=x {}' 'a b=x {}' 'none=x {}' 'mine=no braces'; do
	run "$TRACETAX" run -q --tracer "$bad" --tracers none
	check "--tracer '$bad': refused" both ended 2 --tracer -- one_line
done
run env PATH=/nonexistent "$TRACETAX" run -q --runs 1 --tracers strace
check "a program that is not installed" both ended 3 strace "not installed" -- one_line
finish
