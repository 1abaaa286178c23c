#!/usr/bin/env python3
"""Whole searches that visit every trace once, beside what other checkers took for the same programs.

One row is one program of bench/rivals: `heddle check` from its start to its end, all checks on, in wall time, as the
others were measured. Their figures are in bench/rivals/figures.csv and come from another machine with two processors;
a ratio says how many times as long they took. Nothing here fails on a slow machine; a number of executions that is not
the number of traces is told with the number expected.
"""

import argparse
import csv
import json
import math
import pathlib
import statistics
import sys

from measure import Bench, print_table, processor, run

RIVALS = pathlib.Path(__file__).resolve().parent / "rivals"
TOOLS = {"nidhugg_source": "Nidhugg", "nidhugg_optimal": "Nidhugg, optimal", "genmc": "GenMC",
         "cdschecker": "CDSChecker", "simgrid": "SimGrid"}
NIDHUGG = ["nidhugg_source", "nidhugg_optimal"]
MEGABYTE = 1 << 20
RING_TRIES = 9  # of ring.c, when not given

# The number of traces of each program; its first comment says why.
TRACES = {
    "indexer_cas": lambda n: 8 ** max(0, n - 11),
    "indexer_mutex": lambda n: 8 ** max(0, n - 11),
    "fsbench": lambda n: 2 ** max(0, n - 13),
    "lastzero": lambda n: (n + 3) * 2 ** (n - 2),
    "readers": lambda n: 2 ** n,
    "fetch_add": lambda n: math.factorial(2 * n) // 2 ** n,
    "mutex_counter": math.factorial,
    "store_buffering": lambda n: 2 ** n - 1,
    "message_passing": lambda n: 2 ** n,
    "ring": lambda n: {1: RING_TRIES + 1, 2: (RING_TRIES + 1) * (2 * RING_TRIES + 1),
                       3: 8 * RING_TRIES ** 3 + 10 * RING_TRIES ** 2 + RING_TRIES + 1}[n],
    "philosophers": lambda n: 2 ** n - 2,
    "producer_consumer": lambda n: 2 ** (2 * n - 1),
}
# Small enough for plain enumeration.
SMALL = {"indexer_cas": 2, "indexer_mutex": 2, "fsbench": 3, "lastzero": 4, "readers": 6, "fetch_add": 3,
         "mutex_counter": 6, "store_buffering": 4, "message_passing": 6, "ring": 2, "philosophers": 3,
         "producer_consumer": 4}


class Row:
    """A line of figures.csv, and later what heddle took."""

    def __init__(self, line):
        self.table, self.name, self.program, self.n = line["table"], line["row"], line["program"], int(line["n"])
        self.same = line["same"] == "yes"
        self.seconds_of = {tool: float(line[tool]) for tool in TOOLS if line[tool]}

    def make_small(self):
        self.n, self.seconds_of = SMALL[self.program], {}

    def best(self, tools):
        """The fastest of these tools and its time, or None."""
        taken = [(seconds, tool) for tool, seconds in self.seconds_of.items() if tool in tools]
        return min(taken, default=None)

    def measure(self, search):
        first = search(self.program, self.n)
        # Long searches scatter less.
        rounds = search.rounds if first["wall_s"] < 2 else min(search.rounds, 3) if first["wall_s"] < 20 else 1
        runs = [first] + [search(self.program, self.n) for _ in range(rounds - 1)]
        self.executions, self.redundant = first["executions"], first["redundant"]
        self.complete, self.graphs = first["complete"], first["coverage"]["happens_before"]
        self.seconds = statistics.median(each["wall_s"] for each in runs)
        self.peak = statistics.median(each["peak_bytes"] for each in runs) / MEGABYTE

    def deviation(self, reduction):
        """What differs from one execution for each trace, as one line; None if nothing does."""
        expected = TRACES[self.program](self.n)
        found = self.graphs if reduction == "none" else self.executions
        if not self.complete:
            return f"{self.program} {self.n}: not complete after {self.executions:,} executions"
        if found != expected:
            return f"{self.program} {self.n}: {found:,} traces, not {expected:,}"
        if self.redundant:
            return f"{self.program} {self.n}: {self.redundant:,} redundant executions"
        return None


