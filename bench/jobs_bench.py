#!/usr/bin/env python3
"""What a second job is worth, for each order and reduction: executions for each second of one search with --jobs 1 and
--jobs 2, in turn, the median of the rounds, of three programs: atomic additions, a mutex, and a lock-free stack.

By processor time of all processes, of which twice as many processors are worth twice the ratio, less what the two
processes wait for work. That is looked at while they run: how often one of them is found asleep, and not running or about
to. So the figure means something on a machine that has other work, too; that by the clock, only on one that has none.
Executions that were cut short, or run again, do not count.

Usage: jobs_bench.py BUILD-DIRECTORY [--seconds N] [--rounds N] [--only WORDS]
"""

import argparse
import json
import os
import statistics
import subprocess
import time

from measure import Bench, print_table, processor

DEPTH_FIRST = [("depth-first", name) for name in ("none", "sleep-sets", "dpor", "source", "optimal", "bounded", "happens-before")]
CONTEXT_BOUNDED = [("context-bounded", name) for name in ("none", "bounded", "happens-before")]
ANY_ORDER = [(order, name) for order in ("best-first", "random") for name in ("none", "sleep-sets", "dpor", "source", "optimal")]
SAMPLED = [(name, "none") for name in ("pct", "pos", "surw", "rff")]
SEARCHES = [*DEPTH_FIRST, *CONTEXT_BOUNDED, *ANY_ORDER, *SAMPLED, ("escalating", "optimal")]
PROGRAMS = [("additions.c", [4, 9]), ("mutex_counter.c", [6]), ("treiber_stack.cpp", [7])]


def asleep(pid):
    """Of the processes of the program, in which share nothing runs or is about to; nothing if there are no two of them."""
    states = []
    try:
        with open(f"/proc/{pid}/task/{pid}/children", encoding="ascii") as children:
            for child in children.read().split():
                with open(f"/proc/{child}/stat", encoding="ascii", errors="replace") as stat:
                    states.append(stat.read().rpartition(")")[2].split()[0])
    except OSError:
        return None
    return states.count("S") / len(states) if len(states) > 1 else None


class Rate:
    """Executions for each second: by the clock, and by processor time; and how often a job had nothing to do."""

    def __init__(self, command, result):
        begin = time.perf_counter()
        child = subprocess.Popen([str(word) for word in command], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        looks = []
        while os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None:
            share = asleep(child.pid)
            if share is not None:
                looks.append(share)
            time.sleep(0.005)
        _, _, usage = os.wait4(child.pid, 0)
        wall = time.perf_counter() - begin
        found = json.loads(result.read_text())
        self.wall = found["executions"] / wall
        self.cpu = found["executions"] / (usage.ru_utime + usage.ru_stime)
        self.jobs = len(found.get("jobs", [])) or 1
        self.waits = statistics.fmean(looks) if looks else 0
        self.short = found["redundant"] / max(found["executions"] + found["redundant"], 1)


def measure(bench, program, order, reduction, jobs, seconds):
    result = bench.path / "result.json"
    # depth-first within a bound, for `bounded`
    bound = ["--bound", "preemptions=6"] if (order, reduction) == ("depth-first", "bounded") else []
    return Rate([bench.build / "heddle", "check", "--order", order, "--reduction", reduction, *bound, "--time", f"{seconds}s",
                 "--jobs", jobs, "--keep-going", "--out", bench.path / "out", "--json", result, "--", *program], result)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build")
    parser.add_argument("--seconds", type=int, default=4)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--only", action="append", metavar="WORDS", help="searches whose name contains this")
    options = parser.parse_args()
    bench = Bench(options.build, pinned=False)
    print(processor(), f"{len(os.sched_getaffinity(0))} processors, load {os.getloadavg()[0]:.1f}")
    for source, arguments in PROGRAMS:
        program = [bench.compile(source), *arguments]
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
            table.append([name, str(rounds[0][1].jobs), f"{median(0, 'cpu'):,.0f}", f"{median(1, 'cpu'):,.0f}",
                          f"{median(1, 'waits'):.1%}", f"{2 * by_cpu * (1 - median(1, 'waits')):.2f}", f"{by_clock:.2f}",
                          f"{median(0, 'short'):.1%}", f"{median(1, 'short'):.1%}"])
        print_table(f"{source} {' '.join(map(str, arguments))}: executions for each second of processor time, one job and two",
                    ["search", "jobs", "one", "two", "waits", "worth", "by clock", "short 1", "short 2"], table)
        print(f"load {os.getloadavg()[0]:.1f}", flush=True)


if __name__ == "__main__":
    main()
