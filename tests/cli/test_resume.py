"""heddle check --save and --resume: a search that is killed at random moments, whichever of its processes it is, and
gone on with each time, ends with the same result as one that nobody disturbed, for every order and reduction. And
what can be wrong with the file.

    test_resume.py BUILD [KILLS [SEED]]     at most so many kills of each search
"""

import json
import os
import pathlib
import random
import re
import resource
import shutil
import signal
import subprocess
import sys
import time

from heddle_run import Case, Done, SECONDS, end_group, let_work, read_json

# Interleavings of three threads that meet in one word; a race, and an assertion that some schedules break.
PROGRAM = """
#include <heddle.h>
#include "run_threads.h"
#include <stdatomic.h>
#ifndef STEPS
#define STEPS 3
#endif
static atomic_int x;
static int got[3];
int plain;
static void *Add(void *arg) {
  long self = (long)arg;
  if (self < 2) plain = (int)self;
  for (int i = 0; i < STEPS; i++) got[self] = got[self] * 3 * STEPS + atomic_fetch_add(&x, 1);
  return 0;
}
int main() {
  RunSame(3, Add);
  heddle_outcome("%d", got[2]);
  assert(got[0] % (3 * STEPS) != 3 || got[1] % 2 == 0);
}
"""
# What the threads meet in is on the stack of one of them, in its thread-local storage, and on stacks of threads that
# others made: addresses that must be the same in every process. More threads than heddle has ready at first.
NESTED = """
#include <heddle.h>
#include "run_threads.h"
#include <stdatomic.h>
#include <stdlib.h>
static _Thread_local atomic_int local;
struct VisitResult { atomic_int *local; atomic_int stack; };
static void *Meet(void *arg) {
  struct VisitResult *result = arg;
  atomic_fetch_add(&result->stack, 1);
  atomic_fetch_add(result->local, 1);
  return 0;
}
static void *Spread(void *arg) {
  struct VisitResult result = {&local, 0};
  pthread_t threads[4];
  int count = (long)arg == 0 ? 3 : 4;
  for (int i = 0; i < count; i++) pthread_create(&threads[i], 0, Meet, &result);
  for (int i = 0; i < count; i++) pthread_join(threads[i], 0);
  return 0;
}
int main() { RunSame(2, Spread); }
"""
# What each run of one search has of its own: how much is estimated depends on how long it took.
OWN = ("steps_skipped", "elapsed_s", "executions_per_s", "peak_memory_bytes", "saved", "estimate", "time")

case = Case(sys.argv[1])
kills_of_each = int(sys.argv[2]) if len(sys.argv) > 2 else 2
seed = int(sys.argv[3]) if len(sys.argv) > 3 else 20261123
random.seed(seed)
print(f"seed {seed}")
long_test = kills_of_each > 10
program = case.compile("adds", PROGRAM, f"-DSTEPS={4 if long_test else 3}")


def result(path):
    return {key: value for key, value in read_json(path).items() if key not in OWN}


def but_for_hit(answer):
    """What does not depend on when the process died, or the search was asked to end (and who does not answer is killed): a bug
    that is being explained then is told as far as that came, but it is told."""
    found = [(bug["kind"], bug["execution"]) for bug in answer.get("bugs", [])]
    return {**answer, "bugs": found, "restarts": None}


def start(*arguments, **options):
    return subprocess.Popen([str(case.build / "heddle"), "check", *map(str, arguments)], cwd=case.path,
                            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                            start_new_session=True, **options)


def child_of(process):
    try:
        children = pathlib.Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
    except OSError:
        return None
    return int(children[0]) if children else None


def kill(process, whom):
    child = child_of(process)
    try:
        if whom in ("program", "both") and child is not None:
            os.kill(child, signal.SIGKILL)
        if whom in ("heddle", "both"):
            os.kill(process.pid, signal.SIGKILL)
        if whom == "asked":  # to end, wherever it is: it saves itself, or the save before stands
            os.kill(process.pid, signal.SIGTERM)
    except ProcessLookupError:
        pass


def finish(process):
    out, err = process.communicate(timeout=SECONDS)
    end_group(process.pid)
    return Done(process.args, process.returncode, out, err)


