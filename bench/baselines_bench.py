#!/usr/bin/env python3
"""Coverage by the number of executions, as in Figures 2, 5 and 6 of Musuvathi and Qadeer, PLDI'07: context bounding (icb) and what
it is compared with there: depth-first search without a bound (dfs), within a depth (db:N), from depth to depth (idfs-N: N, 2N,
3N ...), and random schedules.

Covered are happens-before graphs, as in the paper for programs whose states cannot be seen. The program is the work-stealing queue
of table1_bench.py for three items. A search that is through has fewer executions than the column says; its number stays.

Usage: baselines_bench.py BUILD-DIRECTORY [EXECUTIONS...]    (100 1000 10000 100000)
"""

import json
import sys

from measure import Bench, print_table, run
from table1_bench import program_of

ARGUMENTS = [3, 4, 3]
SEARCHES = {
    "icb": ["--order", "context-bounded", "--reduction", "none"],
    "dfs": ["--order", "depth-first"],
    "db:20": ["--bound", "depth=20"],
    "db:40": ["--bound", "depth=40"],
    "idfs-10": ["--bound", "depth=10", "--iterate"],
    "idfs-20": ["--bound", "depth=20", "--iterate"],
    "idfs-40": ["--bound", "depth=40", "--iterate"],
    "random": ["--order", "random"],
}


def graphs(bench, program, options, executions):
    result = bench.path / "result.json"
    done = run([bench.build / "heddle", "check", *options, "--executions", executions, "--json", result, "--", program,
                *ARGUMENTS])
    if done.status != 0:
        sys.exit(f"heddle check ended with status {done.status}\n{done.output}")
    return json.loads(result.read_text())["coverage"]["happens_before"]


def main():
    bench = Bench(sys.argv[1])
    limits = [int(word) for word in sys.argv[2:]] or [100, 1000, 10000, 100000]
    program = program_of(bench)
    print_table("happens-before graphs after so many executions", ["search", *(f"{limit:,}" for limit in limits)],
                [[name, *(f"{graphs(bench, program, options, limit):,}" for limit in limits)]
                 for name, options in SEARCHES.items()])


main()
