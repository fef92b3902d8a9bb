#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The user's own program in the place of the child.
. tests/lib.sh
own_tracefs "$@"
tree=$B/tests/child-tree
# It is run by users who are not its owner too.
chmod 755 "$T"

# go NAME OPTIONS... -- COMMAND...: two runs, samples in $T/NAME.jsonl.
go() {
	run "$TRACETAX" run -q --runs 2 -o "$T/$1.jsonl" "${@:2}"
}
inside=$(available none,null,syscall,syscall-info,syscall-regs,sysemu,count)
filtered=$(available seccomp-allow,seccomp-trace,notify)
outside=$(available strace-c,perf-stat)

# --- threads, forks, vfork, exec, in every order ---
for mode in threads:11 leader:12 exec:13 leader-exec:13 vfork:14 bomb:15; do
	name=${mode%:*} code=${mode#*:}
	go "$name" --ignore-failure --tracers "$inside" -- "$tree" "$name"
	check "$name: ends with $code under every tracer" both ended 0 -- samples "$T/$name.jsonl" \
		"len(samples) == 2 * len('$inside'.split(',')) and not failures"
	go "$name-f" --ignore-failure --filter getppid,wait4,exit_group --tracers "$filtered" -- "$tree" "$name"
	check "$name: and behind a filter" both ended 0 -- samples "$T/$name-f.jsonl" \
		"len(samples) == 2 * len('$filtered'.split(',')) and not failures"
	go "$name-o" --ignore-failure --tracers "$outside" -- "$tree" "$name"
	check "$name: and under programs" both ended 0 -- samples "$T/$name-o.jsonl" \
		"len(samples) == 2 * len('$outside'.split(',')) and not failures"
	go "$name-x" --tracers none -- "$tree" "$name"
	check "$name: without --ignore-failure no sample" both ended 3 "status $code" ignore-failure
done
check "bomb: every process was seen" samples "$T/bomb.jsonl" \
	'all(s["forks"] == 254 for s in samples if s["tracer"] in ("null", "syscall"))'
check "nothing of it is left" gone "child-tree"

# --- SIGKILL at any kind of stop ---
run "$TRACETAX" run -q --runs 25 --ignore-failure --tracers "$inside" -o "$T/killed.jsonl" -- "$tree" killed
check "killed at any moment: always killed, never hung" both ended 0 -- samples "$T/killed.jsonl" \
	"len(samples) == 25 * len('$inside'.split(',')) and not failures"

# --- ends, input, output, environment ---
go seven --ignore-failure -- sh -c 'exit 7'
check "a status that is always the same" both ended 0 -- samples "$T/seven.jsonl" 'len(samples) == 8'
echo 0 >"$T/times"
go unsteady --ignore-failure --tracers none -- sh -c "read n <$T/times; echo \$((n + 1)) >$T/times; exit \$n"
check "one that changes: no sample" ended 3 "in its first run"
go killed-by --tracers none -- sh -c 'kill -TERM $$'
check "killed by a signal: said so" both ended 3 SIGTERM -- one_line
for from in file pipe null; do
	printf 'one\ntwo\n' >"$T/input"
	case $from in
	file) timeout 60 "$TRACETAX" run -q --runs 2 --tracers none,syscall --show-output -- wc -l <"$T/input" >"$T/out" 2>"$T/err" ;;
	pipe) printf 'one\ntwo\n' | timeout 60 "$TRACETAX" run -q --runs 2 --tracers none,syscall --show-output -- wc -l >"$T/out" 2>"$T/err" ;;
	null) timeout 60 "$TRACETAX" run -q --runs 2 --tracers none,syscall --show-output -- wc -l </dev/null >"$T/out" 2>"$T/err" ;;
	esac
	lines=2
	[ $from = null ] && lines=0
	check "standard input from a $from: the same in each run" test "$(grep -cx $lines "$T/out")" = 6
done
{
	read -r _
	timeout 60 "$TRACETAX" run -q --runs 1 --tracers none --show-output -- cat >"$T/out" 2>"$T/err"
} <"$T/input"
check "a file that has been read in part: from there" both \
	test "$(grep -cx two "$T/out")" = 2 -- test "$(grep -cx one "$T/out")" = 0
run env SOME_VARIABLE=there "$TRACETAX" run -q --runs 1 --tracers "none,$outside" --show-output -- \
	sh -c 'echo "got $SOME_VARIABLE $# $1" >&2' sh 'a  b'
check "environment and arguments are the user's" test "$(grep -cx 'got there 1 a  b' "$T/err")" = \
	$((2 + 2 * $(wc -w <<<"${outside//,/ }")))
