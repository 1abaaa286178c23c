#!/usr/bin/env python3
"""Figure 5 of Coons, Burckhardt, Musuvathi, "GAMBIT: effective unit testing for concurrency libraries", PPoPP 2010: what a search
keeps of executions that are still to be run, as executions add up.

As in the paper a node counts as 16 bytes, and the searches are those of Fig. 5: BF(mdpor,pb) with partial-order reduction (DPOR)
and BF(mdpor) within two preemptions (PB(2)); beside each of them the depth-first search of the same executions. The number is the
most nodes that there were at a time in so many executions (`peak_nodes`), where the paper plots how many there are: ours never falls.
`process` is the most memory of the program's process, which holds the search and the program.

The programs have no bug: a bounded buffer, which is the paper's kind of program, and a work-stealing queue whose executions are few
enough to come to the end.

Usage: figure5_bench.py BUILD-DIRECTORY [EXECUTIONS...]     1,000 3,000 ... 300,000 if not given
"""

import json
import subprocess
import sys
import typing

from measure import PROGRAMS, Bench, print_table, run

TESTS = PROGRAMS.parents[1] / "tests"
NODE_BYTES, MEGABYTE = 16, 1e6


class Program(typing.NamedTuple):
    """A program that has no bug, with its arguments and the compiler's."""
    name: str
    source: str
    arguments: list
    flags: list


SUBJECTS = [
    Program("bounded buffer", "bugs/condvar_if_stolen.cpp", [], ["-DFIXED"]),
    Program("work-stealing queue", "programs/correct/work_stealing_the.c", [3, 4, 3], []),
]
SEARCHES = {
    "DPOR DF": "--order depth-first --reduction dpor",
    "DPOR BF(mdpor,pb)": "--order best-first --reduction dpor --priority mdpor,pb",
    "PB(2) DF": "--order depth-first --reduction none --bound preemptions=2",
    "PB(2) BF(mdpor)": "--order best-first --reduction none --priority mdpor --bound preemptions=2",
}


def compile_program(bench, subject):
    source = TESTS / subject.source
    program = bench.path / source.stem
    driver = bench.build / ("heddle-c++" if source.suffix == ".cpp" else "heddle-cc")
    subprocess.run([driver, "-O2", "-g", "-pthread", f"-I{TESTS / 'programs'}", f"-I{TESTS.parent / 'include'}", *subject.flags,
                    source, "-o", program], check=True)
    return program


def search(bench, program, subject, options, executions):
    result = bench.path / "result.json"
    done = run([bench.build / "heddle", "check", *options.split(), "--jobs", 1, "--executions", executions, "--quiet", "--out",
                bench.path / "out", "--json", result, "--", program, *subject.arguments])
    if done.status != 0:
        sys.exit(f"{subject.name}: heddle check ended with status {done.status}\n{done.output}")
    return json.loads(result.read_text())


def rows_of(bench, program, subject, counts):
    for name, options in SEARCHES.items():
        for executions in counts:
            found = search(bench, program, subject, options, executions)
            nodes = found["peak_nodes"]
            yield [name, f"{found['executions']:,}" + (" (all)" if found["complete"] or found["completed_bound"] == 2 else ""),
                   f"{nodes:,}", f"{nodes * NODE_BYTES / MEGABYTE:.3f}", f"{found['peak_memory_bytes'] / MEGABYTE:.1f}"]
            if found["executions"] < executions:
                break


def main():
    bench = Bench(sys.argv[1], pinned=False)
    counts = [int(word) for word in sys.argv[2:]] or [1_000, 3_000, 10_000, 30_000, 100_000, 300_000]
    for subject in SUBJECTS:
        program = compile_program(bench, subject)
        print_table(f"{subject.name}: {subject.source} {' '.join(map(str, subject.arguments + subject.flags))}",
                    ["search", "executions", "most nodes", "MB by 16 bytes", "process, MB"],
                    list(rows_of(bench, program, subject, counts)))


if __name__ == "__main__":
    main()
