"""--time, SIGINT and SIGTERM end a search soon, whatever is going on, and what was found is reported. A bug is told when
it is found, with its schedule.

None of these programs ends by itself, and no execution is ended as a hang: none comes to its end, so nothing was explored,
which is status 3 and never "no bug found". How soon is soon depends on how loaded the
machine is, so the limit here is generous; docs/cli.md says a second."""

import os
import re
import select
import signal
import subprocess
import sys
import time

from heddle_run import Case, Done, SECONDS, let_work, read_json

SOON = 15  # seconds

HEAD = """
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "run_threads.h"
static atomic_int x;
static volatile unsigned sink;
static void Loop(void) { for (unsigned n = 1;; n = n * 1664525u + 1013904223u) sink = n; }
static void *Add(void *arg) { (void)arg; for (;;) x++; return 0; }
"""
COMPUTES = HEAD + "int main() { Loop(); }"
MANY_EVENTS = HEAD + "int main() { RunSame(2, Add); }"
DEAF = HEAD + """
int main() {
  unsigned long all = ~0ul;
  syscall(SYS_rt_sigprocmask, SIG_BLOCK, &all, 0, 8);
  Loop();
}"""
IN_A_CALL = HEAD + """
int main() {
  // Not by a function that heddle has: it would know that nobody writes.
  struct { long seconds, nanoseconds; } long_time = {1000000, 0};
  long result;
  __asm__ volatile("syscall" : "=a"(result) : "a"((long)SYS_nanosleep), "D"(&long_time), "S"(0l)
                   : "rcx", "r11", "memory");
  return (int)result;
}"""
# A bug soon, and another one that takes a long time to look for.
BUG_AND_MORE = HEAD + """
static int raced;
static void *Race(void *arg) { (void)arg; raced++; for (int i = 0; i < 12; i++) x++; return 0; }
int main() { RunSame(4, Race); }"""

PATIENT = ["--max-events", "1000000000"]
ROWS = [("computes", COMPUTES, []), ("many_events", MANY_EVENTS, PATIENT), ("deaf", DEAF, []), ("in_a_call", IN_A_CALL, [])]

case = Case(sys.argv[1])


def start(*arguments):
    command = [str(case.build / "heddle"), "check", *map(str, arguments)]
    return command, subprocess.Popen(command, cwd=case.path, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                     stderr=subprocess.PIPE, text=True)


def finish(command, process):
    """The finished process, and how long that took."""
    begin = time.monotonic()
    try:
        out, err = process.communicate(timeout=SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        out, err = process.communicate()
    return Done(command, process.returncode, out, err), time.monotonic() - begin


for name, text, options in ROWS:
    program = case.compile(name, text, "-w")
    for rewind in "memory", "fork":
        search = ["--rewind", rewind, "--hang-after", "1h", *options, "--json", "time.json", program]
        done, took = finish(*start("--time", "200ms", *search))
        ended = took < SOON and done.status == 3 and read_json(case.path / "time.json")["stop"] == "time"
        case.expect(f"{name}, rewind {rewind}: --time ({took:.1f} s)", ended, done)
        case.expect("... nothing was explored", done.out.startswith("heddle: nothing was explored in 0 executions"), done)
    # With several jobs the others wait until an execution is over.
    for number, jobs in (signal.SIGTERM, 1), (signal.SIGINT, 1), (signal.SIGTERM, 2):
        command, process = start("--hang-after", "1h", "--jobs", jobs, *options, "--json", "time.json", program)
        if name == "in_a_call":
            time.sleep(0.5)
        else:
            let_work(process, 0.2)
        process.send_signal(number)
        done, took = finish(command, process)
        ended = took < SOON and done.status == 3 and read_json(case.path / "time.json")["stop"] == "interrupted"
        case.expect(f"{name}, {jobs} jobs: {number.name} ({took:.1f} s)", ended, done)

# A bug is told while the search goes on. Its schedule is there by then, whatever happens to heddle.
program = case.compile("bug_and_more", BUG_AND_MORE, "-w")
command, process = start("--keep-going", "--no-minimise", program)
told = ""
until = time.monotonic() + SECONDS
while "heddle replay" not in told and time.monotonic() < until:
    if select.select([process.stderr], [], [], 1)[0]:
        told += os.read(process.stderr.fileno(), 4096).decode()
process.kill()
done, _ = finish(command, process)
done.err = told + done.err
file = re.search(r"heddle replay (\S+)", told)
case.expect("a bug is told when it is found: what, where, and how to replay it",
            re.match(r"heddle: found in execution \d+: data race", told) and "bug_and_more.c:" in told.splitlines()[0] and file, done)
if file:
    done = case.heddle("replay", file[1])
    case.expect("kill -9 of heddle, and its schedule replays", done.status == 1 and "data race" in done.out, done)

# At the end it is told once, on the standard output.
done, _ = finish(*start("--keep-going", "--time", "1s", "--json", "keep.json", program))
races = [bug for bug in read_json(case.path / "keep.json")["bugs"] if bug["kind"] == "data-race"]
case.expect("the report has it once", len(races) == 1 and done.out.count("heddle: data race") == 1, done)
case.expect("with the schedule that was told", races and races[0]["schedule"] in done.err, done)
# The race makes its accesses visible, and the search has no execution left to begin again with them.
done, _ = finish(*start("--keep-going", "--executions", "1", "--json", "one.json", program))
one = read_json(case.path / "one.json")
case.expect("what was run before a search would begin again is counted",
            done.status == 1 and one["executions"] == 1 and one["stop"] == "executions", done)
done, _ = finish(*start("--keep-going", "--time", "1s", "--quiet", program))
case.expect("--quiet: a line for the bug, once", done.err == "" and done.out.count("heddle: data race") == 1, done)
case.finish()
