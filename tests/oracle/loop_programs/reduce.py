"""Leaves out of a program what a failure does not need."""

import dataclasses
import re

from . import reference
from .check import MOST_STATES, Case


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
            yield before + (s[1][:-1] if s[1] and s[1][-1] == ("break",) else s[1]) + after
            for part in smaller_blocks(s[1]):
                yield before + [("loop", part)] + after


def smaller_numbers(block):
    """Every way to make the number that something is compared with smaller by one."""
    for at, s in enumerate(block):
        for part, operand in enumerate(s):
            if isinstance(operand, list):
                for less in smaller_numbers(operand):
                    yield block[:at] + [s[:part] + (less,) + s[part + 1:]] + block[at + 1:]
        compared = re.search(r"(>=|<) (\d+)", s[1]) if s[0] == "if" else None
        if compared and int(compared[2]) > 1:
            less = s[1][:compared.start(2)] + str(int(compared[2]) - 1) + s[1][compared.end(2):]
            yield block[:at] + [("if", less, *s[2:])] + block[at + 1:]


def smaller(program):
    """Programs with less, the smallest first."""
    threads, results = program.threads, program.results
    made = [dataclasses.replace(program, in_memory=[])] if program.in_memory else []
    for t, thread in enumerate(threads):
        if len(threads) > 1:
            made.append(dataclasses.replace(program, threads=threads[:t] + threads[t + 1:], results=results[:t] + results[t + 1:],
                                            in_memory=[m - (m > t) for m in program.in_memory if m != t]))
        for less in smaller_blocks(thread):
            made.append(dataclasses.replace(program, threads=threads[:t] + [less] + threads[t + 1:]))
        for less in smaller_numbers(thread):
            made.append(dataclasses.replace(program, threads=threads[:t] + [less] + threads[t + 1:]))
        for name in results[t]:
            without = [other for other in results[t] if other != name]
            made.append(dataclasses.replace(program, results=results[:t] + [without] + results[t + 1:]))
    made.sort(key=lambda p: (p.size(), sum(map(len, p.results))))
    return made


def reduce(checker, case, failure, most_rounds=60):
    """The smallest failure found that is like this one."""
    for _ in range(most_rounds):
        candidates = []
        for program in smaller(case.program):
            other = Case(case.name, program, case.way, case.cpp)
            try:
                other.behaviour = reference.all_behaviour(program, MOST_STATES)
            except (reference.Invalid, KeyError):
                continue
            candidates.append(other)
        if not candidates:
            break
        checker.compile(candidates)
        for other in candidates:
            alike = [found for found in checker.compare(other, failure.search)[0] if found.same_as(failure)]
            if alike:
                case, failure = other, alike[0]
                break
        else:
            break
    return failure
