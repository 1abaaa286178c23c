"""Compiles programs, many at a time, asks heddle about each, and compares the answers with all behaviour of a model."""

import dataclasses
import json
import pathlib
import random
import subprocess

from . import descriptors, forks, signals, standard, walk

FAMILIES = {"descriptors": descriptors, "signals": signals, "forks": forks, "standard": standard}
SEARCHES = {"default": [], "optimal": ["--reduction", "optimal"], "source": ["--reduction", "source"],
            "happens-before": ["--reduction", "happens-before"], "none": ["--order", "depth-first", "--reduction", "none"]}
ROOT = pathlib.Path(__file__).resolve().parents[3]
COMPILERS = {"c": ("heddle-cc", "gnu17", "c"), "c++": ("heddle-c++", "gnu++20", "cpp")}
MOST_STATES = 20000
MOST_EXECUTIONS = 10000
ALWAYS = ["--keep-going", "--quiet", "--no-minimise", "--no-debug-info", "--jobs", "1", "--memory-model", "sc", "--executions",
          str(MOST_EXECUTIONS), "--time", "60s"]
TIME_LIMIT_S = 120  # of one answer, which takes a tenth of a second


@dataclasses.dataclass
class Case:
    family: str
    seed: int
    program: object
    behaviour: walk.Behaviour
    binary: str = ""

    @property
    def name(self):
        return f"{self.family}_{self.seed}"


def behaviour_of(family, program, wrong=None):
    """None: too many states."""
    try:
        return walk.all_behaviour(FAMILIES[family].Model(program, wrong), MOST_STATES)
    except walk.TooLarge:
        return None


def case_of(family, seed):
    """None: the program is too large."""
    program = FAMILIES[family].generate(random.Random(f"{family} {seed}"))
    behaviour = behaviour_of(family, program)
    return Case(family, seed, program, behaviour) if behaviour else None


def shows(case, fault):
    """Has the program other behaviour in a model with that fault?"""
    faulty = behaviour_of(case.family, case.program, fault)
    return faulty is not None and (faulty.outcomes, faulty.bugs) != (case.behaviour.outcomes, case.behaviour.bugs)


def text_of(cases):
    """Text of the cases, which are of one family. The program's argument says which one runs."""
    family = FAMILIES[cases[0].family]
    functions = "".join(family.print_program(case.program, case.name) + "\n" for case in cases)
    chosen = "".join(f"  if (strcmp(arguments[1], \"{case.name}\") == 0) {case.name}();\n" for case in cases)
    return f"{family.HEAD}\n{functions}int main(int count, char **arguments) {{\n  if (count < 2) return 2;\n{chosen}}}\n"


class Checker:
    def __init__(self, heddle, compilers, folder):
        self.heddle, self.compilers, self.folder = heddle, pathlib.Path(compilers), pathlib.Path(folder)
        self.batches = 0

    def compile(self, cases):
        """Puts the cases, which are of one family, into one binary."""
        self.batches += 1
        compiler, dialect, ending = COMPILERS[FAMILIES[cases[0].family].LANGUAGE]
        source = self.folder / f"batch{self.batches}.{ending}"
        source.write_text(text_of(cases))
        command = [str(self.compilers / compiler), f"-std={dialect}", "-O1", "-w", "-pthread", f"-I{ROOT / 'include'}", str(source), "-o",
                   str(source.with_suffix(""))]
        subprocess.run(command, cwd=self.folder, check=True)
        for case in cases:
            case.binary = str(source.with_suffix(""))

    def ask(self, case, search):
        """What heddle answers, as it writes it; a text, if it writes nothing."""
        result = self.folder / f"{case.name}-{search}.json"
        command = [str(self.heddle), "check", *ALWAYS, *SEARCHES[search], "--out", str(self.folder / "out"), "--json", str(result), "--",
                   case.binary, case.name]
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=TIME_LIMIT_S, check=False, cwd=self.folder)
            return json.loads(result.read_text())
        except subprocess.TimeoutExpired:
            return f"no end within {TIME_LIMIT_S} s"
        except (OSError, ValueError):
            return f"no result, status {done.returncode}: {done.stderr.strip()[-200:]}"
        finally:
            result.unlink(missing_ok=True)


def reasons(answer):
    return {note["reason"] for note in answer["notes"] if note["kind"] == "incomplete"}


def finds_all(answer):
    """The search is a proof; or it is none only as children are not seen, which without a reduction find all that there is."""
    if answer["complete"]:
        return True
    return answer["reduction"] == "none" and answer["stop"] == "exhausted" and reasons(answer) == {forks.NO_PROOF}


def failures(answer, wanted):
    """What is wrong with an answer, a line each. Where the search is no proof it may have missed something."""
    if isinstance(answer, str):
        return [answer]
    if answer["verdict"] == "uncontrolled":
        return ["uncontrolled: " + answer["guarantee"]]
    outcomes, bugs = set(answer["outcomes"]), {bug["kind"] for bug in answer["bugs"]}
    found = [f"false outcome {outcome}" for outcome in sorted(outcomes - wanted.outcomes)]
    found += [f"false bug {bug}" for bug in sorted(bugs - wanted.bugs)]
    if finds_all(answer):
        found += [f"outcome missed {outcome}" for outcome in sorted(wanted.outcomes - outcomes)]
        found += [f"bug missed {bug}" for bug in sorted(wanted.bugs - bugs)]
    return found


def why_not_complete(answer):
    """In few words, for counting; "" if the search is complete."""
    if isinstance(answer, str) or finds_all(answer):
        return ""
    forbidding = [note["text"] for note in answer["notes"] if note["kind"] == "incomplete"]
    return forbidding[0][:90] if forbidding else f"stopped by {answer['stop']}"
