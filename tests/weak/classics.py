#!/usr/bin/env python3
"""The classics of lock-free programming with each of their memory orders weakened in turn (classics/*.c): under which model breaks
what. The expectation is a table in the head of each program:

  // - strong                  : 9         9         9
  // - PUT=relaxed,GET=relaxed : -         -         assertion

A line has what the program is compiled with (-DPUT=relaxed; `strong`: nothing), and what comes of it under sc, tso and c11: a
number of executions, complete and without a bug; `-`, complete and without a bug; or a kind of bug, or several of which it is
one. `*` in place of `-` is a line of the default suite, too. What is more:

* without an option heddle says what it says under c11;
* each bug's schedule replays;
* a bug that sequential consistency does not have is explained: x86 has it only where tso breaks too, and of what would forbid it
  one set is of lines whose order was weakened;
* a stronger model has no more executions.

Usage: classics.py BUILD [--every] [--verbose] [NAME ...]"""

import argparse
import json
import pathlib
import re
import subprocess
import sys
import tempfile

FOLDER = pathlib.Path(__file__).resolve().parent / "classics"
MODELS = ("sc", "tso", "c11")
ROW = re.compile(r"// ([-*]) (\S+)\s*:\s*(\S+)\s+(\S+)\s+(\S+)$")
SHORT = {"race": "data-race"}


class Row:
    def __init__(self, match):
        self.is_long = match[1] == "-"
        self.defines = [] if match[2] == "strong" else match[2].split(",")
        self.name = match[2]
        self.cells = dict(zip(MODELS, match.group(3, 4, 5)))

    def weakened(self):
        return [define.split("=")[0] for define in self.defines]


class Checker:
    def __init__(self, build, directory):
        self.build, self.directory = pathlib.Path(build).resolve(), directory

    def compile(self, source, row):
        binary = self.directory / source.stem
        defines = [f"-D{define}" for define in row.defines]
        # GCC 12 knows only since C++17 that the order of failure may be the stronger one.
        flags = ["-g", "-O1", "-Wall", "-Wno-invalid-memory-model", "-pthread"]
        subprocess.run([self.build / "heddle-cc", *flags, *defines, source, "-o", binary], check=True)
        return binary

    def check(self, binary, options):
        result = self.directory / "result.json"
        result.unlink(missing_ok=True)
        command = [self.build / "heddle", "check", "--time", "300s", "--release-sequences", "c++20", *options, "--json", result,
                   "--out", self.directory / "out", binary]
        done = subprocess.run(command, capture_output=True, text=True, timeout=400)
        if not result.exists():
            raise SystemExit(f"{command}: status {done.returncode}\n{done.stdout}{done.stderr}")
        return json.loads(result.read_text())

    def replays(self, bug):
        done = subprocess.run([self.build / "heddle", "replay", bug["schedule"]], capture_output=True, text=True, timeout=100)
        return done.returncode == 1


def kinds(cell):
    """The kinds of bugs that a cell of the table allows; none if it has to be proved that there is no bug."""
    return set() if cell == "-" or cell.isdigit() else {SHORT.get(kind, kind) for kind in cell.split(",")}


def answer_of(found):
    """As a cell of the table would have it."""
    if found["bugs"]:
        return ",".join(sorted({bug["kind"] for bug in found["bugs"]}))
    return str(found["executions"]) if found["complete"] else f"incomplete({found['guarantee']})"


def problems_of(found, cell):
    broken = kinds(cell)
    seen = {bug["kind"] for bug in found["bugs"]}
    if broken:
        if not seen or not seen <= broken:
            yield f"{answer_of(found)}, expected {cell}"
    elif seen or not found["complete"]:
        yield f"{answer_of(found)}, expected none and complete"
    elif cell.isdigit() and found["executions"] != int(cell):
        yield f"{found['executions']} executions, expected {cell}"


def explained(bug, row, source):
    """What is wrong with the explanation of a bug that sequential consistency does not have."""
    weak = bug.get("weak")
    if weak is None:
        yield "not explained"
        return
    if weak["sequentially_consistent"]:
        yield "explained as sequentially consistent"
        return
    if not kinds(row.cells["tso"]) and weak["x86"]:
        yield "x86 is said to have it"
    marks = [re.compile(rf"\b{re.escape(name)}\b") for name in row.weakened()]
    lines = {number for number, line in enumerate(source.read_text().splitlines(), 1)
             if not line.startswith(("//", "#")) and any(mark.search(line) for mark in marks)}
    sets = [{change["location"]["line"] for change in changes} for changes in weak["forbidden_by"]]
    if not any(places <= lines for places in sets):
        yield f"forbidden by {sets}, not by an order at {sorted(lines)} alone"


def check_row(checker, source, row):
    binary = checker.compile(source, row)
    answers, counts = [], []
    for model in MODELS:
        found = checker.check(binary, ["--memory-model", model, "--reduction", "reads-from"])
        answers.append(answer_of(found))
        counts.append(found["executions"] if found["complete"] else None)
        for problem in problems_of(found, row.cells[model]):
            yield f"{model}: {problem}"
        for bug in found["bugs"]:
            if not checker.replays(bug):
                yield f"{model}: {bug['schedule']} does not replay"
            if not kinds(row.cells["sc"]):
                for problem in explained(bug, row, source):
                    yield f"{model}: {problem}"
    if None not in counts and counts != sorted(counts):
        yield f"executions {counts}: fewer under a weaker model"
    found = checker.check(binary, [])
    for problem in problems_of(found, "-" if row.cells["c11"].isdigit() else row.cells["c11"]):
        yield f"by default: {problem}"
    if not found["bugs"] and not found["weak_memory"]["holds"]:
        yield "by default: does not say that it holds under C11"
    row.answers = answers


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build")
    parser.add_argument("names", nargs="*")
    parser.add_argument("--every", action="store_true")
    parser.add_argument("--verbose", action="store_true")
    arguments = parser.parse_args()
    wrong = rows = 0
    with tempfile.TemporaryDirectory() as scratch:
        checker = Checker(arguments.build, pathlib.Path(scratch))
        for source in sorted(FOLDER.glob("*.c")):
            if arguments.names and source.stem not in arguments.names:
                continue
            for match in filter(None, map(ROW.match, source.read_text().splitlines())):
                row = Row(match)
                if row.is_long and not arguments.every:
                    continue
                rows += 1
                problems = list(check_row(checker, source, row))
                wrong += bool(problems)
                for problem in problems:
                    print(f"{source.stem} {row.name}: {problem}", flush=True)
                if arguments.verbose:
                    print(f"{source.stem} {row.name}: {' | '.join(row.answers)}", flush=True)
    assert rows > 0
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
