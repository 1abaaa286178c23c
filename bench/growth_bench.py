#!/usr/bin/env python3
"""How the cost of an event and of a rewind grows with threads, events and memory written.

Usage: growth_bench.py BUILD-DIRECTORY [ROUNDS]
"""

import functools
import sys

from measure import Bench, median_of_rounds, print_table, processor

ORDERS = ["random", "context-bounded"]


def costs(bench, rounds, shapes, order="random"):
    """Median nanoseconds per execution of growth.c, for each (threads, events, kilobytes)."""
    program = bench.compile("growth.c")
    measure = lambda shape: bench.cost(program, *shape, order=order)[0]
    return median_of_rounds(rounds, [functools.partial(measure, shape) for shape in shapes])


def by_threads(bench, rounds):
    threads, few, many = [2, 4, 8, 16, 32, 64], 128, 1280
    shapes = [(count, events, 0) for count in threads for events in (few, many)]
    columns = {order: costs(bench, rounds, shapes, order) for order in ORDERS}
    rows = []
    for i, count in enumerate(threads):
        row = [str(count)]
        for order in ORDERS:
            event = (columns[order][2 * i + 1] - columns[order][2 * i]) / (many - few)
            first = (columns[order][1] - columns[order][0]) / (many - few)
            thread = (columns[order][2 * i] - event * few) / count
            row += [event, f"{event / first:.2f}x", thread]
        rows.append(row)
    names = [name for order in ORDERS for name in (f"ns/event, {order}", "of 2 threads", "ns/thread")]
    print_table("by threads: an event, and a thread's life with its share of main and the rewind",
                ["threads", *names], rows)


def by_events(bench, rounds):
    counts = [16, 100, 1_000, 10_000, 100_000]  # the least is four for each thread
    columns = {order: costs(bench, rounds, [(4, count, 0) for count in counts], order) for order in ORDERS}
    rows = []
    for i, count in enumerate(counts):
        row = [f"{count:,}"]
        for order in ORDERS:
            row += [columns[order][i] / 1000, columns[order][i] / count]
        rows.append(row)
    names = [name for order in ORDERS for name in (f"us/execution, {order}", "ns/event")]
    print_table("by events per execution: 4 threads", ["events", *names], rows)


def by_memory(bench, rounds):
    kilobytes = [0, 4, 64, 1024, 16 * 1024, 64 * 1024]
    column = costs(bench, rounds, [(4, 16, size) for size in kilobytes])
    rows = [[f"{size:,} KB", cost, cost / column[0], (cost - column[0]) / (size // 4) if size else "-"]
            for size, cost in zip(kilobytes, column)]
    print_table("by memory written, of a table of 64 MB filled before main: 4 threads, 16 events",
                ["written", "ns/execution", "of none", "ns/page"], rows)


def main():
    bench = Bench(sys.argv[1])
    rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 5
    print(processor())
    by_threads(bench, rounds)
    by_events(bench, rounds)
    by_memory(bench, rounds)


if __name__ == "__main__":
    main()
