"""The families of programs with loops. Each function makes one program of a random number generator."""

import random

from . import families_of_waits
from .maker import Maker

WAYS = ["gcc_O1", "gcc_O2", "gcc_O0", "clang_O2"]
# A heddle that gives up a loop after some idle rounds has done so after fewer, or sees one more than it wants.
ROUNDS = [1, 2, 3, 4, 5, 6, 7, 8, 10]
MANY_ROUNDS = 20


def attempt(m, t, success):
    """Statements that set `success` to 1 if the attempt succeeds; and what is to be done at the end if it did."""
    kind = m.pick("load", "load", "cas", "cas", "xchg", "trylock", "semtry", "look-cas", "two")
    value = m.pick(0, 1, 1, 2)
    if kind == "load":
        seen = t.local()
        return [("load", seen, m.pick("x", "y")), ("set", success, f"{seen} {m.pick('==', '==', '!=', '>')} {value}")], []
    if kind == "cas":
        return [("cas", success, "x", m.pick(0, 1, 1), m.pick(0, 1, 2))], []
    if kind == "xchg":
        seen = t.local()
        return [("xchg", seen, "x", m.pick(1, 2)), ("set", success, f"{seen} == {value}")], []
    if kind == "trylock":
        return [("trylock", success, "m1")], [*m.change(t), ("unlock", "m1")]
    if kind == "semtry":
        semaphore = next(iter(m.semaphores), None) or m.semaphore(m.pick(0, 0, 1))
        return [("semtry", success, semaphore)], ([("sempost", semaphore)] if m.chance(0.5) else [])
    if kind == "look-cas":
        seen = t.local()
        return [("load", seen, "x"), ("set", success, 0),
                ("if", f"{seen} == {value}", [("cas", success, "x", value, m.pick(0, 1, 2))], [])], []
    first, second = t.local(), t.local()
    return [("load", first, "x"), ("load", second, "y"), ("set", success, f"({first} == {value}) & ({second} == {m.pick(0, 1)})")], []


def bounded_attempts(m):
    """for (i = 0; i < n; ++i) if (attempt()) break;"""
    several = m.chance(0.25)
    for _ in range(2 if several else 1):
        t = m.thread()
        i, success = t.local(), t.local()
        n = m.rng.randint(1, 3) if several else MANY_ROUNDS if m.chance(0.03) else m.pick(*ROUNDS)
        t.body += m.straight(t, 1) if m.chance(0.2) else []
        try_, after = attempt(m, t, success)
        if m.chance(0.25):  # makes all its rounds, and counts those in vain
            failed = t.local()
            t.body += [("loop", [("if", f"{i} >= {n}", [("break",)], []), *try_, *(after and [("if", success, after, [])]),
                                 ("if", f"{success} == 0", [("set", failed, f"{failed} + 1")], []), ("set", i, f"{i} + 1")])]
            t.body += m.use(t, failed, n)
            continue
        every_other = [("if", f"({i} & 1) == 1", m.look(t) if m.chance(0.5) else [("yield",)], [])] if m.chance(0.15) else []
        t.body += [("set", success, 0),
                   ("loop", [("if", f"{i} >= {n}", [("break",)], []), *try_, ("if", success, [("break",)], []), *every_other,
                             *m.maybe_yield(0.3), ("set", i, f"{i} + 1")])]
        used = m.use(t, i, n)
        finish = [("if", success, after, [])] if after else []
        t.body += used + finish if m.chance(0.5) else finish + used
        if m.chance(0.4):
            t.show(success)
    if m.semaphores:
        m.thread().body += [("sempost", next(iter(m.semaphores)))]
    m.others(1 if several else 2, 2 if several else 3, locks=0.25)


def count_retry(m, t, most):
    """Statements that count a retry, and what is done with the counter after the loop."""
    retries = t.local()
    kind = m.pick("ghost", "saturating", "saturating", "modulo")
    if kind == "ghost":
        return [("ghost", retries, f"{retries} + 1")], []
    if kind == "modulo":
        return [("set", retries, f"({retries} + 1) % {m.pick(2, 3)}")], m.use(t, retries, 2)
    return [("if", f"{retries} < {most}", [("set", retries, f"{retries} + 1")], [])], m.use(t, retries, most)


