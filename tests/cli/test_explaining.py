"""A search that is ended, or whose process dies, while it minimises and explains a bug: the bug is told all the same, and who goes on
with the search explains it to the end, but does not again what its process died of.

Where it is ended is said by the program: it counts in a file in how many executions its bug showed. That is in the search (1), when
the schedule is recorded (2), with --no-minimise again with all accesses (3), and else in minimising (from 3 on)."""

import os
import signal
import subprocess
import sys
import time

from heddle_run import SECONDS, Case, Done, end_group, read_json

# An increment is lost in many schedules; the one that is found first has more preemptions than it needs.
PROGRAM = """
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "run_threads.h"
static atomic_int x;
static int plain;
static void *Add(void *arg) {
  int seen = x;
  if (arg) plain = 1;
  x = seen + 1;
  return arg;
}
// Not by raise: heddle would take that for the end of the program.
static void Die(void) {
  long result;
  __asm__ volatile("syscall" : "=a"(result) : "a"(39) : "rcx", "r11", "memory");
  __asm__ volatile("syscall" : "=a"(result) : "a"(62), "D"(result), "S"(SIGKILL) : "rcx", "r11", "memory");
}
int main(int argc, char **argv) {
  RunSame(2, Add);
  plain++;
  if (x == 1) {
    int runs = open(argv[1], O_WRONLY | O_APPEND | O_CREAT, 0666);
    write(runs, ".", 1);
    struct stat status;
    fstat(runs, &status);
    close(runs);
    if (status.st_size == atoi(argv[3])) {
      if (strcmp(argv[2], "dies") == 0) Die();
      for (;;) {}
    }
  }
  assert(x == 2);
}
"""
OPTIONS = ["--order", "random", "--seed", "1", "--jobs", "1"]

case = Case(sys.argv[1])
program = case.compile("lost", PROGRAM)


def bugs(path):
    return read_json(case.path / path)["bugs"]


def is_whole(bug, like):
    return "cut_short" not in bug and all(bug[key] == like[key] for key in ("kind", "preemptions", "schedule_line", "steps"))


def stopped_at(number, *options):
    """A search that is told to end in the execution `number` of those in which its bug shows, and is saved."""
    runs = case.path / f"runs-{number}"
    command = [str(case.build / "heddle"), "check", "--save", f"{number}.saved", "--json", "stopped.json", *OPTIONS, *options,
               str(program), str(runs), "stands", str(number)]
    process = subprocess.Popen(command, cwd=case.path, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                               text=True, start_new_session=True)
    while process.poll() is None and not (runs.exists() and runs.stat().st_size >= number):
        time.sleep(0.01)
    process.send_signal(signal.SIGTERM)
    out, err = process.communicate(timeout=SECONDS)
    end_group(process.pid)
    return Done(command, process.returncode, out, err)


done = case.heddle("check", "--json", "whole.json", *OPTIONS, program, "runs-whole", "stands", "0")
whole = bugs("whole.json")
case.expect("undisturbed: one bug, which one preemption shows", done.status == 1 and len(whole) == 1
            and whole[0]["preemptions"] == 1 and "cut_short" not in whole[0], done)
# What ends while it is recorded is recorded again, where the program's output goes as in the search.
for number, missing in ((2, "recording"), (3, "minimising")):
    done = stopped_at(number)
    case.expect(f"ended while {missing}: told as far as it came", done.status == 1
                and [bug.get("cut_short") for bug in bugs("stopped.json")] == ["minimising"], done)
    done = case.heddle("check", "--resume", f"{number}.saved", "--json", "end.json")
    found = bugs("end.json")
    case.expect(f"gone on with: as if nobody had ended it while {missing}", done.status == 1 and len(found) == 1
                and is_whole(found[0], whole[0]), done)
    done = case.heddle("check", "--resume", f"{number}.saved", "--json", "end.json")
    case.expect("and it is explained once", done.status == 1 and len(bugs("end.json")) == 1
                and is_whole(bugs("end.json")[0], whole[0]), done)

for number, options in ((2, ["--no-minimise"]), (3, ["--no-minimise"]), (3, [])):
    runs = case.path / "runs-dies"
    runs.unlink(missing_ok=True)
    done = case.heddle("check", "--json", "died.json", *OPTIONS, *options, program, runs, "dies", number)
    found = bugs("died.json")
    # It is run once more, in a process of its own.
    case.expect(f"its process dies in run {number} {' '.join(options)}: the bug is told, and not minimised", done.status == 1
                and len(found) == 1 and found[0]["preemptions"] >= 1 and runs.stat().st_size == number + 1, done)

case.finish()
