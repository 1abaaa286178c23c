"""Programs as files: C that can be compiled, with the program and the right answer in its first comment."""

import json

from . import print_c, reference
from .check import MOST_STATES, Case
from .program import Program

MARK = "// program: "


def to_json(program):
    return json.dumps(vars(program))


def from_json(text):
    fields = json.loads(text)
    fields["threads"] = [statements_of(thread) for thread in fields["threads"]]
    return Program(**fields)


def statements_of(block):
    """Lists within a list of statements are statements but where they are the blocks of an `if` or a loop."""
    made = []
    for statement in block:
        if statement[0] in ("if", "loop"):
            made.append(tuple(statements_of(part) if isinstance(part, list) else part for part in statement))
        else:
            made.append(tuple(statement))
    return made


def text_of(case, failures):
    """A file for a program whose answers were wrong."""
    behaviour = reference.all_behaviour(case.program, MOST_STATES)
    lines = [f"// {case.name}, compiled as {case.way}{' (C++)' if case.cpp else ''}"]
    for failure in failures:
        lines.append(f"// wrong with search {failure.search}: {failure.kind}{': ' + failure.detail if failure.detail else ''}")
    lines += ["// right: bugs: " + (", ".join(sorted(behaviour.bugs)) or "none"), "// right: outcomes:"]
    lines += [f"//   {outcome}" for outcome in sorted(behaviour.outcomes)]
    lines.append(MARK + to_json(case.program))
    return "\n".join(lines) + "\n" + print_c.print_alone(case.program, case.cpp)


def read(path):
    """The case of a file that text_of wrote."""
    lines = path.read_text().splitlines()
    way = lines[0].split("compiled as ")[1].split()[0]
    program = from_json(next(line for line in lines if line.startswith(MARK))[len(MARK):])
    return Case(path.stem, program, way, path.suffix == ".cpp", reference.all_behaviour(program, MOST_STATES))
