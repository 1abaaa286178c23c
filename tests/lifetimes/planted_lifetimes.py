#!/usr/bin/env python3
"""Shows that lifetimes.py notices errors in heddle.

One error at a time is made, and the heddle that has it is asked: an error in a copy of a source file, of which libheddle.so is linked
again; options that leave something out, as if heddle did so unasked; or programs with a change that the model is not told of. There must
be failures, and none of the heddle that was built.

Usage: planted_lifetimes.py --build DIR [--programs N] [NAME ...]      (all errors without a NAME)
       planted_lifetimes.py --check      only: does each error find its place in the sources?
"""

import argparse
import collections
import itertools
import pathlib
import random
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent), str(HERE.parent / "oracle")]
import generate  # noqa: E402
import lifetimes  # noqa: E402
from planted import SRC, check_places, parse_built  # noqa: E402
from planted_errors import planted_heddle  # noqa: E402

# name, file below src, what stands there (once, as a regular expression), what stands there instead
PLANTED = [
    ("race-put-down-to-visible", "search/explain.cpp", r"runtime::IsVisiblePlace\(step\.pc\[0\]\) == race\.first_visible", "true"),
    ("last-byte-beyond", "runtime/steps/object_use.cpp", r"return found\.side != OutOfBounds::Side::kNone \|\|",
     "return found.distance > 1 ||"),
    ("mismatch-unnoticed", "runtime/world/allocate.cpp", r"if \(__builtin_expect\(!Fits\(by, payload\), 0\)\)",
     "if (false && !Fits(by, payload))"),
    ("resize-frees-nothing", "runtime/world/allocate.cpp", r"  Free\(payload, caller\);\n  return moved;", "  return moved;"),
    ("leak-behind-a-block", "runtime/world/leaks.cpp", r"while \(scan_count_ != 0\) \{", "for (; scan_count_ != 0 && false;) {"),
    ("pointers-inside-count-not", "runtime/world/leaks.cpp", r"address - block->begin > block->bytes", "address != block->begin"),
    ("pointers-behind-count-not", "runtime/world/leaks.cpp", r"address - block->begin > block->bytes", "address - block->begin >= block->bytes"),
    ("one-leak-told", "runtime/world/leaks.cpp", r"if \(count == room\.size\(\)\)", "if (count == 1)"),
    ("ended-threads-point", "runtime/world/leaks.cpp", r"return fiber\.state == FiberState::kFinished;", "return fiber.id + 1 == 0;"),
]
# name, options
OPTIONS = [("no-races", ["--no-races"])]
# name, the change (generate.py) that the model is not told of
UNTOLD = [("untold-free", "dropped"), ("untold-second-free", "twice"), ("untold-relaxed", "relaxed"), ("untold-lock", "unlocked"),
          ("untold-byte", "beyond"), ("untold-end-of-string", "no end"), ("untold-pointer", "forgotten"), ("untold-family", "family")]


def read_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--programs", type=int, default=600)
    parser.add_argument("--seed", type=int, default=0)
    return parse_built(parser, [name for name, *_ in PLANTED + OPTIONS + UNTOLD])


def first_failure(build, cases, heddle, options=()):
    """What fails first, or an empty text. Programs are compiled in batches, until one fails."""
    cases = iter(cases)
    with tempfile.TemporaryDirectory(prefix="heddle-lifetimes-") as folder:
        while batch := list(itertools.islice(cases, lifetimes.BATCH)):
            for cxx in (False, True):
                of_language = [case for case in batch if case.program.cxx == cxx]
                if of_language:
                    lifetimes.compile_batch(build, pathlib.Path(folder), f"programs_{'cpp' if cxx else 'c'}", of_language, cxx)
            for case in batch:
                wrong = lifetimes.compare(case, lifetimes.ask(heddle, case, "optimal", options))
                # That a search is not complete shows nothing.
                if wrong := [text for text in wrong if not text.startswith("not complete")]:
                    return f"seed {case.seed}: {wrong[0]}"
    return ""


def untold(cases, name):
    """The cases, each with a change in its program only."""
    for case in cases:
        if (name != "family" or case.program.cxx) and generate.change_as(random.Random(case.seed), case.program, name):
            generate.place_beyond(case.program, case.program.sizes)
            yield case


def main():
    arguments = read_arguments()
    if arguments.check:
        return check_places(SRC, PLANTED)
    build, missed = arguments.build.resolve(), []

    def cases():
        return lifetimes.cases_of(range(arguments.seed, arguments.seed + arguments.programs), collections.Counter())

    if wrong := first_failure(build, cases(), build / "heddle"):
        sys.exit(f"without an error planted the model does not agree: {wrong}")
    with tempfile.TemporaryDirectory(prefix="heddle-planted-") as folder:
        for name, *what in PLANTED + OPTIONS + UNTOLD:
            if arguments.names and name not in arguments.names:
                continue
            if (name, *what) in PLANTED:
                seen = first_failure(build, cases(), planted_heddle(build, pathlib.Path(folder) / name, name, *what))
            elif (name, *what) in OPTIONS:
                seen = first_failure(build, cases(), build / "heddle", what[0])
            else:
                seen = first_failure(build, untold(cases(), what[0]), build / "heddle")
            print(f"{name:30} {seen or 'NOT CAUGHT'}", flush=True)
            missed += [] if seen else [name]
    if missed:
        print(f"not caught with {arguments.programs} programs: {', '.join(missed)}", file=sys.stderr)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
