"""Makes programs: patterns that are right, side by side, most of them with something changed that may make them wrong.

Whether it does, the model says. `program(seed)` is the same program everywhere.
"""

import dataclasses
import random

from program import LINK, LOCK, LOCK_BYTES, Op, Program, walk

SIZES = [1, 4, 8, 13, 16, 24, 40, 100]
FAMILIES = ["malloc", "malloc", "malloc", "new", "new[]"]


class Pattern:
    """One shared pointer and what the threads do with it."""

    def __init__(self, rng, number, threads, cxx):
        self.rng, self.threads = rng, threads
        self.slot, self.mutex, self.flag = f"s{number}", f"m{number}", f"f{number}"
        self.one, self.two = 2 * number, 2 * number + 1  # its variables in each thread
        self.family = rng.choice(FAMILIES) if cxx else "malloc"
        self.string = rng.random() < 0.2
        self.size = rng.choice(SIZES)
        self.low = 0  # where bytes begin that mean nothing
        self.high = self.size

    # -- parts

    def alloc(self, local=None, size=None, nul=None):
        how = self.rng.choice(["malloc", "malloc", "malloc", "calloc", "memalign"]) if self.family == "malloc" else self.family
        size = size or self.size
        if nul is None:
            nul = self.rng.randrange(size) if self.string else -2
        return Op("alloc", self.one if local is None else local, how=how, size=size, nul=nul)

    def free(self, local=None):
        return Op("free", self.one if local is None else local, how=self.family)

    def use(self, local=None, high=None):
        local, high, rng = self.one if local is None else local, high or self.high, self.rng
        if self.string and rng.random() < 0.4:
            return Op("strlen", local)
        length = rng.choice([n for n in (1, 2, 4, 8) if n <= high - self.low])
        places = [n for n in range(self.low, high - length + 1) if n % length == 0]
        offset = rng.choice([places[0], places[-1], rng.choice(places)])
        if not self.string and rng.random() < 0.2:
            return Op("memcpy", local, offset=offset, length=rng.choice([length, high - offset]))
        return Op("access", local, offset=offset, length=length, write=not self.string and rng.random() < 0.5)

    def uses(self, local=None, most=2):
        return tuple(self.use(local) for _ in range(self.rng.randint(1, most)))

    def if_set(self, *body, local=None):
        return Op("if_set", self.one if local is None else local, body=tuple(body))

    def read(self, local=None):
        return Op("read", self.one if local is None else local, where=self.slot)

    def write(self, local=None):
        return Op("write", self.one if local is None else local, where=self.slot)

    def clear(self):
        return Op("clear", where=self.slot)

    def exchange(self, other=-1, order="acq_rel", local=None):
        return Op("exchange", self.one if local is None else local, other, where=self.slot, order=order)

    def locked(self, *ops):
        return (Op("lock", where=self.mutex), *ops, Op("unlock", where=self.mutex))

    def free_the_rest(self):
        return (self.read(), self.if_set(self.free(), self.clear()))

    def orders(self):
        return self.rng.choice(["acq_rel", "acq_rel", "seq_cst"])


def alone(p):
    """Each thread has a block of its own."""
    bodies = []
    for _ in range(p.threads):
        ops = [p.alloc(), *p.uses()]
        if p.family == "malloc" and not p.string and p.rng.random() < 0.4:
            size = p.size + p.rng.choice([1, 8, 30])
            ops += [Op("realloc", p.one, size=size), p.use(high=size)]
        if p.rng.random() < 0.3:
            ops += [Op("own", p.one)]
        if p.rng.random() < 0.3:
            ops += [Op("move", p.two, p.one, offset=p.rng.randint(0, p.size - 1)), Op("access", p.two)]
        bodies.append((*ops, p.free()))
    return (), bodies, ()


