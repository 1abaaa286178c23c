#!/usr/bin/env python3
"""Runs the programs of tests/programs while eight processes keep the machine busy. How long anything takes must not decide
what heddle answers: verdict, counts and exit status are those that each program states (run_program.py).

under_load.py BUILD [NAME...]: only programs whose path has one of the names in it."""

import concurrent.futures
import os
import pathlib
import subprocess
import sys

BUSY = 8
# Ends with this process, however that ends.
LOOP = "import os; parent = os.getppid()\nwhile os.getppid() == parent: pass"
PATIENCE = 10  # so much longer than on a machine that has nothing else to do
HERE = pathlib.Path(__file__).resolve().parent


def run(build, program):
    """What went wrong; empty: nothing."""
    command = [sys.executable, str(HERE.parent / "run_program.py"), "--build", build, str(program)]
    environment = dict(os.environ, HEDDLE_TEST_PATIENCE=str(PATIENCE))
    done = subprocess.run(command, capture_output=True, text=True, errors="replace", env=environment)
    return done.stderr if done.returncode != 0 else ""


def main():
    build, names = sys.argv[1], sys.argv[2:]
    programs = [p for folder in ("correct", "wrong", "incomplete") for p in sorted((HERE / folder).glob("*.c*"))]
    programs = [p for p in programs if not names or any(name in str(p) for name in names)]
    busy = [subprocess.Popen([sys.executable, "-c", LOOP]) for _ in range(BUSY)]
    failed = 0
    try:
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as threads:
            for program, wrong in zip(programs, threads.map(lambda p: run(build, p), programs)):
                print(f"{'FAILED' if wrong else 'ok    '} {program.relative_to(HERE)}", flush=True)
                if wrong:
                    failed += 1
                    print(wrong[-4000:], flush=True)
    finally:
        for process in busy:
            process.kill()
    print(f"{len(programs)} programs, {failed} failed")
    return 1 if failed or not programs else 0


if __name__ == "__main__":
    sys.exit(main())
