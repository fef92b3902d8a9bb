#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Every built-in tracer on every workload: the work is done, the count is right, nothing of it
# stays behind.
. tests/lib.sh
own_tracefs "$@"

inside=none,aa,seccomp-allow,count,ring,dispatch,null,notify,notify-sync,sysemu,seccomp-trace,syscall,syscall-info,syscall-regs,singlestep
here=$(available $inside)
for tracer in ${inside//,/ }; do
	[[ ,$here, == *,$tracer,* ]] || skip "$tracer" "$(why_not "$tracer")"
done

# go NAME ARGS...: a small campaign, samples in $T/NAME.jsonl.
go() {
	run "$TRACETAX" run -q --ops 0 --runs 1 -o "$T/$1.jsonl" "${@:2}"
}

# Calls that the tracer can see beside the loop's: none where a filter names the loop's own.
counts='all(s["calls_traced"] is None or s["calls_traced"] + (s["events_lost"] or 0) >= s["syscalls"]
	or s["tracer"] == "dispatch" for s in samples)'
for workload in pread compute write dd getpid files futex sleep forkexec faults signals mix pipe; do
	n=40 these=$here
	# A process an iteration, and each is some 25,000 instructions of start-up.
	[ $workload = forkexec ] && n=3
	[ $workload = sleep ] && n=2
	go "$workload" --workloads $workload --iterations $n --tracers "$these"
	check "$workload: every tracer gives a sample" both ended 0 -- samples "$T/$workload.jsonl" \
		"{s['tracer'] for s in samples} == set('$these'.split(',')) and not failures"
	check "$workload: the work is done" samples "$T/$workload.jsonl" \
		"all(s['operations'] == $n and s['loop_ns'] > 0 for s in samples)"
	check "$workload: no call is missed" samples "$T/$workload.jsonl" "$counts"
done

# What each must count, exactly: the loop's calls where only these are looked at.
exact='all(s["calls_traced"] == s["syscalls"] for s in samples
	if s["tracer"] in ("notify", "notify-sync", "seccomp-trace"))'
for workload in pread write dd files sleep signals; do
	check "$workload: filters count the loop's calls and no other" samples "$T/$workload.jsonl" "$exact"
done
check "signals: delivered through ptrace as often as sent" samples "$T/signals.jsonl" \
	'all(s["signals"] == 40 for s in samples
	 if s["tracer"] in ("null", "seccomp-trace", "syscall", "syscall-info", "singlestep"))'
check "dispatch: every call but the handlers' returns" samples "$T/signals.jsonl" \
	'all(s["calls_traced"] == 40 for s in samples if s["tracer"] == "dispatch")'
check "syscalls of each workload are what it says it does" python3 - "$T" <<'PY'
import json, sys
each = {"pread": 1, "compute": 0, "write": 1, "dd": 2, "getpid": 1, "files": 7, "sleep": 1,
        "forkexec": 4, "signals": 2, "pipe": 2}
for workload, n in each.items():
    for line in open(f"{sys.argv[1]}/{workload}.jsonl"):
        s = json.loads(line)
        if s["type"] == "sample":
            assert s["syscalls"] == n * s["operations"], (workload, s["syscalls"])
PY
check "faults: as many as iterations" samples "$T/faults.jsonl" 'all(s["minflt"] >= 40 for s in samples)'
check "singlestep: a stop an instruction, signals still signals" samples "$T/signals.jsonl" \
	'all(s["stops"] > 2000 for s in samples if s["tracer"] == "singlestep")'

# --- windows, threads, fixed time ---
check "windows: the true user time of every tracer but dispatch" samples "$T/pread.jsonl" \
	'all((s["true_user_ns"] is None) == (s["tracer"] == "dispatch") for s in samples)'
go threads --workloads getpid --threads 200 --iterations 2000 --tracers "$(available none,count,notify,null,seccomp-trace,sysemu,syscall,syscall-info)"
check "200 threads" both ended 0 -- samples "$T/threads.jsonl" \
	'all(s["operations"] == s["syscalls"] == 2000 for s in samples) and
	 all(s["forks"] == 199 for s in samples if s["tracer"] in ("null", "syscall"))'
go timed --workloads write,sleep --duration 60ms --tracers "$(available none,syscall)"
check "fixed time: work is counted, the child is plain" both ended 0 -- samples "$T/timed.jsonl" \
	'all(s["iterations"] == 0 and s["duration_ns"] == 60000000 and s["operations"] > 0 and
	     s["loop_ns"] >= 60000000 and s["true_user_ns"] is None for s in samples)'
run "$TRACETAX" report --columns workload,tracer,operations_per_s,rate_ratio,verdict,reason "$T/timed.jsonl"
check "fixed time: rates are compared, no verdict on times" grep -q "compare rates" "$T/out"
run "$TRACETAX" run -q --duration 50ms --child windows
check "fixed time with windows: refused" both ended 2 --duration windows plain -- one_line
run "$TRACETAX" run -q --duration 50ms --iterations 5
check "fixed time and fixed work: refused" both ended 2 --duration --iterations -- one_line
run "$TRACETAX" run -q --threads 0
check "no threads: refused" ended 2 --threads 4096

# --- filters ---
go filter --workloads files --iterations 10 --filter close --tracers "$(available none,notify,seccomp-trace)"
check "--filter: the chosen calls only" both ended 0 -- samples "$T/filter.jsonl" \
	'all(20 <= s["calls_traced"] <= 22 for s in samples if s["tracer"] != "none")'
