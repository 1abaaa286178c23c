#!/usr/bin/env python3
"""Asks heddle about generated programs with loops, and compares its answers with a reference of its own.

The reference (loop_programs/reference.py) walks through all interleavings of a program, state by state, and knows nothing of loops.
If heddle says that a search is complete, outcomes and bugs must be those of the reference; if not, they must be among them. A hang and
status 3 are always wrong. Seeds make the programs: `--family retries --seed 17 --programs 1` is one program, the same everywhere.

  loops.py                                          100 programs of each family
  loops.py --family timed --seed 42 --programs 1 --print        the program, and the right answer
  loops.py --family timed --seed 42 --programs 1 --reduce       the smallest program found that fails likewise
  loops.py --family all --programs 500 --save DIR   reduces failing programs, and writes the smallest ones of each kind
  loops.py --again DIR/*.c                          checks such files again

HEDDLE=/path/to/build/heddle, or --heddle, says which heddle is asked; its compilers are beside it.
"""

import argparse
import collections
import concurrent.futures
import itertools
import os
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from loop_programs import families, reduce, saved  # noqa: E402
from loop_programs.check import KINDS, SEARCHES, Checker, case_of, temporary_folder  # noqa: E402

HERE = pathlib.Path(__file__).resolve().parent
CHUNK = 400  # programs that are made, compiled and checked before the next ones


