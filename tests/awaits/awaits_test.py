#!/usr/bin/env python3
"""Compares the reductions with enumeration on generated programs that wait in loops.

A vain round of a loop leaves the dependence graph, and reductions do not look for other places of it (docs/algorithms/
spinning.md). Enumeration does not rest on that: it makes the rounds wherever they can be made. So what it reaches
(outcomes, bugs) the reductions have to reach, and with as many graphs; and `optimal` runs each of them once. Graphs are
not compared where a loop reads two objects: its rounds are steps, and how many it makes before it waits depends on
when others run (seed 9087, Clang: 67 graphs, 66 for all reductions, the same outcomes). D, E, H, I, J and K keep
a copy of what they found. D and E overwrite it before anything reads it, so that a round which left another value is vain, too;
the others read it after the loop, before it is overwritten, on one path, or in part.

Searches by the states of the program make the rounds, too, and have no graphs: outcomes and bugs, livelocks of any number of executions
among them, have to be the same.

With --yielding, programs have locks that yield, and the searches within a bound on preemptions are compared, too: what enumeration
reaches within it each of them has to reach.

  awaits_test.py HEDDLE INTERPRETER [--programs N] [--seed S] [--racy] [--yielding] [--verbose]
"""

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile

REDUCTIONS = ["optimal", "source", "dpor", "sleep-sets"]
BY_STATES = [["--visited", "states"], ["--preset", "zing"]]
MOST_EXECUTIONS = 4000  # of enumeration: programs with more are left out
WAITS = "WNGYPOVFCTBXDEHIJK"
OTHERS = "srlaec"
RACY = "pq"
YIELDING = "SZUY"
WITHIN_BOUND = [["--reduction", "happens-before"], ["--reduction", "happens-before-all"], ["--reduction", "bounded"],
                ["--reduction", "happens-before", "--order", "depth-first"]]
BOUNDS = [0, 1, 2]


def generate(rng, racy, yielding):
    if yielding:
        return generate_yielding(rng)
    threads = rng.choice([2, 2, 2, 3])
    length = 4 if threads == 2 else 3
    program = []
    for _ in range(threads):
        words = ""
        for _ in range(rng.randint(1, length)):
            pool = WAITS if rng.random() < 0.4 else OTHERS + (RACY if racy else "") + ("m" if rng.random() < 0.2 else "")
            # Few values and objects, so that waits end.
            words += rng.choice(pool) + str(rng.choice([0, 0, 0, 1])) + str(rng.choice([0, 1, 1, 2])) + str(rng.choice([0, 1, 2]))
        program.append(words)
    return program


def generate_yielding(rng):
    program = []
    for _ in range(rng.choice([2, 3, 3])):
        words = ""
        for _ in range(rng.randint(1, 2)):
            waits = rng.random() < 0.6
            letter = rng.choice(YIELDING if waits else OTHERS + "y")
            # Locks are all one object, and others leave it alone but for a few.
            number = 0 if letter in "SZU" or rng.random() < 0.2 else rng.choice([1, 2])
            words += letter + str(number) + str(rng.choice([0, 1, 1])) + str(rng.choice([0, 1]))
        program.append(words)
    return program


# What the searches within a bound do not reach of what enumeration does.
def compare_within_bounds(arguments, program, want):
    for bound in BOUNDS:
        bounded = ["--bound", f"preemptions={bound}", "--jobs", "1"]
        judge = run(arguments, program, ["--reduction", "none"] + bounded)
        if "failed" in judge or judge["completed_bound"] != bound and not judge["complete"]:
            yield f"none within {bound}: {judge.get('failed') or judge['guarantee']}"
            continue
        for options in WITHIN_BOUND:
            result = run(arguments, program, options + bounded)
            name = f"{' '.join(options)} within {bound}"
            if "failed" in result or not result["complete"] and result["completed_bound"] != bound:
                yield f"{name}: {result.get('failed') or (result['guarantee'], result['notes'])}"
                continue
            for what, reached in (("outcomes", outcomes), ("bugs", bugs)):
                missed = set(reached(judge)) - set(reached(result))
                invented = set(reached(result)) - set(want[1] if what == "outcomes" else want[2])
                if missed or invented:
                    yield f"{name}: {what} missed: {sorted(missed)}, invented: {sorted(invented)}"


