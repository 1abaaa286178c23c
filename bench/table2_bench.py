#!/usr/bin/env python3
"""Table 2 of Coons, Burckhardt, Musuvathi, "GAMBIT: effective unit testing for concurrency libraries", PPoPP 2010, on the bug suite
(tests/bugs): bugs found and time in total, of depth-first (DF) and best-first (BF) searches with partial-order reduction (DPOR) and
within two preemptions (PB(2)).

As in the paper a search ends at its first bug or at the limit, and the total has the limit for each bug that was not found. Where
a bound leaves the bug out, a search may also end because there is nothing left: then its own time counts. A search that draws is
run with several seeds: its row has the mean, the fewest and the most of the bugs that a seed finds, and the mean of the totals.
The limit and the times are of processor time. The paper's own figures are beside ours: hours for 23 bugs of .NET libraries, with a
limit of an hour for each.

Usage: table2_bench.py BUILD-DIRECTORY [--seconds 2] [--seeds 3] [--programs lock_,ring_] [--cache FILE] [--json FILE]
Finished searches are kept in the cache, which bugs_bench.py can use, too.
"""

import argparse
import json
import pathlib
import statistics
import sys
import typing

from bugs_bench import Cache, Strategy, suite
from measure import Bench, print_table


class Column(typing.NamedTuple):
    """A column of the paper's table: the search, and what the paper has for it."""
    group: str
    strategy: Strategy
    found: str
    hours: str


# Best-first searches are with --reduction dpor if nothing is said; so bugs_bench.py has the same searches in its cache.
BOUND = "--reduction none --bound preemptions=2"
COLUMNS = [
    Column("DPOR", Strategy("DF", "--order depth-first --reduction dpor"), "13", "11.5"),
    Column("DPOR", Strategy("BF(pb)", "--order best-first --priority pb"), "23", "0.4"),
    Column("DPOR", Strategy("BF(mdpor,pb)", "--order best-first --priority mdpor,pb"), "23", "0.3"),
    Column("DPOR", Strategy("BF(rand)", "--order best-first --priority rand", draws=True), "22", "1.2"),
    Column("PB(2)", Strategy("DF", f"--order depth-first {BOUND}"), "14", "11.8"),
    Column("PB(2)", Strategy("BF(ss,dpor)", f"--order best-first --priority ss,dpor {BOUND}"), "21", "2.4"),
    Column("PB(2)", Strategy("BF(ss,mdpor)", f"--order best-first --priority ss,mdpor {BOUND}"), "22", "1.2"),
    Column("PB(2)", Strategy("BF(rand)", f"--order best-first --priority rand {BOUND}", draws=True), "22", "1.4"),
]


def of_seed(searches, seconds):
    """What one column comes to with one seed: bugs found, bugs that the search claims not to be there, seconds, executions."""
    if broken := [s["why"] for s in searches if s["ended"] in ("broken", "refused")]:
        sys.exit(f"{len(broken)} searches gave no result, the first: {broken[0]}")
    found = [s for s in searches if s["ended"] == "found"]
    return {"found": len(found), "left_out": sum(s["ended"] == "none" for s in searches),
            "seconds": sum(min(s["cpu_s"], seconds) for s in searches), "executions": sum(s["executions"] for s in found)}


def row_of(column, seeds, count):
    found = [s["found"] for s in seeds]
    mean = statistics.mean(found)
    range_of = f"{mean:.0f}" if len(seeds) == 1 else f"{mean:.1f} ({min(found)}-{max(found)})"
    return [f"{column.group} {column.strategy.name}", f"{range_of} of {count}",
            f"{statistics.mean(s['left_out'] for s in seeds):.0f}", f"{statistics.mean(s['seconds'] for s in seeds):.1f}",
            f"{statistics.mean(s['executions'] for s in seeds):,.0f}", f"{column.found} of 23", column.hours]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build")
    parser.add_argument("--seconds", type=float, default=2, help="of processor time, the limit of one search")
    parser.add_argument("--seeds", type=int, default=3, help="searches of a strategy that draws")
    parser.add_argument("--programs", help="what begins so, separated by commas", default="")
    parser.add_argument("--cache", default="bugs_bench_cache.json")
    parser.add_argument("--json", help="writes what each column comes to here")
    options = parser.parse_args()
    bench, cache = Bench(options.build, pinned=False), Cache(options.cache)
    rows = [row for row in suite() if row.name.startswith(tuple(options.programs.split(",")))]
    table, results = [], {}
    for column in COLUMNS:
        seeds = range(1, (options.seeds if column.strategy.draws else 1) + 1)
        name = f"{column.group} {column.strategy.name}"
        results[name] = [of_seed([cache.search(bench, row, column.strategy, seed, options.seconds) for row in rows],
                                 options.seconds) for seed in seeds]
        table.append(row_of(column, results[name], len(rows)))
        print(f"{name}: {results[name]}", file=sys.stderr, flush=True)
    if options.json:
        pathlib.Path(options.json).write_text(json.dumps(results, indent=1))
    print_table(f"Table 2: {options.seconds:g} s of processor time for each search",
                ["search", "bugs found", "not within the bound", "total s", "executions, of the found", "paper", "paper, hours"],
                table)


if __name__ == "__main__":
    main()
