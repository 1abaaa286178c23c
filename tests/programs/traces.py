#!/usr/bin/env python3
"""Derives numbers of traces that are too many for a sentence, from models of the test programs.

enumerate.py runs every interleaving of a model; here traces are extended instead of executions: of all prefixes that
leave the same partial order one is kept, and each of its next operations is tried. Nothing is shared with heddle but
the definitions. The models are in traces_models.py. What only one thread at a time can touch, because of a lock, need
not be modelled, but may be.

Two numbers are derived, of which a program may state either or both (tests/run_program.py):

  traces   as --reduction optimal counts executions: an end of the program (a failed assertion, a misuse, the return of
           main) commutes with what other threads do, so it comes when they have finished, wait or stand before ends
           themselves
  graphs   as plain enumeration counts happens-before graphs: the end may cut off what other threads would have done,
           and where main comes to it when all others have ended, it is no event

Usage: traces.py [NAME ...]      (all that take seconds without a NAME)
"""

import hashlib
import itertools
import pathlib
import sys

from traces_models import MODELS, SLOW_MODELS


def digest(*what):
    """64 bits of which sums can be compared: those of Python's hash() are equal too often for events that are alike."""
    return int.from_bytes(hashlib.blake2b(repr(what).encode(), digest_size=8).digest(), "little")


