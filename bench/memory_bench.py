#!/usr/bin/env python3
"""What a search costs besides its executions: the start of heddle check, and the memory it holds as executions add up.

Usage: memory_bench.py BUILD-DIRECTORY [--long]     with --long up to 10 million executions
"""

import statistics
import sys

from measure import Bench, print_table, processor, run

# A handful of graphs again and again, and nearly every execution a new one.
PROGRAMS = [("mutex_counter.c", [4]), ("two_threads.cpp", [8])]
# The first two have exponentially many branches waiting at a time.
TREES = [("writer_and_reader.c", [23]), ("readers.c", [24]), ("treiber_stack.cpp", [3])]
ORDERS = ["random", "context-bounded"]
MEGABYTE = 1 << 20


def start_up(bench, rounds=31):
    program = bench.compile("nothing.c")
    check = [bench.build / "heddle", "check", "--out", bench.path / "out", "--", program]
    rows = []
    for name, command, goal in [("the program alone", [program], "-"), ("heddle check", check, "20 ms")]:
        wall, processor_time = [], []
        for _ in range(rounds):
            done = run(command)
            processor_time.append(done.cpu_s * 1e3)
            wall.append(done.wall_s * 1e3)
        rows.append([name, statistics.median(wall), min(wall), statistics.median(processor_time), goal])
    print_table("start to end, in ms", ["command", "median", "least", "processor time", "goal"], rows)


def by_executions(bench, counts):
    rows = []
    for source, arguments in PROGRAMS:
        program = bench.compile(source)
        for order in ORDERS:
            before = None
            for executions in counts:
                found = bench.search(program, *arguments, executions=executions, order=order)
                peak = found["peak_memory_bytes"]
                done = found["executions"]
                slope = (peak - before[1]) / (done - before[0]) if before else 0
                rows.append([" ".join([source, *map(str, arguments)]), order, f"{done:,}", peak / MEGABYTE,
                             f"{slope:.2f}" if before else "-",
                             f"{found['coverage']['happens_before']:,}"])
                before = (done, peak)
                if done < executions:
                    break  # the space is explored
    print_table("peak memory of the program's process, which holds the search",
                ["program", "order", "executions", "process, MB", "bytes/execution", "graphs"], rows)


def tree(bench, counts):
    """The execution tree of the default search: what waits to be run, in memory and beyond."""
    rows = []
    for source, arguments in TREES:
        program = bench.compile(source)
        for executions in counts:
            found = bench.search(program, *arguments, executions=executions, order="depth-first", reduction="optimal")
            rows.append([" ".join([source, *map(str, arguments)]), f"{found['executions']:,}", f"{found['peak_nodes']:,}",
                         found["peak_memory_bytes"] / MEGABYTE])
    print_table("execution tree of `optimal`", ["program", "executions", "most nodes", "process, MB"], rows)


def main():
    bench = Bench(sys.argv[1])
    counts = [100_000, 1_000_000] + ([10_000_000] if "--long" in sys.argv else [])
    print(processor())
    start_up(bench)
    by_executions(bench, counts)
    tree(bench, counts)


if __name__ == "__main__":
    main()
