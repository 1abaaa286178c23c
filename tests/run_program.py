#!/usr/bin/env python3
"""Runs one test program under heddle and compares what heddle says with what the program expects.

The expectation is written inside the program, in the comments it opens with:

  // heddle: check --order depth-first -- 3      options of `heddle check`; after `--`, the program's arguments
  // expect: verdict=bug kind=deadlock preemptions=1 location=@second
  // expect: executions=20 complete=true by_preemptions=2,4
  // compilers: gcc clang   std: c11   opt: -O0 -O2   flags: -latomic

Every `heddle:` line opens a block; the `expect:` lines below it belong to it. Of `std`, `opt` and `compilers` there is a word of
each in use, other ones for other programs, or every combination if HEDDLE_EVERY_CONFIGURATION is set (the long test NAME_every;
NAME_long has each word at least once); without them a program is built by gcc -O2 as C17 or C++17. `build: plain` builds with the
ordinary compiler, `label: long` keeps the program out of the default suite (CMakeLists.txt reads it).

An expectation is KEY=VALUE (exact), KEY~TEXT (contains), KEY<=N or KEY>=N, where KEY is one of
  verdict complete executions redundant assumed_away hooks events guarantee order    top-level fields of the JSON
  states states_by_bound                                          with --visited (a comma list)
  happens_before by_preemptions                                   fields of "coverage" (a comma list)
  outcomes                                                        the exact set of labels (a comma list)
  bugs                                                            how many bugs
  kinds                                                           the set of their kinds (a comma list)
  warnings warning                                                how many warnings; their texts
  kind preemptions early_timeouts fewer_may_do thread message location execution races    of one and the same bug
  switches                                                        of it, too: context switches, preempted or not
  found_by                                                        of it, too: which of several searches in turn found it
  other                                                           of it, too: has it another schedule beside its own
  livelock loops                                                  of it, too: fair or unfair; two or more lines of the
                                                                  program (names) that one of its loops has
  step block                                                      what one of its steps says ("reads x: 1", or a
                                                                  remark); one of its blocks of the heap
  weak_memory weak_pairs                                          does it hold under C11; how many pairs are told
  stderr stdout                                                   what heddle printed
  incomplete                                                      why it is no proof: the reasons of claim/incomplete.def
                                                                  (a comma list, in their order of the report). Without a
                                                                  verdict=, --require-complete must end with 4
  status                                                          exit status, when not the verdict's own
A line `fixed:` in place of `heddle:` is the same of the program compiled with -DFIXED, which mends the bug (tests/bugs).
`location=@name` is the line of the program that carries the comment `// @name`; `weak_pair~a,b` names the two lines
of one of the weak pairs. `every search: KIND` (or `none`) is for tests/programs/every_search.py.

A program may also state its number of Mazurkiewicz traces, with further options and after `--` the arguments:

  // traces: 8 -- 12                     --reduction optimal ends with 8 executions, none redundant, complete
  // traces: 36 enumerated -- 3          the same, and plain enumeration finds 36 happens-before graphs
  // traces: 7 enumerated --keep-going   the same of a program with a bug, which would otherwise end the search
  // graphs: 5 --keep-going              plain enumeration finds 5 happens-before graphs, and nothing is said of executions:
                                         where a thread ends an execution in the middle of what others do, each place where
                                         the others were left is a graph, and not every one is run with a reduction

`long traces:` and `long graphs:` are left to the test of the same name with `_long` behind it, which sets HEDDLE_LONG and runs
nothing else.

Every bug's schedule is then replayed (status 1), and the program is searched once more with --verify-determinism: once with each
arguments, memory model and way of undoing executions; if HEDDLE_EVERY_CONFIGURATION is set, after every search.
"""

import argparse
import hashlib
import itertools
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
import zlib

