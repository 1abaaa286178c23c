#!/usr/bin/env python3
"""Asks heddle about generated programs with descriptors, signals, processes or objects of the C++ library, and compares its answers with all behaviour of a model.

The models (world_programs/) walk through all interleavings, state by state; they share nothing with heddle. If heddle says that a search
is complete, outcomes and deadlocks must be those of the model; if not, they must be among them. The same answers are compared with models
that have a fault: each fault must show. Seeds make the programs.

  world.py --build DIR --family descriptors                               100 programs
  world.py --build DIR --family descriptors --seed 42 --programs 1 --no-faults --print        the program, and the right answer
"""

import argparse
import collections
import concurrent.futures
import os
import pathlib
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from world_programs import check  # noqa: E402

CHUNK = 200  # programs that are made, compiled and checked before the next ones


def read_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, required=True)
    parser.add_argument("--heddle", type=pathlib.Path, help="another heddle than the one of the build")
    parser.add_argument("--family", choices=check.FAMILIES, required=True)
    parser.add_argument("--programs", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0, help="the first one's seed")
    parser.add_argument("--search", default="default,optimal,source,happens-before", help=f"of {', '.join(check.SEARCHES)}, with commas")
    parser.add_argument("--least-complete", type=float, default=0, help="fail if a smaller share of the answers is complete")
    parser.add_argument("--no-faults", action="store_true", help="have no model with faults noticed")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="how many programs are checked at a time")
    parser.add_argument("--tell", type=int, default=10, help="how many failures to print")
    parser.add_argument("--print", action="store_true", help="print the programs and the right answers; ask nothing")
    arguments = parser.parse_args()
    arguments.build = arguments.build.resolve()
    return arguments


class Tally:
    def __init__(self, faults):
        self.programs, self.failed, self.told = 0, 0, []
        self.answers, self.complete, self.reasons = collections.Counter(), collections.Counter(), collections.Counter()
        self.unseen = set(faults)  # faults of the model that no program has shown

    def add(self, case, answers):
        self.programs += 1
        for search, answer in answers.items():
            self.answers[search] += 1
            why_not = check.why_not_complete(answer)
            self.reasons[why_not] += why_not != ""
            self.complete[search] += why_not == ""
            wrong = check.failures(answer, case.behaviour)
            self.failed += bool(wrong)
            if wrong:
                self.told.append((case.program.size(), f"{case.name} {search}: {'; '.join(wrong)[:300]}"))
        for fault in sorted(self.unseen):
            faulty = check.behaviour_of(case.family, case.program, fault)
            if faulty and any(check.failures(answer, faulty) for answer in answers.values()):
                self.unseen.discard(fault)

    def print(self, tell):
        for _, line in sorted(self.told)[:tell]:
            print(line)
        for reason, count in self.reasons.most_common():
            if count:
                print(f"not complete, {count} times: {reason}")
        shares = ", ".join(f"{search} {self.complete[search]}/{count}" for search, count in self.answers.items())
        print(f"{self.programs} programs; complete: {shares}; {self.failed} answers wrong"
              + (f"; faults that were not noticed: {', '.join(sorted(self.unseen))}" if self.unseen else ""))

    def least_complete(self):
        return min((self.complete[search] / count for search, count in self.answers.items()), default=0)


def cases_of(arguments):
    """So many programs that are not too large; and then those that it takes to show each fault of the model."""
    unseen = set() if arguments.no_faults else set(check.FAMILIES[arguments.family].WRONG)
    seed, made = arguments.seed, 0
    while made < arguments.programs or unseen:
        if case := check.case_of(arguments.family, seed):
            shown = {fault for fault in unseen if check.shows(case, fault)}
            if made < arguments.programs or shown:
                yield case
            unseen -= shown
            made += 1
        seed += 1


def main():
    arguments = read_arguments()
    cases = cases_of(arguments)
    if arguments.print:
        for case in cases:
            print(f"// {case.behaviour.states} states; bugs: {', '.join(sorted(case.behaviour.bugs)) or 'none'}; outcomes:")
            print("".join(f"//   {outcome}\n" for outcome in sorted(case.behaviour.outcomes)) + check.text_of([case]))
        return 0
    tally = Tally([] if arguments.no_faults else check.FAMILIES[arguments.family].WRONG)
    searches = arguments.search.split(",")
    with tempfile.TemporaryDirectory(prefix="heddle-world-") as folder, concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        checker = check.Checker(arguments.heddle or arguments.build / "heddle", arguments.build, folder)
        while chunk := [case for case, _ in zip(cases, range(CHUNK))]:
            checker.compile(chunk)
            ask = lambda case: (case, {search: checker.ask(case, search) for search in searches})
            for case, answers in pool.map(ask, chunk):
                tally.add(case, answers)
    tally.print(arguments.tell)
    if tally.least_complete() < arguments.least_complete:
        print("too few answers are complete")
        return 1
    return 1 if tally.failed or tally.unseen else 0


if __name__ == "__main__":
    sys.exit(main())
