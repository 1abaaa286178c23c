"""The families whose loops block, sleep, hold locks, or read several objects."""


def spin_then(m, t, looks, yields, found, is_set):
    """Looks, then looks with yields; `found` is set by the last look."""
    def round_(count, extra):
        i = t.local()
        return [("set", i, 0), ("loop", [("if", f"{i} >= {count}", [("break",)], []), *is_set, ("if", found, [("break",)], []),
                                         *extra, ("set", i, f"{i} + 1")])]
    body = [("set", found, 0)]
    if looks:
        body += round_(looks, [("pause",)] if m.chance(0.5) else [])
    if yields:
        body += [("if", f"{found} == 0", round_(yields, [("yield",)]), [])]
    return body


def spin_then_block(m):
    """A few looks, then a semaphore, a condition variable or a futex."""
    kind = m.pick("await", "await", "condition") if m.cpp else m.pick("semaphore", "condition", "futex", "futex", "counted futex")
    looks, yields = (12, 4) if m.chance(0.15) else (m.rng.randint(0, 6), m.rng.randint(0, 3))
    waiters = m.pick(1, 2) if looks + yields < 4 else 1
    semaphore = m.semaphore() if kind == "semaphore" else None
    sleeping = m.atomic() if kind == "counted futex" else None
    for _ in range(waiters):
        t = m.thread()
        found, seen = t.local(), t.local()
        is_set = [("load", seen, "x"), ("set", found, f"{seen} != 0")]
        spin = spin_then(m, t, looks, yields, found, is_set)
        block = {
            "semaphore": [("semwait", semaphore)],
            "condition": [("lock", "m0"), ("loop", [("load", seen, "x"), ("if", f"{seen} != 0", [("break",)], []),
                                                    ("cwait", "c0", "m0")]), ("unlock", "m0")],
            "futex": [("loop", [("fwait", "x", 0), ("load", seen, "x"), ("if", f"{seen} != 0", [("break",)], [])])],
            "counted futex": [("loop", [("add", None, sleeping, 1), ("fwait", "x", 0), ("add", None, sleeping, -1),
                                        ("load", seen, "x"), ("if", f"{seen} != 0", [("break",)], [])])],
            "await": [("await", "x", 0), ("load", seen, "x")],
        }[kind]
        t.body += [*spin, ("if", f"{found} == 0", block, [])]
        t.body += m.use(t, found, 1) + (m.look(t) if m.chance(0.3) else []) + (m.change(t, "y") if m.chance(0.3) else [])
        if m.chance(0.4):
            t.show(seen)
    for number in range(m.pick(1, 1, 2)):
        wake(m, kind, waiters, semaphore, sleeping, forgets=number > 0 or m.chance(0.12))
    if m.chance(0.3):
        m.others(1, 1)


def wake(m, kind, waiters, semaphore, sleeping, forgets):
    """A thread that sets x and wakes those that wait for it, or forgets to."""
    t = m.thread()
    t.body += m.straight(t, 1, "y") if m.chance(0.3) else []
    store = ("store", "x", m.pick(1, 1, 2))
    if kind == "condition":
        body = [("lock", "m0"), store, ("unlock", "m0")] if m.chance(0.7) else [store]
        wakeup = [m.pick(("signal", "c0"), ("broadcast", "c0"))]
    elif kind == "semaphore":
        body, wakeup = [store], [("sempost", semaphore)] * waiters
    elif kind == "counted futex":
        asleep = t.local()
        body = [store]
        wakeup = [("load", asleep, sleeping), ("if", f"{asleep} > 0", [("fwake", "x", m.pick(1, 9))], [])]
    else:
        body, wakeup = [store], [("notify" if kind == "await" else "fwake", "x", m.pick(1, 9))]
    t.body += body + ([] if forgets else wakeup)


