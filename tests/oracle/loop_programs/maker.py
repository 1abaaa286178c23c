"""What the families have in common: names, single operations, threads without a loop."""

from .program import Program

YIELDS = [("yield",), ("pause",), ("sleep", "usleep"), ("sleep", "nanosleep")]


class Thread:
    """A thread that is being made: its statements, fresh locals, and the locals that the outcome shows."""

    def __init__(self):
        self.body, self.results, self.count = [], [], 0

    def local(self, shown=False):
        name = f"v{self.count}"
        self.count += 1
        if shown:
            self.results.append(name)
        return "$" + name

    def show(self, local):
        if local[1:] not in self.results:
            self.results.append(local[1:])


class Maker:
    def __init__(self, rng, cpp):
        self.rng, self.cpp = rng, cpp
        self.atomics = {"x": 0, "y": 0}
        self.plain, self.semaphores = {}, {}
        self.threads, self.asserts = [], 0

    def chance(self, probability):
        return self.rng.random() < probability

    def pick(self, *options):
        return self.rng.choice(options)

    def thread(self):
        self.threads.append(Thread())
        return self.threads[-1]

    def semaphore(self, value=0):
        name = f"s{len(self.semaphores)}"
        self.semaphores[name] = value
        return name

    def atomic(self, value=0):
        for name in ("z", "w", "u"):
            if name not in self.atomics:
                self.atomics[name] = value
                return name
        return "x"

    def check(self, condition):
        self.asserts += 1
        return ("assert", self.asserts, condition)

    def program(self):
        self.rng.shuffle(self.threads)
        in_memory = [t for t in range(len(self.threads)) if self.chance(0.15)]
        return Program(atomics=self.atomics, plain=self.plain, semaphores=self.semaphores, in_memory=in_memory,
                       threads=[t.body for t in self.threads], results=[t.results for t in self.threads])

    # ---- operations that end at once ----

    def change(self, thread, atomics="xy"):
        """One operation that may change an atomic."""
        x, value = self.pick(*atomics), self.pick(0, 1, 1, 2)
        kind = self.pick("store", "store", "add", "xchg", "cas")
        if kind == "store":
            return [("store", x, value)]
        if kind == "add":
            return [("add", thread.local(True) if self.chance(0.3) else None, x, self.pick(1, 1, 2, -1))]
        if kind == "xchg":
            return [("xchg", thread.local(self.chance(0.5)), x, value)]
        return [("cas", thread.local(self.chance(0.5)), x, self.pick(0, 0, 1), value)]

    def look(self, thread, atomics="xy"):
        return [("load", thread.local(True), self.pick(*atomics))]

    def locked(self, thread, mutex="m1", atomics="xy"):
        return [("lock", mutex), *self.change(thread, atomics), ("unlock", mutex)]

    def straight(self, thread, most, atomics="xy", locks=0.0):
        """A few operations in a row."""
        body = []
        for _ in range(self.rng.randint(1, most)):
            if self.chance(locks):
                body += self.locked(thread, atomics=atomics)
            elif self.chance(0.25):
                body += self.look(thread, atomics)
            else:
                body += self.change(thread, atomics)
        return body

    def others(self, most_threads, most_operations, locks=0.0, atomics="xy"):
        for _ in range(self.rng.randint(1, most_threads)):
            other = self.thread()
            other.body += self.straight(other, most_operations, atomics, locks)

    def use(self, thread, local, most):
        """What is done with a counter after its loop, or nothing."""
        kind = self.pick("show", "show", "assert", "add", "store", "branch", "dead")
        if kind == "show":
            thread.show(local)
            return []
        if kind == "assert":
            return [self.check(f"{local} != {self.rng.randint(0, most)}")]
        if kind == "add":
            return [("add", None, self.pick("x", "y"), local)]
        if kind == "store":
            return [("store", self.pick("x", "y"), local)]
        if kind == "branch":
            return [("if", f"{local} {self.pick('==', '>=')} {self.rng.randint(0, most)}", self.change(thread), [])]
        return []

    def setter(self, atomic, value):
        """A thread that sets an atomic, and does something before or after it."""
        other = self.thread()
        parts = [[("store", atomic, value)], self.straight(other, 1)]
        self.rng.shuffle(parts)
        other.body += parts[0] + parts[1]

    def maybe_yield(self, probability):
        return [self.pick(*YIELDS)] if self.chance(probability) else []
