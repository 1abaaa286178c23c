#!/usr/bin/env python3
"""Models of the programs whose numbers of states the programs state: what `--visited states` has to find, counted without heddle.

Each model is the program with a step from each synchronisation operation to the next. A state is where every thread stands, its
locals, and what they share; the last one, in which all threads have ended, is none. The numbers in the programs' `expect:` lines
have to be these.

  states_models.py        compares; says what is wrong, with status 1
"""

import pathlib
import re
import sys

HERE = pathlib.Path(__file__).resolve().parent


def count(threads, shared, step, enabled):
    """States from which a thread can go on. `threads`: where each stands; `step(i, local, shared)` answers both afterwards."""
    first = (tuple(threads), shared)
    seen, left = {first}, [first]
    going = 0
    while left:
        locals_, shared = left.pop()
        moved = False
        for i, local in enumerate(locals_):
            if local is None or not enabled(i, local, shared):
                continue
            moved = True
            after, then = step(i, local, shared)
            state = (locals_[:i] + (after,) + locals_[i + 1:], then)
            if state not in seen:
                seen.add(state)
                left.append(state)
        going += moved
    return going


def put(values, at, value):
    return values[:at] + (value,) + values[at + 1:]


def file_system(threads, inodes=2, blocks=4):
    """A local is (place, block, found); shared: holders of the inodes' and blocks' locks, blocks of the inodes, busy blocks."""
    def enabled(i, local, shared):
        place, block, _ = local
        inode_held, block_held, _, _ = shared
        if place == "lock inode":
            return inode_held[i % inodes] is None
        return place != "lock block" or block_held[block] is None

    def step(i, local, shared):
        place, block, found = local
        inode_held, block_held, inode_blocks, busy = shared
        inode = i % inodes
        if place == "lock inode":
            after = ("lock block", 2 * i % blocks, None) if inode_blocks[inode] == 0 else ("unlock inode", None, None)
            return after, (put(inode_held, inode, i), block_held, inode_blocks, busy)
        if place == "lock block":
            found = not busy[block]
            if found:
                busy, inode_blocks = put(busy, block, True), put(inode_blocks, inode, block + 1)
            return ("unlock block", block, found), (inode_held, put(block_held, block, i), inode_blocks, busy)
        if place == "unlock block":
            after = ("unlock inode", block, True) if found else ("lock block", (block + 1) % blocks, None)
            return after, (inode_held, put(block_held, block, None), inode_blocks, busy)
        return None, (put(inode_held, inode, None), block_held, inode_blocks, busy)

    shared = ((None,) * inodes, (None,) * blocks, (0,) * inodes, (False,) * blocks)
    return count([("lock inode", None, None)] * threads, shared, step, enabled)


def counters(operations):
    def step(i, local, shared):
        return (local - 1 or None), shared
    return count([operations] * 2, (), step, lambda *_: True)


MODELS = {
    "correct/states_file_system.c": {"2": lambda: file_system(2), "3": lambda: file_system(3), "4": lambda: file_system(4)},
    "correct/states_counters.c": {"1": lambda: counters(1), "4": lambda: counters(4), "10": lambda: counters(10)},
}


def main():
    wrong = []
    for name, models in MODELS.items():
        text = (HERE / name).read_text()
        stated = re.findall(r"^// heddle: .* -- (\S+)\n// expect: .*\bstates=(\d+)", text, re.M)
        for argument, number in stated:
            expected = models[argument]()
            if expected != int(number):
                wrong.append(f"{name} {argument}: states={number}, but the model has {expected}")
        if {argument for argument, _ in stated} < set(models):
            wrong.append(f"{name}: states a number for {sorted(argument for argument, _ in stated)} only")
    print("\n".join(wrong) or "all numbers are those of the models")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
