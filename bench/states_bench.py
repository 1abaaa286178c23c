#!/usr/bin/env python3
"""Search by states of the program (docs/algorithms/states.md): how many there are, how many are taken in a second of processor time,
and what they cost in the table; and how many of them each bound on preemptions reaches, as Figure 4 of Musuvathi and Qadeer,
"Iterative context bounding for systematic testing of multithreaded programs", PLDI'07, has it for Bluetooth and a file system.

`schedules` are those of plain enumeration, up to a limit.

Usage: states_bench.py BUILD-DIRECTORY [NAME...]
"""

import json
import sys
import typing

from measure import PROGRAMS, Bench, print_table, run

TESTS = PROGRAMS.parents[1] / "tests" / "programs"
MOST_SCHEDULES = 200_000


class Program(typing.NamedTuple):
    name: str
    source: str
    arguments: list


ALL = [
    Program("counters 2x10", "correct/states_counters.c", ["10"]),
    Program("Bluetooth, 1 worker", "correct/states_bluetooth.c", ["1"]),
    Program("Bluetooth, 2 workers", "correct/states_bluetooth.c", ["2"]),
    Program("file system, 4 threads", "correct/states_file_system.c", ["4"]),
    Program("transaction manager", "correct/states_transactions.c", []),
    Program("work-stealing queue, 3", "correct/work_stealing_the.c", ["3", "1", "3"]),
]


def check(bench, program, arguments, options):
    result = bench.path / "result.json"
    done = run([bench.build / "heddle", "check", "--no-minimise", "--quiet", "--out", bench.path / "out", "--json", result, *options,
                "--", program, *arguments])
    if done.status != 0:
        sys.exit(f"{program.name}: heddle check ended with status {done.status}\n{done.output}")
    return json.loads(result.read_text()) | {"cpu_s": done.cpu_s}


def compile_program(bench, source):
    program = bench.path / source.replace("/", "_").removesuffix(".c")
    done = run([bench.build / "heddle-cc", "-O2", "-g", "-pthread", f"-I{TESTS}", TESTS / source, "-o", program])
    if done.status != 0:
        sys.exit(done.output)
    return program


def main():
    bench = Bench(sys.argv[1])
    names = sys.argv[2:]
    rows, bounds = [], []
    for one in ALL:
        if names and not any(name in one.name for name in names):
            continue
        program = compile_program(bench, one.source)
        for races in ([], ["--no-races"]):
            states = check(bench, program, one.arguments, ["--visited", "states", *races])
            rows.append([one.name + (", no races" if races else ""), f"{states['states']:,}",
                         f"{states['executions'] + states['redundant']:,}",
                         f"{states['states'] / max(states['cpu_s'], 1e-3):,.0f}", f"{states['state_bytes'] / states['states']:,.0f}"])
        zing = check(bench, program, one.arguments, ["--preset", "zing"])
        reached, shares = 0, []
        for first in zing["states_by_bound"]:
            reached += first
            shares.append(f"{100 * reached / zing['states']:.0f}")
        plain = check(bench, program, one.arguments, ["--order", "depth-first", "--executions", str(MOST_SCHEDULES)])
        schedules = f"{plain['executions']:,}" + ("" if plain["complete"] else " and more")
        bounds.append([one.name, f"{zing['states']:,}", schedules, " ".join(shares)])
    print_table("states", ["program", "states", "executions begun", "states/s", "bytes each"], rows)
    print_table("bounds", ["program", "states", "schedules", "% of the states within 0, 1, 2 ... preemptions"], bounds)


if __name__ == "__main__":
    main()