def disturbed(name, options, program, seconds):
    """The search with `options`, killed and gone on with; its last run, how often it was killed and gone on with, and whether
    that hit a search that then went on by itself."""
    saved, answer = case.path / f"{name}.saved", case.path / f"{name}.json"
    fresh = ["--save", saved, "--save-every", "10ms", "--json", answer, *options, program]
    killed = resumed = 0
    hit = False
    while True:
        goes_on = saved.exists()
        limits = [word for word in options if word.startswith("--executions=")]
        again = ["--resume", saved, "--save-every", "10ms", "--json", answer, *limits]
        process = start(*(again if goes_on else fresh))
        resumed += goes_on
        if killed < kills_of_each:
            try:
                process.wait(timeout=random.uniform(0.05, 0.1 + seconds))
            except subprocess.TimeoutExpired:
                whom = random.choice(["heddle", "program", "both", "asked", "asked"])
                hit |= whom in ("asked", "program")
                kill(process, whom)
                killed += 1
                answer.unlink(missing_ok=True)
                finish(process)
                continue
        return finish(process), killed, resumed, hit


def compare(name, options, program=program):
    whole = case.path / f"{name}-whole.json"
    begun = time.monotonic()
    done = case.heddle("check", "--jobs", 1, "--json", whole, *options, program)
    if done.status == 2:
        return False  # there is no such search
    expected = result(whole)
    again, killed, resumed, hit = disturbed(name, options, program, 1.2 * (time.monotonic() - begun))
    try:
        got = result(case.path / f"{name}.json")
    except OSError:
        got = {}
    if hit:
        expected, got = but_for_hit(expected), but_for_hit(got)
    differ = [key for key in expected if got.get(key) != expected[key]]
    if differ:
        again.err += "".join(f"\n{key}: {str(expected[key])[:400]}\n  not {str(got.get(key))[:400]}" for key in differ)
    case.expect(f"{' '.join(options)}: {expected['executions']} executions, killed {killed} times, gone on with "
                f"{resumed} times", not differ and again.status == done.status, again)
    return True


ORDERS = [["--order", "depth-first"], ["--order", "context-bounded", "--bound", "preemptions=3"],
          ["--order", "random", "--executions=20000"], ["--bound", "depth=6"],
          ["--order", "context-bounded", "--bound", "delays=3"],
          ["--order", "best-first", "--priority", "rand,pb"], ["--priority", "mdpor,pb", "--bound", "preemptions=3"],
          ["--order", "escalating"], *(["--order", draws, "--executions=5000"] for draws in ("pct", "pos", "surw", "rff"))]
REDUCTIONS = ["none", "sleep-sets", "dpor", "source", "optimal", "happens-before", "happens-before-all", "bounded", "reads-from"]
# Of the orders in turn, until only those that draw are left. Each reduction is there.
FEW = [["none", "source", "reads-from"], ["bounded", "happens-before"], ["optimal"], ["none"], ["none"], ["sleep-sets", "dpor"],
       ["none"], ["happens-before-all"]]
begun = time.monotonic()
searches = 0
for i, order in enumerate(ORDERS):
    for reduction in REDUCTIONS if long_test else FEW[i] if i < len(FEW) else ["none"]:
        searches += compare(f"{i}-{reduction}", ["--keep-going", *order, "--reduction", reduction])
case.expect(f"{searches} searches in {time.monotonic() - begun:.0f} s", searches >= (12 if long_test else 8), Done([], 0, "", ""))
compare("c11", ["--keep-going", "--memory-model", "c11"])
compare("stale", ["--keep-going", "--memory-model", "c11", "--bound", "stale=1"])
nested = case.compile("nested", NESTED)
for reduction in ("optimal", "source"):
    compare(f"nested-{reduction}", ["--reduction", reduction], nested)
compare("forks", ["--keep-going", "--rewind", "fork", "--bound", "preemptions=1"])
compare("points", ["--keep-going", "--points", "all", "--bound", "preemptions=2"])

# Suppressions are in the file, and how often each was used.
(case.path / "suppressions").write_text("race:Add\nrace:Nobody\n")
case.heddle("check", *["--suppressions", "suppressions", "--json", "suppressed.json", "--keep-going", "--jobs", "1"], program)
case.heddle("check", *["--suppressions", "suppressions", "--save", "suppressed.saved", "--executions", "500"],
            "--keep-going", program)
(case.path / "suppressions").unlink()
done = case.heddle("check", "--resume", "suppressed.saved", "--json", "end.json")
case.expect("suppressions", result(case.path / "end.json") == result(case.path / "suppressed.json")
            and result(case.path / "end.json")["suppressed"] == 1, done)

# Limits and Ctrl-C, and what the last line says.
plain = ["--keep-going", "--order", "depth-first", "--jobs", "1"]
whole = case.path / "whole.json"
case.heddle("check", "--json", whole, *plain, program)
expected = result(whole)


def command_in(done):
    """What the last line of the report says to type."""
    found = re.search(r"^  go on.*: heddle check (--resume .*)$", done.out, re.MULTILINE)
    return found.group(1).split() if found else ["--resume", "none"]