# Far above what any program needs on a busy machine, so that a hang of heddle is a failure, not a stuck suite.
RUN_SECONDS = 300 * int(os.environ.get("HEDDLE_TEST_PATIENCE", "1"))
VERIFY_EXECUTIONS = 300
JOBS = os.environ.get("HEDDLE_TEST_JOBS", "1")  # what is stated here holds with any number of them
BEST_FIRST_TRACES = 500  # programs with more are searched in the usual order only
STATUS_OF = {"clean": 0, "bug": 1, "incomplete": 0, "uncontrolled": 3}
BUG_KEYS = ("kind", "preemptions", "early_timeouts", "fewer_may_do", "thread", "message", "location", "execution", "races",
            "switches", "step", "block", "livelock", "loops", "found_by", "other")
ENUMERATION = ["--order", "depth-first"]  # what --reduction optimal reduces, and the judge of it
BEST_FIRST = ["--order", "best-first", "--priority", "rand"]
DIRECTIVE = re.compile(r"(heddle|fixed|expect|compilers|std|opt|flags|build|label):\s")


class Failure(Exception):
    pass


class Block:
    """One run of heddle: its options, the program's arguments, and what must come of it."""

    def __init__(self, text, fixed):
        words = shlex.split(text)
        if not words or words[0] != "check":
            raise Failure(f"a `heddle:` or `fixed:` line must begin with `check`: {text}")
        split = words.index("--") if "--" in words else len(words)
        self.options, self.arguments, self.fixed = words[1:split], words[split + 1:], fixed
        self.expected = []

    def can_run_twice(self):
        return "--visited" not in self.options and "zing" not in self.options

    def runs_like(self):
        """Equal of two blocks whose searches run the program in the same way, be it in another order."""
        how = [after for option, after in itertools.pairwise(self.options) if option in ("--rewind", "--memory-model")]
        return self.fixed, *self.arguments, "--", *how


class Traces:
    """A number of traces: who has to find it, with which options and arguments."""

    def __init__(self, text, reduced, is_long):
        words = shlex.split(text)
        if not words or not words[0].isdigit():
            raise Failure(f"a `traces:` or `graphs:` line must begin with a number: {text}")
        split = words.index("--") if "--" in words else len(words)
        self.number, self.arguments = words[0], words[split + 1:]
        self.is_long = is_long
        self.reduced, self.enumerated = reduced, not reduced or "enumerated" in words[1:split]
        self.options = [word for word in words[1:split] if word != "enumerated"]

    def searches(self):
        """The options of each search, and what must come of it. Enumeration first: it is the judge of the number."""
        if self.enumerated:
            yield [*ENUMERATION, *self.options], [("complete", "=", "true"), ("happens_before", "=", self.number)]
        if self.reduced:
            yield ([*ENUMERATION, "--reduction", "optimal", *self.options],
                   [("complete", "=", "true"), ("executions", "=", self.number), ("redundant", "=", "0")])
        # In another order the same executions, though some may be run twice where loops wait. Of programs with atomic
        # sections optimal says there that it may not be complete.
        if self.reduced and int(self.number) <= BEST_FIRST_TRACES:
            yield [*BEST_FIRST, "--reduction", "optimal", *self.options], [("executions", "=", self.number)]