def woken_together(m):
    """Several sleep at one futex, and are woken at once, or one of them is."""
    for _ in range(m.pick(2, 2, 3)):
        t = m.thread()
        seen = t.local()
        if m.cpp:
            t.body += [("await", "x", 0), ("load", seen, "x")]
        else:
            t.body += [("loop", [("fwait", "x", 0), ("load", seen, "x"), ("if", f"{seen} != 0", [("break",)], [])])]
        if m.chance(0.4):
            t.show(seen)
    waker = m.thread()
    waker.body += [("store", "x", m.pick(1, 2)), ("notify" if m.cpp else "fwake", "x", m.pick(9, 9, 1))]


def timed_polling(m):
    """Loops that look at a flag and sleep, or wait with a time limit."""
    for _ in range(m.pick(1, 1, 2)):
        t = m.thread()
        seen, got, i = t.local(), t.local(), t.local()
        kinds = ["sleep", "sleep", "condition", "condition", "lock"] + ([] if m.cpp else ["semaphore", "futex"])
        kind = m.pick(*kinds)
        limit = m.rng.randint(1, 7) if m.chance(0.6) else None
        bound = [("if", f"{i} >= {limit}", [("break",)], []), ("set", i, f"{i} + 1")] if limit else []
        look = [("load", seen, "x"), ("if", f"{seen} != 0", [("break",)], [])]
        if kind == "sleep":
            t.body += [("loop", [*look, *bound, ("sleep", m.pick("usleep", "nanosleep"))])]
        elif kind == "condition":
            # What wait_for returns in C++ depends on a clock that it reads.
            answer = None if m.cpp else got
            wait = ("ctimed", answer, "c0", "m0")
            if m.chance(0.5):
                t.body += [("lock", "m0"), ("loop", [*look, *bound, wait]), ("unlock", "m0")]
            else:
                t.body += [("loop", [*look, *bound, ("lock", "m0"), wait, ("unlock", "m0")])]
        elif kind == "lock":
            t.body += [("loop", [("timedlock", got, "m1"), ("if", got, [*m.change(t, "y"), ("unlock", "m1"), ("break",)], []), *bound])]
        elif kind == "semaphore":
            semaphore = next(iter(m.semaphores), None) or m.semaphore(0)
            t.body += [("loop", [("semtimed", got, semaphore), ("if", got, [("break",)], []), *(look if m.chance(0.5) else []), *bound])]
        else:
            t.body += [("loop", [*look, *bound, ("ftimed", got, "x", 0)])]
        t.body += m.use(t, i, limit) if limit else m.use(t, seen, 1)
        if m.chance(0.3) and not (m.cpp and kind == "condition"):
            t.show(got)
    setter = m.thread()
    setter.body += m.straight(setter, 1, "y") if m.chance(0.4) else []
    store = [("store", "x", 1)] if m.chance(0.95) else [("store", "y", 1)]
    how = m.pick("plain", "plain", "locked", "signal")
    setter.body += store if how == "plain" else [("lock", "m1" if m.chance(0.5) else "m0"), *store]
    if how != "plain":
        setter.body += [("signal", "c0")] if how == "signal" else []
        setter.body += [("unlock", next(s[1] for s in setter.body if s[0] == "lock"))]
    for semaphore in m.semaphores:
        setter.body += [("sempost", semaphore)]
    if not m.cpp and m.chance(0.3):
        setter.body += [("fwake", "x", 9)]
    if m.chance(0.3):
        m.others(1, 2, locks=0.3)


def work(m, t):
    """What a worker does in a round: it leads to finitely many states."""
    kind = m.pick("store", "toggle", "swap", "locked", "count", "look", "none", "queue", "queue")
    a, b = t.local(), t.local()
    if kind == "store":
        return [("store", "y", m.pick(1, 2))]
    if kind == "toggle":
        return [("load", a, "y"), ("store", "y", f"1 - {a}" if m.chance(0.5) else f"({a} + 1) & 1")]
    if kind == "swap":
        return [("xchg", a, "y", m.pick(0, 1, 2))]
    if kind == "locked":
        return [("lock", "m1"), ("load", a, "y"), ("store", "y", f"1 - {a}" if m.chance(0.5) else 1), ("unlock", "m1")]
    if kind == "count":
        return [("if", f"{a} < {m.pick(1, 2, 3)}", [("set", a, f"{a} + 1"), ("add", None, "y", 1)], [])]
    if kind == "look":
        return [("load", a, "y")]
    if kind == "queue":
        return [("load", a, "y"), ("if", f"{a} > 0", [("cas", b, "y", a, f"{a} - 1")], m.maybe_yield(0.5))]
    return []


