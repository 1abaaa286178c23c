"""--save and --resume of a search with several jobs: whatever ends it, and however often (a limit, Ctrl-C, SIGTERM, kill -9 of
heddle with its processes), it says in the end what one undisturbed job says, and has run no execution twice where that has none
twice.

    test_jobs_resume.py BUILD [ENDS [SEED]]     so many ends of each search
"""

import os
import random
import re
import signal
import subprocess
import sys
import time

from heddle_run import Case, Done, SECONDS, end_group, let_work, read_json

ADDS = """
#include <heddle.h>
#include "run_threads.h"
#include <stdatomic.h>
#include <stdlib.h>
static atomic_int x, y;
static int plain;
static void *Work(void *me) {
  for (int i = 0; i < ROUNDS; ++i) atomic_fetch_add(i % 2 ? &x : &y, me == 0 ? 1 : 3);
#ifdef RACES
  if (x % 8 == 5) plain = me != 0;
#endif
  return 0;
}
int main() {
  RunSame(3, Work);
  heddle_outcome("%d", x);
#ifdef WRONG
  if (x == y) abort();
#endif
}
"""
OPTIMAL = ["--order", "depth-first", "--reduction", "optimal"]
BOUNDS = ["--order", "context-bounded", "--reduction", "none", "--bound", "preemptions=2"]

case = Case(sys.argv[1])
ends_of_each = int(sys.argv[2]) if len(sys.argv) > 2 else 4
seed = int(sys.argv[3]) if len(sys.argv) > 3 else 20261125
random.seed(seed)
print(f"seed {seed}")


def claims(result):
    return {"complete": result["complete"], "verdict": result["verdict"], "stop": result["stop"],
            "graphs": result["coverage"]["happens_before"], "sum": result["coverage"].get("trace_sum"),
            "outcomes": {name: one["count"] for name, one in result["outcomes"].items()},
            "guarantee": re.sub(r"[0-9,]+ executions", "all executions", result["guarantee"]),
            "bound": result["completed_bound"], "bugs": sorted({bug["identity"] for bug in result["bugs"]})}


def start(*arguments):
    command = [str(case.build / "heddle"), "check", *map(str, arguments)]
    return subprocess.Popen(command, cwd=case.path, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                            text=True, errors="replace", start_new_session=True)


def finish(process, kills=False):
    out, err = process.communicate(timeout=4 * SECONDS)
    end_group(process.pid)
    return Done(process.args, process.returncode, out, err)


def run_for_a_while(arguments, how):
    """A run that is ended in this way, unless it comes to its own end before."""
    if how == "time":
        return finish(start("--time", f"{random.randint(100, 600)}ms", *arguments))
    process = start(*arguments)
    try:
        process.wait(timeout=random.uniform(0.1, 0.9))
    except subprocess.TimeoutExpired:
        if how == "kill":
            end_group(process.pid)  # by SIGKILL
        else:
            process.send_signal(signal.SIGINT if how == "interrupt" else signal.SIGTERM)
    return finish(process)