def exchanged(p):
    """Who takes the block out of the slot frees it."""
    order = p.orders()
    before = (p.alloc(), p.write()) if p.rng.random() < 0.7 else ()
    bodies = []
    for number in range(p.threads):
        take = (p.exchange(order=order), p.if_set(*p.uses(), p.free()))
        put = (p.alloc(p.two), p.exchange(p.two, order), p.if_set(p.use(), p.free()))
        bodies.append(put if p.rng.random() < (0.3 if before else 0.6) else take)
    return before, bodies, (p.exchange(order=order), p.if_set(p.free()))


def guarded(p):
    """A slot under a mutex: some use the block, some free it, some put one there."""
    before = (p.alloc(), p.write()) if p.rng.random() < 0.8 else ()
    bodies = []
    for _ in range(p.threads):
        kind = p.rng.choice(["use", "use", "free", "free", "put", "later"])
        if kind == "use":
            bodies.append(p.locked(p.read(), p.if_set(*p.uses())))
        elif kind == "free":
            bodies.append(p.locked(p.read(), p.if_set(p.free(), p.clear())))
        elif kind == "later":
            bodies.append((*p.locked(p.read(), p.clear()), p.if_set(*p.uses(), p.free())))
        else:
            bodies.append(p.locked(p.alloc(p.two), p.read(), p.write(p.two), p.if_set(p.free())))
    return before, bodies, p.free_the_rest()


def counted(p):
    """The last of those who use a block frees it."""
    p.string, p.size, p.low = False, p.rng.choice([16, 24, 40]), 4 + 4 * p.rng.randint(0, 1)
    p.high = p.size
    before = (p.alloc(), Op("count", p.one, size=p.threads), p.write())
    # Only reads are in common; each may write what is its own.
    bodies = []
    for number in range(p.threads):
        use = dataclasses.replace(p.use(), write=False)
        if p.rng.random() < 0.3:
            use = Op("access", p.one, offset=p.low + number, length=1, write=True) if p.low + p.threads <= p.size else use
        bodies.append((p.read(), use, Op("sub", p.one, order="acq_rel"), Op("if_is", size=1, body=(p.free(),))))
    if any(op.write for body in bodies for op in body):
        bodies = [tuple(dataclasses.replace(op, kind="access", offset=p.low + number, length=1) if op.kind in ("access", "memcpy") else op
                        for op in body) for number, body in enumerate(bodies)]
    return before, bodies, ()


def handed_over(p):
    """One allocates and says so by a flag; another one looks, and has it."""
    giver = (p.alloc(), *p.uses(), p.write(), Op("set", where=p.flag, order=p.rng.choice(["release", "seq_cst"])))
    taker = (Op("test", where=p.flag, order=p.rng.choice(["acquire", "seq_cst"])),
             Op("if_is", size=1, body=(p.read(), *p.uses(), p.free(), p.clear())))
    bodies = [giver, taker] + [()] * (p.threads - 2)
    return (), bodies, p.free_the_rest()


def moved(p):
    """realloc under a mutex, and use."""
    p.family, p.string = "malloc", False
    before = (p.alloc(), p.write())
    size = max(1, p.size + p.rng.choice([-4, 1, 8, 30]))
    common = min(size, p.size)
    bodies = [p.locked(p.read(), Op("realloc", p.one, size=size), p.write())]
    for _ in range(p.threads - 1):
        kind = p.rng.choice(["use", "use", "free", "move"])
        if kind == "use":
            bodies.append(p.locked(p.read(), p.if_set(p.use(high=common))))
        elif kind == "free":
            bodies.append(p.locked(p.read(), p.if_set(p.free(), p.clear())))
            bodies[0] = p.locked(p.read(), p.if_set(Op("realloc", p.one, size=size), p.write()))
        else:
            bodies.append(p.locked(p.read(), p.if_set(Op("realloc", p.one, size=size), p.write(), p.use(high=common))))
    return before, bodies, p.free_the_rest()


