#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Children that misbehave: reported as what they are, never a sample, nothing left alive.
. tests/lib.sh

# Copies of the misbehaving child by the name of what it does, the real child beside them.
cp "$CHILD" "$T/tracetax-child"
for name in sigtrap sigusr1 killed segv lazy short partial stopped continued forks threads daemon stray plain; do
	cp "$B/tests/child-mischief" "$T/$name"
done

# go CHILD TRACERS [OPTION...]: a small campaign with it, samples in $T/CHILD.jsonl.
go() {
	local child=$1 tracers=$2
	shift 2
	rm -f "$T/$child.jsonl"
	run "$TRACETAX" run -q --child-path "$T/$child" --tracers "$tracers" --ops 0 \
		--iterations 300 --runs 1 -o "$T/$child.jsonl" "$@"
}
no_sample() {
	samples "$1" 'len(all_samples) == 0'
}

# --- it does not start ---
run "$TRACETAX" run -q --child-path "$T/none-such" --tracers none --runs 1
check "missing: exec and ENOENT named" both ended 3 exec "No such file" none-such -- one_line
cp "$CHILD" "$T/mode644" && chmod 644 "$T/mode644"
run "$TRACETAX" run -q --child-path "$T/mode644" --tracers syscall --runs 1
check "not executable: EACCES named" both ended 3 exec "Permission denied" -- one_line
run "$TRACETAX" run -q --child-path "$T" --tracers null --runs 1 -o "$T/dir.jsonl"
check "a directory: refused" both ended 3 exec "Permission denied" -- no_sample "$T/dir.jsonl"
echo 'no program' >"$T/text" && chmod 755 "$T/text"
run "$TRACETAX" run -q --child-path "$T/text" --tracers none,syscall --runs 1 -o "$T/text.jsonl"
check "a text file: ENOEXEC named" both ended 3 exec "Exec format error" -- no_sample "$T/text.jsonl"

# --- it does not do its work ---
for tracer in none null syscall; do
	go killed $tracer
	check "killed, $tracer" both ended 3 "killed by SIGKILL" -- no_sample "$T/killed.jsonl"
	go segv $tracer
	check "segmentation fault, $tracer" both ended 3 "killed by SIGSEGV" -- no_sample "$T/segv.jsonl"
	go lazy $tracer
	check "status 0 without work, $tracer" both ended 3 "0 of 300 iterations" -- no_sample "$T/lazy.jsonl"
done
go partial none
check "part of the work" both ended 3 "7 of 300 iterations" -- no_sample "$T/partial.jsonl"
go short none
check "a short read: its words" both ended 3 "status 83" "64 bytes instead of 128" -- no_sample "$T/short.jsonl"

# --- signals ---
for tracer in none null syscall; do
	go stopped $tracer --timeout 1s
	check "stopped for good, $tracer" both ended 3 timeout "stopped by a signal" -- \
		no_sample "$T/stopped.jsonl"
	run env --block-signal=ALRM --block-signal=INT "$TRACETAX" run -q --runs 1 --ops 0 \
		--child-path "$T/stopped" --tracers "$tracer" --timeout 300ms
	check "stopped for good, SIGALRM blocked by who started us, $tracer" ended 3 timeout
	go continued $tracer
	check "stopped and continued, $tracer" both ended 0 -- samples "$T/continued.jsonl" \
		'len(samples) == 1 and samples[0]["group_stops"] == 1'
done
for signal in sigtrap sigusr1; do
	go $signal syscall
	check "$signal 10 times, syscall" both ended 0 -- samples "$T/$signal.jsonl" \
		'samples[0]["signals"] == 10 and samples[0]["syscall_stops"] >= 600'
	go $signal null
	check "$signal 10 times, null" both ended 0 -- samples "$T/$signal.jsonl" \
		'samples[0]["signals"] == 10 and samples[0]["syscall_stops"] == 0'
	go $signal none
	check "$signal 10 times, untraced" ended 0
done

# --- forks ---
for tracer in null syscall; do
	go forks $tracer
	check "forks, $tracer" both ended 0 -- samples "$T/forks.jsonl" 'samples[0]["forks"] == 3'
	go threads $tracer
	check "threads, $tracer" both ended 0 -- samples "$T/threads.jsonl" 'samples[0]["forks"] == 3'
done
go forks none
check "forks, untraced" ended 0
for tracer in none null syscall; do
	go daemon $tracer
	check "a process left behind is ended, $tracer" both ended 0 -- gone "$T/daemon"
	go stray $tracer
	check "so is one that left its group, $tracer" both ended 0 -- gone "$T/stray"
