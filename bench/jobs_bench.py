#!/usr/bin/env python3
"""What a second job is worth, for each order and reduction: executions for each second of one search (programs/additions.c)
with --jobs 1 and --jobs 2, in turn, the median of the rounds. By the clock, which means something on a machine with two
processors and nothing else to do; and by the processor time of all processes, of which twice as many processors are worth
twice the ratio if nobody waits: what is left out there is waiting, which is in the last column. Executions that were cut
short, or run again, do not count.

Usage: jobs_bench.py BUILD-DIRECTORY [--seconds N] [--rounds N] [--only WORDS]
"""

import argparse
import json
import os
import statistics

from measure import Bench, print_table, processor, run

DEPTH_FIRST = [("depth-first", name) for name in ("none", "sleep-sets", "dpor", "source", "optimal")]
CONTEXT_BOUNDED = [("context-bounded", name) for name in ("none", "bounded", "happens-before")]
ANY_ORDER = [(order, name) for order in ("best-first", "random") for name in ("none", "sleep-sets", "dpor", "source", "optimal")]
SAMPLED = [(name, "none") for name in ("pct", "pos", "surw", "rff")]
SEARCHES = [*DEPTH_FIRST, *CONTEXT_BOUNDED, ("depth-first", "bounded"), *ANY_ORDER, *SAMPLED, ("escalating", "optimal")]


class Rate:
    """Executions for each second: by the clock, and by processor time; and how much of the processors' time was idle."""

    def __init__(self, result, cpu_s, wall_s, jobs):
        self.wall = result["executions"] / wall_s
        self.cpu = result["executions"] / cpu_s
        self.jobs = len(result.get("jobs", [])) or 1
        self.waits = max(1 - cpu_s / (wall_s * jobs), 0)
        self.short = result["redundant"] / max(result["executions"] + result["redundant"], 1)


def measure(bench, program, order, reduction, jobs, seconds):
    result = bench.path / "result.json"
    # depth-first within a bound, for `bounded`
    bound = ["--bound", "preemptions=6"] if (order, reduction) == ("depth-first", "bounded") else []
    done = run([bench.build / "heddle", "check", "--order", order, "--reduction", reduction, *bound, "--time", f"{seconds}s",
                "--jobs", jobs, "--out", bench.path / "out", "--json", result, "--", program, 4, 9])
    return Rate(json.loads(result.read_text()), done.cpu_s, done.wall_s, jobs)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build")
    parser.add_argument("--seconds", type=int, default=4)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--only", action="append", metavar="WORDS", help="searches whose name contains this")
    options = parser.parse_args()
    bench = Bench(options.build, pinned=False)
    print(processor(), f"{len(os.sched_getaffinity(0))} processors")
    program = bench.compile("additions.c")
    table = []
    for order, reduction in SEARCHES:
        name = f"{order} {reduction}"
        if options.only and not any(words in name for words in options.only):
            continue
        rounds = [[measure(bench, program, order, reduction, jobs, options.seconds) for jobs in (1, 2)]
                  for _ in range(options.rounds)]

        def median(number, of):
            return statistics.median(getattr(one[number], of) for one in rounds)

        by_clock, by_cpu = (median(1, of) / median(0, of) for of in ("wall", "cpu"))
        table.append([name, str(rounds[0][1].jobs), f"{median(0, 'wall'):,.0f}", f"{median(1, 'wall'):,.0f}", f"{by_clock:.2f}",
                      f"{median(0, 'cpu'):,.0f}", f"{median(1, 'cpu'):,.0f}", f"{2 * by_cpu:.2f}",
                      f"{median(0, 'short'):.1%}", f"{median(1, 'short'):.1%}", f"{median(1, 'waits'):.0%}"])
    print_table("executions for each second, one job and two",
                ["search", "jobs", "clock 1", "clock 2", "worth", "processor 1", "processor 2", "worth", "short 1", "short 2",
                 "waits 2"], table)


if __name__ == "__main__":
    main()