def stacked(p):
    """A stack of blocks that point to each other, under a mutex."""
    p.string, p.size, p.high = False, p.rng.choice([16, 24, 40]), LINK
    push = (p.alloc(), Op("access", p.one, length=4, write=True),
            *p.locked(p.read(p.two), Op("link", p.one, p.two), p.write()))
    pop = (*p.locked(p.read(), p.if_set(Op("follow", p.two, p.one), p.write(p.two))), p.if_set(p.use(), p.free()))
    bodies = [p.rng.choice([push, push, pop]) for _ in range(p.threads)]
    start = p.rng.choice([0, 1, 2])
    before = (p.alloc(), p.read(p.two), Op("link", p.one, p.two), p.write())
    after = (p.read(), p.if_set(Op("follow", p.two, p.one), p.write(p.two), p.free()))
    return before * start, bodies, after * (start + p.threads)


def popped_by_cas(p):
    """A stack by compare-exchange. Only one pops: with two of them a node may be freed that another one looks into."""
    p.string, p.size, p.high = False, p.rng.choice([16, 24]), LINK
    pop = (Op("load", p.one, where=p.slot, order="acquire"),
           p.if_set(Op("follow", p.two, p.one), Op("cas", p.one, p.two, where=p.slot), Op("if_is", size=1, body=(p.free(),))))
    push = (p.alloc(), Op("load", p.two, where=p.slot, order="acquire"), Op("link", p.one, p.two),
            Op("cas", p.two, p.one, where=p.slot), Op("if_is", size=0, body=(p.free(),)))
    again = (Op("exchange", p.one, where=p.slot, other=-1), p.if_set(Op("follow", p.two, p.one),
             Op("exchange", p.two, p.two, where=p.slot), p.free()))
    bodies = [pop] + [p.rng.choice([push, push, pop, again]) for _ in range(p.threads - 1)]
    before = (p.alloc(), p.read(p.two), Op("link", p.one, p.two), p.write())
    after = (p.read(), p.if_set(Op("follow", p.two, p.one), p.write(p.two), p.free()))
    return before * p.rng.choice([1, 2]), bodies, after * (2 + p.threads)


def after_join(p):
    """One allocates, and the block is freed when all have ended, or never."""
    chain = p.rng.random() < 0.3
    if chain:
        p.string, p.size, p.high = False, 16, LINK
        body = (p.alloc(), p.alloc(p.two), Op("link", p.one, p.two), p.write())
        after = (p.read(), Op("follow", p.two, p.one), p.free(), p.free(p.two))
    elif p.rng.random() < 0.3:
        inside = p.rng.choice([p.rng.randint(1, p.size), p.size])
        body = (p.alloc(), *p.uses(), Op("move", p.two, p.one, offset=inside), p.write(p.two))
        after = (p.read(), Op("move", p.one, p.one, offset=-inside), p.free())
    else:
        body, after = (p.alloc(), *p.uses(), p.write()), (p.read(), p.use(), p.free())
    bodies = [body] + [()] * (p.threads - 1)
    if p.rng.random() < 0.5:
        bodies.reverse()
    kept = p.rng.random() < 0.4  # what a global variable points to, or into, or just behind, is no leak
    return (), bodies, () if kept else after


def with_mutex(p):
    """Objects with a mutex of their own, under which they are counted: the last one frees it."""
    p.string, p.size, p.low, p.high = False, LOCK + LOCK_BYTES + p.rng.choice([0, 5]), 4, LOCK
    destroys = p.rng.random() < 0.5
    before = (p.alloc(), Op("init_in", p.one), Op("count", p.one, size=p.threads), p.write())
    end = (Op("destroy_in", p.one), p.free()) if destroys else (p.free(),)
    bodies = [(p.read(), Op("lock_in", p.one), p.use(), Op("get", p.one), Op("put", p.one), Op("unlock_in", p.one),
               Op("if_is", size=1, body=end)) for _ in range(p.threads)]
    return before, bodies, ()


