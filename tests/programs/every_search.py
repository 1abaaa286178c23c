#!/usr/bin/env python3
"""Programs that spin end in every search, with their bug or without a false alarm.

A program that says `// every search: KIND` has a bug of that kind; `none`: it has none (`every search with --all`: it takes
longer). It is searched in three of seven ways, the next program in the next three; with --all in every order, and with every
reduction where there are some. Each search has to end by itself, well before its time is up, with a bug of that
kind or with none. Orders that draw schedules never end, so they draw so many, and need not find the bug; nor need a search with a
bound, which is complete up to that.

  every_search.py BUILD [--all] [--seconds N] [PROGRAM...]    --all: every reduction in every order, not a choice of both
"""

import argparse
import json
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
MARK = re.compile(r"^// every search( with --all)?: (\S+)$", re.M)
DRAWN = ["random", "pct", "pos", "surw", "rff"]
REDUCTIONS = ["none", "sleep-sets", "dpor", "source", "optimal", "happens-before", "happens-before-all", "bounded"]
DRAWS = 200
FEW = [["--order", "depth-first"], ["--order", "depth-first", "--reduction", "optimal"],
       ["--order", "context-bounded"], ["--visited", "states"], ["--preset", "zing"],
       ["--order", "random", "--executions", str(DRAWS)], ["--order", "escalating"]]
FEW_AT_ONCE = 3


def searches(every, turn):
    """The options of each search; one that heddle refuses (status 2) is left out."""
    if not every:
        yield from (FEW[(turn * FEW_AT_ONCE + i) % len(FEW)] for i in range(FEW_AT_ONCE))
        return
    for order in ["depth-first", "context-bounded", "best-first"]:
        for reduction in REDUCTIONS:
            yield ["--order", order, "--reduction", reduction]
            yield ["--order", order, "--reduction", reduction, "--bound", "preemptions=2"]
    yield ["--order", "escalating"]
    yield from FEW[3:5]
    for bound in ["delays=2", "depth=4"]:
        yield ["--order", "depth-first", "--bound", bound]
    for order in DRAWN:
        yield ["--order", order, "--executions", str(DRAWS)]
    for reduction in REDUCTIONS[1:]:
        yield ["--order", "random", "--reduction", reduction, "--executions", str(DRAWS)]


def search(arguments, binary, options, folder):
    result = folder / "result.json"
    result.unlink(missing_ok=True)
    command = [str(arguments.build / "heddle"), "check", "--quiet", "--no-minimise", "--time", f"{arguments.seconds}s",
               "--out", str(folder), "--json", str(result), *options, "--", str(binary)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=arguments.seconds + 60)
    return json.loads(result.read_text()) if result.exists() else {"status": done.returncode, "said": done.stderr}


def problems(answer, wanted, options, seconds):
    kinds = {bug["kind"] for bug in answer["bugs"]}
    drawn = "--executions" in options
    bounded = "--bound" in options
    if answer["elapsed_s"] >= seconds:
        yield "does not end"
    if wanted == "none" and kinds:
        yield f"a false alarm: {kinds}"
    if wanted != "none" and not kinds <= {wanted}:
        yield f"{kinds}, not {wanted}"
    if wanted != "none" and not kinds and not drawn and not bounded:
        yield "no bug"
    if wanted != "none" and not kinds and not bounded and answer["complete"]:
        yield "complete, without the bug"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("programs", nargs="*", type=pathlib.Path)
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--seconds", type=int, default=60, help="that a search may take")
    arguments = parser.parse_args()
    arguments.build = arguments.build.resolve()
    programs = arguments.programs or sorted(HERE.glob("*/*.c")) + sorted(HERE.glob("*/*.cpp"))
    failed = run = turn = 0
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for path in programs:
            mark = MARK.search(path.read_text())
            if not mark or (mark[1] and not arguments.all):
                continue
            binary = folder / path.stem
            compiler = "heddle-c++" if path.suffix == ".cpp" else "heddle-cc"
            subprocess.run([str(arguments.build / compiler), "-O2", "-g", "-I", str(HERE), str(path), "-o", str(binary),
                            "-pthread"], check=True)
            turn += 1
            for options in searches(arguments.all, turn):
                answer = search(arguments, binary, options, folder)
                if answer.get("status") == 2 and "bugs" not in answer:
                    continue  # refused
                run += 1
                wrong = list(problems(answer, mark[2], options, arguments.seconds)) if "bugs" in answer else [str(answer)]
                failed += bool(wrong)
                for problem in wrong:
                    print(f"{path.name}: {' '.join(options)}: {problem}", file=sys.stderr)
    print(f"{run} searches, {failed} failed")
    return 1 if failed or not run else 0


if __name__ == "__main__":
    sys.exit(main())
