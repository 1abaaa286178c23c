#!/usr/bin/env python3
"""Asks heddle about generated programs that allocate, pass, use and free blocks, and compares its answers with a model (model.py).

The model walks through all interleavings of a program's operations and knows the life of each block. Of each search, heddle's findings
have to be the model's: kinds, for a leak the allocation that is lost, for a use after free the call that freed. A search has to be
complete; plain enumeration is left out where it does not end soon.

  lifetimes.py HEDDLE [--programs N] [--seed S] [--search NAME,...] [--print] [--keep FOLDER] [--verbose]
  lifetimes.py HEDDLE --seed 144 --programs 1 --reduce      the smallest program found that fails in the same search
"""

import argparse
import collections
import concurrent.futures
import dataclasses
import itertools
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import generate  # noqa: E402
import model  # noqa: E402
from program import Source  # noqa: E402

SEARCHES = {
    "default": [],
    "optimal": ["--reduction", "optimal"],
    "none": ["--reduction", "none", "--order", "depth-first", "--executions", "3000"],
    "bounded": ["--reduction", "bounded", "--order", "context-bounded"],
    "sleep-sets": ["--reduction", "sleep-sets"],
    "source": ["--reduction", "source"],
}
BATCH = 60  # programs of one compilation


class Case:
    def __init__(self, seed, program=None):
        self.seed = seed
        self.program = program or generate.make(seed)
        self.answer = model.answer(self.program)
        self.number = self.binary = self.places = None


def cases_of(seeds, skipped):
    for seed in seeds:
        try:
            yield Case(seed)
        except (model.TooLarge, model.Senseless) as reason:
            skipped[type(reason).__name__] += 1


def compile_batch(build, folder, name, cases, cxx, options=()):
    source = Source()
    for number, case in enumerate(cases):
        case.number = number
        source.add(case.program)
        case.places = source.places[number]
        case.binary = folder / name
    path = folder / (name + (".cpp" if cxx else ".c"))
    path.write_text(source.text())
    command = [str(build / ("heddle-c++" if cxx else "heddle-cc")), "-g", "-O1", "-w", "-pthread", *options, str(path), "-o", str(folder / name)]
    subprocess.run(command, check=True)