def chaos(p):
    """Pieces in any order, most of them wrong together."""
    pieces = [
        lambda: (p.read(), p.if_set(p.use())),
        lambda: (p.read(), p.if_set(p.free())),
        lambda: (p.read(), p.if_set(p.free(), p.clear())),
        lambda: (p.alloc(), p.write()),
        lambda: p.locked(p.alloc(), p.write()),
        lambda: p.locked(p.read(), p.if_set(p.use())),
        lambda: p.locked(p.read(), p.if_set(p.free(), p.clear())),
        lambda: (p.exchange(), p.if_set(p.use(), p.free())),
        lambda: (p.exchange(order="relaxed"), p.if_set(p.use(), p.free())),
        lambda: (p.alloc(p.two), p.exchange(p.two), p.if_set(p.free())),
        lambda: (Op("load", p.one, where=p.slot, order="acquire"), p.if_set(p.use())),
        lambda: (p.alloc(), Op("store", 0, p.one, where=p.slot, order=p.rng.choice(["release", "relaxed"]))),
        lambda: (Op("set", where=p.flag, order="release"),),
        lambda: (Op("test", where=p.flag, order="acquire"), Op("if_is", size=1, body=(p.read(), p.if_set(p.free())))),
        lambda: (p.clear(),),
    ]
    bodies = [tuple(op for _ in range(p.rng.randint(1, 2)) for op in p.rng.choice(pieces)()) for _ in range(p.threads)]
    before = (p.alloc(), p.write()) if p.rng.random() < 0.7 else ()
    return before, bodies, p.free_the_rest() if p.rng.random() < 0.6 else ()


PATTERNS = [alone, exchanged, guarded, counted, handed_over, moved, stacked, popped_by_cas, after_join, with_mutex]


# -- changes: each is given an op and answers what stands in its place (a tuple), or None if it does not fit

def _only(kinds, make):
    return lambda rng, op: make(rng, op) if op.kind in kinds else None


def _beyond(rng, op):
    """The last byte, or all, are beyond the block, or before it. The size is not known here: `program` puts it in."""
    return (dataclasses.replace(op, offset=rng.choice([1000, 1000, 1001, 1003, -1, -op.length, -op.length])),)


def _relaxed(rng, op):
    return (dataclasses.replace(op, order=rng.choice(["relaxed", "relaxed", "acquire" if op.kind != "set" else "relaxed", "release" if op.kind != "test" else "relaxed"])),)


CHANGES = {
    "dropped": _only({"free", "clear", "write", "link"}, lambda rng, op: ()),
    "twice": _only({"free"}, lambda rng, op: (op, op)),
    "relaxed": _only({"exchange", "set", "test", "sub"}, _relaxed),
    "beyond": _only({"access", "memcpy"}, _beyond),
    "no end": _only({"alloc"}, lambda rng, op: (dataclasses.replace(op, nul=-1),) if op.nul != -2 else None),
    "smaller": _only({"alloc"}, lambda rng, op: (dataclasses.replace(op, size=op.size - 1, nul=min(op.nul, op.size - 2)),) if op.size > 1 else None),
    "split": _only({"sub"}, lambda rng, op: (dataclasses.replace(op, kind="get"), dataclasses.replace(op, kind="put"))),
    "count": _only({"count"}, lambda rng, op: (dataclasses.replace(op, size=op.size + rng.choice([-1, 1])),)),
    "used after": _only({"free"}, lambda rng, op: (op, Op("access", op.local, write=rng.random() < 0.5))),
    "inside": _only({"free"}, lambda rng, op: (Op("move", op.local, op.local, offset=1), op)),
    "kept": _only({"exchange"}, lambda rng, op: (dataclasses.replace(op, kind="load", order="acquire"),) if op.other < 0 else None),
    "forgotten": _only({"free"}, lambda rng, op: (Op("drop", op.local), op)),
    "own": _only({"free"}, lambda rng, op: (Op("own", op.local),)),
    "family": _only({"free"}, lambda rng, op: (dataclasses.replace(op, how=rng.choice([h for h in ("malloc", "new", "new[]") if h != op.how])),)),
    "unlocked": None, "swapped": None, "half locked": None,
}