def compare(name, options, program, exact, jobs=None):
    saved, answer = case.path / f"{name}.saved", case.path / f"{name}.json"
    done = case.heddle("check", "--jobs", 1, *options, "--json", case.path / "one.json", program, seconds=4 * SECONDS)
    one = read_json(case.path / "one.json")
    fresh = ["--jobs", jobs or random.choice([2, 3]), *options, "--save", saved, "--save-every", "30ms", "--json", answer, program]
    ends = []
    for _ in range(ends_of_each):
        going_on = ["--resume", saved, "--save-every", "30ms", "--json", answer] if saved.exists() else fresh
        how = random.choice(["time", "interrupt", "end", "kill"])
        answer.unlink(missing_ok=True)
        done = run_for_a_while(going_on, how)
        ends.append(how)
        if answer.exists() and read_json(answer)["complete"]:
            break
        if done.status in (-signal.SIGINT, -signal.SIGTERM):
            continue  # it had not begun
        if done.status not in (0, 1, 2, -signal.SIGKILL) or (done.status == 2 and "interrupted before" not in done.err):
            return case.expect(f"{name}: ended by {how}", False, done)
        if how != "kill" and done.status != 2 and not saved.exists():
            return case.expect(f"{name}: saved when ended by {how}", False, done)
    else:
        done = finish(start(*(["--resume", saved, "--json", answer] if saved.exists() else fresh)))
    several = read_json(answer) if answer.exists() else None
    same = several is not None and claims(several) == claims(one)
    case.expect(f"{name}: as one undisturbed job, after {' '.join(ends)}", same, done)
    if several is not None and not same:
        print(claims(one), claims(several))
    if exact and several is not None:
        case.expect(f"{name}: no execution twice ({several['executions']}, {several.get('jobs')})",
                    several["executions"] == one["executions"], done)
    if several is not None:  # it is finished, and says so again
        done = case.heddle("check", "--resume", saved, "--json", answer, seconds=2 * SECONDS)
        case.expect(f"{name}: finished", claims(read_json(answer)) == claims(one), done)


adds = case.compile("adds", ADDS, "-w", "-DROUNDS=5")
small = case.compile("small", ADDS, "-w", "-DROUNDS=4")
wrong = case.compile("wrong", ADDS, "-w", "-DROUNDS=5", "-DWRONG")
races = case.compile("races", ADDS, "-w", "-DROUNDS=4", "-DRACES")
compare("optimal", OPTIMAL, adds, exact=True)
compare("one job", OPTIMAL, adds, exact=True, jobs=1)
compare("bounds", BOUNDS, adds, exact=True)
compare("none", ["--order", "best-first", "--reduction", "none", "--bound", "preemptions=2"], small, exact=True)
compare("random", ["--order", "random", "--reduction", "optimal"], small, exact=True)
compare("states", ["--order", "context-bounded", "--reduction", "happens-before", "--bound", "preemptions=4"], adds, exact=False)
compare("source", ["--order", "depth-first", "--reduction", "source"], small, exact=False)
compare("bugs", [*OPTIMAL, "--keep-going"], wrong, exact=True)
compare("grows", [*OPTIMAL, "--keep-going"], races, exact=False)

# What goes on otherwise, and what is refused.
endless = case.compile("endless", ADDS, "-w", "-DROUNDS=12")
saved = case.path / "endless.saved"


def asked_to_end(*arguments):
    """A search that has worked for a second when it is asked to end, and how long that took."""
    process = start("--json", "endless.json", *arguments)
    let_work(process, 1)
    process.send_signal(signal.SIGTERM)
    begun = time.monotonic()
    return finish(process), time.monotonic() - begun


done, _ = asked_to_end("--jobs", 2, *OPTIMAL, "--save", saved, endless)
first = read_json(case.path / "endless.json")
case.expect("the report says how to go on", done.status == 0 and "--resume" in done.out, done)
done, took = asked_to_end("--resume", saved)
second = read_json(case.path / "endless.json")
case.expect("it goes on where it was", second["executions"] > first["executions"] and len(second["jobs"]) == 2, done)
case.expect(f"SIGTERM is obeyed ({took:.1f} s)", done.status == 0 and took < 15, done)
for what, command, words in [
        ("cutting what several jobs have saved", ["split", saved, 4, "-o", "pieces"], "several jobs"),
        ("other jobs", ["check", "--resume", saved, "--jobs", 3], "drop --jobs"),
        ("--executions", ["check", "--resume", saved, "--executions", 100], "--executions")]:
    done = case.heddle(*command)
    case.expect(f"{what} is refused", done.status == 2 and words in done.err and len(done.lines()) == 1, done)
done = case.heddle("check", *OPTIMAL, "--save", case.path / "one.saved", "--time", "300ms", "--json", "one.json", endless)
case.expect("without --jobs there is one", done.status == 0 and "jobs" not in read_json(case.path / "one.json"), done)
case.finish()
