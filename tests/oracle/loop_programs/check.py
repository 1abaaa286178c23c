"""Compiles programs, many at a time, asks heddle about each, and compares the answers with the reference."""

import dataclasses
import itertools
import json
import os
import pathlib
import subprocess
import tempfile

from . import families, print_c, reference

ROOT = pathlib.Path(__file__).resolve().parents[3]
SEARCHES = {"optimal": ["--reduction", "optimal"], "default": [], "none": ["--reduction", "none"]}
MOST_STATES = 20000
MOST_STATES_FOR_NONE = 100
MOST_EXECUTIONS = {"optimal": 2000, "default": 2000, "none": 4000}
# An execution of these programs that is no hang has some hundred operations.
ALWAYS = ["--keep-going", "--quiet", "--no-minimise", "--no-debug-info", "--jobs", "1", "--max-events", "200000", "--time", "30s"]
TIME_LIMIT_S = 60  # of one answer; programs are so small that it takes a tenth of a second


@dataclasses.dataclass
class Case:
    """A program that is to be checked. `way` is how it is compiled."""
    name: str
    program: object
    way: str
    cpp: bool
    behaviour: object = None
    binary: str = ""
    number: int = 0


@dataclasses.dataclass
class Failure:
    case: Case
    search: str
    kind: str  # of KINDS
    detail: str

    def same_as(self, other):
        return (self.search, self.kind, self.detail if self.kind in ("bug missed", "false bug") else "") == (
            other.search, other.kind, other.detail if other.kind in ("bug missed", "false bug") else "")


KINDS = {
    "outcome missed": "the search says complete, and lacks an outcome that the program has",
    "false outcome": "an outcome that the program cannot have",
    "bug missed": "the search says complete, and lacks a bug that the program has",
    "false bug": "a bug that the program does not have",
    "hang": "an execution counts as a hang, though every execution of the program ends or comes back to a state",
    "uncontrolled": "status 3: the program was not under control",
    "no answer": "no result: an internal error, or no end within the time limit",
}


class Checker:
    def __init__(self, heddle, compilers, folder, searches, options=()):
        self.heddle, self.compilers, self.searches, self.options = str(heddle), pathlib.Path(compilers), searches, options
        self.folder = pathlib.Path(folder)
        self.batches = itertools.count()

    # ---- compiling ----

    def command(self, way, cpp, source, binary, debug=False):
        compiler, level = way.split("_")
        flags = ["-std=c++20"] if cpp else ["-std=gnu17"]
        return [str(self.compilers / ("heddle-c++" if cpp else "heddle-cc")), f"--heddle-compiler={compiler}", *flags, f"-{level}",
                *(["-g"] if debug else []), "-w", "-pthread", f"-I{ROOT / 'include'}", "-o", str(binary), str(source)]

    def compile(self, cases):
        """Puts the cases, which are compiled alike, into one binary."""
        cpp = cases[0].cpp
        source = self.folder / f"batch{next(self.batches)}.{'cpp' if cpp else 'c'}"
        binary = source.with_suffix("")
        source.write_text(print_c.print_batch([case.program for case in cases], cpp))
        done = subprocess.run(self.command(cases[0].way, cpp, source, binary), capture_output=True, text=True, check=False,
                              cwd=self.folder)
        if done.returncode != 0:
            raise RuntimeError(f"{source} does not compile:\n{done.stderr}")
        source.unlink()
        for number, case in enumerate(cases):
            case.binary, case.number = str(binary), number

    # ---- asking ----

    def answer(self, case, search):
        """What heddle says: its status and the result, or None if there is none."""
        result = self.folder / f"{os.path.basename(case.binary)}-{case.number}-{search}.json"
        command = [self.heddle, "check", *ALWAYS, "--executions", str(MOST_EXECUTIONS[search]), "--out", str(self.folder / "out"),
                   "--json", str(result), *SEARCHES[search], *self.options, "--", case.binary, str(case.number)]
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=TIME_LIMIT_S, check=False, cwd=self.folder)
        except subprocess.TimeoutExpired:
            return None, f"no end within {TIME_LIMIT_S} s", None
        try:
            return done.returncode, done.stderr, json.loads(result.read_text())
        except (OSError, ValueError):
            return done.returncode, done.stderr, None
        finally:
            result.unlink(missing_ok=True)

    # ---- comparing ----

    def compare(self, case, search):
        """The failures, why the search is not complete ("" if it is), and how many executions it ran."""
        status, errors, result = self.answer(case, search)
        fail = lambda kind, detail: Failure(case, search, kind, detail)
        if result is None:
            return [fail("no answer", f"status {status}: {errors.strip()[-200:]}")], "no answer", 0
        if status == 3 or result["verdict"] == "uncontrolled":
            return [fail("uncontrolled", result["guarantee"])], "uncontrolled", result["executions"]
        want = case.behaviour
        got_outcomes, got_bugs = set(result["outcomes"]), {name_of_bug(bug) for bug in result["bugs"]}
        failures = []
        if "hang" in got_bugs:
            failures.append(fail("hang", ""))
        possible = want.bugs | ({"livelock"} if "livelock" in got_bugs and want.has_fair_cycle() else set())
        failures += [fail("false bug", bug) for bug in sorted(got_bugs - possible - {"hang"})]
        failures += [fail("false outcome", outcome) for outcome in sorted(got_outcomes - want.outcomes)]
        if not result["complete"]:
            return failures, why_not_complete(result), result["executions"]
        failures += [fail("outcome missed", outcome) for outcome in sorted(want.outcomes - got_outcomes)]
        failures += [fail("bug missed", bug) for bug in sorted(want.bugs - got_bugs)]
        return failures, "", result["executions"]

    def check(self, case):
        """[(search, failures, why not complete, executions)], for each search that suits the program."""
        answers = []
        for search in self.searches:
            if search == "none" and case.behaviour.states > MOST_STATES_FOR_NONE:
                continue
            answers.append((search, *self.compare(case, search)))
        return answers


def name_of_bug(bug):
    """As reference.py calls it."""
    if bug["kind"] == "assertion" and "number " in bug["message"]:
        return "assertion " + bug["message"].split("number ")[1].split('"')[0]
    return bug["kind"]


def why_not_complete(result):
    """In few words, for counting."""
    forbidding = [note["text"] for note in result["notes"] if note["kind"] == "incomplete"]
    if forbidding:
        return forbidding[0][:70]
    return f"stopped by {result['stop']}"


def case_of(family, seed, way=None):
    """REQUIRES: the family is known. None if the program has too many states."""
    program = families.generate(family, seed)
    case = Case(f"{family} {seed}", program, way or families.way_of(seed), families.is_cpp(seed))
    try:
        case.behaviour = reference.all_behaviour(program, MOST_STATES)
    except reference.Invalid:
        return None
    return case


def temporary_folder():
    """In memory, where there is some: many small files are written."""
    return tempfile.TemporaryDirectory(prefix="heddle-loops-", dir="/dev/shm" if os.access("/dev/shm", os.W_OK) else None)
