#!/usr/bin/env python3
"""Table 1 of Musuvathi and Qadeer, "Partial-order reduction for context-bounded state exploration", MSR-TR-2007-12: how many
executions a search with a bound on preemptions needs for a work-stealing queue, by the bound and the size of the queue.

The program is tests/programs/correct/work_stealing_the.c: an owner that pushes N + 1 items into a queue for N and pops what is
there, and a thief that tries three times. It is not the paper's, whose source is not public; what can be compared is how the
numbers grow. A bound counts all executions with at most so many preemptions. `graphs` is how many happens-before graphs these
executions have (loads of the same variable commute in heddle, and do not in the paper), so what a perfect reduction would run.
`paper` is the paper's number for the same search.

Usage: table1_bench.py BUILD-DIRECTORY [BOUNDS [SIZE...]]    bounds 0 .. BOUNDS - 1 (5), sizes 3 4 5
"""

import json
import sys
import typing

from measure import PROGRAMS, Bench, print_table, run

PUSHES_MORE, STEALS = 1, 3
TESTS = PROGRAMS.parents[1] / "tests" / "programs"


class Search(typing.NamedTuple):
    """A column of the table: the options beside the bound, and what the paper has by size and bound."""
    name: str
    options: list
    paper: dict


SEARCHES = [
    Search("cb-por", ["--order", "depth-first", "--reduction", "happens-before"],
           {3: [2, 46, 713, 7838, 48828], 4: [2, 54, 853, 8458, 52572], 5: [2, 67, 1136, 14563, 95068]}),
    Search("bounded", ["--order", "depth-first", "--reduction", "bounded"], {}),
    Search("cb-dfs", ["--order", "depth-first", "--reduction", "none"],
           {3: [2, 46, 756, 8918, 66374], 4: [2, 54, 898, 12711, 95935], 5: [2, 67, 1197, 19460, 161637]}),
]


def program_of(bench):
    program = bench.path / "work_stealing_the"
    command = [bench.build / "heddle-cc", "-O2", "-g", "-pthread", f"-I{TESTS}", TESTS / "correct" / "work_stealing_the.c",
               "-o", program]
    if (done := run(command)).status != 0:
        sys.exit(done.output)
    return program


def row(bench, program, search, size, bound):
    result = bench.path / "result.json"
    command = [bench.build / "heddle", "check", *search.options, "--bound", f"preemptions={bound}", "--json", result, "--",
               program, size, size + PUSHES_MORE, STEALS]
    done = run(command)
    if done.status != 0:
        sys.exit(f"heddle check ended with status {done.status}\n{done.output}")
    answer = json.loads(result.read_text())
    if not answer["complete"]:
        sys.exit(f"not complete: {answer['guarantee']}")
    graphs = answer["coverage"]["happens_before"]
    paper = search.paper.get(size, [])
    return [str(size), str(bound), f"{answer['executions']:,}", f"{answer.get('redundant', 0):,}", f"{graphs:,}",
            f"{paper[bound]:,}" if bound < len(paper) else "", f"{done.cpu_s:.2f}"]


def main():
    bench = Bench(sys.argv[1])
    bounds = int(sys.argv[2]) if len(sys.argv) > 2 else 5
    sizes = [int(word) for word in sys.argv[3:]] or [3, 4, 5]
    program = program_of(bench)
    for search in SEARCHES:
        print_table(f"{search.name}: heddle check {' '.join(search.options)}",
                    ["size", "bound", "executions", "redundant", "graphs", "paper", "cpu s"],
                    [row(bench, program, search, size, bound) for size in sizes for bound in range(bounds)])


if __name__ == "__main__":
    main()
