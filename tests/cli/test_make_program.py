"""A C program with its own makefile, not changed in any way: make CC=heddle-cc, check, replay."""

import os
import shutil
import signal
import subprocess
import sys

from heddle_run import Case, SECONDS, read_json

case = Case(sys.argv[1])
folder = case.path / "prime_counter"
shutil.copytree(case.source / "tests" / "real" / "prime_counter", folder)
for compiler in "gcc", "clang":
    if not shutil.which(compiler):
        print(f"skipped: no {compiler}")
        continue
    environment = {**os.environ, "HEDDLE_CC": compiler}
    make = ["make", "--quiet", f"CC={case.build / 'heddle-cc'}", "clean", "prime_counter"]
    subprocess.run(make, cwd=folder, check=True, timeout=SECONDS, env=environment)
    # Without heddle the bug strikes when it likes: each run ends well or by the program's own abort, one of twenty well.
    alone = [subprocess.run(["./prime_counter"], cwd=folder, capture_output=True, text=True, timeout=SECONDS)
             for _ in range(20)]
    well = [(run.returncode, run.stdout) == (0, "2 primes\n") for run in alone]
    struck = [run.returncode == -signal.SIGABRT and "the list is empty" in run.stderr for run in alone]
    runs = any(well) and all(good or bad for good, bad in zip(well, struck))
    print(f"{'ok    ' if runs else 'FAILED'} runs without heddle ({compiler})")
    case.failures += not runs
    done = case.heddle("check", "--leaks", "--uninitialised", "--json", "result.json", "./prime_counter", cwd=folder)
    case.expect(f"finds the bug ({compiler})", done.status == 1, done)
    if done.status != 1:
        continue
    bug = read_json(folder / "result.json")["bugs"][0]
    files = [os.path.basename(place["file"]) for place in bug["locations"]]
    case.expect("an abort after one preemption", (bug["kind"], bug["preemptions"]) == ("abort", 1), done)
    case.expect("named by its file", "work_list.c" in files, done)
    again = case.heddle("replay", bug["schedule"], cwd=folder)
    case.expect("replays, with the program's own words", again.status == 1 and "the list is empty" in again.out + again.err,
                again)
case.finish()