def change_tree(body, at, make):
    """`body` with what make() answers in place of its op number `at`."""
    result, number = [], 0
    for op in body:
        inner = count(op.body)
        if number == at:
            result += make(op)
        elif number < at <= number + inner:
            result.append(dataclasses.replace(op, body=change_tree(op.body, at - number - 1, make)))
        else:
            result.append(op)
        number += 1 + inner
    return tuple(result)


def count(body):
    return sum(1 + count(op.body) for op in body)


def change(rng, program):
    """One change somewhere. Answers its name, or None if there was no place."""
    names = list(CHANGES)
    if not program.cxx:
        names.remove("family")
    return change_as(rng, program, rng.choice(names))


def change_as(rng, program, name):
    bodies = program.bodies()
    # Those of the threads are of more interest.
    where = rng.choice([key for key in bodies if bodies[key] and (isinstance(key, int) or rng.random() < 0.5)] or [0])
    body = bodies[where]
    ops = list(walk(body))
    if name == "unlocked":
        mutexes = sorted({op.where for op in ops if op.kind == "lock"})
        if not mutexes:
            return None
        mutex = rng.choice(mutexes)
        changed = without(body, lambda op: op.kind in ("lock", "unlock") and op.where == mutex)
    elif name == "half locked":  # what was done under the mutex is done after it
        at = [n for n, op in enumerate(body) if op.kind == "unlock"]
        if not at or at[0] == 0 or body[at[0] - 1].kind == "lock":
            return None
        n = at[0]
        changed = (*body[:n - 1], body[n], body[n - 1], *body[n + 1:])
    elif name == "swapped":
        if len(body) < 2:
            return None
        n = rng.randrange(len(body) - 1)
        kinds = body[n].kind, body[n + 1].kind
        # Each may go before the other without reading what was not set.
        if not set(kinds) <= {"access", "memcpy", "free", "clear", "write", "set", "own", "sub"} or "sub" in kinds and "set" in kinds:
            return None
        changed = (*body[:n], body[n + 1], body[n], *body[n + 2:])
    else:
        fitting = [n for n, op in enumerate(ops) if CHANGES[name](rng, op) is not None]
        if not fitting:
            return None
        changed = change_tree(body, rng.choice(fitting), lambda op: CHANGES[name](rng, op))
    program.set_body(where, changed)
    return name


def without(body, matches):
    return tuple(dataclasses.replace(op, body=without(op.body, matches)) for op in body if not matches(op))


def place_beyond(program, sizes):
    """Offsets of 1000 and more are counted from the end of the blocks of the pattern, so that the last byte is just beyond."""
    def resolve(body):
        result = []
        for op in body:
            if op.offset >= 1000 and op.kind in ("access", "memcpy"):
                op = dataclasses.replace(op, offset=sizes[op.local // 2] - op.length + 1 + op.offset - 1000)
            result.append(dataclasses.replace(op, body=resolve(op.body)))
        return tuple(result)
    program.before, program.after = resolve(program.before), resolve(program.after)
    program.threads = [resolve(body) for body in program.threads]


def make(seed, changes=None):
    rng = random.Random(seed)
    cxx = rng.random() < 0.35
    threads = rng.choice([2, 2, 2, 3])
    program = Program((), [() for _ in range(threads)], (), cxx)
    names, sizes = [], []
    for number in range(rng.choice([1, 1, 2]) if threads == 2 else 1):
        pattern = chaos if rng.random() < 0.15 else rng.choice(PATTERNS)
        p = Pattern(rng, number, threads, cxx)
        before, bodies, after = pattern(p)
        program.before += tuple(before)
        program.after += tuple(after)
        program.threads = [a + tuple(b) for a, b in zip(program.threads, bodies)]
        names.append(pattern.__name__)
        sizes.append(p.size)
    wanted = rng.choice([0, 1, 1, 2]) if changes is None else changes
    for _ in range(wanted):
        names.append(change(rng, program) or "nothing")
    program.sizes = sizes
    place_beyond(program, sizes)
    program.kinds_of = ", ".join(names)
    return program
