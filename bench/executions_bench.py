#!/usr/bin/env python3
"""Whole executions per second, with all checks on, against fork + exit + wait per second in the same run.

Usage: executions_bench.py BUILD-DIRECTORY [ROUNDS]
"""

import statistics
import sys

from measure import Bench, forks_per_second, print_table, processor

# program, goal as a multiple of the fork rate
GOALS = [("mutex_counter.c", 60), ("two_threads.cpp", 40), ("concurrent_queue.cpp", 12)]
# The same programs with more rounds, so that no order of the search runs out of schedules.
LONGER = [("mutex_counter.c", [4]), ("two_threads.cpp", [8]), ("concurrent_queue.cpp", [])]
ORDERS = ["random", "context-bounded", "depth-first"]


def against_forks(bench, rounds):
    fork_rate = bench.compile_plain("fork_rate.c")
    programs = {source: bench.compile(source) for source, _ in GOALS}
    forks, found = [], {source: [] for source, _ in GOALS}
    for _ in range(rounds):
        for source, _ in GOALS:
            forks.append(forks_per_second(fork_rate))
            found[source].append(bench.cost(programs[source]))
    fork = statistics.median(forks)
    rows = []
    for source, goal in GOALS:
        each, events = (statistics.median(column) for column in zip(*found[source]))
        rows.append([source, events, 1e9 / each, each, each / events, f"{1e9 / each / fork:.1f}x", f"{goal}x"])
    print(f"fork + exit + wait: {fork:,.0f} per second, {1e9 / fork:,.0f} ns")
    print_table("random schedules, all checks on",
                ["program", "events/execution", "executions/s", "ns/execution", "ns/event", "of fork rate", "goal"],
                rows)


def by_order(bench, rounds):
    rows = []
    for source, arguments in LONGER:
        program = bench.compile(source)
        costs = {order: [] for order in ORDERS}
        for _ in range(rounds):
            for order in ORDERS:
                costs[order].append(bench.cost(program, *arguments, order=order))
        for order in ORDERS:
            each, events = (statistics.median(column) for column in zip(*costs[order]))
            rows.append([" ".join([source, *map(str, arguments)]), order, events, 1e9 / each, each / events])
    print_table("by order of the search", ["program", "order", "events/execution", "executions/s", "ns/event"], rows)


def main():
    bench = Bench(sys.argv[1])
    rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 7
    print(processor())
    against_forks(bench, rounds)
    by_order(bench, rounds)


if __name__ == "__main__":
    main()
