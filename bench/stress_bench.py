#!/usr/bin/env python3
"""How many bugs of the suite show when its programs are simply run again and again, as they are or with ThreadSanitizer, beside
what one `heddle check` finds: the table at the top of README.md, and "Without heddle" in docs/bug-suite.md.

A program fails if its assertion fails, it crashes, or it hangs (more than HANG seconds). With ThreadSanitizer its reports count, too,
except for programs in which races are meant. Each program is run until it fails, at most RUNS times. Nothing here fails on a slow
machine; on a busy one a stress test finds more, because threads are preempted more often.
"""

import argparse
import os
import signal
import subprocess
import sys

from bugs_bench import INCLUDES, suite
from measure import Bench, print_table

HANG = 10
TOOLS = {"stress test": [], "ThreadSanitizer": ["-fsanitize=thread"]}


def compile_row(bench, row, tool, options):
    cxx = row.source.suffix == ".cpp"
    program = bench.path / f"{row.source.stem}-{tool.replace(' ', '-')}"
    if not program.exists():
        subprocess.run(["g++" if cxx else "gcc", "-std=gnu++17" if cxx else "-std=gnu17", "-O2", "-g", "-w", "-pthread", *options,
                        *(f"-I{include}" for include in INCLUDES), row.source, "-o", program, "-latomic"], check=True)
    return program


def fails(program, row, reports_count):
    environment = os.environ | {"TSAN_OPTIONS": f"exitcode={66 if reports_count else 0} die_after_fork=0"}
    process = subprocess.Popen([program, *row.arguments], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                               stdin=subprocess.DEVNULL, env=environment, start_new_session=True)
    try:
        return process.wait(timeout=HANG) != 0
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        return True


def first_failure(program, row, runs, reports_count):
    """The run that failed first, or None."""
    return next((number for number in range(1, runs + 1) if fails(program, row, reports_count)), None)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build")
    parser.add_argument("--runs", type=int, default=1000, help="of each program as it is")
    parser.add_argument("--sanitized-runs", type=int, default=100)
    parser.add_argument("--only", default="", help="programs whose names contain this")
    arguments = parser.parse_args()
    bench = Bench(arguments.build, pinned=False)
    runs = {"stress test": arguments.runs, "ThreadSanitizer": arguments.sanitized_runs}
    found = dict.fromkeys(TOOLS, 0)
    lines = []
    rows = [row for row in suite() if arguments.only in row.name]
    for row in rows:
        cells = []
        for tool, options in TOOLS.items():
            meant = "--no-races" in row.search
            first = first_failure(compile_row(bench, row, tool, options), row, runs[tool], not meant)
            found[tool] += first is not None
            cells.append("-" if first is None else str(first))
        lines.append([row.name, *cells])
        print(f"# {row.name}: {', '.join(cells)}", file=sys.stderr, flush=True)
    print_table("First run that failed", ["program"] + [f"{tool}, {runs[tool]} runs" for tool in TOOLS], lines)
    print(", ".join(f"{tool}: {found[tool]} of {len(rows)}" for tool in TOOLS))


if __name__ == "__main__":
    main()