class State:
    """A model after some operations. Its `sum` is the partial order: equal for equivalent prefixes."""

    def __init__(self, bodies, memory, cut_off):
        self.memory, self.owner, self.readers = dict(memory), {}, {}
        self.waiters, self.woken, self.joining, self.ended_threads = {}, {}, {}, set()
        self.joined, self.detached, self.destroyed, self.over, self.sum = set(), set(), set(), False, 0
        self.accesses = {}  # object -> kind of the last group of accesses that commute, the group, the group before it
        self.cut_off = cut_off
        self.main = next((t for t, body in enumerate(bodies) if body.__name__.startswith("main")), None)
        self.threads = [body() for body in bodies]
        self.last = [0] * len(bodies)
        self.pending = [next(thread, None) for thread in self.threads]

    def key(self):
        """Equal for equivalent prefixes after which the same is left to do: main's end may be an operation or not, and
        what was done may have been a misuse or not."""
        return self.sum, tuple(op and op[0] == "end" for op in self.pending)

    def enabled(self, t):
        op, *a = self.pending[t]
        if op in ("lock", "write_lock"):
            return a[0] not in self.owner and not self.readers.get(a[0])
        if op == "read_lock":
            return a[0] not in self.owner
        if op == "back":  # from a wait on a condition variable
            return t in self.woken and a[0] not in self.owner
        if op == "woken":  # from a futex
            return t in self.woken
        if op == "sem_wait":
            return self.memory.get(a[0], 0) > 0
        if op == "await":
            return self.memory.get(a[0], 0) == a[1]
        if op == "join":
            return a[0] in self.ended_threads
        return True

    def ways(self, t):
        """The options of thread t's next operation."""
        op, *a = self.pending[t]
        if op == "signal":
            return self.waiters.get(a[0]) or [None]
        if op == "wake":
            sleepers = self.waiters.get(a[0], [])
            return list(itertools.combinations(sleepers, min(a[1], len(sleepers))))
        return [None]

    def waits_at(self, name):
        """Does a thread wait for the lock? It has come there by an operation of its own: "begin_wait"."""
        return name in self.owner and any(
            other and other[:2] in (("lock", name), ("back", name)) for other in self.pending)

    def dropped(self):
        """Has an assumption failed? However the others go on, what is left of it counts as no trace."""
        return ("drop",) in self.pending

    def choices(self):
        if self.over or self.dropped():
            return []
        live = [t for t, op in enumerate(self.pending) if op and self.enabled(t)]
        others = [t for t in live if self.pending[t][0] != "end"]
        return [(t, way) for t in (live if self.cut_off or not others else others) for way in self.ways(t)]

    def commit(self, t, kind, accesses, *after):
        """The event that thread t makes: what it is and all that it directly comes after."""
        preceding = list(after)
        for name, access in accesses:
            group_access, group, before = self.accesses.get(name, (None, (), ()))
            joins = group_access == access != "write"
            preceding.append((name, before if joins else tuple(sorted(group))))
        event = digest(t, kind, self.last[t], preceding)
        for name, access in accesses:
            group_access, group, before = self.accesses.get(name, (None, (), ()))
            if group_access == access != "write":
                self.accesses[name] = access, group + (event,), before
            else:
                self.accesses[name] = access, (event,), tuple(sorted(group))
        self.last[t] = event
        self.sum = (self.sum + event) % 2**64
        return event

    def misuse(self, t, kind, accesses):
        """The access that it would have been, without its effect. Then the thread stands before the program's end."""
        self.commit(t, kind, accesses)
        self.threads[t] = iter(())
        self.come_to(t, ("end",))

    def come_to(self, t, op):
        """Main's end is an event only if others live then; all others' are, because main waits for them."""
        others_live = t != self.main or any(self.pending[:t] + self.pending[t + 1:])
        self.pending[t] = None if op == ("end",) and self.cut_off and not others_live else op

    def step(self, t, way):
        op, *a = self.pending[t]
        name, result, follows = a[0] if a else None, None, None
        old = self.memory.get(name, 0)
        if op == "begin_wait":
            self.commit(t, op, [(name, "read")])
        elif op in ("load", "await"):
            result = old
            self.commit(t, op, [(name, "read")])
        elif op == "store":
            self.memory[name] = a[1]
            self.commit(t, op, [(name, "write")])
        elif op == "add":
            self.memory[name], result = old + a[1], old
            self.commit(t, op, [(name, "write")])
        elif op == "exchange":
            self.memory[name], result = a[1], old
            self.commit(t, op, [(name, "write")])
        elif op == "cas":
            result = old
            if old == a[1]:
                self.memory[name] = a[2]
            self.commit(t, op, [(name, "write" if old == a[1] else "read")])
        elif op in ("lock", "write_lock"):
            self.owner[name] = t
            self.commit(t, op, [(name, "write")])
        elif op == "unlock":
            if self.owner.get(name) != t:
                return self.misuse(t, op, [(name, "write")])
            del self.owner[name]
            self.commit(t, op, [(name, "write")])
        elif op in ("read_lock", "read_unlock"):
            self.readers[name] = self.readers.get(name, 0) + (1 if op == "read_lock" else -1)
            self.commit(t, op, [(name, "shared")])
        elif op == "init":
            if self.waits_at(name):
                return self.misuse(t, op, [(name, "write")])
            self.owner.pop(name, None)
            self.commit(t, op, [(name, "write")])
        elif op == "destroy":  # a condition variable
            if self.waiters.get(name):
                return self.misuse(t, op, [(name, "write")])
            self.destroyed.add(name)
            self.commit(t, op, [(name, "write")])
        elif op == "wait":
            if name in self.destroyed:
                return self.misuse(t, op, [(name, "write"), (a[1], "write")])
            self.waiters.setdefault(name, []).append(t)
            del self.owner[a[1]]
            self.commit(t, op, [(name, "write"), (a[1], "write")])
            follows = "back", a[1]
        elif op == "back":
            self.owner[name] = t
            self.commit(t, op, [(name, "write")], self.woken.pop(t))
        elif op in ("signal", "broadcast", "wake"):
            if op == "broadcast":
                woken = list(self.waiters.get(name, []))
            elif op == "signal":
                woken = [] if way is None else [way]
            else:
                woken = list(way)
            # Who sleeps at a futex is an object beside its word.
            touched, in_vain = (("queue", name), "shared") if op == "wake" else (name, "read")
            event = self.commit(t, (op, tuple(woken)), [(touched, "write" if woken else in_vain)])
            result = len(woken)
            for waiter in woken:
                self.waiters[name].remove(waiter)
                self.woken[waiter] = event
        elif op == "futex_wait":
            if old == a[1]:
                self.waiters.setdefault(name, []).append(t)
                follows = ("woken",)
            self.commit(t, op, [(name, "read"), (("queue", name), "read")] if follows else [(name, "read")])
        elif op == "requeue":
            result = len(self.waiters.get(name, []))
            self.commit(t, op, [(touched, "write") for touched in (name, ("queue", name), ("queue", a[1]))])
            self.waiters.setdefault(a[1], []).extend(self.waiters.pop(name, []))
        elif op == "woken":
            self.commit(t, op, [], self.woken.pop(t))
        elif op == "sem_wait":
            self.memory[name] = old - 1
            self.commit(t, op, [(name, "write")])
        elif op == "post":
            self.memory[name] = old + (a[1] if a[1:] else 1)
            self.commit(t, op, [(name, "shared")])
        elif op == "begin_join":
            if self.joining.get(name) or name in self.joined | self.detached:
                return self.misuse(t, op, [(name, "write")])
            self.joining[name] = True
            self.commit(t, op, [(name, "write")])
        elif op in ("join", "timed_join"):
            self.joining[name], result = False, name in self.ended_threads
            if result:
                self.joined.add(name)
            self.commit(t, op, [(name, "write")])
        elif op == "detach":
            if name in self.joined | self.detached:
                return self.misuse(t, op, [(name, "write")])
            self.detached.add(name)
            self.commit(t, op, [(name, "write")])
        elif op == "thread_end":
            self.ended_threads.add(name)
            self.commit(t, op, [(name, "write")])
        elif op == "end":
            self.over = True
            self.commit(t, op, [("the end", "write")])
            return
        else:
            raise ValueError(op)
        if follows is None:
            try:
                follows = self.threads[t].send(result)
            except StopIteration:
                self.commit(t, "ends", [])
        self.come_to(t, follows)