def read_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    default = os.environ.get("HEDDLE") or HERE.parents[1] / "build" / "heddle"
    parser.add_argument("--heddle", type=pathlib.Path, default=default, help="the heddle to ask")
    parser.add_argument("--compilers", type=pathlib.Path, help="the folder of heddle-cc and heddle-c++ (default: that of heddle)")
    parser.add_argument("--family", default="all", help=f"of {', '.join(families.FAMILIES)}, with commas; or all")
    parser.add_argument("--programs", type=int, default=100, help="how many of each family")
    parser.add_argument("--seed", type=int, default=0, help="the first one's seed")
    parser.add_argument("--search", default=",".join(SEARCHES), help=f"of {', '.join(SEARCHES)}, with commas; none: small programs only")
    parser.add_argument("--way", choices=families.WAYS, help="how to compile (default: by the seed)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="how many programs are checked at a time")
    parser.add_argument("--least-complete", type=float, default=0, help="fail if a smaller share of the answers is complete")
    parser.add_argument("--tell", type=int, default=5, help="of each family and kind of failure, how many to print")
    parser.add_argument("--verbose", action="store_true", help="a line for each answer")
    parser.add_argument("--print", action="store_true", help="print the programs and the right answers; ask nothing")
    parser.add_argument("--reduce", action="store_true", help="reduce the failures that are printed")
    parser.add_argument("--save", type=pathlib.Path, help="reduce failures, and write the smallest ones to this folder")
    parser.add_argument("--per-kind", type=int, default=6, help="with --save: how many of each kind")
    parser.add_argument("--again", type=pathlib.Path, nargs="+", help="files that --save wrote: check these")
    arguments = parser.parse_args()
    named = arguments.family.split(",")
    arguments.families = list(families.FAMILIES) if arguments.family == "all" else named
    arguments.searches = arguments.search.split(",")
    for name in arguments.families:
        if name not in families.FAMILIES:
            parser.error(f"no family {name}")
    for name in arguments.searches:
        if name not in SEARCHES:
            parser.error(f"no search {name}")
    arguments.heddle = pathlib.Path(arguments.heddle).resolve()
    if not arguments.print and not arguments.heddle.exists():
        parser.error(f"no {arguments.heddle}: build it, or set HEDDLE")
    return arguments


class Tally:
    """What was found of each family."""

    def __init__(self):
        self.programs, self.too_large = collections.Counter(), collections.Counter()
        self.answers, self.complete = collections.Counter(), collections.Counter()
        self.reasons, self.kinds = collections.Counter(), collections.Counter()
        self.failures = []

    def add(self, family, case, answers):
        self.programs[family] += 1
        kinds = set()
        for search, failures, why_not, _ in answers:
            self.answers[family, search] += 1
            self.complete[family, search] += not why_not
            if why_not:
                self.reasons[family, why_not] += 1
            kinds |= {(failure.kind, search) for failure in failures}
            self.failures += [(family, failure) for failure in failures]
        self.kinds.update((family, *kind) for kind in kinds)

    def print(self, searches):
        for family in self.programs:
            shares = ", ".join(f"{search} {self.complete[family, search]}/{self.answers[family, search]}" for search in searches)
            print(f"\n{family}: {self.programs[family]} programs; complete: {shares}"
                  + (f"; {self.too_large[family]} left out as too large" if self.too_large[family] else ""))
            for kind in KINDS:
                counts = {search: self.kinds[family, kind, search] for search in searches}
                if any(counts.values()):
                    print(f"  {kind:15} " + ", ".join(f"{search} {n}" for search, n in counts.items() if n))
            for (of, why), n in self.reasons.most_common():
                if of == family:
                    print(f"  not complete, {n} times: {why}")

    def least_complete(self):
        shares = [self.complete[key] / self.answers[key] for key in self.answers]
        return min(shares, default=1)


def check_all(checker, pool, cases, tally, verbose):
    """REQUIRES: cases are (family, case)."""
    batches = collections.defaultdict(list)
    for family, case in cases:
        batches[case.way, case.cpp].append((family, case))
    list(pool.map(checker.compile, [[case for _, case in batch] for batch in batches.values()]))
    running = {pool.submit(checker.check, case): (family, case) for family, case in cases}
    for done in concurrent.futures.as_completed(running):
        family, case = running[done]
        tally.add(family, case, done.result())
        if verbose:
            for search, failures, why_not, executions in done.result():
                print(f"{case.name} {search}: {case.behaviour.states} states, {executions} executions, {why_not or 'complete'}"
                      + "".join(f"; {failure.kind}" for failure in failures), flush=True)
        case.behaviour = None  # it is large
    for batch in batches.values():
        pathlib.Path(batch[0][1].binary).unlink()


def all_cases(arguments, tally):
    for number in range(arguments.programs):
        for family in arguments.families:
            case = case_of(family, arguments.seed + number, arguments.way)
            if case is None:
                tally.too_large[family] += 1
            else:
                yield family, case


def tell(arguments, checker, tally):
    told = collections.Counter()
    for family, failure in sorted(tally.failures, key=lambda f: f[1].case.program.size()):
        told[family, failure.kind] += 1
        if told[family, failure.kind] > arguments.tell:
            continue
        case = failure.case
        seed = f"--family {family} --seed {case.name.split()[1]} --programs 1" if not arguments.again else case.name
        print(f"{failure.kind}: {seed} --way {case.way} --search {failure.search}: {failure.detail}")
        if arguments.reduce:
            reduced = reduce.reduce(checker, case, failure)
            print(saved.text_of(reduced.case, [reduced]))


def smallest(failures, most):
    """So many failures of different programs, the smallest ones of each family in turn."""
    of_family = collections.defaultdict(dict)
    for family, failure in sorted(failures, key=lambda f: f[1].case.program.size()):
        of_family[family].setdefault(failure.case.name, failure)
    turns = itertools.zip_longest(*(found.values() for found in of_family.values()))
    return [failure for turn in turns for failure in turn if failure][:most]


def save(arguments, checker, pool, tally):
    """Reduces the smallest failures of each kind, and writes them."""
    arguments.save.mkdir(parents=True, exist_ok=True)
    for kind in KINDS:
        failures = smallest([f for f in tally.failures if f[1].kind == kind], arguments.per_kind)
        reduced = {}
        for failure in pool.map(lambda failure: reduce.reduce(checker, failure.case, failure), failures):
            reduced.setdefault(saved.to_json(failure.case.program), failure)
        for failure in reduced.values():
            name = f"{kind}-{failure.case.name}".replace(" ", "-") + (".cpp" if failure.case.cpp else ".c")
            (arguments.save / name).write_text(saved.text_of(failure.case, [failure]))
            print(f"wrote {arguments.save / name}", flush=True)


def main():
    arguments = read_arguments()
    tally = Tally()
    if arguments.print:
        for family, case in all_cases(arguments, tally):
            print(saved.text_of(case, []))
        return 0
    with temporary_folder() as folder, concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        checker = Checker(arguments.heddle, (arguments.compilers or arguments.heddle.parent).resolve(), folder, arguments.searches)
        if arguments.again:
            cases = iter([("saved", saved.read(path)) for path in arguments.again])
        else:
            cases = all_cases(arguments, tally)
        while chunk := [pair for _, pair in zip(range(CHUNK), cases)]:
            check_all(checker, pool, chunk, tally, arguments.verbose)
        tally.print(arguments.searches)
        print()
        tell(arguments, checker, tally)
        if arguments.save:
            save(arguments, checker, pool, tally)
    if tally.least_complete() < arguments.least_complete:
        print(f"too few answers are complete: {tally.least_complete():.2f} of a family and a search")
        return 1
    return 1 if tally.failures else 0


if __name__ == "__main__":
    sys.exit(main())