class Program:
    """A source file and the directives it opens with."""

    def __init__(self, path):
        self.path = pathlib.Path(path)
        self.text = self.path.read_text()
        self.blocks, self.traces = [], []
        self.settings = {"compilers": ["gcc"], "std": ["gnu++17" if self.path.suffix == ".cpp" else "gnu17"],
                         "opt": ["-O2"], "flags": [], "build": ["heddle"]}
        for line in self.text.splitlines():
            if not line.startswith("//"):
                break
            self._directive(line[2:].strip())
        if not (self.blocks or self.traces) or not all(b.expected for b in self.blocks):
            raise Failure("no `heddle:`, `traces:` or `graphs:` line, or a `heddle:` or `fixed:` line without `expect:`")

    def _directive(self, line):
        if line.startswith("heddle:"):
            self.blocks.append(Block(line[7:], fixed=False))
        elif line.startswith("fixed:"):
            self.blocks.append(Block(line[6:], fixed=True))
        elif stated := re.match("(long )?(traces|graphs):", line):
            self.traces.append(Traces(line[stated.end():], reduced=stated[2] == "traces", is_long=bool(stated[1])))
        elif line.startswith("expect:"):
            self.blocks[-1].expected += [self._expectation(w) for w in shlex.split(line[7:])]
        elif DIRECTIVE.match(line):
            parts = re.split(r"\b(compilers|std|opt|flags|build|label):\s*", line)[1:]
            for name, words in zip(parts[::2], parts[1::2]):
                self.settings[name] = shlex.split(words)

    def _expectation(self, word):
        match = re.match(r"(\w+)(<=|>=|=|~)(.*)$", word, re.S)
        if not match:
            raise Failure(f"not an expectation: {word}")
        key, relation, value = match.groups()
        if key == "weak_pair":
            value = "-".join(sorted(f"{self.path.name}:{self.line_of('@' + name)}" for name in value.split(",")))
        if key == "loops":
            value = ",".join(f"{self.path.name}:{self.line_of(name)}" for name in value.split(","))
        elif value.startswith("@"):
            value = f"{self.path.name}:{self.line_of(value)}"
        return key, relation, value

    def line_of(self, mark):
        lines = [n for n, line in enumerate(self.text.splitlines(), 1) if re.search(rf"// {mark}\b", line)]
        if len(lines) != 1:
            raise Failure(f"{len(lines)} lines carry `// {mark}`, not one")
        return lines[0]

    def configurations(self, every=False, each=False):
        """How it is compiled: in one way, which depends on the program's name; with every combination; or with each compiler,
        standard and level at least once, in turn."""
        settings = [self.settings[name] for name in ("compilers", "std", "opt")]
        if every:
            return list(itertools.product(*settings))
        if each:
            return [tuple(words[n % len(words)] for words in settings) for n in range(max(map(len, settings)))]
        way = zlib.crc32(self.path.name.encode())
        return [tuple(words[(way >> 8 * place) % len(words)] for place, words in enumerate(settings))]


