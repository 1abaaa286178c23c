"""A signal ends a search within a second, whatever is going on: one long execution, what heddle learns from it, minimising,
recording, a report of long schedules or of a program with much debug information; and what was found before is told.

None of these searches ends by itself before it is told to. With `all` behind the build directory every program is searched in every
way, otherwise each in three of the nine. A second is what a machine needs that has nothing else to do. How much slower this one is
at the moment a process shows that does nothing but count, and has as much to do with it."""

import os
import signal
import subprocess
import sys
import time

from heddle_run import EVERYTHING, Case, Done, SECONDS, let_work, read_json

HEAD = """
#include <atomic>
#include <cassert>
#include <cstdlib>
#include <mutex>
#include <semaphore.h>
#include <thread>
"""
# Each step races with many, which are enabled or not by what all of them together did.
SEMAPHORES = HEAD + """
sem_t s;
int main() {
  sem_init(&s, 0, 1);
  auto work = [] { for (int i = 0; i < 40000; i++) { sem_wait(&s); sem_post(&s); } };
  std::thread a(work), b(work), c(work);
  a.join(); b.join(); c.join();
}"""
# Loops that look in vain, again and again.
SPINNING = HEAD + """
std::atomic<int> y{0}, w{0};
int main() {
  constexpr int n = 20000;
  std::thread s([] { while (y.load() != n) {} }), t([] { while (y.load() != n) {} });
  std::thread p([] { for (int i = 1; i <= n; i++) { y.store(i); while (w.load() < i - 1) {} } });
  std::thread q([] { for (int i = 1; i <= n; i++) { while (y.load() < i) {} w.store(i); } });
  s.join(); t.join(); p.join(); q.join();
}"""
MUTEXES = HEAD + """
std::mutex m;
int main() {
  auto work = [] { for (int i = 0; i < 30000; i++) { m.lock(); m.unlock(); } };
  std::thread a(work), b(work), c(work);
  a.join(); b.join(); c.join();
}"""
COUNTS = HEAD + """
std::atomic<int> x;
int main() {
  auto work = [] { for (int i = 0; i < 100000; i++) x++; };
  std::thread a(work), b(work);
  a.join(); b.join();
}"""
# A bug in every execution, whose schedule takes long to minimise.
LONG_BUG = HEAD + """
std::atomic<int> x;
int main() {
  std::thread t[8];
  for (auto& each : t) each = std::thread([] { for (int i = 0; i < 20000; i++) { int y = x; x = y + 1; } });
  for (auto& each : t) each.join();
  if (x <= 160000) abort();
}"""
# A race soon, in an execution from which there is much to learn.
RACE_AND_MORE = SEMAPHORES.replace("sem_t s;", "sem_t s; int raced;").replace("auto work = [] {", "auto work = [] { raced++;")

LONG = ["--max-events", "100000000", "--hang-after", "1h", "--idle-rounds", "1000000"]
DEPTH_FIRST = ["--order", "depth-first", "--reduction"]
WAYS = [[*DEPTH_FIRST, one] for one in ("none", "sleep-sets", "dpor", "source", "optimal")] + [
    ["--reduction", "happens-before"], ["--order", "context-bounded", "--reduction", "bounded"],
    ["--order", "best-first", "--priority", "dpor"], ["--order", "best-first", "--reduction", "optimal", "--priority", "rand"]]
OTHERS = [["--preset", "zing"], ["--rewind", "fork"], ["--rewind", "checkpoint"], ["--jobs", "2"], ["--order", "pct"]]

case = Case(sys.argv[1])
METRONOME = """
import time
wall, own = time.monotonic(), time.process_time()
while time.monotonic() < wall + 0.3: pass
print((time.monotonic() - wall) / (time.process_time() - own))
"""


def seconds_per_second():
    """How long now takes what takes a second on a machine that has nothing else to do."""
    done = subprocess.run([sys.executable, "-c", METRONOME], capture_output=True, text=True, check=True)
    return max(1.0, float(done.stdout))


def told_to_end(after, number, *arguments):
    """heddle as it ended, how long after the signal, and how long it may have taken."""
    (case.path / "soon.json").unlink(missing_ok=True)
    command = [str(case.build / "heddle"), "check", *map(str, arguments)]
    process = subprocess.Popen(command, cwd=case.path, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, text=True, errors="replace", start_new_session=True)
    let_work(process, after)
    before = seconds_per_second()  # and so much longer it runs
    process.send_signal(number)
    begin = time.monotonic()
    try:
        out, err = process.communicate(timeout=SECONDS)
        took = time.monotonic() - begin
        done = Done(command, process.returncode, out, err)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        out, err = process.communicate()
        return Done(command, None, out, err), SECONDS, 0
    # Two processes of ours, at least, want the processor then: heddle and the program.
    return done, took, 2 * max(before, seconds_per_second()) - 1


def ends_soon(name, program, options, after=2.0, number=signal.SIGTERM, bug=None):
    done, took, may = told_to_end(after, number, *LONG, *options, "--json", "soon.json", program)
    ended = took <= may and done.status is not None
    result = read_json(case.path / "soon.json") if (case.path / "soon.json").exists() else None
    case.expect(f"{name} {' '.join(options)}: {took:.2f} s of {may:.2f}", ended and result is not None, done)
    case.expect("... nothing is claimed", result and not result["complete"], done)
    case.expect("... and it says why it ended", result and result["stop"] in ("interrupted", "bug"), done)
    if bug:
        kinds = [found["kind"] for found in result["bugs"]] if result else []
        case.expect(f"... with the bug: {kinds}", bug in kinds and done.status == 1, done)


def compiled(name, text):
    return case.compile(name, text, "-w", "-std=c++17", compiler="heddle-c++")


for name, text, ways in (("semaphores", SEMAPHORES, (3, 5, 6)), ("spinning", SPINNING, (0, 2, 7)), ("mutexes", MUTEXES, (1, 4, 8))):
    program = compiled(name, text)
    for number, way in enumerate(WAYS):
        if EVERYTHING or number in ways:
            ends_soon(name, program, way, after=2.0 if EVERYTHING else 0.8)
program = compiled("counts", COUNTS)
for way in OTHERS:
    ends_soon("counts", program, way, after=0.5, number=signal.SIGINT)
ends_soon("long_bug", compiled("long_bug", LONG_BUG), [], bug="abort")
found = read_json(case.path / "soon.json")["bugs"][0]
case.expect("... that was not minimised, and says so", "cut_short" in found, Done(["heddle"], 0, str(found)[:2000], ""))
ends_soon("long_bug", case.path / "long_bug", ["--points", "all"], bug="abort")
# What a replay had not come to when it was interrupted did not fail to show.
schedule = read_json(case.path / "soon.json")["bugs"][0]["schedule"]
for after in 0.1, 0.2, 0.4:
    process = subprocess.Popen([str(case.build / "heddle"), "replay", schedule], cwd=case.path, stdin=subprocess.DEVNULL,
                               stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, start_new_session=True)
    time.sleep(after)
    process.send_signal(signal.SIGTERM)
    out, _ = process.communicate(timeout=SECONDS)
    done = Done(process.args, process.returncode, out, "")
    case.expect(f"a replay is interrupted: {done.status}", "did not show" not in out and done.status in (1, 3, -15), done)
program = compiled("race_and_more", RACE_AND_MORE)
for way in ([*DEPTH_FIRST, "optimal"], ["--reduction", "happens-before"], ["--rewind", "fork"])[:3 if EVERYTHING else 1]:
    ends_soon("race_and_more", program, [*way, "--keep-going", "--no-minimise"], after=3, bug="data-race")
case.finish()
