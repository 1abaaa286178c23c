"""What the user sees and may rely on: JSON, the progress line, Ctrl-C, limits, seeds, the report of a written result,
replay of another place's program and under the debugger."""

import json
import os
import re
import signal
import subprocess
import sys
import time

os.environ["HEDDLE_FORMAT"] = "text"  # tests/cli/test_formats.py has the others

from heddle_run import Case, Done, SECONDS, let_work, read_json

# Large: 4 threads of 8 operations. Two bugs: an assertion at one preemption, and a race.
LARGE = """
#include "run_threads.h"
#include <stdatomic.h>
static atomic_int x;
static void *Add(void *arg) { (void)arg; for (int i = 0; i < 8; i++) x++; return 0; }
int main() { RunSame(4, Add); }
"""
TWO_BUGS = """
#include <heddle.h>
#include "run_threads.h"
#include <stdatomic.h>
#include <stdio.h>
static atomic_int x;
int raced;
static void *Add(void *arg) { (void)arg; raced++; int seen = x; x = seen + 1; return 0; }
int main() {
  puts("the program speaks");
  fflush(stdout);  // abort() does not
  RunSame(2, Add);
  heddle_outcome("x=%d", (int)x);
  assert(x == 2);
}
"""
TOP = {"verdict": str, "complete": bool, "guarantee": str, "preset": str, "order": str, "reduction": str, "bound": dict,
       "executions": int, "redundant": int, "events": int, "elapsed_s": (int, float),
       "executions_per_s": (int, float), "peak_memory_bytes": int, "coverage": dict, "outcomes": dict, "bugs": list}
BUG = {"kind": str, "message": str, "thread": str, "preemptions": int, "execution": int, "locations": list,
       "schedule": str}


def missing(fields, value):
    return [name for name, kind in fields.items() if not isinstance(value.get(name), kind)]


case = Case(sys.argv[1])
large = case.compile("large", LARGE)
two = case.compile("two", TWO_BUGS)

# The JSON of every search.
done = case.heddle("check", "--keep-going", "--json", "two.json", two)
answer = read_json(case.path / "two.json")
case.expect("every field of the JSON", not missing(TOP, answer), done)
case.expect("every field of its bugs", answer["bugs"] and not any(missing(BUG, bug) for bug in answer["bugs"]), done)
case.expect("--keep-going finds both bugs", {bug["kind"] for bug in answer["bugs"]} == {"data-race", "assertion"}, done)
case.expect("and completes", answer["complete"] is True and done.status == 1, done)
case.expect("outcomes with their least preemptions", set(answer["outcomes"]) == {"x=1", "x=2"}
            and answer["outcomes"]["x=2"]["preemptions"] == 0 and answer["outcomes"]["x=1"]["preemptions"] == 1, done)
places = [l for bug in answer["bugs"] for l in bug["locations"]]
case.expect("locations", places and all(l["file"].endswith("two.c") and l["line"] > 0 and l["function"] for l in places),
            done)
case.expect("a schedule for each, by its name", all((case.path / bug["schedule"]).exists() for bug in answer["bugs"]), done)
# On a busy machine it takes long enough for its bugs to be told while it goes on.
told = [line for line in done.err.splitlines() if not line.startswith(("heddle: found in execution ", "  the search goes on; "))]
case.expect("nothing of the program's output but what it printed before the assertion", not told
            and done.out.count("speaks") == 1 and done.out.count("\n  | the program speaks\n") == 1
            and [bug.get("output") for bug in answer["bugs"] if bug["kind"] == "assertion"] == ["the program speaks"]
            and not any("output" in bug for bug in answer["bugs"] if bug["kind"] == "data-race"), done)
case.expect("no progress line when piped", not told and "\r" not in done.err, done)
full = case.heddle("report", "--full", "two.json").out
case.expect("which of its searches found each bug, in JSON and with --full", all(bug["found_by"] for bug in answer["bugs"])
            and all(f", found by {bug['found_by']}\n" in full for bug in answer["bugs"]) and ", found by" not in done.out, done)
text = done.out

done = case.heddle("report", "two.json")
case.expect("heddle report prints what check printed", done.status == 0 and done.out == text, done)
done = case.heddle("report", "--format", "json", "two.json")
case.expect("heddle report --format json", done.status == 0 and '"data-race"' in done.out, done)
done = case.heddle("check", "--bound", "depth=2", "--iterate", "--executions", "50", "--json", "depth.json", large)
deep = read_json(case.path / "depth.json")
case.expect("a bound of depth that iterates", deep["bound"] == {"depth": 2, "iterate": True}
            and deep["order"] == "depth-first" and deep["completed_bound"] % 2 == 0, done)
