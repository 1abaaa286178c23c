#!/usr/bin/env python3
"""What it costs to tell a finding of 10,000 steps: to print a recorded result, and to make words of what was recorded.

Usage: report_bench.py BUILD-DIRECTORY
"""

import statistics
import sys

from measure import Bench, print_table, run


def main():
    bench = Bench(sys.argv[1])
    program = bench.compile("long_finding.c")
    heddle, result = bench.build / "heddle", bench.path / "result.json"
    check = [heddle, "check", "--full", "--no-minimise", "--quiet", "--out", bench.path / "out", "--json", result, program]
    run(check)
    rows = []
    for name, command, goal in [("heddle check --full, until it is recorded", check, "-"),
                                ("heddle report", [heddle, "report", result], "1 s"),
                                ("heddle report --full", [heddle, "report", "--full", result], "1 s"),
                                ("heddle report --html", [heddle, "report", "--html", result], "-")]:
        rows.append([name, statistics.median(run(command).cpu_s for _ in range(5)), goal])
    print_table("a finding of 10,000 steps, processor time in s", ["command", "median", "goal"], rows)


if __name__ == "__main__":
    main()