class Runner:
    def __init__(self, build, program):
        self.program = program
        self.tests = pathlib.Path(__file__).resolve().parent
        self.include = self.tests.parent / "include"
        self.bin = pathlib.Path(build).resolve()
        self.work = self.bin / "tests" / "programs"
        self.heddle = str(self.bin / "heddle")
        self.last_command = ""

    def run(self, command, cwd):
        self.last_command = f"cd {cwd} && {shlex.join(command)}"
        try:
            return subprocess.run(command, cwd=cwd, capture_output=True, timeout=RUN_SECONDS,
                                  stdin=subprocess.DEVNULL, text=True, errors="replace")
        except subprocess.TimeoutExpired:
            raise Failure(f"no answer within {RUN_SECONDS} s")

    def compile(self, compiler, std, opt, fixed=False):
        """The program built in this configuration; built before if nothing that matters has changed."""
        source, settings = self.program.path.resolve(), self.program.settings
        is_c = source.suffix == ".c"
        if settings["build"] == ["plain"]:
            driver = {"gcc": ["gcc", "g++"], "clang": ["clang", "clang++"]}[compiler][0 if is_c else 1]
            command = [driver, "-g"]
        else:
            driver = str(self.bin / ("heddle-cc" if is_c else "heddle-c++"))
            command = [driver, f"--heddle-compiler={compiler}"]
        command += [f"-std={std}"] if std else []
        command += [opt, "-Wall", "-pthread", f"-I{self.include}", f"-I{self.tests / 'programs'}"]
        command += ["-DFIXED"] if fixed else []
        key = hashlib.sha256(shlex.join(command + settings["flags"]).encode())
        inputs = [source, *sorted((self.tests / "programs").glob("*.h")), *sorted(self.include.glob("**/*.h*"))]
        for path in inputs + ([pathlib.Path(driver)] if os.path.isabs(driver) else []):
            key.update(path.read_bytes())
        folder = self.work / f"{source.stem}-{key.hexdigest()[:16]}"
        binary = folder / source.stem
        if not binary.exists():
            folder.mkdir(parents=True, exist_ok=True)
            fresh = folder / f"{source.stem}.{os.getpid()}"
            done = self.run([*command, "-o", str(fresh), str(source), *settings["flags"]], folder)
            if done.returncode != 0:
                raise Failure(f"does not compile:\n{done.stderr}")
            fresh.rename(binary)
        return binary

    def check(self, binary, options, arguments):
        """One `heddle check`: its exit status, its JSON, its output."""
        folder = binary.parent
        result = folder / f"result.{os.getpid()}.json"
        result.unlink(missing_ok=True)
        jobs = [] if "--jobs" in options else ["--jobs", JOBS]
        command = [self.heddle, "check", *jobs, *options, "--json", str(result), "--", str(binary), *arguments]
        done = self.run(command, folder)
        if not result.exists():
            raise Failure(f"status {done.returncode} and no JSON\n{done.stdout}{done.stderr}")
        answer = json.loads(result.read_text())
        result.unlink()
        answer["stdout"], answer["stderr"], answer["status"] = done.stdout, done.stderr, done.returncode
        return answer

    def check_expecting(self, binary, options, arguments, expected):
        answer = self.check(binary, options, arguments)
        problems = list(compare(answer, expected))
        # Accesses that race become scheduling points by themselves, without the others' cost. Where none can, the report
        # says so; that is no program of these tests.
        if "--points all does" in answer["stdout"] + answer["stderr"]:
            problems.append("advises --points all")
        if problems:
            raise Failure("\n".join(problems) + f"\n{answer['stdout']}{answer['stderr']}")
        return answer

    def run_block(self, binary, block, twice):
        """One search; what was found is replayed, and every execution run twice if it is asked for."""
        options, expected = block.options, block.expected
        keys = [key for key, _, _ in expected]
        if "incomplete" in keys and "verdict" not in keys:
            options = ["--require-complete", *options]
            expected = [("verdict", "=", "incomplete"), ("complete", "=", "false"), ("status", "=", "4"), *expected]
        answer = self.check_expecting(binary, options, block.arguments, expected)
        for bug in [*answer["bugs"], *(bug["other"] for bug in answer["bugs"] if "other" in bug)]:
            if not bug.get("schedule"):
                raise Failure(f"bug without a schedule: {bug}")
            done = self.run([self.heddle, "replay", bug["schedule"]], binary.parent)
            if done.returncode != 1:
                raise Failure(f"replay: status {done.returncode}, not 1\n{done.stdout[-4000:]}{done.stderr[-4000:]}")
        if not twice:
            return
        options = list(block.options)
        if "--executions" in options:
            number = options.index("--executions") + 1
            options[number] = str(min(int(options[number]), VERIFY_EXECUTIONS))
        else:
            options += ["--executions", str(VERIFY_EXECUTIONS)]
        verified = self.check(binary, [*options, "--verify-determinism"], block.arguments)
        if verified["verdict"] == "uncontrolled" != answer["verdict"]:
            raise Failure(f"--verify-determinism: uncontrolled\n{verified['stdout']}{verified['stderr']}")

    def run_all(self):
        is_long, every = "HEDDLE_LONG" in os.environ, "HEDDLE_EVERY_CONFIGURATION" in os.environ
        blocks = [] if is_long else self.program.blocks
        twice = [block for block in blocks if block.can_run_twice()]
        if not every:
            twice = list({block.runs_like(): block for block in reversed(twice)}.values())  # the first of each
        all_traces = [traces for traces in self.program.traces if traces.is_long == is_long]
        for configuration in self.program.configurations(every=every, each=is_long):
            binary = self.compile(*configuration)
            mended = self.compile(*configuration, fixed=True) if any(b.fixed for b in blocks) else None
            runs = [(block.options, self.run_block, (mended if block.fixed else binary, block, block in twice)) for block in blocks]
            runs += [(options, self.check_expecting, (binary, options, traces.arguments, expected))
                     for traces in all_traces for options, expected in traces.searches()]
            for options, run, of in runs:
                try:
                    run(*of)
                except Failure as failure:
                    named = " ".join(filter(None, configuration))
                    raise Failure(f"[{named}] heddle check {shlex.join(options)}\n{failure}")