def same_result(path="end.json"):
    return result(case.path / path) == expected


done = case.heddle("check", "--save", "limit.saved", "--executions", "1000", "--json", "part.json", *plain, program)
part = read_json(case.path / "part.json")
case.expect("saved at --executions", done.status == 1 and part["saved"] == {"file": "limit.saved", "executions": part["executions"]}, done)
done = case.heddle("check", "--resume", "limit.saved", "--executions", "1500")
case.expect("--executions counts from the beginning", "in 1,499 executions" in done.out, done)
done = case.heddle("check", "--resume", "limit.saved", "--executions", "1500")
case.expect("and is reached already", "in 1,499 executions" in done.out, done)
shutil.copy(case.path / "limit.saved", case.path / "good.saved")
done = case.heddle("check", *command_in(done), "--json", "end.json", "--", program)
case.expect("its last line goes on with it, to the same end", same_result(), done)
case.expect("and does not say to go on", "go on" not in done.out and "saved" not in read_json(case.path / "end.json"), done)
text = done.out.splitlines()[1:]
done = case.heddle("check", "--resume", "limit.saved", "--json", "end.json")
case.expect("a finished one reports again", same_result() and done.status == 1, done)
schedules = [bug["schedule"] for bug in read_json(case.path / "end.json")["bugs"]]
done = case.heddle("replay", schedules[0])
case.expect("with its schedules", len(schedules) == 2 and done.status == 1, done)



def signalled(number, *arguments):
    """A search that has worked for a second when it gets the signal."""
    process = start(*arguments)
    let_work(process, 1)
    process.send_signal(number)
    return finish(process)


for number in (signal.SIGINT, signal.SIGTERM):
    (case.path / "signal.saved").unlink(missing_ok=True)
    done = signalled(number, "--save", "signal.saved", "--keep-going", "--order", "random", "--json", "signal.json", program)
    again = signalled(number, *command_in(done), "--json", "end.json")
    first, both = read_json(case.path / "signal.json"), read_json(case.path / "end.json")
    case.expect(f"saved at {number.name}", "--resume signal.saved" in done.out and "interrupted" in done.out
                and again.status == 1 and both["executions"] > first["executions"], again)
    case.expect("the elapsed time is that of both runs", both["elapsed_s"] > first["elapsed_s"], again)

# The first bug ends the search; --keep-going goes on behind it, as if it had been there from the beginning.
done = case.heddle("check", "--save", "bug.saved", "--order", "depth-first", program)
case.expect("saved at the first bug", done.status == 1 and "stopped at the first bug" in done.out
            and "--resume bug.saved" in done.out, done)
done = case.heddle("check", "--resume", "bug.saved")
case.expect("which is reported again", done.status == 1 and "stopped at the first bug" in done.out, done)
done = case.heddle("check", "--resume", "bug.saved", "--keep-going", "--json", "end.json")
case.expect("--keep-going goes on behind it", same_result(), done)

# Without --save.
(case.path / "auto").mkdir()
(case.path / "auto" / "search.saved").write_text("somebody else's")
process = start("--save-every", "50ms", "--out", "auto", "--order", "random", "--keep-going", program)
automatic = case.path / "auto" / "search-2.saved"
for _ in range(200):
    if automatic.exists():
        break
    time.sleep(0.1)
process.kill()
done = finish(process)
case.expect("a search that nobody asked to save saves itself, and replaces nothing", automatic.exists()
            and (case.path / "auto" / "search.saved").read_text() == "somebody else's", done)
done = case.heddle("check", "--resume", "auto/search-2.saved", "--executions", "1")
case.expect("and is gone on with", "go on" in done.out and automatic.exists(), done)
process = start("--save-every", "20ms", "--out", "own", *plain, program)
done = finish(process)
case.expect("a finished one leaves no file", not list((case.path / "own").glob("*.saved")), done)

# What cannot be gone on with.
good = (case.path / "good.saved").read_bytes()


def refused(what, words, *arguments, **options):
    done = case.heddle("check", *arguments, **options)
    lines = done.err.strip().splitlines()
    case.expect(what, done.status == 2 and len(lines) == 1 and words in lines[0], done)


