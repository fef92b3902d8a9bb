#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Attaching to a process that lives, which goes on unharmed whatever happens to us.
. tests/lib.sh
own_tracefs "$@"

# A process with threads and signals that goes on for ever; its pid in $victim.
victim() {
	"$CHILD" --workload mix --iterations 4000000000 --threads 4 >/dev/null 2>&1 </dev/null &
	victim=$!
	until_true test -d "/proc/$victim/task"
}
end_victim() {
	kill -KILL "$victim" 2>/dev/null
	wait "$victim" 2>/dev/null
	rm -f "/tmp/tracetax-$victim-"*
}
trap 'kill -KILL "${victim:-0}" 2>/dev/null; rm -rf "$T" "/tmp/tracetax-${victim:-none}-"*' EXIT

# works PID: it is neither stopped nor traced, and uses CPU time.
works() {
	python3 - "$1" <<'PY'
import sys, time
pid = sys.argv[1]
def cpu():
    f = open(f"/proc/{pid}/stat").read().rsplit(")", 1)[1].split()
    return int(f[11]) + int(f[12])
def field(name):
    return [l.split()[1] for l in open(f"/proc/{pid}/status") if l.startswith(name + ":")][0]
before, deadline = cpu(), time.time() + 20
while time.time() < deadline:
    time.sleep(0.02)
    if cpu() > before + 2 and field("TracerPid") == "0" and field("State") not in "tT":
        sys.exit(0)
print(field("State"), field("TracerPid"), cpu() - before)
sys.exit(1)
PY
}

victim
for tracer in none null syscall syscall-info; do
	run "$TRACETAX" run --pid "$victim" --duration 100ms --tracers $tracer --format json
	check "$tracer: three phases" both ended 0 -- python3 - "$T/out" $tracer <<'PY'
import json, sys
a, = json.load(open(sys.argv[1]))
tracer = sys.argv[2]
assert a["tracer"] == tracer and not a["ended"] and not a["left_behind"]
for phase in ("before", "during", "after"):
    assert a[phase]["wall_ns"] >= 100_000_000 and a[phase]["runtime_ns"] > 0
assert (a["threads"] == 4) == (tracer != "none"), a["threads"]
assert (a["syscall_stops"] > 100) == tracer.startswith("syscall")
if a["before"]["syscalls"] is not None and tracer.startswith("syscall"):
    # Two stops a call. At the edges of the phase each of four threads can be within one,
    # and the tracepoint goes on counting while we attach and detach.
    made = a["during"]["syscalls"]
    assert abs(a["syscall_stops"] / 2 - made) <= 0.5 * made + 8, (a["syscall_stops"], made)
PY
	check "$tracer: it works on" works "$victim"
done
run "$TRACETAX" run --pid "$victim" --duration 50ms
check "text: phases and pauses" both ended 0 -- grep -q "^during" "$T/out" -- grep -q "kept for" "$T/out"

# Killed at moments of every phase, forty times.
survives() {
	local harness
	for i in $(seq 40); do
		"$TRACETAX" run --pid "$victim" --duration 40ms --tracers syscall >/dev/null 2>&1 </dev/null &
		harness=$!
		sleep "0.0$((RANDOM % 9))$((RANDOM % 10))"
		kill -KILL $harness 2>/dev/null
		wait $harness 2>/dev/null
		works "$victim" || { echo "kill $i"; return 1; }
	done
}
check "we are killed by SIGKILL at any moment: it works on" survives
for signal in INT TERM; do
	interrupted() {
		setsid python3 - "$1" "$victim" "$TRACETAX" <<'PY'
import signal, subprocess, sys, time
sig = getattr(signal, "SIG" + sys.argv[1])
signal.signal(signal.SIGINT, signal.SIG_DFL)
for wait in (0.1, 0.45, 0.75):
    p = subprocess.Popen([sys.argv[3], "run", "--pid", sys.argv[2], "--duration", "300ms"],
                         stdout=subprocess.DEVNULL)
    time.sleep(wait)
    p.send_signal(sig)
    status = p.wait(20)
    assert status in (-sig, 0), status
PY
	}
	check "SIG$signal: it is let go" both interrupted $signal -- works "$victim"
done
end_victim

# --- a process that is stopped ---
victim
kill -STOP "$victim"
run "$TRACETAX" run --pid "$victim" --duration 50ms --tracers syscall
check "stopped by a signal: it stays so" both ended 0 -- until_true grep -q '^State:.T ' "/proc/$victim/status"
kill -CONT "$victim"
check "and goes on at SIGCONT" works "$victim"
(sleep 0.1; kill -STOP "$victim"; sleep 0.1; kill -CONT "$victim") &
run "$TRACETAX" run --pid "$victim" --duration 200ms --tracers syscall
wait $!
check "SIGSTOP and SIGCONT while attached" both ended 0 -- works "$victim"
(sleep 0.1; kill -KILL "$victim") &
run "$TRACETAX" run --pid "$victim" --duration 80ms --tracers syscall
check "it is killed while attached: said so" both ended 0 -- grep -q "ended by itself" "$T/out"
end_victim

# --- who refuses, and what to type ---
refused() {
	run "$TRACETAX" run --duration 50ms "${@:2}"
	check "refused: ${*:2}" both ended 2 "$1" -- one_line
}
refused "no process" --pid 4194305
refused --pid --pid 0
refused --pid --pid x
refused gdb --pid $$ --tracers gdb
refused --workloads --pid $$ --workloads pread
refused --output --pid $$ -o "$T/x"
run "$TRACETAX" run --duration 50ms --pid 2
if [ "$(cat /proc/2/comm 2>/dev/null)" = kthreadd ]; then
	check "a kernel thread" both ended 3 "kernel thread" -- one_line
else
	skip "a kernel thread" "process 2 is none here (a PID namespace)"
fi
if [ -n "$(available strace)" ]; then
	victim
	strace -qq -f -o /dev/null -p "$victim" &
	other=$!
	until_true grep -q "^TracerPid:.$other\$" "/proc/$victim/status"
	run "$TRACETAX" run --duration 50ms --pid "$victim"
	check "traced already: by whom" both ended 3 "traced already, by process $other" -- one_line
	kill $other
	wait $other 2>/dev/null
	end_victim
else
	skip "traced already" "$(why_not strace)"
fi
if [ "$(id -u)" = 0 ]; then
	chmod 755 "$T"
	cp "$TRACETAX" "$CHILD" "$T/" && chmod 755 "$T/tracetax" "$T/tracetax-child"
	victim
	run setpriv --reuid=65534 --regid=65534 --clear-groups "$T/tracetax" run --duration 50ms --pid "$victim"
	check "another user's" both ended 3 "another user, uid 0" sudo -- one_line
	if command -v setcap >/dev/null && setcap cap_sys_ptrace,cap_perfmon,cap_dac_read_search=p "$T/tracetax" 2>/dev/null; then
		run setpriv --reuid=65534 --regid=65534 --clear-groups "$T/tracetax" run --duration 50ms --pid "$victim"
		check "with cap_sys_ptrace of the file: raised for it" ended 0
		run setpriv --reuid=65534 --regid=65534 --clear-groups "$T/tracetax" run -q --runs 1 \
			--tracers "$(available none,syscall,count)" --show-output -- grep ^Cap /proc/self/status
		check "the child has none of them" both ended 0 -- eval '! grep -E "^Cap(Prm|Eff|Amb):" "$T/out" | grep -qv 0000000000000000'
	else
		skip "capabilities of a file" "setcap is not there or not allowed"
	fi
	end_victim
else
	skip "other users" "not root"
fi
finish
