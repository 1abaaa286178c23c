#!/usr/bin/env python3
"""What the reductions within a bound save on real queues, and how that grows with the program: a work-stealing queue
(tests/programs/correct/work_stealing_the.c), moodycamel's and Boost.Lockfree's as Debian ships them (programs/), with
--order context-bounded and at most 2 and 3 preemptions. Executions without those that were run again or cut short,
processor time of the whole search, memory of its largest process. A `>` is before what is not complete: the search was stopped
after SECONDS, or says itself that schedules may be missing.

Usage: bounds_bench.py BUILD-DIRECTORY [SECONDS]    60
"""

import json
import sys

from measure import Bench, print_table, run
from table1_bench import program_of

REDUCTIONS = ["none", "bounded", "happens-before"]
BOUNDS = [2, 3]


def cells(bench, program, arguments, reduction, bound, seconds):
    result = bench.path / "result.json"
    done = run([bench.build / "heddle", "check", "--order", "context-bounded", "--bound", f"preemptions={bound}", "--reduction",
                reduction, "--no-races", "--time", f"{seconds}s", "--out", bench.path / "out", "--json", result, "--", program,
                *arguments])
    if done.status != 0:
        sys.exit(f"{program} {arguments}: heddle check ended with status {done.status}\n{done.output}")
    answer = json.loads(result.read_text())
    through = "" if answer["complete"] else ">"
    return [f"{through}{answer['executions']:,}", f"{through}{done.cpu_s:.2f}", f"{answer['peak_memory_bytes'] >> 20}"]


def main():
    bench = Bench(sys.argv[1])
    seconds = int(sys.argv[2]) if len(sys.argv) > 2 else 60
    moodycamel = bench.compile("moodycamel_queue.cpp")
    boost = bench.compile("boost_queue.cpp")
    programs = [("THE", program_of(bench), [(n, n + 1, 3) for n in (3, 4, 5, 6)]),
                ("moodycamel", moodycamel, [(2, 1), (2, 2), (3, 1), (3, 2)]),
                ("Boost", boost, [(2, 1), (2, 2), (3, 1), (3, 2)])]
    for bound in BOUNDS:
        columns = ["queue"] + [f"{reduction}{unit}" for reduction in REDUCTIONS for unit in ("", " s", " MB")]
        rows = [[f"{name} {' '.join(map(str, arguments))}"]
                + [cell for reduction in REDUCTIONS for cell in cells(bench, program, arguments, reduction, bound, seconds)]
                for name, program, shapes in programs for arguments in shapes]
        print_table(f"at most {bound} preemptions", columns, rows)


if __name__ == "__main__":
    main()
