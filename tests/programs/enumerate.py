#!/usr/bin/env python3
"""The court of appeal: derives by plain enumeration the numbers that test programs expect.

A model is a list of threads; a thread is a generator that yields its visible operations and receives their
results. Every interleaving is run, one after the other, which shares nothing with heddle but the definitions:

  execution     a maximal interleaving of visible operations (a deadlock is an end)
  trace         the partial order it leaves: program order plus the order of conflicting operations
  preemption    a switch away from a thread whose next operation is enabled

The numbers must be the ones written in the program of the same name: `enumerate.py` compares them all.
"""

import itertools
import pathlib
import re
import sys

READS = {"load"}


class Memory:
    def __init__(self):
        self.values, self.owner = {}, {}

    def enabled(self, op):
        return op[0] != "lock" or op[1] not in self.owner

    def apply(self, thread, op):
        """The result of `op`, and whether it turned out to be a read."""
        kind, name = op[0], op[1]
        if kind == "lock":
            self.owner[name] = thread
        elif kind == "unlock":
            del self.owner[name]
        elif kind == "load":
            return self.values.get(name, 0), True
        elif kind == "store":
            self.values[name] = op[2]
        elif kind == "add":
            self.values[name] = self.values.get(name, 0) + op[2]
            return self.values[name] - op[2], False
        elif kind == "cas":
            old = self.values.get(name, 0)
            if old != op[2]:
                return old, True
            self.values[name] = op[3]
            return old, False
        return None, False


class Run:
    """One execution so far: replayable, because a generator cannot be copied."""

    def __init__(self, bodies, schedule):
        self.memory = Memory()
        self.threads = [body() for body in bodies]
        self.next_op = [next(t, None) for t in self.threads]
        self.trace, self.preemptions, self.running = [], 0, None
        for choice in schedule:
            self.step(choice)

    def open(self):
        return [i for i, op in enumerate(self.next_op) if op and self.memory.enabled(op)]

    def step(self, i):
        last = self.running
        if last is not None and last != i and last in self.open():
            self.preemptions += 1
        op = self.next_op[i]
        result, is_read = self.memory.apply(i, op)
        self.trace.append((i, op[1], is_read))
        self.running = i
        try:
            self.next_op[i] = self.threads[i].send(result)
        except StopIteration:
            self.next_op[i] = None


def partial_order(trace):
    """For every event, the events of other threads it directly depends on: equal for equivalent executions."""
    counts, names, order = {}, [], []
    for i, name, is_read in trace:
        counts[i] = counts.get(i, 0) + 1
        names.append((i, counts[i]))
        before = frozenset(names[k] for k, (j, other, read) in enumerate(trace[:len(order)])
                           if j != i and other == name and not (read and is_read))
        order.append((names[-1], before))
    return frozenset(order)


def explore(bodies):
    executions, least, deadlocks = 0, {}, 0
    stack = [[]]
    while stack:
        schedule = stack.pop()
        run = Run(bodies, schedule)
        while choices := run.open():
            stack += [schedule + [c] for c in choices[1:]]
            schedule = schedule + [choices[0]]
            run.step(choices[0])
        executions += 1
        deadlocks += any(run.next_op)
        key = partial_order(run.trace)
        least[key] = min(least.get(key, run.preemptions), run.preemptions)
    most = max(least.values())
    by = [sum(p <= bound for p in least.values()) for bound in range(most + 1)]
    return {"executions": executions, "happens_before": len(least), "traces": len(least),
            "by_preemptions": ",".join(map(str, by))}


# ---- the models: file name and arguments, then one generator function per thread ----

def fetch_add():
    yield "add", "x", 1


def increment():
    x = yield "load", "x"
    yield "store", "x", x + 1


def increment_then_add():
    yield from increment()
    yield "add", "y", 1


def locked():
    yield "lock", "m"
    yield "unlock", "m"


def locked_pair(first, second):
    def body():
        for name in first, second:
            yield "lock", name
            yield "unlock", name
    return body


def nested(first, second):
    def body():
        yield "lock", first
        yield "lock", second
        yield "unlock", second
        yield "unlock", first
    return body


def store_then_load(mine, other):
    def body():
        yield "store", mine, 1
        yield "load", other
    return body


def writer():
    yield "store", "x", 1


def reader():
    yield "load", "x"


def last_zero_search(n):
    def body():
        i = n
        while (yield "load", f"a{i}") != 0:
            i -= 1
    return body


def last_zero_fill(j):
    def body():
        value = yield "load", f"a{j - 1}"
        yield "store", f"a{j}", value + 1
    return body


def two_stores():
    yield "store", "x", 1
    yield "store", "y", 1


def other_store():
    yield "store", "y", 2


def sender():
    yield "store", "data", 1
    yield "store", "flag", 1


def receiver():
    if (yield "load", "flag"):
        yield "load", "data"


def cas_once():
    yield "cas", "x", 0, 1


def fork_left(i, n):
    return nested(f"f{i}", f"f{(i + 1) % n}")


