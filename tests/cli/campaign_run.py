"""What the tests of heddle-campaign share: programs, drivers that are killed, and what has to come out."""

import itertools
import os
import pathlib
import shutil
import signal
import struct
import subprocess
import sys
import time

from heddle_run import Done, SECONDS, read_json
from piece_programs import ADDS, LATE, WAITS, found

LOCKS = """
#include "run_threads.h"
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER, c = PTHREAD_MUTEX_INITIALIZER;
static void *Take(void *arg) {
  pthread_mutex_t *order[] = {&a, &b, &c, &a};
  long self = (long)arg;
  for (int i = 0; i < 2; i++) {
    pthread_mutex_lock(order[self]);
    pthread_mutex_lock(order[self + 1]);
    pthread_mutex_unlock(order[self + 1]);
    pthread_mutex_unlock(order[self]);
  }
  return 0;
}
int main() { RunSame(3, Take); }
"""
NUMBERS = itertools.count()
# By name: text, flags of the compiler, options of heddle check, whether it goes on behind bugs.
OPTIMAL = "--order depth-first --reduction optimal"
PROGRAMS = {
    "adds": (ADDS, [], OPTIMAL, False),
    "wrong": (ADDS, ["-DWRONG"], OPTIMAL, True),
    "late": (LATE, [], OPTIMAL, False),
    "waits": (WAITS.replace("  atomic_fetch", "  for (int i = 0; i < 3; i++) atomic_fetch"), [], "", False),
    "locks": (LOCKS, [], "--order depth-first --reduction source", True),
}


def python_with_dask():
    """A Python that has Dask; or None. Debian's packages are for Debian's own."""
    for python in (sys.executable, "/usr/bin/python3"):
        look = "import importlib.util, sys; sys.exit(importlib.util.find_spec('distributed') is None)"
        if shutil.which(python) and subprocess.run([python, "-c", look]).returncode == 0:
            return python
    return None


def children(pid):
    """Of all its threads."""
    found = []
    for thread in pathlib.Path(f"/proc/{pid}/task").glob("*/children"):
        try:
            found += map(int, thread.read_text().split())
        except OSError:  # it ended meanwhile
            pass
    return found


def descendants(pid):
    return [below for child in children(pid) for below in [child, *descendants(child)]]


def is_heddle(pid):
    """A piece, or a whole search; or the program before its exec."""
    try:
        command = pathlib.Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return False
    return b"heddle\0work\0" in command or b"heddle\0check\0" in command


def runs_piece(pid):
    """Is heddle a child of this process, which is a worker?"""
    return not is_heddle(pid) and any(map(is_heddle, children(pid)))


# A heddle that begins no piece while there are so many results as the file says: so that a test meets a campaign in the middle,
# however long it takes to come.
HELD = """#!/bin/sh
while [ "$1" = work ] && read most 2>/dev/null <"{hold}" && [ "$(ls "{results}" | grep -c 'result$')" -ge "$most" ]; do sleep 0.1; done
exec "{heddle}" "$@"
"""