run "$TRACETAX" run -q --runs 1 --tracers none -- sh -c 'echo heard; echo heard >&2'
check "output is not shown unless asked for" both ended 0 -- eval '! grep -qx heard "$T/out" "$T/err"'
run "$TRACETAX" run -q --runs 1 --tracers none,syscall -- sh -c 'yes | head -c 3000000 >&2'
check "much on standard error does not block it" ended 0
run "$TRACETAX" run -q --runs 1 --timeout 300ms --tracers none -- sleep 30
check "the timeout" both ended 3 timeout -- gone "^sleep 30"
for tracer in ${outside//,/ }; do
	run "$TRACETAX" run -q --runs 1 --timeout 500ms --tracers "$tracer" -- sleep 31
	check "the timeout under $tracer: nothing left" both ended 3 timeout -- gone "^sleep 31"
done
go daemon --tracers "$(available none,null,syscall,count)" -- "$tree" daemon "$T/daemon-was-here"
check "what it leaves behind with --ignore-failure missing" ended 3 "status 16"
rm -f "$T/daemon-was-here"
for tracer in none null syscall; do
	run "$TRACETAX" run -q --runs 1 --ignore-failure --tracers $tracer -- "$tree" daemon "$T/daemon-was-here"
	check "a daemon lives on and does its work, $tracer" both ended 0 -- until_true test -e "$T/daemon-was-here"
	rm -f "$T/daemon-was-here"
done

# --- other kinds of programs ---
if [ -n "$(available strace)" ]; then
	go tracer --tracers none,count -- strace -f -o /dev/null true
	check "a child that is itself a tracer: untraced it works" ended 0
	go traced-tracer --tracers syscall -- strace -f -o /dev/null true
	check "under ptrace its tracing is refused, and no sample" both ended 3 status -- samples \
		"$T/traced-tracer.jsonl" 'not all_samples'
else
	skip "a child that is itself a tracer" "$(why_not strace)"
fi
if [ "$(id -u)" = 0 ]; then
	as_nobody() {
		run setpriv --reuid=65534 --regid=65534 --clear-groups "$@"
	}
	cp "$(command -v id)" "$T/id" && chmod 4755 "$T/id"
	cp "$TRACETAX" "$CHILD" "$T/" && chmod 755 "$T/tracetax" "$T/tracetax-child"
	as_nobody "$T/tracetax" run -q --runs 1 --tracers none --show-output -- "$T/id" -u
	if findmnt -no OPTIONS --target "$T" | grep -q nosuid; then
		skip "a set-user-ID program" "its directory is mounted nosuid"
	else
		check "a set-user-ID program, untraced: as ever" both ended 0 -- grep -qx 0 "$T/out"
		as_nobody "$T/tracetax" run -q --runs 1 --tracers null,syscall --show-output -- "$T/id" -u
		check "traced by one who is not root it gains nothing, and runs" both ended 0 -- \
			grep -qx 65534 "$T/out" -- eval '! grep -qx 0 "$T/out"'
	fi
else
	skip "a set-user-ID program" "not root"
fi
# 100 getpid by int 0x80, then exit(0), as a 32-bit ELF program.
python3 - "$T/elf32" <<'PY'
import struct, sys
code = (b"\xbf\x64\0\0\0"           # mov edi, 100
        b"\xb8\x14\0\0\0\xcd\x80"   # mov eax, 20 (getpid); int 0x80
        b"\x4f\x75\xf6"             # dec edi; jnz
        b"\x31\xdb\xb8\1\0\0\0\xcd\x80")  # ebx = 0; exit
base = 0x08048000
head = b"\x7fELF" + bytes([1, 1, 1]) + bytes(9) + struct.pack("<HHIIIIIHHHHHH", 2, 3, 1, base + 84, 52, 0, 0, 52, 32, 1, 0, 0, 0)
seg = struct.pack("<IIIIIIII", 1, 0, base, base, 84 + len(code), 84 + len(code), 5, 4096)
open(sys.argv[1], "wb").write(head + seg + code)
PY
chmod 755 "$T/elf32"
if [ "$(uname -m)" = x86_64 ] && "$T/elf32"; then
	go elf32 --filter getpid --tracers "$inside,$filtered,$outside" -- "$T/elf32"
	check "a 32-bit program: its calls are counted" both ended 0 -- samples "$T/elf32.jsonl" \
		'all(s["calls_traced"] is None or s["calls_traced"] >= 100 for s in samples) and
		 {s["tracer"] for s in samples if s["calls_traced"]} >=
		 {"syscall", "syscall-info", "sysemu", "seccomp-trace", "notify"}'
else
	skip "a 32-bit program" "this kernel does not run them"
fi

# --- --prepare ---
run "$TRACETAX" run -q --runs 2 --iterations 10 --ops 0 --tracers none,null --prepare "echo x >>$T/prepared"
check "--prepare: before each run" both ended 0 -- test "$(wc -l <"$T/prepared")" = 6
run "$TRACETAX" run -q --runs 2 --iterations 10 --tracers none --prepare 'exit 4'
check "--prepare that fails ends it" both ended 3 --prepare "status 4" -- one_line

# --- wrong usage ---
wrong() {
	run "$TRACETAX" run -q "${@:2}"
	check "refused: ${*:2}" both ended 2 "$1" -- one_line
}
wrong nonesuch -- nonesuch
wrong --workloads --workloads pread -- true
wrong --iterations --iterations 5 -- true
wrong --duration --duration 1s -- true
wrong --filter --tracers notify -- true
wrong dispatch --tracers dispatch -- true
wrong gdb --tracers gdb -- true
wrong --preset --preset ladder -- true
wrong --show-output --show-output
wrong "behind --" true
wrong --ignore-failure --ignore-failure --pid 1
finish
