#!/usr/bin/env python3
"""What a campaign costs: the processor time of all its processes, by that of one `heddle check`. Not the time that passes, so other
load does little. Usage: campaign_bench.py BUILD [WORKERS...]"""

import os
import pathlib
import subprocess
import sys
import tempfile

PROGRAM = """
#include "run_threads.h"
#include <stdatomic.h>
static atomic_int x;
static void *Add(void *arg) {
  for (int i = 0; i < 5 + (arg != 0); i++) atomic_fetch_add(&x, 1);
  return 0;
}
int main() { RunSame(3, Add); }
"""
TRACES = 5717712  # 17! / (5! 6! 6!)
OPTIONS = ["--order", "depth-first", "--reduction", "optimal"]


def processor_s(command, folder):
    """Of the command and all that it waits for."""
    before = os.times()
    subprocess.run([*map(str, command)], cwd=folder, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    after = os.times()
    return after.children_user + after.children_system - before.children_user - before.children_system


def main(build, workers):
    source = pathlib.Path(__file__).resolve().parents[1]
    with tempfile.TemporaryDirectory(prefix="heddle-campaign-bench-") as name:
        folder = pathlib.Path(name)
        (folder / "adds.c").write_text(PROGRAM)
        compiler = [build / "heddle-cc", "-g", "-O1", "-pthread", f"-I{source}/tests/programs", "adds.c", "-o", "adds"]
        processor_s(compiler, folder)
        one = processor_s([build / "heddle", "check", "--jobs", "1", *OPTIONS, "./adds"], folder)
        print(f"one search              {one:6.1f} s  {TRACES / one:8,.0f} executions/s", flush=True)
        for count in workers:
            directory = folder / f"campaign-{count}"
            command = [sys.executable, build / "heddle-campaign", "run", "--scheduler", f"local:{count}", "--begin", "1s"]
            took = processor_s([*command, f"--check={' '.join(OPTIONS)}", directory, "--", "./adds"], folder)
            pieces = len(list((directory / "results").glob("*.result"))) - 1
            line = f"{count} workers, {pieces:4} pieces  {took:6.1f} s  efficiency {one / took:.2f}"
            print(f"{line}, {1000 * (took - one) / max(pieces, 1):.0f} ms a piece", flush=True)


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]).resolve(), [int(word) for word in sys.argv[2:]] or [1, 2, 4])
