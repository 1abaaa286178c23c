#!/usr/bin/env python3
"""Whole searches with --reduction reads-from, under sc and under c11, beside --reduction optimal and GenMC.

GenMC's seconds (0.10.3, --rc11, another checker's text of the same program) were taken on a loaded machine beside
heddle's optimal search (commit a3db1bf) of the same program. They are scaled by what that search takes now, so a ratio
says how many times as long GenMC would take here. All times are processor time, start-up included.
"""

import argparse
import json
import sys
import typing

from measure import Bench, print_table, processor, run

RIVALS = "../rivals/"
RELAXED = ["-DORDER=memory_order_relaxed"]


class Row(typing.NamedTuple):
    name: str
    source: str
    n: int
    executions: int  # under sc; 0: not checked
    under_c11: int
    optimal_then: float
    genmc: float
    flags: typing.Sequence[str] = ()


ROWS = [
    Row("indexer, CAS", "indexer_cas.c", 15, 4096, 4096, 0.100, 1.81),
    Row("indexer, CAS", "indexer_cas.c", 16, 32768, 32768, 0.82, 23.8),
    Row("indexer, mutexes", "indexer_mutex.c", 14, 512, 512, 0.031, 1.08),
    Row("fsbench", "fsbench.c", 22, 512, 512, 0.029, 0.88),
    Row("fsbench", "fsbench.c", 26, 8192, 8192, 0.32, 17.7),
    Row("lastzero", "lastzero.c", 10, 3328, 3328, 0.044, 0.296),
    Row("lastzero", "lastzero.c", 12, 15360, 15360, 0.180, 1.33),
    Row("lastzero, relaxed", "lastzero.c", 12, 15360, 26624, 0.180, 3.07, RELAXED),
    Row("readers", "readers.c", 13, 8192, 8192, 0.108, 0.209),
    Row("readers", "readers.c", 16, 65536, 65536, 1.02, 1.55),
    Row("mutex and counter", "mutex_counter.c", 7, 5040, 5040, 0.042, 0.442),
    Row("mutex and counter", "mutex_counter.c", 8, 40320, 40320, 0.279, 3.56),
    Row("store buffering", "store_buffering.c", 12, 4095, 4095, 0.068, 1.67),
    Row("store buffering, relaxed", "store_buffering.c", 12, 4095, 4096, 0.068, 2.96, RELAXED),
    Row("message passing", "message_passing.c", 12, 4096, 4096, 0.049, 0.507),
    Row("spsc", "spsc.c", 3, 6321, 8082, 0.059, 0.307),
    Row("spsc", "spsc.c", 4, 187137, 267736, 1.30, 9.23),
    Row("fetch_add, used", "fetch_add.c", 4, 2520, 2520, 0.023, 0.172),
    Row("fetch_add, used", "fetch_add.c", 5, 113400, 113400, 0.567, 4.93),
    Row("philosophers", "philosophers.c", 9, 510, 510, 0.040, 0.115),
    Row("Treiber's stack *", "treiber_stack.cpp", 2, 0, 0, 0.053, 0.215),
    Row("Treiber's stack *", "treiber_stack.cpp", 3, 0, 0, 10.0, 21.0),
]


class Search:
    def __init__(self, build, limit):
        self.bench = Bench(build, pinned=False)
        self.limit = limit
        self.programs = {}

    def program(self, row):
        key = (row.source, *row.flags)
        if key not in self.programs:
            source = row.source if row.source.endswith(".cpp") else RIVALS + row.source
            self.programs[key] = self.bench.compile(source, *row.flags, name=f"program{len(self.programs)}")
        return self.programs[key]

    def __call__(self, row, reduction, model):
        """Executions, whether all were explored, and seconds."""
        result = self.bench.path / "result.json"
        result.unlink(missing_ok=True)
        done = run([self.bench.build / "heddle", "check", "--reduction", reduction, "--memory-model", model,
                    "--jobs", "1", "--keep-going", "--time", self.limit, "--out", self.bench.path / "out", "--json", result, "--",
                    self.program(row), row.n])
        if not result.exists():
            sys.exit(f"{row.name} {row.n}: heddle check ended with status {done.status}\n{done.output}")
        found = json.loads(result.read_text())
        return found["executions"], found["complete"], done.cpu_s


def best(search, rounds, *arguments):
    answers = [search(*arguments) for _ in range(rounds)]
    return min(answers, key=lambda answer: answer[2])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build", help="build directory, where heddle and heddle-cc are")
    parser.add_argument("--rounds", type=int, default=3, help="of which the fastest is taken (default 3)")
    parser.add_argument("--only", action="append", metavar="SOURCE", help="rows of this program, such as spsc.c")
    parser.add_argument("--time", metavar="DURATION", default="120s", help="limit of one search (default 120s)")
    options = parser.parse_args()
    search = Search(options.build, options.time)
    print(processor())
    rows, deviations = [], []
    for row in ROWS:
        if options.only and row.source not in options.only:
            continue
        # Of the sequentially consistent program, which was run beside GenMC.
        _, optimal_complete, optimal = best(search, options.rounds, row._replace(flags=()), "optimal", "sc")
        line = [row.name, str(row.n), f"{optimal:.3f}"]
        for model, expected in [("sc", row.executions), ("c11", row.under_c11)]:
            executions, complete, seconds = best(search, options.rounds, row, "reads-from", model)
            if expected and executions != expected or not complete:
                deviations.append(f"{row.name} {row.n} under {model}: {executions:,} executions, not {expected:,}"
                                  + ("" if complete else ", and not all"))
            line += [f"{executions:,}", f"{seconds:.3f}"]
            line.append(f"{optimal / seconds:.2f}x" if optimal_complete else "-")
        genmc = row.genmc * optimal / row.optimal_then
        rows.append(line[:-1] + [f"{genmc:.2f}", f"{genmc / seconds:.1f}x"])
    print_table("--reduction reads-from", ["program", "n", "optimal, s", "sc", "s", "of optimal", "c11", "s", "GenMC, s",
                                           "ratio"], rows)
    print("\n* Another text than GenMC's, which cuts attempts that fail.")
    print("\n" + "\n  ".join(["not as expected:", *deviations] if deviations else ["all numbers are as expected"]))


if __name__ == "__main__":
    main()