class Search:
    """`heddle check` on the programs of bench/rivals."""

    def __init__(self, options):
        self.bench = Bench(options.build, pinned=False)
        self.rounds = options.rounds
        self.options = ["--order", "depth-first", "--reduction", options.reduction]
        self.options += ["--time", options.time] if options.time else []
        self.programs = {}

    def __call__(self, program, n):
        if program not in self.programs:
            self.programs[program] = self.bench.compile(str(RIVALS / f"{program}.c"))
        result = self.bench.path / "result.json"
        result.unlink(missing_ok=True)
        done = run([self.bench.build / "heddle", "check", *self.options, "--out", self.bench.path / "out",
                    "--json", result, "--", self.programs[program], n])
        if done.status != 0:
            sys.exit(f"{program} {n}: heddle check ended with status {done.status}\n{done.output}")
        return json.loads(result.read_text()) | {"wall_s": done.wall_s, "peak_bytes": done.peak_bytes}


def cells(row):
    """The line of a row: counts, cost, the fastest other checker, Nidhugg, and how many times as long they took.
    A search that is not complete is compared with nobody."""
    def against(tools):
        best = row.best(tools)
        if not best:
            return ["-", "-"]
        seconds, tool = best
        name = "" if tools is NIDHUGG else f" {TOOLS[tool]}"
        ratio = f"{seconds / row.seconds:.1f}x" + ("" if row.same else " *") if row.complete else "-"
        return [f"{seconds:.2f}{name}", ratio]

    best, best_ratio = against(list(TOOLS))
    nidhugg, nidhugg_ratio = against(NIDHUGG)
    return [row.name, str(row.n), f"{row.executions:,}", f"{row.redundant:,}", f"{row.seconds:.3f}", f"{row.peak:.0f}",
            best, best_ratio, nidhugg, nidhugg_ratio]


COLUMNS = ["program", "n", "executions", "redundant", "s", "peak MB",
           "best other, s", "ratio", "Nidhugg, s", "ratio"]


def print_markdown(title, columns, rows):
    print(f"\n{title}\n")
    for row in [columns, ["---"] * len(columns), *rows]:
        print("| " + " | ".join(row) + " |")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build", help="build directory, where heddle and heddle-cc are")
    parser.add_argument("--reduction", default="optimal", help="of heddle check (default optimal)")
    parser.add_argument("--rounds", type=int, default=5,
                        help="of which the median is taken (default 5; fewer above 2 s)")
    parser.add_argument("--only", action="append", choices=TRACES, metavar="PROGRAM",
                        help="this program of bench/rivals; may be given several times")
    parser.add_argument("--small", action="store_true", help="sizes that --reduction none can finish")
    parser.add_argument("--time", metavar="DURATION", help="limit of one search, such as 60s")
    parser.add_argument("--markdown", action="store_true", help="print the tables for docs/perf.md")
    options = parser.parse_args()
    if options.rounds < 1:
        parser.error("--rounds must be at least 1")

    lines = [line for line in (RIVALS / "figures.csv").read_text().splitlines() if not line.startswith("#")]
    rows = [row for row in map(Row, csv.DictReader(lines)) if row.program in (options.only or TRACES)]
    if options.small:
        rows = [row for row in rows if row.table == "rivals"]
        for row in rows:
            row.make_small()

    search = Search(options)
    print(processor())
    for row in rows:
        row.measure(search)
    show = print_markdown if options.markdown else print_table
    for table, title in [("rivals", "every trace once"), ("growth", "how it grows")]:
        of_table = [cells(row) for row in rows if row.table == table]
        if of_table:
            show(f"{title} (heddle check --order depth-first --reduction {options.reduction})", COLUMNS, of_table)
    if any(not row.same and row.seconds_of for row in rows):
        print("\n* The others ran another text of this program, with a number of traces of its own.")
    deviations = [text for row in rows if (text := row.deviation(options.reduction))]
    print("\n" + "\n  ".join(["not as expected:", *deviations] if deviations
                             else ["all numbers of traces are as expected"]))


if __name__ == "__main__":
    main()