def stop_flags(m):
    """while (!stop) { work on shared memory }, idle workers with a condition variable."""
    idle = m.chance(0.45)
    for _ in range(m.pick(1, 2) if idle else m.pick(1, 1, 1, 2)):
        t = m.thread()
        seen, jobs, done = t.local(), t.local(), t.local()
        if idle:
            timed = m.chance(0.5)
            wait = ("ctimed", None, "c0", "m0") if timed else ("cwait", "c0", "m0")
            take = [("load", jobs, "y"), ("if", f"{jobs} > 0", [("store", "y", f"{jobs} - 1"),
                                                               ("if", f"{done} < 3", [("set", done, f"{done} + 1")], [])], [wait])]
            stop = [("load", seen, "x"), ("if", f"{seen} != 0", [("break",)], [])]
            if m.chance(0.5):
                t.body += [("lock", "m0"), ("loop", [*stop, *take]), ("unlock", "m0")]
            else:
                t.body += [("loop", [*stop, ("lock", "m0"), *take, ("unlock", "m0")])]
            t.body += m.use(t, done, 2)
        else:
            count = [("if", f"{done} < {m.pick(1, 2)}", [("set", done, f"{done} + 1")], [])] if m.chance(0.3) else []
            t.body += [("loop", [("load", seen, "x"), ("if", f"{seen} != 0", [("break",)], []), *work(m, t), *count, *m.maybe_yield(0.3)])]
            t.body += m.use(t, done, 2) if count else []
        if m.chance(0.3):
            t.body += m.look(t)
    boss = m.thread()
    if idle:
        wakeup = m.pick([("signal", "c0")], [("broadcast", "c0")], [("broadcast", "c0")], [])
        for _ in range(m.rng.randint(0, 2)):
            boss.body += [("lock", "m0"), ("add", None, "y", 1), ("unlock", "m0"), *wakeup]
        locked = m.chance(0.7)
        boss.body += [*([("lock", "m0")] if locked else []), ("store", "x", 1), *([("unlock", "m0")] if locked else []), *wakeup]
    else:
        boss.body += m.straight(boss, 2, "y", locks=0.2) if m.chance(0.7) else []
        boss.body += [("store", "x", 1)] if m.chance(0.95) else []
        boss.body += m.look(boss) if m.chance(0.3) else []
    if m.chance(0.25):
        m.others(1, 1)


def several(m):
    """Loops with two objects, under a lock, nested, and that write and restore."""
    kinds = m.pick(("two",), ("polling",), ("nested",), ("restore",), ("both locks",), ("flags",), ("two", "polling", "nested", "restore"))
    m.plain = {"p": 0} if "polling" in kinds else {}
    for _ in range(2 if kinds[0] in ("both locks", "flags") else m.pick(1, 1, 2)):
        t = m.thread()
        LOOPS[m.pick(*kinds)](m, t)
        if m.chance(0.3):
            t.body += m.look(t)
    if kinds[0] in ("both locks", "flags"):
        if m.chance(0.3):
            m.others(1, 1)
        return
    other = m.thread()
    if m.chance(0.75):  # so that most loops end
        ends = [[("store", "x", 1)], [("store", "y", 1)]] + ([[("lock", "m0"), ("pstore", "p", 1), ("unlock", "m0")]] if m.plain else [])
        m.rng.shuffle(ends)
        other.body += [statement for end in ends for statement in end]
    for _ in range(m.rng.randint(0 if other.body else 1, 2)):
        if m.plain and m.chance(0.5):
            other.body += [("lock", "m0"), ("pstore", "p", m.pick(1, 1, 2)), ("unlock", "m0")]
        else:
            other.body += [("store", m.pick("x", "y"), m.pick(1, 1, 0, 2))] if m.chance(0.7) else m.change(other)