def fork_low(i, n):
    return nested(f"f{min(i, (i + 1) % n)}", f"f{max(i, (i + 1) % n)}")


def insert(me):
    def body():
        for m in range(1, 5):
            at = (m * 11 + me) * 7 % 128
            while (yield "cas", f"s{at}", 0, m * 11 + me) != 0:
                at = (at + 1) % 128
    return body


def push(node):
    def body():
        old = yield "load", "top"
        while True:
            yield "store", f"next{node}", old
            found = yield "cas", "top", old, node
            if found == old:
                return
            old = found
    return body


def pop():
    old = yield "load", "top"
    while old:
        after = yield "load", f"next{old}"
        found = yield "cas", "top", old, after
        if found == old:
            return
        old = found


def deque_owner():
    for item in 1, 2:
        bottom = yield "load", "bottom"
        yield "load", "top"
        yield "store", f"item{bottom}", item
        yield "store", "bottom", bottom + 1
    for _ in range(2):
        bottom = (yield "load", "bottom") - 1
        yield "store", "bottom", bottom
        top = yield "load", "top"
        if top <= bottom:
            yield "load", f"item{bottom}"
            if top < bottom:
                continue
            yield "cas", "top", top, top + 1
        yield "store", "bottom", bottom + 1


def deque_thief():
    top = yield "load", "top"
    bottom = yield "load", "bottom"
    if top < bottom:
        yield "load", f"item{top}"
        yield "cas", "top", top, top + 1


MODELS = {
    "fetch_add 2": [fetch_add] * 2,
    "fetch_add 3": [fetch_add] * 3,
    "fetch_add 4": [fetch_add] * 4,
    "increment 2": [increment] * 2,
    "increment 3": [increment] * 3,
    "increment 4": [increment] * 4,
    "indexer 2": [insert(i) for i in (0, 1)],
    "indexer 2 11": [insert(i) for i in (0, 11)],
    "increment_then_add 2": [increment_then_add] * 2,
    "increment_then_add 3": [increment_then_add] * 3,
    "mutex_order 2": [locked] * 2,
    "mutex_order 3": [locked] * 3,
    "mutex_order 4": [locked] * 4,
    "philosophers_ordered 2": [fork_low(i, 2) for i in range(2)],
    "philosophers_ordered 3": [fork_low(i, 3) for i in range(3)],
    "treiber_stack": [push(1), push(2), pop],
    "chase_lev_deque 1": [deque_owner, deque_thief],
    "store_buffering_locks": [locked_pair("x", "y")] * 2,
    "locks_crossed": [locked_pair("x", "y"), locked_pair("y", "x")],
    "store_buffering": [store_then_load("x", "y"), store_then_load("y", "x")],
    "readers 2": [writer] + [reader] * 2,
    "readers 3": [writer] + [reader] * 3,
    "readers 4": [writer] + [reader] * 4,
    "last_zero 2": [last_zero_search(2)] + [last_zero_fill(j) for j in (1, 2)],
    "last_zero 3": [last_zero_search(3)] + [last_zero_fill(j) for j in (1, 2, 3)],
    "final_store": [two_stores, other_store],
    "message_passing_relaxed_atomic": [sender, receiver],
    "compare_exchange_once 2": [cas_once] * 2,
    "compare_exchange_once 3": [cas_once] * 3,
    "deadlock_abba": [nested("a", "b"), nested("b", "a")],
    "deadlock_three_locks": [fork_left(i, 3) for i in range(3)],
}


def stated(path):
    """The numbers in a program, by its arguments: {"2": {"executions": "6", ...}}."""
    found, arguments = {}, None
    for line in path.read_text().splitlines():
        if line.startswith("// traces:"):
            number, _, given = line.partition(":")[2].partition(" -- ")
            found.setdefault(" ".join(given.split()), {})["traces"] = number.split()[0]
        elif line.startswith("// heddle:"):
            counts_less = "--bound" in line or "--preset cb-por" in line
            arguments = " ".join(line.partition(" -- ")[2].split())
        elif line.startswith("// expect:") and not counts_less:
            found.setdefault(arguments, {}).update(
                re.findall(r"(executions|happens_before|by_preemptions)=(\S+)", line))
    return found


def main():
    here, wrong = pathlib.Path(__file__).resolve().parent, 0
    for name, bodies in MODELS.items():
        stem, _, arguments = name.partition(" ")
        derived = explore(bodies)
        print(f"{name}: {' '.join(f'{k}={v}' for k, v in derived.items())}")
        for path in itertools.chain(here.glob(f"correct/{stem}.c*"), here.glob(f"wrong/{stem}.c*")):
            numbers = stated(path).get(arguments, {})
            for key, value in numbers.items():
                if value != str(derived[key]):
                    print(f"  {path.name} says {key}={value}")
                    wrong += 1
            if not numbers:
                print(f"  {path.name} states no numbers for these arguments")
                wrong += 1
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
