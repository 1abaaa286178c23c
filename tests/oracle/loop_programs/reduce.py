"""Leaves out of a program what a failure does not need."""

import dataclasses

from . import reference
from .check import MOST_STATES, Case
from .program import count


def smaller_blocks(block):
    """Every way to leave something out of a list of statements."""
    for at, s in enumerate(block):
        before, after = block[:at], block[at + 1:]
        yield before + after
        if s[0] == "if":
            yield before + s[2] + after
            yield before + s[3] + after
            for part in smaller_blocks(s[2]):
                yield before + [("if", s[1], part, s[3])] + after
            for part in smaller_blocks(s[3]):
                yield before + [("if", s[1], s[2], part)] + after
        elif s[0] == "loop":
            yield before + s[1] + after
            for part in smaller_blocks(s[1]):
                yield before + [("loop", part)] + after


def smaller(program):
    """Programs with less, the smallest first."""
    threads, results = program.threads, program.results
    made = []
    for t, thread in enumerate(threads):
        if len(threads) > 1:
            made.append(dataclasses.replace(program, threads=threads[:t] + threads[t + 1:], results=results[:t] + results[t + 1:]))
        for less in smaller_blocks(thread):
            made.append(dataclasses.replace(program, threads=threads[:t] + [less] + threads[t + 1:]))
        for name in results[t]:
            without = [other for other in results[t] if other != name]
            made.append(dataclasses.replace(program, results=results[:t] + [without] + results[t + 1:]))
    made.sort(key=lambda p: (sum(count(thread) for thread in p.threads), sum(map(len, p.results))))
    return made


def reduce(checker, case, failure, most_rounds=40):
    """The smallest case found that fails in the same way."""
    searches, checker.searches = checker.searches, [failure.search]
    try:
        for _ in range(most_rounds):
            candidates = []
            for program in smaller(case.program):
                other = Case(case.name + " reduced", program, case.way, case.cpp)
                try:
                    other.behaviour = reference.all_behaviour(program, MOST_STATES)
                except (reference.Invalid, KeyError):
                    continue
                candidates.append(other)
            if not candidates:
                return case
            checker.compile(candidates)
            for other in candidates:
                failures = [f for _, found, _ in checker.check(other) for f in found]
                if any(f.same_as(failure) for f in failures):
                    case = other
                    break
            else:
                return case
    finally:
        checker.searches = searches
    return case
