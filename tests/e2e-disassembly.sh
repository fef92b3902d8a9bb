#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# What an operation is, in the child's machine code: nothing was optimised away or added.
. tests/lib.sh

if [ "$(uname -m)" != x86_64 ]; then
	skip disassembly "only x86-64 code is read here, this is $(uname -m)"
	finish
fi

# body FILE FUNCTION: its instructions, one a line, without addresses and bytes.
body() {
	objdump -d --no-show-raw-insn --disassemble="$2" "$1" |
		sed -n "/<$2>:/,/^\$/p" | grep -oP '^ +[0-9a-f]+:\t\K.*' | sed 's/ *#.*//'
}

# The loop of ops_mem, from the target of its backward jump to the jump.
mem_loop() {
	objdump -d --no-show-raw-insn --disassemble=ops_mem "$1" | python3 -c '
import re, sys
code = re.findall(r"^ +([0-9a-f]+):\t(\w+) *([^#\n]*)", sys.stdin.read(), re.M)
for n, (at, op, args) in enumerate(code):
    target = args.split()[0] if args.split() else ""
    starts = [k for k, c in enumerate(code[:n]) if c[0] == target]
    if op.startswith("j") and starts:
        for _, o, a in code[starts[0]:n + 1]:
            print(o, a)
        break'
}

# One load of the word, one add of 1 to what was loaded, one store; apart from them the loop
# has its counter and its jump.
mem_is_right() {
	local loop
	loop=$(mem_loop "$1")
	echo "$loop"
	[ "$(grep -cE '^mov +(0x)?[0-9a-f]+\(%rip\),%e' <<<"$loop")" = 1 ] &&
		[ "$(grep -cE '^(add +\$0x1|inc) *,?%e' <<<"$loop")" = 1 ] &&
		[ "$(grep -cE '^mov +%e[a-z]+,(0x)?[0-9a-f]+\(%rip\)' <<<"$loop")" = 1 ] &&
		[ "$(wc -l <<<"$loop")" = 6 ]
}

# Sixteen adds of one register to one other in a row, and one more in the loop of the rest.
reg_is_right() {
	body "$1" ops_reg | python3 -c '
import re, sys
run, runs, last = 0, [], None
for line in list(sys.stdin) + ["end"]:
    add = re.match(r"add +(%r\w+),(%r\w+)$", line.strip())
    if add and (last is None or add.groups() == last):
        run, last = run + 1, add.groups()
        assert add.group(1) != add.group(2)
    elif run:
        runs.append(run)
        run, last = 0, None
print(runs)
sys.exit(runs != [16, 1])'
}

none_is_right() {
	! body "$1" ops_none | grep -E '^(j|add|mov|inc)'
}

check "mem: one load, add and store an operation" mem_is_right "$CHILD"
check "reg: 16 dependent adds and one" reg_is_right "$CHILD"
check "none: nothing" none_is_right "$CHILD"

# The checks can fail: the same code with a fault in it.
# fault NAME CHECK SED-SCRIPT: the check refuses the mutated source.
fault() {
	mkdir -p "$T/child"
	cp child/*.h "$T/child/"
	sed "$3" child/ops.c >"$T/child/ops.c"
	sed -i "$4" "$T/child/ops.h"
	gcc -std=gnu17 -O2 -fno-pie -fno-unroll-loops -fno-tree-vectorize -I"$T" -c -o "$T/ops.o" \
		"$T/child/ops.c" || return 1
	# An object has no final addresses: linked, the word has one.
	echo 'int main(void){return 0;}' >"$T/main.c"
	gcc -static -no-pie -o "$T/mutant" "$T/main.c" "$T/ops.o" || return 1
	! "$2" "$T/mutant"
}
check "unmutated code passes when built alone" eval '! fault same mem_is_right "" ""'
check "mem without volatile is refused" fault volatile mem_is_right 's/static volatile int/static int/' ''
check "mem with two adds is refused" fault twice mem_is_right 's/word += 1;/word += 1, word += 1;/' ''
check "reg with 15 adds is refused" fault fifteen reg_is_right '' '0,/^\t\tOPS_REG_ADD(x, one);$/{//d}'
check "reg with a constant is refused" fault constant reg_is_right '' 's/add %1, %0" : "+r"(x) : "r"(one)/add $1, %0" : "+r"(x) : "r"(one)/'
finish
