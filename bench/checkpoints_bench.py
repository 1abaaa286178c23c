#!/usr/bin/env python3
"""Ways back to an earlier state, by the length of an execution: --rewind memory, checkpoint, fork, fork-checkpoint.

One thread makes N updates of an atomic, and then two threads meet, in 600 schedules (60 from 10,000 operations on). Prints processor time, all processes
together, for each execution in microseconds; the least of three rounds, the ways in turn. Usage: checkpoints_bench.py BUILD
"""

import json
import pathlib
import resource
import subprocess
import sys
import tempfile

PROGRAM = r"""
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
static atomic_int x, y;
static int n;
static void *Long(void *arg) {
  for (int i = 0; i < n; i++) atomic_fetch_add(&x, 1);
  for (int i = 0; i < 6; i++) atomic_fetch_add(&y, 1);
  return arg;
}
static void *Short(void *arg) {
  for (int i = 0; i < 6; i++) atomic_fetch_add(&y, 2);
  return arg;
}
int main(int argc, char **argv) {
  n = atoi(argv[argc - 1]);
  pthread_t threads[2];
  pthread_create(&threads[0], 0, Long, 0);
  pthread_create(&threads[1], 0, Short, 0);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], 0);
  return 0;
}
"""
WAYS = "memory", "checkpoint", "fork", "fork-checkpoint"
LENGTHS = 10, 100, 1_000, 10_000, 100_000


def processor_seconds():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def main():
    build = pathlib.Path(sys.argv[1]).resolve()
    with tempfile.TemporaryDirectory() as folder:
        source, program = pathlib.Path(folder, "long.c"), pathlib.Path(folder, "long")
        source.write_text(PROGRAM)
        subprocess.run([build / "heddle-cc", "-O1", "-pthread", source, "-o", program], check=True)

        def run(way, length, executions):
            begin = processor_seconds()
            subprocess.run([build / "heddle", "check", "--quiet", "--jobs", "1", "--order", "depth-first", "--reduction", "none", "--rewind", way,
                            "--executions", str(executions), "--max-events", "1000000", "--json", "result.json", program, str(length)],
                           check=True, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            return processor_seconds() - begin, json.loads(pathlib.Path(folder, "result.json").read_text())

        print(f"{'operations':>10}" + "".join(f"{way:>17}" for way in WAYS) + "   us of processor time for each execution")
        for length in LENGTHS:
            least, events = {}, set()
            executions = 600 if length < 10_000 else 60
            for _ in range(3):
                for way in WAYS:
                    start, _ = run(way, length, 1)
                    whole, result = run(way, length, executions + 1)
                    events.add(result["events"])
                    least[way] = min(least.get(way, 1e9), (whole - start) / executions * 1e6)
            if len(events) != 1:
                sys.exit(f"the searches differ: {events} events")
            print(f"{length:>10}" + "".join(f"{least[way]:>17.0f}" for way in WAYS))


main()