def run(arguments, program, options):
    with tempfile.TemporaryDirectory() as directory:
        path = os.path.join(directory, "result.json")
        command = [arguments.heddle, "check", "--quiet", "--keep-going", "--no-minimise", "--out", directory, "--json", path]
        done = subprocess.run(command + options + ["--", arguments.interpreter] + program, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, timeout=300)
        if not os.path.exists(path):
            return {"failed": done.stdout.decode(errors="replace")[-500:]}
        with open(path) as file:
            return json.load(file)


def bugs(result):
    return sorted({(bug["kind"], str(bug.get("message", ""))[:60] if bug["kind"] != "livelock" else "") for bug in result["bugs"]})


def outcomes(result):
    found = result.get("outcomes") or {}
    return sorted(found if isinstance(found, (dict, list)) else [])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("heddle")
    parser.add_argument("interpreter")
    parser.add_argument("--programs", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--racy", action="store_true")
    parser.add_argument("--yielding", action="store_true")
    parser.add_argument("--verbose", action="store_true")
    arguments = parser.parse_args()
    compared = failures = again = cut = total = 0
    for seed in range(arguments.seed, arguments.seed + arguments.programs):
        rng = random.Random(seed)
        program = generate(rng, arguments.racy, arguments.yielding)
        judge = run(arguments, program, ["--reduction", "none", "--executions", str(MOST_EXECUTIONS)])
        if "failed" in judge:
            print(f"seed {seed}: {' '.join(program)}: {judge['failed']}")
            failures += 1
            continue
        if not judge["complete"]:
            continue
        compared += 1
        want = (judge["coverage"]["happens_before"], outcomes(judge), bugs(judge))
        for problem in compare_within_bounds(arguments, program, want) if arguments.yielding else []:
            failures += 1
            print(f"seed {seed}: {' '.join(program)}: {problem}")
        for reduction in REDUCTIONS + (["happens-before"] if arguments.yielding else []):
            got_result = run(arguments, program, ["--reduction", reduction])
            if "failed" in got_result:
                print(f"seed {seed}: {' '.join(program)}: {reduction}: {got_result['failed']}")
                failures += 1
                continue
            got = (got_result["coverage"]["happens_before"], outcomes(got_result), bugs(got_result))
            wrong = got[1:] != want[1:] or not got_result["complete"]
            missing = got[0] != want[0] and not any(letter in word for word in program for letter in "TB")
            if reduction == "optimal":
                total += got_result["executions"]
                again += got_result["executions"] - got[0]
                cut += got_result["redundant"]
            if wrong or (missing and not want[2]):
                failures += 1
                print(f"seed {seed}: {' '.join(program)}: {reduction}\n  enumeration {want} {judge['executions']}\n  reached     {got} {got_result['executions']} complete={got_result['complete']}")
        for options in BY_STATES:
            got_result = run(arguments, program, options)
            if "failed" in got_result or (outcomes(got_result), bugs(got_result)) != want[1:] or not got_result["complete"]:
                failures += 1
                print(f"seed {seed}: {' '.join(program)}: {' '.join(options)}\n  enumeration {want[1:]}\n  reached     "
                      f"{got_result.get('failed') or (outcomes(got_result), bugs(got_result), got_result['complete'], got_result['notes'])}")
        if arguments.verbose:
            print(seed, " ".join(program), want[0], judge["executions"])
    print(f"{compared} programs compared; optimal: {total} executions, {again} more than graphs, {cut} cut short; {failures} failures")
    return 1 if failures or compared == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
