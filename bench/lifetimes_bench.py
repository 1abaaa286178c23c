#!/usr/bin/env python3
"""What it costs to check each access against the life of its memory: an execution of heddle beside a run of the same program
under AddressSanitizer and under valgrind.

Usage: lifetimes_bench.py BUILD-DIRECTORY

A run begins a process, and sees one schedule; an execution does not begin one, and is chosen. Needs valgrind; without it the
column is empty.
"""

import shutil
import subprocess
import sys

from measure import PROGRAMS, Bench, median_of_rounds, print_table, processor, run

ROWS = [("concurrent_queue.cpp", []), ("plain_accesses.c", [1000]), ("plain_accesses.c", [100000])]


def compile_with(bench, source, name, *options):
    program = bench.path / f"{source.split('.')[0]}-{name}"
    compiler = "c++" if source.endswith(".cpp") else "cc"
    subprocess.run([compiler, "-O2", "-g", "-pthread", *options, PROGRAMS / source, "-o", program], check=True)
    return program


def run_cost(command, runs):
    """Microseconds of a run of the command."""
    return lambda: sum(run(command).cpu_s for _ in range(runs)) / runs * 1e6


def main(build):
    bench = Bench(build)
    valgrind = shutil.which("valgrind")
    rows = []
    for source, arguments in ROWS:
        program = bench.compile(source)
        plain = compile_with(bench, source, "plain")
        checked = compile_with(bench, source, "asan", "-fsanitize=address")
        measurements = [run_cost([plain, *arguments], 20), run_cost([checked, *arguments], 20),
                        lambda program=program, arguments=arguments: bench.cost(program, *arguments)[0] / 1e3]
        if valgrind:
            measurements.append(run_cost([valgrind, "-q", plain, *arguments], 2))
        costs = median_of_rounds(5, measurements)
        rows.append([" ".join([source, *map(str, arguments)]), costs[0], costs[1], costs[3] if valgrind else "-", costs[2]])
    print(processor())
    print_table("processor time, in µs", ["program", "a run", "AddressSanitizer", "valgrind", "an execution of heddle"], rows)


if __name__ == "__main__":
    main(sys.argv[1])