done = case.heddle("report", "--format", "json", "depth.json")
case.expect("is read and written again", done.status == 0 and json.loads(done.out)["bound"] == deep["bound"], done)
done = case.heddle("check", "--reduction", "optimal", "--json", "one.json", two)
case.expect("none where there is one search", read_json(case.path / "one.json")["bugs"][0]["found_by"] == ""
            and ", found by" not in case.heddle("report", "--full", "one.json").out, done)
done = case.heddle("check", "--quiet", two)
case.expect("--quiet: a line for the bug, one to replay it", done.status == 1 and len(done.lines()) <= 2, done)
done = case.heddle("check", "--show-output", two)
case.expect("--show-output", "the program speaks" in done.out + done.err, done)
done = case.heddle("check", "--show-output", case.compile("prints", '#include <stdio.h>\nint main() { puts("hello"); }'))
case.expect("--show-output of a program that just returns: once, as no search has another execution",
            done.out.count("hello") == 1 and "1 execution" in done.out and done.status == 0, done)
done = case.heddle("check", "--time", "0", "--executions", "0", "--require-complete", case.path / "prints")
case.expect("--time 0 and --executions 0: no limit", done.status == 0 and "every schedule explored" in done.out, done)
done = case.heddle("check", "--show-output", "--visited", "states", case.path / "prints")
case.expect("nor is the run shown that only brings the stacks into the state of later ones", done.out.count("hello") == 1, done)
# Optimal DPOR has two executions of two increments that are not atomic, the second of which is the bug. It is run some more times
# to minimise and explain it.
speaks = case.compile("speaks", """
#include <stdatomic.h>
#include <stdio.h>
#include "run_threads.h"
static atomic_int x;
static void *Add(void *arg) { int seen = x; x = seen + 1; return arg; }
int main() { fputs("an execution\\n", stderr); RunSame(2, Add); assert(x == 2); }
""")
for rewind in "memory", "fork", "fork-checkpoint":
    done = case.heddle("check", "--show-output", "--reduction", "optimal", "--rewind", rewind, speaks)
    case.expect(f"--show-output: what is run to explain a bug is not shown ({rewind})", done.status == 1
                and "in 2 executions" in done.out and done.err.count("an execution") == 2, done)
done = case.heddle("check", "--color", "always", two)
case.expect("--color always", "\x1b[" in done.out, done)

case.expect("the threads of the program", answer["threads"] == 3, done)

# Of many warnings none is dropped.
left = case.compile("left", """
#include <pthread.h>
static pthread_mutex_t m[100];
int main() {
""" + "".join(f"  pthread_mutex_init(&m[{i}], 0);\n" for i in range(100)) + "}\n")
done = case.heddle("check", "--json", "left.json", left)
case.expect("a hundred warnings", len(read_json(case.path / "left.json")["warnings"]) == 100, done)

# Limits.
done = case.heddle("check", "--reduction", "optimal", "--executions", "100", "--json", "limit.json", large)
answer = read_json(case.path / "limit.json")
case.expect("--executions", answer["executions"] == 100 and answer["verdict"] == "incomplete" and done.status == 0, done)
done = case.heddle("check", "--executions", "100", "--require-complete", large)
case.expect("--require-complete", done.status == 4, done)
done = case.heddle("check", "--time", "300ms", "--json", "limit.json", large)
case.expect("--time", done.status == 0 and read_json(case.path / "limit.json")["stop"] == "time", done)

# The same seed, the same search, also if each execution has a process of its own.
for order in "random", "pct", "pos", "surw", "rff":
    graphs = []
    for seed, rewind in (5, "memory"), (5, "fork"), (6, "memory"):
        done = case.heddle("check", "--order", order, "--seed", seed, "--executions", 200, "--rewind", rewind, "--json", "seed.json",
                           large)
        answer = read_json(case.path / "seed.json")
        graphs.append((answer["coverage"], answer["events"]))
        case.expect(f"{order}: seed {seed} is in the JSON and is told", answer["seed"] == seed, done)
    case.expect(f"{order}: equal seeds, equal searches; others differ", graphs[0] == graphs[1] != graphs[2], done)
