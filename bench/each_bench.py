#!/usr/bin/env python3
"""heddle check --each: what a hundred cases cost together, and their searches alone.

The program has a hundred doctest cases with two threads each. Printed are the wall-clock time of one `heddle check
--each`, the sum of what its cases say of their searches, and the ratio of the two: what is left is the list, inspecting
and symbolising, writing.

Usage: each_bench.py BUILD-DIRECTORY [ROUNDS]
"""

import json
import statistics
import subprocess
import sys
import time

from measure import Bench

CASES = 100
HEAD = """
#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>
#include <atomic>
#include <thread>
"""
# One case in ten has a bug, so that schedules are explained and symbols read.
CASE = """
TEST_CASE("case %(number)d") {
  std::atomic<int> count{0};
  std::thread other([&] { for (int i = 0; i < %(adds)d; ++i) count = count + 1; });
  for (int i = 0; i < %(adds)d; ++i) count = count + 1;
  other.join();
  CHECK(count <= %(most)d);
}
"""


def measured(bench, program):
    """Seconds of one `check --each`, and of its searches."""
    result = bench.path / "cases.json"
    begun = time.monotonic()
    done = subprocess.run([bench.build / "heddle", "check", "--each", "--out", bench.path / "out", "--json", result, "--",
                           program], stdout=subprocess.DEVNULL, check=False)
    seconds = time.monotonic() - begun
    cases = json.loads(result.read_text())["cases"]
    if done.returncode != 1 or len(cases) != CASES:
        sys.exit(f"status {done.returncode}, {len(cases)} cases")
    return seconds, sum(case["result"]["elapsed_s"] for case in cases)


def main():
    bench = Bench(sys.argv[1], pinned=False)
    source = bench.path / "cases.cpp"
    adds = 3
    source.write_text(HEAD + "".join(
        CASE % {"number": number, "adds": adds, "most": 2 * adds - 1 if number % 10 == 0 else 2 * adds}
        for number in range(CASES)))
    program = bench.path / "cases"
    subprocess.run([bench.build / "heddle-c++", "-O1", "-g", "-pthread", source, "-o", program], check=True)
    rounds = [measured(bench, program) for _ in range(int(sys.argv[2]) if len(sys.argv) > 2 else 3)]
    whole = statistics.median(seconds for seconds, _ in rounds)
    searches = statistics.median(seconds for _, seconds in rounds)
    print(f"{CASES} cases: {whole:.2f} s in all, {searches:.2f} s in their searches: {whole / searches:.2f}x")


main()