class Campaign:
    """A campaign in a directory of its own, and what one run finds."""

    def __init__(self, case, name, scheduler, python=sys.executable, slice_executions=0, results="results"):
        text, flags, check, self.keep_going = PROGRAMS[name]
        self.case, self.name, self.python = case, name, python
        self.program = case.path / name
        if not self.program.exists():
            case.compile(name, text, *flags)
        number = next(NUMBERS)
        self.path = case.path / f"campaign-{number}"
        self.results = self.path / results
        # The search before it is cut is short by its executions, and pieces are, too: nothing here depends on time.
        self.arguments = ["run", "--scheduler", scheduler, "--check", f"{check} --executions 5", "--begin", "10m", "--slice", "10m"]
        self.arguments += ["--slice-executions", str(slice_executions)] if slice_executions else []
        self.arguments += ["--keep-going"] if self.keep_going else []
        self._hold = case.path / f"hold-{number}"
        folder = case.path / f"held-{number}"
        folder.mkdir()
        held = folder / "heddle"
        held.write_text(HELD.format(hold=self._hold, results=self.results, heddle=case.build / "heddle"))
        held.chmod(0o700)
        self.arguments += ["--heddle", str(held)]
        whole = case.path / f"{name}.json"
        if not whole.exists():
            case.heddle("check", *check.split(), *(["--keep-going"] if self.keep_going else []), "--json", whole, self.program)
        self.expected = found(whole)

    def start(self, *more):
        command = [self.python, str(self.case.build / "heddle-campaign"), *self.arguments, *map(str, more)]
        command += [str(self.path), "--", str(self.program)]
        return subprocess.Popen(command, cwd=self.case.path, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE, text=True, errors="replace")

    def end(self, process):
        out, err = process.communicate(timeout=4 * SECONDS)  # many processes, which wait for each other
        return Done(process.args, process.returncode, out, err)

    def run(self, *more):
        return self.end(self.start(*more))

    def done(self):
        return len(list(self.results.glob("*.result")))

    def wait(self, process, until):
        """Does it hold, before the driver ends?"""
        give_up = time.monotonic() + SECONDS
        while process.poll() is None and time.monotonic() < give_up:
            if until():
                return True
            time.sleep(0.02)
        return False

    def hold(self, results):
        """Nothing goes on when there are so many results; None: it goes on."""
        if results is None:
            self._hold.unlink()
            return
        new = self._hold.with_suffix(".new")
        new.write_text(f"{results}\n")
        new.rename(self._hold)

    def kill_worker(self, process, workers, how=signal.SIGKILL):
        """One of those that run a piece; its pid."""
        victims = []

        def found_one():
            victims[:] = [pid for pid in workers() if runs_piece(pid)]
            return bool(victims)

        if not self.wait(process, found_one):
            return None
        os.kill(victims[0], how)
        return victims[0]

    def kill_driver(self, process):
        """False: it had ended."""
        killed = process.poll() is None
        process.kill()
        done = self.end(process)
        if not killed:
            self.case.expect(f"{self.name}: the driver was killed", False, done)
        return killed

    def is_exact(self, what, done, says="every schedule explored"):
        got = found(self.path / "found.json") if (self.path / "found.json").exists() else {}
        status = 1 if self.expected["bugs"] else 0
        holds = got == self.expected and done.status == status
        self.case.expect(f"{self.name}: {what}: the same as in one run", holds and (status or says in done.out), done)
        if not holds:
            print(f"  got      {str(got)[:600]}\n  expected {str(self.expected)[:600]}")


INCLUDES = "#include <heddle.h>\n#include <fcntl.h>\n#include <signal.h>\n#include <stdio.h>\n#include <unistd.h>\n"
# One trace of 1680, T1 adds at 3, 4 and 8, T2 at 0, 1 and 2, kills what runs it, once the file ARMED is there.
KILL = """
  if (got[0] == 3 * 81 + 4 * 9 + 8 && got[1] == 11 && access(ARMED, F_OK) == 0) {
    pid_t parent = getppid(), victim = parent;
    if (KILLS_WORKER) {
      char path[64];
      snprintf(path, sizeof path, "/proc/%d/stat", (int)parent);
      FILE *stat = fopen(path, "r");
      if (stat == 0 || fscanf(stat, "%*d %*s %*c %d", &victim) != 1) victim = parent;
    }
    int file = open(DEATHS, O_WRONLY | O_CREAT | O_APPEND, 0600);
    if (write(file, &parent, sizeof parent) == sizeof parent) kill(victim, SIGKILL);
    for (;;) {}
  }
  heddle_outcome"""


def poison(case, scheduler, python=sys.executable, whom="heddle", meanwhile=lambda: None):
    """A campaign with a piece that kills heddle, or the worker above it: given up after three of them. The campaign, disarmed."""
    name = f"kills_{whom}"
    armed, deaths = case.path / f"armed_{name}", case.path / f"deaths_{name}"
    text = ADDS.replace("#include <heddle.h>", INCLUDES)
    flags = [f'-DARMED="{armed}"', f'-DDEATHS="{deaths}"', f"-DKILLS_WORKER={int(whom == 'worker')}"]
    PROGRAMS[name] = (text.replace("heddle_outcome", KILL.lstrip()), flags, OPTIMAL, False)
    campaign = Campaign(case, name, scheduler, python, slice_executions=100)
    process = campaign.start()
    campaign.wait(process, lambda: (campaign.results / "root.result").exists())
    armed.touch()
    campaign.wait(process, lambda: meanwhile() or False)
    done = campaign.end(process)
    answer = read_json(campaign.path / "found.json")
    case.expect(f"a piece that kills {whom} is given up, and reported",
                done.status == 3 and done.out.count("was given up: three workers") == 1 and not answer["complete"]
                and "every schedule explored" not in done.out, done)
    died = set(struct.iter_unpack("i", deaths.read_bytes()))
    case.expect(f"after three of them ({len(died)})", len(died) == 3, done)
    case.expect("the rest is explored", 0 < answer["coverage"]["happens_before"] < campaign.expected["graphs"]
                and "not explored yet" not in done.out, done)
    armed.unlink()
    return campaign