# The guarantee of pct is in what was seen.
done = case.heddle("check", "--order", "pct", "--depth", 2, "--executions", 50, "--json", "depth.json", large)
answer = read_json(case.path / "depth.json")
least = answer["threads"] * answer["most_choices"]
case.expect("pct says what a schedule has a chance of", answer["depth"] == 2 and answer["threads"] == 5
            and f"a bug of depth 2 with a probability of at least 1/{least}" in answer["guarantee"], done)


def interrupted(times, apart_s=0.05):
    """A long search that got Ctrl-C."""
    command = [str(case.build / "heddle"), "check", "--json", "interrupted.json", str(large)]
    process = subprocess.Popen(command, cwd=case.path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                               start_new_session=True)
    let_work(process, 0.3)
    for _ in range(times):
        os.killpg(process.pid, signal.SIGINT)
        time.sleep(apart_s)
    out, err = process.communicate(timeout=SECONDS)
    return Done(command, process.returncode, out, err)


done = interrupted(1)
answer = read_json(case.path / "interrupted.json")
case.expect("Ctrl-C ends with the report of what was done", done.status == 0 and answer["stop"] == "interrupted"
            and answer["executions"] > 0 and "interrupted" in done.out, done)
done = interrupted(3)
answer = read_json(case.path / "interrupted.json")
told = any("interrupted twice" in note["text"] for note in answer["notes"])
case.expect("more than one Ctrl-C ends it too, with all counts, or says that they are missing",
            done.status == 0 and (told or answer["coverage"]["happens_before"] > 0), done)
done = interrupted(2, 0)
answer = read_json(case.path / "interrupted.json")
case.expect("two at once are one, as timeout sends them", done.status == 0 and answer["coverage"]["happens_before"] > 0, done)

# 32 additions by 4 threads: 32! / 8!^4 orders, about 1.0e17. How soon the estimate comes near depends on the machine.
PROGRESS = r"\d executions  [\d,]+/s  0 findings  \d+ s  of about (?:[7-9](?:\.\d)?e16|1(?:\.[0-4])?e17) \([\d,.e]+ to [\d,.e]+\), "
done, _ = case.on_terminal("check", "--json", "estimate.json", large, columns=200, until=PROGRESS.encode())
case.expect("a progress line on a terminal", re.search(PROGRESS, done.out), done)
answer = read_json(case.path / "estimate.json")
case.expect("the estimate is right, with its spread", 5e16 < answer["estimate"]["executions"] < 2e17
            and answer["estimate"]["low"] < answer["estimate"]["executions"] < answer["estimate"]["high"], answer and done)
case.expect("and turned into advice", re.search(r"executions in all, .+ left: try --bound preemptions=\d, about [\d,]+", done.out)
            and answer["advice"]["bound"]["preemptions"] >= 0, done)

# A process that is killed from outside in the middle is no bug of the program's: told, with what it was at.
for options in [], ["--rewind", "fork"]:
    command = [str(case.build / "heddle"), "check", "--jobs", "1", *options, "--time", "5m", "--json", "killed.json",
               str(large)]
    process = subprocess.Popen(command, cwd=case.path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    let_work(process, 0.3)

    def children_of(parent):
        listed = subprocess.run(["ps", "-o", "pid=", "--ppid", str(parent)], capture_output=True, text=True).stdout
        return [int(child) for child in listed.split()]

    victims = children_of(process.pid)
    for child in victims:
        os.kill(child, signal.SIGKILL)
    out, err = process.communicate(timeout=SECONDS)
    done = Done(command, process.returncode, out, err)
    result = read_json(case.path / "killed.json")
    case.expect(f"kill -9 of the program's process {' '.join(options)}: no bug, status 3, told where", victims
                and done.status == 3 and result["verdict"] == "uncontrolled" and not result["bugs"] and not result["complete"]
                and re.search(r"killed from outside .*(in execution \d+, after \d+ operations|between two executions)", out), done)

# Replay.
bugs = {bug["kind"]: bug for bug in read_json(case.path / "two.json")["bugs"]}
done = case.heddle("replay", "--json", "replay.json", bugs["assertion"]["schedule"])
case.expect("replay shows the program's output", done.status == 1 and "the program speaks" in done.out, done)
case.expect("and writes JSON", read_json(case.path / "replay.json")["bugs"][0]["kind"] == "assertion", done)
os.rename(two, case.path / "moved")
done = case.heddle("replay", "--program", "moved", bugs["data-race"]["schedule"])
case.expect("replay --program", done.status == 1 and "data race" in done.out, done)
case.finish()