def ask(heddle, case, search, options=()):
    """The result as JSON, or a text that says what went wrong."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "result.json"
        command = [str(heddle), "check", "--quiet", "--keep-going", "--no-minimise", "--leaks", "--jobs", "1", "--out", folder, "--json", str(path),
                   *SEARCHES[search], *options, "--", str(case.binary), str(case.number)]
        try:
            done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, timeout=120)
        except subprocess.TimeoutExpired:
            return "no answer in 120 s"
        if not path.exists() or done.returncode not in (0, 1):
            return f"status {done.returncode}: {(done.stdout + done.stderr).decode(errors='replace')[-600:]}"
        return json.loads(path.read_text())


def finding(case, bug):
    """(kind, place) as the model has them."""
    line = None
    if bug["kind"] == model.LEAK:
        line = bug["locations"][0]["line"]
    elif bug["kind"] == model.LATE_USE:
        freed = re.search(r"(?:freed by \S+|frees it) at \S+?:(\d+)", bug["message"])
        line = int(freed[1]) if freed else -1
    return bug["kind"], None if line is None else case.places.get(line, line)


def compare(case, result):
    """What is wrong with the result, or an empty list."""
    if isinstance(result, str):
        return [result]
    answer, found = case.answer, {finding(case, bug) for bug in result["bugs"]}
    wrong = [f"missed: {show(want)}" for want in sorted(answer.required, key=str) if not want & found]
    may = set().union(answer.allowed, *answer.required)
    wrong += [f"invented: {show([got])}" for got in sorted(found - may, key=str)]
    if not result["complete"]:
        wrong.append(f"not complete: {result['stop']}, {[note for note in result['notes'] if note['kind'] == 'incomplete']}")
    wrong += [f"not reproduced: {bug['kind']}" for bug in result["bugs"] if not bug["reproduced"]]
    return wrong


def show(findings):
    return " or ".join(f"{kind}{' of ' + str(place) if place else ''}" for kind, place in sorted(findings, key=str))


def check(arguments, case):
    """(search, what is wrong, executions) of each search."""
    answers = []
    for search in arguments.searches:
        result = ask(arguments.heddle, case, search, arguments.option)
        if search == "none" and isinstance(result, dict) and result["stop"] == "executions":
            answers.append((search, None, result["executions"]))
            continue
        answers.append((search, compare(case, result), result["executions"] if isinstance(result, dict) else 0))
    return case, answers


class Tally:
    def __init__(self):
        self.kinds, self.searches = collections.Counter(), collections.Counter()
        self.programs = self.right = self.failed = 0

    def add(self, arguments, case, answers):
        self.programs += 1
        self.right += not case.answer.required
        self.kinds.update(case.answer.kinds())
        for search, wrong, executions in answers:
            self.searches[search] += wrong is not None
            if arguments.verbose:
                print(f"seed {case.seed} {search}: {executions} executions, {case.answer.states} states", flush=True)
        failed = [(search, wrong) for search, wrong, _ in answers if wrong]
        if failed:
            self.failed += 1
            print(f"seed {case.seed} ({case.program.kinds_of}{', C++' if case.program.cxx else ''}):")
            for search, wrong in failed:
                print(f"  {search}: {'; '.join(wrong)}", flush=True)
            if arguments.reduce:
                print(alone(reduced(arguments, case, failed[0][0])))
            if arguments.keep:
                arguments.keep.mkdir(parents=True, exist_ok=True)
                (arguments.keep / f"lifetimes_{case.seed}.{'cpp' if case.program.cxx else 'c'}").write_text(alone(case))


def alone(case):
    source = Source()
    source.add(case.program)
    wanted = "".join(f"// expected: {show(want)}\n" for want in sorted(case.answer.required, key=str))
    return source.text() + wanted


def reduced(arguments, case, search):
    """A smaller case that fails likewise: in the same words, but for places."""
    def kinds(one):
        with tempfile.TemporaryDirectory() as folder:
            compile_batch(arguments.heddle.parent, pathlib.Path(folder), "program", [one], one.program.cxx, arguments.compiler)
            return {tuple(text.split()[:2]) for text in compare(one, ask(arguments.heddle, one, search, arguments.option))}

    wanted, smaller = kinds(case), True
    while smaller:
        smaller = next((one for one in smaller_cases(case) if kinds(one) & wanted), None)
        case = smaller or case
    return case


def smaller_cases(case):
    """Those without one of its ops, but perhaps with what that is the condition of."""
    for where, body in case.program.bodies().items():
        for at in range(generate.count(body)):
            for make in (lambda op: (), lambda op: op.body):
                program = dataclasses.replace(case.program, threads=list(case.program.threads))
                program.set_body(where, generate.change_tree(body, at, make))
                try:
                    yield Case(case.seed, program)
                except (model.TooLarge, model.Senseless):
                    pass


def read_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("heddle", type=lambda name: pathlib.Path(name).resolve())
    parser.add_argument("--programs", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--search", default="default,optimal,none", help=f"of {', '.join(SEARCHES)}")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--compiler", action="append", default=[], metavar="OPTION", help="an option of the compiler")
    parser.add_argument("--option", action="append", default=[], help="an option of heddle check, besides")
    parser.add_argument("--only", choices=["right", "wrong"], help="only programs of which the model says so")
    parser.add_argument("--print", action="store_true", help="print the programs, and what is right; ask nothing")
    parser.add_argument("--keep", type=pathlib.Path, help="where to write programs on which heddle and the model do not agree")
    parser.add_argument("--reduce", action="store_true", help="reduce such programs, and print them")
    parser.add_argument("--verbose", action="store_true")
    arguments = parser.parse_args()
    arguments.searches = arguments.search.split(",")
    return arguments


def run(arguments):
    tally, skipped = Tally(), collections.Counter()
    cases = cases_of(itertools.count(arguments.seed), skipped)
    if arguments.only:
        cases = (case for case in cases if bool(case.answer.required) == (arguments.only == "wrong"))
    cases = itertools.islice(cases, arguments.programs)
    if arguments.print:
        for case in cases:
            print(alone(case))
        return tally
    build = arguments.heddle.parent
    with tempfile.TemporaryDirectory(prefix="heddle-lifetimes-") as name, concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        while batch := list(itertools.islice(cases, BATCH)):
            for cxx in (False, True):
                of_language = [case for case in batch if case.program.cxx == cxx]
                if of_language:
                    compile_batch(build, pathlib.Path(name), f"programs_{'cpp' if cxx else 'c'}", of_language, cxx, arguments.compiler)
            for case, answers in pool.map(lambda case: check(arguments, case), batch):
                tally.add(arguments, case, answers)
    kinds = ", ".join(f"{kind} {n}" for kind, n in tally.kinds.most_common())
    searches = ", ".join(f"{search} {n}" for search, n in tally.searches.items())
    print(f"{tally.programs} programs, {tally.right} right; with {kinds or 'nothing wrong'}; compared: {searches}; "
          f"left out: {dict(skipped) or 'none'}; {tally.failed} failed")
    return tally


def main():
    tally = run(read_arguments())
    return 1 if tally.failed else 0


if __name__ == "__main__":
    sys.exit(main())
