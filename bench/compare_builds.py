#!/usr/bin/env python3
"""Processor time of whole searches with two builds of heddle, in turn within one run.

Usage: compare_builds.py BASE-BUILD NEW-BUILD [--rounds N] [--only NAME]

A change is measured against a build of the commit before it. Each build compiles the programs with its own heddle-cc.
Executions and events are exact, so they are compared too: a search that became faster because it runs less is not the
same search. Nothing here fails; the ratios are new / base, of the least and of the median of all rounds.

Where the stack lies decides which addresses get into each other's way in the caches, which is worth 5 % and more, and the
size of the environment moves it. So every round has an environment of another size.
"""

import argparse
import json
import os
import random
import statistics

from measure import PROGRAMS, Bench, print_table, processor, run

RIVALS = PROGRAMS.parent / "rivals"
# name, source, arguments of the program, options of the search
ROWS = [
    ("mutex counter", PROGRAMS / "mutex_counter.c", [], ["--order", "random", "--executions", "300000"]),
    ("two threads", PROGRAMS / "two_threads.cpp", [], ["--order", "random", "--executions", "200000"]),
    ("queue", PROGRAMS / "concurrent_queue.cpp", [], ["--order", "random", "--executions", "50000"]),
    ("queue, once", PROGRAMS / "concurrent_queue.cpp", [], ["--order", "random", "--executions", "1"]),
    ("start and end", PROGRAMS / "nothing.c", [], []),
    ("indexer 16", RIVALS / "indexer_cas.c", [16], []),
    ("fsbench 26", RIVALS / "fsbench.c", [26], []),
    ("readers 16", RIVALS / "readers.c", [16], []),
    ("readers 16, optimal", RIVALS / "readers.c", [16], ["--reduction", "optimal", "--order", "depth-first"]),
    ("treiber 3, optimal", PROGRAMS / "treiber_stack.cpp", [3],
     ["--reduction", "optimal", "--order", "depth-first", "--executions", "20000"]),
]


def measure(bench, program, arguments, options):
    result = bench.path / "result.json"
    done = run([bench.build / "heddle", "check", *options, "--out", bench.path / "out", "--json", result, "--", program,
                *map(str, arguments)])
    return done.cpu_s, json.loads(result.read_text())


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("base")
    parser.add_argument("new")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--only", action="append", metavar="NAME", help="rows whose name contains this")
    options = parser.parse_args()
    compare(options.base, options.new, ROWS, options.rounds, options.only)


def compare(base_build, new_build, rows, rounds, only):
    """Prints the table of `rows`, or of those whose name contains a word of `only`."""
    benches = [Bench(base_build), Bench(new_build)]
    print(processor())
    table = []
    for name, source, arguments, search in rows:
        if only and not any(word in name for word in only):
            continue
        programs = [bench.compile(str(source)) for bench in benches]
        seconds, results = [[], []], [None, None]
        for padding in random.Random(name).sample(range(4096), rounds):
            os.environ["HEDDLE_BENCH_PADDING"] = "x" * padding
            for side, bench in enumerate(benches):
                taken, results[side] = measure(bench, programs[side], arguments, search)
                seconds[side].append(taken)
        base, new = min(seconds[0]), min(seconds[1])
        median = statistics.median(seconds[1]) / statistics.median(seconds[0])
        counts = [f"{result['executions']:,} / {result['events']:,}" for result in results]
        table.append([name, counts[0], counts[1] if counts[1] != counts[0] else "same", f"{base:.4f}", f"{new:.4f}",
                      f"{new / base:.3f}", f"{median:.3f}"])
    print_table("processor seconds of a search",
                ["program", "executions / events, base", "new", "base", "new", "least", "median"], table)


if __name__ == "__main__":
    main()