def two_objects(m, t):
    a, b = t.local(m.chance(0.3)), t.local(m.chance(0.3))
    condition = m.pick(f"({a} == 1) & ({b} == 1)", f"({a} == 1) | ({b} == 1)", f"{a} != {b}", f"{a} == {b}", f"{a} + {b} >= 2")
    second = [("load", b, "y")] if m.chance(0.6) else [("if", f"{a} != 0", [("load", b, "y")], [])]
    t.body += [("loop", [("load", a, "x"), *second, ("if", condition, [("break",)], []), *m.maybe_yield(0.3)])]


def polling(m, t):
    a = t.local(m.chance(0.4))
    look = [("pload", a, "p")] + ([("load", a, "x")] if m.chance(0.2) else [])
    rest = [("load", t.local(), "y")] if m.chance(0.2) else []
    if m.chance(0.5):
        t.body += [("loop", [("lock", "m0"), *look, ("unlock", "m0"), ("if", f"{a} != 0", [("break",)], []), *rest, *m.maybe_yield(0.4)])]
    else:
        t.body += [("lock", "m0"), ("loop", [*look, ("if", f"{a} != 0", [("break",)], []), ("unlock", "m0"), *rest, *m.maybe_yield(0.4),
                                             ("lock", "m0")]), ("unlock", "m0")]


def nested(m, t):
    a, b, i = t.local(), t.local(m.chance(0.4)), t.local()
    inner = [("load", b, "y"), ("if", f"{b} != 0", [("break",)], []), *m.maybe_yield(0.3)]
    if m.chance(0.5):
        inner = [("if", f"{i} >= {m.pick(1, 2, 3)}", [("break",)], []), ("set", i, f"{i} + 1"), *inner]
    t.body += [("loop", [("load", a, "x"), ("if", f"{a} != 0", [("break",)], []), ("set", i, 0), ("loop", inner), *m.maybe_yield(0.2)])]
    if m.chance(0.4):
        t.show(i)


def restore(m, t):
    a = t.local(m.chance(0.3))
    kind = m.pick("exchange", "add", "flag")
    if kind == "exchange":
        t.body += [("loop", [("xchg", a, "x", 2), ("if", f"{a} == {m.pick(0, 1)}", [("break",)], []), ("store", "x", a),
                             *m.maybe_yield(0.4)])]
    elif kind == "add":
        t.body += [("loop", [("add", a, "x", 1), ("if", f"{a} == {m.pick(0, 1, 1)}", [("break",)], []), ("add", None, "x", -1),
                             *m.maybe_yield(0.4)])]
    else:
        t.body += [("loop", [("store", "y", 1), ("load", a, "x"), ("if", f"{a} != 0", [("break",)], []), ("store", "y", 0),
                             *m.maybe_yield(0.4)])]
    if m.chance(0.6):
        t.body += [("store", "x", m.pick(0, 1))]


def both_locks(m, t):
    first, second = m.pick(("m0", "m1"), ("m1", "m0"))
    ok = t.local()
    t.body += [("loop", [("lock", first), ("trylock", ok, second), ("if", ok, [("break",)], []), ("unlock", first), *m.maybe_yield(0.5)]),
               *m.change(t), ("unlock", second), ("unlock", first)]


def flags(m, t):
    """As in Dekker's algorithm, with two threads: who finds the other's flag takes its own back, or waits."""
    mine, other = ("x", "y") if len(m.threads) == 1 else ("y", "x")
    a = t.local()
    back_off = [("store", mine, 0), *m.maybe_yield(0.4), ("store", mine, 1)] if m.chance(0.7) else m.maybe_yield(0.4)
    t.body += [("store", mine, 1), ("loop", [("load", a, other), ("if", f"{a} == 0", [("break",)], []), *back_off])]
    t.body += [("add", t.local(True), "z" if "z" in m.atomics else m.atomic(), 1), ("store", mine, 0)]


LOOPS = {"two": two_objects, "polling": polling, "nested": nested, "restore": restore, "both locks": both_locks, "flags": flags}
FAMILIES = {"spin-block": spin_then_block, "wake-all": woken_together, "timed": timed_polling, "stop": stop_flags, "several": several}