run "$TRACETAX" run -q --runs 1 --tracers notify --filter pread64,nonesuch
check "--filter: no such call" both ended 2 --filter nonesuch -- one_line
for call in read write execve; do
	go "filter-$call" --workloads dd --iterations 20 --filter $call \
		--tracers "$(available none,notify,seccomp-trace,seccomp-allow)"
	check "--filter $call: what the launch itself needs" both ended 0 -- \
		samples "$T/filter-$call.jsonl" 'len(samples) >= 2 and not failures'
done
run "$TRACETAX" run -q --runs 1 --workloads dd --tracers seccomp-trace --filter read,ppoll
check "--filter read,ppoll: refused" both ended 2 --filter read ppoll -- one_line

# --- placements ---
run "$TRACETAX" run -q --runs 1 --tracers none,syscall-spin --placements same
check "syscall-spin on the child's CPU: refused" both ended 2 syscall-spin cross -- one_line
if [ "$(nproc)" -gt 1 ]; then
	go spin --iterations 200 --tracers none,syscall,syscall-spin,ring --placements same,cross
	check "syscall-spin: on another CPU" both ended 0 syscall-spin "left out" -- samples "$T/spin.jsonl" \
		'all(s["calls_traced"] >= 200 for s in samples if s["tracer"] not in ("none",)) and
		 {s["placement"] for s in samples if s["tracer"] == "syscall-spin"} == {"cross"}'
else
	skip "syscall-spin" "one CPU only"
fi

# --- many children ---
rss() { # ITERATIONS: the largest memory of a run with so many children, KiB
	python3 - "$TRACETAX" "$1" "$T" <<'PY'
import os, subprocess, sys
p = subprocess.Popen([sys.argv[1], "run", "-q", "--workloads", "forkexec", "--ops", "0", "--runs", "1",
                      "--iterations", sys.argv[2], "--tracers", "syscall", "--timeout", "100s",
                      "--child", "plain", "-o", sys.argv[3] + "/many.jsonl"],
                     stdout=subprocess.DEVNULL, stdin=subprocess.DEVNULL)
most = fds = 0
while p.poll() is None:
    try:
        status = open(f"/proc/{p.pid}/status").read()
        most = max(most, int(status.split("VmHWM:")[1].split()[0]))
        fds = max(fds, len(os.listdir(f"/proc/{p.pid}/fd")))
    except (OSError, IndexError, ValueError):
        pass
    try:
        p.wait(0.02)
    except subprocess.TimeoutExpired:
        pass
print(most, fds, p.returncode)
PY
}
many() {
	local few_kib few_fds many_kib many_fds status
	read -r few_kib few_fds status < <(rss 20)
	[ "$status" = 0 ] || return 1
	read -r many_kib many_fds status < <(rss 5000)
	echo "$few_kib KiB, $few_fds fds for 20; $many_kib KiB, $many_fds fds for 5000, status $status"
	# A tracee remembered is 72 bytes and its node in the tree 32: 10,000 of them are 1 MiB.
	[ "$status" = 0 ] && [ "$many_kib" -lt $((few_kib + 700)) ] && [ "$many_fds" -le $((few_fds + 1)) ]
}
check "10,000 children under syscall: no memory, no descriptors kept" many
check "nor processes" gone "tracetax-child .*--workload forkexec"

# --- mechanisms that are denied ---
deny() { # CALLS TRACER...: each is said to be unavailable, and why
	local calls=$1 tracer
	shift
	run env ASAN_OPTIONS=detect_leaks=0 "$B/tests/child-deny" "$calls" "$TRACETAX" run --tracers list
	for tracer; do
		grep -qE "^$tracer +no" "$T/out" || { echo "$tracer is said to work"; return 1; }
	done
}
check "ptrace denied" deny ptrace null syscall syscall-info seccomp-trace sysemu singlestep strace gdb
check "seccomp denied" deny seccomp seccomp-allow notify notify-sync seccomp-trace
check "perf denied" deny perf_event_open count ring perf-stat perf-trace
check "dispatch denied" deny dispatch dispatch
run env ASAN_OPTIONS=detect_leaks=0 "$B/tests/child-deny" seccomp,perf_event_open,dispatch "$TRACETAX" \
	run -q --preset ladder --runs 1 --iterations 20 --placements same -o "$T/denied.jsonl"
check "the ladder without them: named in table and campaign" both ended 0 -- \
	grep -qE '^notify +- ' "$T/out" -- grep -q 'Not available: count: ' "$T/out" -- \
	samples "$T/denied.jsonl" 'set(campaigns[0]["unavailable"]) >= {"notify", "count", "ring", "dispatch"}
	 and campaigns[0]["preset"] == "ladder" and "refused" in campaigns[0]["tracers"]["notify"]'
run "$TRACETAX" run -q --preset nonesuch
check "no such preset" both ended 2 --preset nonesuch -- one_line

# --- a child that is killed in the middle of its files ---
files() {
	ls /tmp/tracetax-[0-9]*-[0-9]* 2>/dev/null
}
before=$(files)
for tracer in none strace; do
	[ -n "$(available $tracer)" ] || { skip "files of a killed child, $tracer" "$(why_not $tracer)"; continue; }
	run "$TRACETAX" run -q --workloads files --iterations 100000000 --threads 3 --ops 0 --runs 1 \
		--tracers $tracer --timeout 300ms
	check "files of a killed child are removed, $tracer" both ended 3 timeout -- test "$(files)" = "$before"
done
finish
