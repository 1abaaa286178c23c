#!/usr/bin/env python3
"""Every reason for which a search is no proof (src/claim/incomplete.def) is shown by a test, and docs/claims.md has it.

A program of tests/programs shows it by `incomplete=NAME` in its header: run_program.py then sees to it that the search is not complete,
and that --require-complete ends with 4. What no small program can bring about is shown by the test that ELSEWHERE names."""

import pathlib
import re
import sys

TESTS = pathlib.Path(__file__).resolve().parent.parent
ROOT = TESTS.parent
ELSEWHERE = {
    "unreadable": "unit/explore_context_bounded_test.cpp",  # a disk that loses what was written to it
    "suppressed-ending": "cli/test_suppressions_memory.py",  # takes a file
    "report-full": "unit/report_assemble_test.cpp",  # a GB of findings
}
UNSHOWN = {
    "unwatched": "a kernel that does not hand system calls over",
    "many-races": "a program with 4,096 findings takes minutes",
    "unplaced-race": "code of which nobody knows the file, or more racing places than there is room for",
    "nameless-module": "two libraries of one name, each with an object that is destroyed beside its use",
}


def main():
    table = (ROOT / "src/claim/incomplete.def").read_text()
    reasons = dict(re.findall(r'^INCOMPLETE\((\w+), "([\w-]+)",', table, re.M))
    assert len(reasons) == len(re.findall(r"^INCOMPLETE\(", table, re.M)), "a line that is not understood"
    shown = set()
    for program in TESTS.glob("programs/*/*.c*"):
        for names in re.findall(r"^// expect:.*\bincomplete=([\w,-]+)", program.read_text(), re.M):
            shown.update(names.split(","))
    documented = set(re.findall(r"^\* `([\w-]+)`: ", (ROOT / "docs/claims.md").read_text(), re.M))
    wrong = [f"{name} is no reason, but a program expects it" for name in shown - set(reasons.values())]
    for constant, name in reasons.items():
        test = ELSEWHERE.get(name)
        if name in shown and (test or name in UNSHOWN):
            wrong.append(f"{name}: shown by a program, so it needs no exception")
        elif test and f"Incomplete::k{constant}" not in (TESTS / test).read_text() and name not in (TESTS / test).read_text():
            wrong.append(f"{name}: tests/{test} does not show it")
        elif name not in shown and not test and name not in UNSHOWN:
            wrong.append(f"{name}: no program shows it")
        if name not in documented:
            wrong.append(f"{name}: docs/claims.md does not have it")
    print("\n".join(wrong) or f"{len(reasons)} reasons")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