def retries(m):
    """while (!attempt()) ++retries;"""
    atomics = "x"
    for _ in range(m.pick(1, 2, 2)):
        t = m.thread()
        counting, used = count_retry(m, t, m.rng.randint(1, 6))
        kind = m.pick("lock", "lock", "update", "update", "ticket", "give up", "wait")
        ok, seen = t.local(), t.local()
        t.body += m.straight(t, 1) if m.chance(0.2) else []
        if kind == "lock":
            t.body += [("loop", [("cas", ok, "x", 0, 1), ("if", ok, [("break",)], []), *counting, *m.maybe_yield(0.3)]),
                       *(m.change(t, "y") if m.chance(0.6) else []), ("store", "x", 0)]
        elif kind == "update":
            new = f"{seen} + 1" if m.chance(0.7) else f"({seen} + 1) & 1"
            t.body += [("loop", [("load", seen, "x"), ("cas", ok, "x", seen, new), ("if", ok, [("break",)], []), *counting,
                                 *m.maybe_yield(0.2)])]
        elif kind == "ticket":
            m.atomics.update({"z": 0, "w": 0})
            mine, served = t.local(), "z"
            t.body += [("add", mine, "w", 1), ("loop", [("load", seen, served), ("if", f"{seen} == {mine}", [("break",)], []),
                                                        *counting, *m.maybe_yield(0.3)]),
                       *(m.change(t, "x") if m.chance(0.6) else []), ("add", None, served, 1)]
        elif kind == "give up":
            tries = t.local()
            most = m.rng.randint(1, 8)
            t.body += [("loop", [("cas", ok, "x", m.pick(0, 1), m.pick(1, 2)),
                                 ("if", f"{ok} | ({tries} >= {most})", [("break",)], []),
                                 ("set", tries, f"{tries} + 1")]), *m.use(t, tries, most)]
            used = []
        else:
            t.body += [("loop", [("load", seen, "x"), ("if", f"{seen} {m.pick('!=', '==', '>')} {m.pick(0, 1)}", [("break",)], []),
                                 *counting, *m.maybe_yield(0.3)])]
        t.body += used
        atomics = "xy" if m.chance(0.3) else "y" if kind == "lock" else atomics
    if atomics == "x":  # so that most of those who wait for a value see one
        m.setter("x", m.pick(1, 1, 0, 2))
    m.others(1, 2, atomics="xy" if atomics == "x" else atomics)


def backoff(m):
    """Rounds that double a local, and yield after some."""
    for _ in range(m.pick(1, 1, 2)):
        t = m.thread()
        delay, ok, rounds, seen = t.local(), t.local(), t.local(), t.local()
        most = m.pick(2, 4, 4, 8)
        step = [("if", f"{delay} < {most}", [("set", delay, f"{delay} * 2")], [("yield",)] if m.chance(0.7) else [])]
        if m.chance(0.3):  # as Linux's and others': a pause for each
            left = t.local()
            step.insert(0, ("set", left, delay))
            step.insert(1, ("loop", [("if", f"{left} == 0", [("break",)], []), ("pause",), ("set", left, f"{left} - 1")]))
        bound = []
        if m.chance(0.5):
            limit = m.rng.randint(1, 8)
            bound = [("if", f"{rounds} >= {limit}", [("break",)], []), ("set", rounds, f"{rounds} + 1")]
        if m.chance(0.6):
            try_ = [("cas", ok, "x", m.pick(0, 0, 1), 1)]
        else:
            try_ = [("load", seen, "x"), ("set", ok, f"{seen} == {m.pick(0, 1, 1)}")]
        t.body += [("set", delay, 1), ("loop", [*try_, ("if", ok, [("break",)], []), *bound, *step])]
        t.body += m.use(t, m.pick(delay, rounds) if bound else delay, most)
        if m.chance(0.5):
            t.body += [("if", ok, [*m.change(t, "y"), ("store", "x", 0)], [])]
    if m.chance(0.7):
        m.setter("x", m.pick(1, 1, 0))
    else:
        m.others(1, 3)


def of_program(function):
    def make(rng, cpp):
        maker = Maker(rng, cpp)
        function(maker)
        return maker.program()
    make.__doc__ = function.__doc__
    return make


FAMILIES = {name: of_program(function) for name, function in [
    ("attempts", bounded_attempts), ("retries", retries), ("backoff", backoff), *families_of_waits.FAMILIES.items()]}


def is_cpp(seed):
    return seed % 4 == 3


def way_of(seed):
    of_its_language = seed // 4 if is_cpp(seed) else seed - seed // 4
    return WAYS[of_its_language % len(WAYS)]


def generate(family, seed):
    """The program of a seed."""
    return FAMILIES[family](random.Random(f"{family} {seed}"), is_cpp(seed))