done

# --- the harness dies ---
# killed_harness CHILD TRACERS: SIGKILL in the middle of a long run; nothing is left.
killed_harness() {
	"$TRACETAX" run -q --child-path "$T/$1" --tracers "$2" --ops 1000000 --iterations 1000000 \
		--runs 1 >"$T/out" 2>"$T/err" </dev/null &
	local harness=$!
	until_true pgrep -f "^$T/$1 --workload" || return 1
	sleep 0.05
	kill -KILL "$harness"
	wait "$harness" 2>/dev/null
	gone "^$T/$1 --workload" && gone "$TRACETAX run -q --child-path $T/$1"
}
for tracer in none null syscall; do
	check "harness killed, $tracer" killed_harness plain $tracer
done

# killed_keeper TRACERS: the keeper dies first, so the direct child has its parent-death signal
# or its tracer's end alone.
killed_keeper() {
	"$TRACETAX" run -q --child-path "$T/plain" --tracers "$1" --ops 1000000 \
		--iterations 1000000 --runs 1 >"$T/out" 2>"$T/err" </dev/null &
	local harness=$! keeper
	until_true pgrep -f "^$T/plain --workload" || return 1
	keeper=$(pgrep -P "$harness" -f "^$TRACETAX run")
	kill -KILL "$keeper" || return 1
	kill -KILL "$harness"
	wait "$harness" 2>/dev/null
	gone "^$T/plain --workload"
}
check "keeper and harness killed, none" killed_keeper none
check "keeper and harness killed, syscall" killed_keeper syscall
check "harness killed, a forked process untraced" killed_harness daemon none

# interrupted SIGNAL: the report of what there is, whole lines, death by the signal.
interrupted() {
	rm -f "$T/int.jsonl"
	# An interactive shell's jobs do not ignore SIGINT; a script's background jobs do.
	setsid python3 - "$1" "$T" "$TRACETAX" <<'PY'
import os, signal, subprocess, sys, time
sig, tmp, tracetax = getattr(signal, sys.argv[1]), sys.argv[2], sys.argv[3]
signal.signal(signal.SIGINT, signal.SIG_DFL)
path = tmp + "/int.jsonl"
p = subprocess.Popen([tracetax, "run", "-q", "--tracers", "none,syscall", "--ops", "0",
                      "--iterations", "2000", "--runs", "100000", "-o", path],
                     stdout=open(tmp + "/out", "w"), stderr=open(tmp + "/err", "w"))
deadline = time.time() + 30
while time.time() < deadline:
    if os.path.exists(path) and open(path).read().count('"warmup":false') >= 4:
        break
    time.sleep(0.02)
p.send_signal(sig)
sys.exit(p.wait(30) != -sig)
PY
}
for signal in SIGINT SIGTERM; do
	check "$signal: dies of it" interrupted $signal
	check "$signal: the report is printed" grep -q "CPU time per run" "$T/out"
	check "$signal: whole lines only" samples "$T/int.jsonl" 'len(samples) >= 4 and not failures'
	check "$signal: nothing left" gone "$T/int.jsonl"
done

# --- ptrace refused ---
# LeakSanitizer works by ptrace itself: under this filter it can't look, so it is off.
deny=(env ASAN_OPTIONS=detect_leaks=0 "$B/tests/child-deny" ptrace)
run "${deny[@]}" "$TRACETAX" run -q --tracers none,syscall --runs 1
check "ptrace refused: exit 3 and what to do" both \
	ended 3 "Operation not permitted" "SYS_PTRACE" "tracetax doctor" -- one_line
run "${deny[@]}" "$TRACETAX" run -q --tracers none,aa --runs 1 --iterations 100
check "ptrace refused: untraced runs work" ended 0
run "${deny[@]}" "$TRACETAX" run --tracers list
check "ptrace refused: the list says no" grep -qE '^syscall +no' "$T/out"

# --- the child alone ---
run "$CHILD" --ops x
check "child: wrong number" both ended 80 --ops "'x'" 4294967295 -- one_line
run "$CHILD" --workload foo
check "child: wrong workload" both ended 80 foo "pread, compute"
run "$CHILD" --windows
check "child: windows without a report" ended 80 --report
run "$CHILD" extra
check "child: a bare word" ended 80 extra
run bash -c "exec 5<>'$T/text'; exec '$CHILD' --report 5 --iterations 10"
check "child: an area that is none" ended 81 "--report 5"
run "$CHILD" --iterations 10 --ops 3 --op reg
check "child: alone it works" ended 0
finish