def holds(relation, actual, value):
    if relation == "~":
        return value in str(actual)
    if relation in ("<=", ">="):
        return float(actual) <= float(value) if relation == "<=" else float(actual) >= float(value)
    if isinstance(actual, bool):
        return value == str(actual).lower()
    if isinstance(actual, (list, tuple)):
        return value == ",".join(map(str, actual))
    if isinstance(actual, (set, frozenset)):
        return set(value.split(",")) == actual
    return value == str(actual)


def place(location):
    return f"{os.path.basename(location['file'])}:{location['line']}"


def field(answer, key):
    if key in ("happens_before", "by_preemptions"):
        return answer["coverage"][key]
    if key == "outcomes":
        return set(answer["outcomes"])
    if key == "weak_memory":
        return answer["weak_memory"]["holds"]
    if key == "weak_pairs":
        return len(answer["weak_memory"]["pairs"])
    if key == "weak_pair":
        return " ".join("-".join(sorted(place(pair[side]["location"]) for side in ("first", "second")))
                        for pair in answer["weak_memory"]["pairs"])
    if key == "bugs":
        return len(answer["bugs"])
    if key == "warnings":
        return len(answer["warnings"])
    if key == "warning":
        return "\n".join(answer["warnings"])
    if key == "incomplete":
        return [note["reason"] for note in answer["notes"] if note["kind"] == "incomplete"]
    if key == "kinds":
        return {bug["kind"] for bug in answer["bugs"]}
    return answer[key]


def bug_holds(bug, key, relation, value):
    if key == "step":
        told = [step["text"] for step in bug["steps"]] + [step.get("remark", "") for step in bug["steps"]]
        return any(holds(relation, text, value) for text in told)
    if key == "other":
        return holds(relation, "other" in bug, value)
    if key == "switches":
        threads = [step["thread"] for step in bug["steps"]]
        return holds(relation, sum(before != after for before, after in itertools.pairwise(threads)), value)
    if key == "livelock":
        return "livelock" in bug and value == ("fair" if bug["livelock"]["fair"] else "unfair")
    if key == "loops":
        loops = [{place(l) for l in loop["locations"]} for loop in bug["livelock"]["loops"]]
        return any(set(value.split(",")) <= loop for loop in loops)
    if key == "block":
        told = [f"{b['name']}: {b['bytes']} bytes by {b['thread']}" for b in bug["blocks"]]
        return any(holds(relation, text, value) for text in told)
    if key != "location":
        return holds(relation, bug[key], value)
    return value in [place(l) for l in bug["locations"]]


def compare(answer, expected):
    """What does not hold, one line each."""
    status = STATUS_OF.get(answer["verdict"])
    if not any(key == "status" for key, _, _ in expected) and answer["status"] != status:
        yield f"exit status {answer['status']} with verdict {answer['verdict']}"
    of_a_bug = [e for e in expected if e[0] in BUG_KEYS]
    for key, relation, value in expected:
        if key not in BUG_KEYS and not holds(relation, field(answer, key), value):
            yield f"expected {key}{relation}{value}, got {field(answer, key)}"
    # Each `kind=` opens the description of one bug.
    groups = []
    for e in of_a_bug:
        if e[0] == "kind" or not groups:
            groups.append([])
        groups[-1].append(e)
    for group in groups:
        if not any(all(bug_holds(bug, *e) for e in group) for bug in answer["bugs"]):
            wanted = " ".join("".join(e) for e in group)
            brief = [{k: b.get(k) for k in (*BUG_KEYS[:4], "locations")} for b in answer["bugs"]]
            yield f"no bug with {wanted}; got {json.dumps(brief)}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", required=True, help="build directory, where heddle and heddle-c++ are")
    parser.add_argument("source")
    options = parser.parse_args()
    runner = None
    try:
        runner = Runner(options.build, Program(options.source))
        runner.run_all()
    except Failure as failure:
        print(f"{options.source}: FAILED\n{failure}", file=sys.stderr)
        if runner:
            print(f"paste: {runner.last_command}", file=sys.stderr)
        return 1
    print(f"{options.source}: ok")
    return 0


if __name__ == "__main__":
    sys.exit(main())