def count(bodies, memory, cut_off):
    """How many partial orders whole executions leave."""
    def run(schedule):
        state = State(bodies, memory, cut_off)
        for choice in schedule:
            state.step(*choice)
        return state

    seen, whole, open_prefixes = set(), set(), [()]
    while open_prefixes:
        schedule = open_prefixes.pop()
        state = run(schedule)
        choices = state.choices()
        if not choices and not state.dropped():
            whole.add(state.sum)
        for choice in choices:
            state = run(schedule + (choice,))
            if state.over:
                whole.add(state.sum)
            elif state.key() not in seen:
                seen.add(state.key())
                open_prefixes.append(schedule + (choice,))
    return len(whole)


def stated(path, argument):
    """The numbers in a program, run with this argument: {"traces": "8", "graphs": "9"}."""
    heads = [line[3:].partition(":") for line in path.read_text().splitlines() if line.startswith("// ")]
    return {name: text.split()[0] for name, _, text in heads
            if name in ("traces", "graphs") and f"{text} -- ".split(" -- ")[1] == argument}


def main():
    here, wrong = pathlib.Path(__file__).resolve().parent, 0
    every = MODELS | SLOW_MODELS
    for name in sys.argv[1:] or MODELS:
        memory, *bodies = every[name]
        program, _, argument = name.partition(" -- ")
        paths = [*here.glob(f"correct/{program}.c*"), *here.glob(f"wrong/{program}.c*")]
        numbers = stated(paths[0], argument) if len(paths) == 1 else {}
        if not numbers:
            print(f"{name}: no program of this name states a number")
            wrong += 1
        for key, value in numbers.items():
            derived = count(bodies, memory, cut_off=key == "graphs")
            print(f"{name}: {key}={derived}" + ("" if value == str(derived) else f", but the program says {value}"))
            wrong += value != str(derived)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
