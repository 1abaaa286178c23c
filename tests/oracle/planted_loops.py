#!/usr/bin/env python3
"""Shows that loops.py notices errors in heddle.

One error at a time is made, and loops.py asks the heddle that has it: an error in a copy of a source file, of which libheddle.so is linked
again; options that leave out schedules, as if heddle did so unasked; or a program with one round less than the one that the reference
is asked about. There must be failures which the heddle that was built does not have.

Usage: planted_loops.py --build DIR [--programs N] [NAME ...]      (all errors without a NAME)
       planted_loops.py --check      only: does each error find its place in the sources?
"""

import argparse
import concurrent.futures
import dataclasses
import os
import pathlib
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent)]
from loop_programs import check, reduce  # noqa: E402
from planted import SRC, check_places, parse_built  # noqa: E402
from planted_errors import planted_heddle  # noqa: E402

# name, families, file below src, what stands there (once, as a regular expression), what stands there instead
PLANTED = [
    ("outcome-is-dropped", "attempts", "search/outcomes.cpp", r"  last_ = state_->entries\.size\(\);",
     "  if (state_->entries.size() == 3) return Then::kContinue;\n  last_ = state_->entries.size();"),
    ("load-commutes", "attempts", "runtime/primitives/atomic.cpp",
     r"(StripOrderHints\(order\)\);\n  Done\(op::Access::)kRead", r"\1kNone"),
    ("store-commutes", "retries", "runtime/primitives/atomic.cpp",
     r"(Done\(op::Access::)kWrite(, old_value, value, changed)", r"\1kNone\2"),
    ("futex-wakes-one-too-few", "wake-all", "runtime/objects/futex.cpp", r"uint32_t wanted = most < left \? most : left;",
     "uint32_t wanted = most < left ? most : left;\n  if (wanted > 1) --wanted;"),
    ("broadcast-wakes-one", "spin-block,stop", "runtime/objects/condition.cpp", r"  const WaiterQueue all = condition\.waiters;",
     "  if (condition.waiters.count > 1) return Signal(condition, 0);\n  const WaiterQueue all = condition.waiters;"),
    ("signal-is-lost", "stop", "runtime/objects/condition.cpp", r"  if \(condition\.waiters\.count == 0\)",
     "  if (condition.waiters.count < 2)"),
]
# name, families, options: what heddle leaves out by them
OPTIONS = [
    ("time-limits-pass-last", "timed", ["--timeouts", "last"]),
]
# name, families: heddle is asked about a program in which a bound on rounds is smaller by one
ROUNDS = [("a-round-too-few", "attempts,retries,backoff,timed")]


def read_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--programs", type=int, default=60)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    return parse_built(parser, [name for name, *_ in PLANTED + OPTIONS + ROUNDS])


class Oracle:
    """Failures of the programs of families, remembered of the heddle that was built."""

    def __init__(self, build, folder, programs, pool):
        self.build, self.folder, self.programs, self.pool, self.right = build, folder, programs, pool, {}

    def cases(self, family, change):
        made = [case for seed in range(self.programs) if (case := check.case_of(family, seed, "gcc_O1"))]
        return [case for case in map(change, made) if case]

    def failures(self, families, heddle, options=(), change=lambda case: case):
        found = set()
        for family in families.split(","):
            checker = check.Checker(heddle, self.build, self.folder, ["optimal"], list(options))
            cases = self.cases(family, change)
            for cpp in False, True:
                if batch := [case for case in cases if case.cpp == cpp]:
                    checker.compile(batch)
            for answers in self.pool.map(checker.check, cases):
                found |= {(f.case.name, f.kind, f.detail) for _, failures, *_ in answers for f in failures}
        return found

    def caught(self, families, *how, **more):
        """The failures that only the heddle with the error has."""
        if families not in self.right:
            self.right[families] = self.failures(families, self.build / "heddle")
        return sorted(self.failures(families, *how, **more) - self.right[families])


def with_a_round_less(case):
    """The same case, but that its program has a smaller bound; None if it has no bound."""
    for t, thread in enumerate(case.program.threads):
        for less in reduce.smaller_numbers(thread):
            threads = case.program.threads[:t] + [less] + case.program.threads[t + 1:]
            return dataclasses.replace(case, program=dataclasses.replace(case.program, threads=threads))
    return None


def main():
    arguments = read_arguments()
    if arguments.check:
        return check_places(SRC, [(name, *what) for name, _, *what in PLANTED])
    build, missed = arguments.build.resolve(), []
    with check.temporary_folder() as folder, tempfile.TemporaryDirectory(prefix="heddle-planted-") as builds, \
            concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        oracle = Oracle(build, folder, arguments.programs, pool)

        def asked(name, families, *what):
            if (name, families, *what) in PLANTED:
                return oracle.caught(families, planted_heddle(build, pathlib.Path(builds) / name, name, *what))
            if (name, families, *what) in OPTIONS:
                return oracle.caught(families, build / "heddle", options=what[0])
            return oracle.caught(families, build / "heddle", change=with_a_round_less)

        for error in PLANTED + OPTIONS + ROUNDS:
            if arguments.names and error[0] not in arguments.names:
                continue
            caught = asked(*error)
            print(f"{error[0]:30} " + (f"{len(caught)} failures, such as {': '.join(caught[0])}" if caught else "NOT CAUGHT"), flush=True)
            missed += [] if caught else [error[0]]
    if missed:
        print(f"not caught with {arguments.programs} programs of each family: {', '.join(missed)}", file=sys.stderr)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
