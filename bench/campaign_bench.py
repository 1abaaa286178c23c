#!/usr/bin/env python3
"""What a campaign costs: the processor time of all its processes, by that of one `heddle check`. Not the time that passes, so other
load does little. With --kill a worker is killed each time that the campaign has used so many seconds.

    campaign_bench.py BUILD [--kill SECONDS] [--small] [WORKERS...]
"""

import argparse
import contextlib
import ctypes
import os
import pathlib
import random
import signal
import subprocess
import sys
import tempfile
import time

SOURCE = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(SOURCE / "tools"))
sys.dont_write_bytecode = True
import processor_time  # noqa: E402

PROGRAM = """
#include "run_threads.h"
#include <stdatomic.h>
static atomic_int x;
static void *Add(void *arg) {
  for (int i = 0; i < 5 + ((long)arg >= FIRST_OF_SIX); i++) atomic_fetch_add(&x, 1);
  return 0;
}
int main() { RunSame(3, Add); }
"""
# 16! / (5! 5! 6!), 17! / (5! 6! 6!); the first thread that adds six times
SMALL, LARGE = (2018016, 2), (5717712, 1)
OPTIONS = ["--order", "depth-first", "--reduction", "optimal"]


def children(pid):
    try:
        return [int(word) for word in pathlib.Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    except OSError:
        return []  # it ended meanwhile


def kill_a_worker(driver):
    """One of those that have a piece."""
    workers = [pid for pid in children(driver) if children(pid)]  # other children of the driver are heddle itself
    if workers:
        with contextlib.suppress(ProcessLookupError):
            os.kill(random.choice(workers), signal.SIGKILL)
    return bool(workers)


def processor_s(command, folder, kill_s=None):
    """Of the command and all that it has started, those that were killed, too; and how many were."""
    before = os.times()
    process = subprocess.Popen([*map(str, command)], cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    kills = 0
    while kill_s and process.poll() is None:
        time.sleep(0.05)
        if processor_time.of_tree(process.pid) > kill_s * (kills + 1):
            kills += kill_a_worker(process.pid)
    if process.wait() != 0:
        sys.exit(f"{command}: status {process.returncode}")
    with contextlib.suppress(ChildProcessError):  # those whose parent was killed
        while True:
            os.wait()
    after = os.times()
    return after.children_user + after.children_system - before.children_user - before.children_system, kills


def main(arguments):
    build, (traces, first_of_six) = arguments.build.resolve(), SMALL if arguments.small else LARGE
    with tempfile.TemporaryDirectory(prefix="heddle-campaign-bench-") as name:
        folder = pathlib.Path(name)
        (folder / "adds.c").write_text(f"#define FIRST_OF_SIX {first_of_six}\n{PROGRAM}")
        compiler = [build / "heddle-cc", "-g", "-O1", "-pthread", f"-I{SOURCE}/tests/programs", "adds.c", "-o", "adds"]
        processor_s(compiler, folder)
        one, _ = processor_s([build / "heddle", "check", "--jobs", "1", *OPTIONS, "./adds"], folder)
        print(f"one search              {one:6.1f} s  {traces / one:8,.0f} executions/s", flush=True)
        for count in arguments.workers:
            directory = folder / f"campaign-{count}"
            command = [sys.executable, build / "heddle-campaign", "run", "--scheduler", f"local:{count}", "--begin", "1s"]
            command += [f"--check={' '.join(OPTIONS)}", directory, "--", "./adds"]
            took, kills = processor_s(command, folder, arguments.kill)
            pieces = len(list((directory / "results").glob("*.result"))) - 1
            line = f"{count} workers, {pieces:4} pieces  {took:6.1f} s  efficiency {one / took:.2f}"
            line += f", {1000 * (took - one) / max(pieces, 1):.0f} ms a piece"
            print(line + (f", {kills} workers killed" if arguments.kill else ""), flush=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("workers", type=int, nargs="*", default=[1, 2, 4])
    parser.add_argument("--kill", type=float)
    parser.add_argument("--small", action="store_true", help="2 million executions in place of 6")
    ctypes.CDLL(None).prctl(36, 1)  # PR_SET_CHILD_SUBREAPER: also of processes whose parent was killed
    main(parser.parse_intermixed_args())