(case.path / "bad.saved").write_bytes(good[:len(good) // 2])
refused("one that is cut short", "damaged or cut short", "--resume", "bad.saved")
for _ in range(5):
    at = random.randrange(16, len(good))
    (case.path / "bad.saved").write_bytes(good[:at] + bytes([good[at] ^ 0x10]) + good[at + 1:])
    refused(f"one with another byte {at}", "damaged", "--resume", "bad.saved")
(case.path / "bad.saved").write_text("{}")
refused("another file", "is no search", "--resume", "bad.saved")
refused("none", "No such file", "--resume", "none.saved")
refused("another order", "--order random: good.saved is a search with --order depth-first", "--resume", "good.saved",
        "--order", "random")
refused("another option", "--points all: good.saved is a search without that option", "--resume", "good.saved",
        "--points", "all")
done = case.heddle("check", "--resume", "good.saved", "--order", "depth-first", "--seed", "1", "--reduction", "none",
                   "--executions", "1", program)
case.expect("the same options may be given", done.status == 1, done)
refused("other arguments", "is a search of", "--resume", "good.saved", program, "argument")
other = case.compile("other", PROGRAM, "-DSTEPS=2")
refused("another program", "is not the program", "--resume", "good.saved", other)
refused("each case by itself", "--each", "--resume", "good.saved", "--each", program)
refused("--save with --each", "--each", "--save", "each.saved", "--each", program)
refused("one that is not finished is not written over", "not finished", "--save", "good.saved", program)
(case.path / "notes.txt").write_text("notes")
refused("nor another file", "no saved search", "--save", "notes.txt", program)
refused("a directory that is not there", "No such file", "--save", "none/a.saved", program)
kept = program.read_bytes()
program.unlink()
program.write_bytes(kept + b"changed")
program.chmod(0o755)
refused("a program that was built again", "was changed since", "--resume", "good.saved")
program.write_bytes(kept)
done = case.heddle("check", "--resume", "good.saved", "--json", "end.json")
case.expect("and its first contents again", same_result(), done)

# A library that was built again, and a machine that lays memory out otherwise.
library = ["-shared", "-fPIC"]
case.compile("libpart.so", "int Part() { return 0; }", *library)
user = case.compile("user", "int Part(); int main() { return Part(); }", case.path / "libpart.so",
                    f"-Wl,-rpath,{case.path}")
done = case.heddle("check", "--save", "user.saved", user)
case.expect("a program with a library of its own", done.status == 0, done)
case.compile("libpart.so", "int Part() { return 1; }", *library)
refused("a library that was built again", "libpart.so is not the library", "--resume", "user.saved")
shell = subprocess.run(["sh", "-c", f"ulimit -s unlimited && {case.build}/heddle check --resume good.saved"],
                       cwd=case.path, capture_output=True, text=True, timeout=SECONDS)
if "ulimit" in shell.stderr.split("heddle:")[0]:
    print("skipped: other addresses (the limit on the stack cannot be raised here)")
else:
    case.expect("other addresses", shell.returncode == 2 and "has other addresses than when" in shell.stderr,
                Done(shell.args, shell.returncode, shell.stdout, shell.stderr))

# A disk that is full from the second save on: the search goes on, and the first one stands.
disk = case.path / "disk"
disk.mkdir()
script = f"""
mount -t tmpfs -o size=64m none {disk} || exit 77
{case.build}/heddle check --save {disk}/s --save-every 100ms --out out --order random --keep-going {program} 2>said &
while [ ! -s {disk}/s ]; do sleep 0.05; done
head -c 100m /dev/zero > {disk}/fill
until grep -q "No space left" said; do sleep 0.05; done
cp {disk}/s first.saved
rm {disk}/fill
kill $!
wait
cat said >&2
"""
process = subprocess.run(["unshare", "-rm", "sh", "-c", script], cwd=case.path, capture_output=True, text=True,
                         timeout=SECONDS)
done = Done(process.args, process.returncode, process.stdout, process.stderr)
if "mount" in process.stderr or "unshare" in process.stderr:
    print("skipped: a full disk (no user namespaces here)")
else:
    case.expect("a full disk", "No space left" in done.err and "the search goes on" in done.err
                and "bug" in done.out and "go on: " in done.out, done)
    done = case.heddle("check", "--resume", "first.saved", "--executions", "1")
    case.expect("the save before stays as it is", done.status in (0, 1) and "go on" in done.out, done)
    script = f"""
mount -t tmpfs -o size=64k none {disk} || exit 77
{case.build}/heddle check --save {disk}/s --out out --order random --keep-going --time 500ms {program}
"""
    process = subprocess.run(["unshare", "-rm", "sh", "-c", script], cwd=case.path, capture_output=True, text=True,
                             timeout=SECONDS)
    case.expect("one that was never saved says so by its status", process.returncode == 2 and "No space left" in process.stderr
                and "go on: " not in process.stdout, Done(process.args, process.returncode, process.stdout, process.stderr))

case.finish()
