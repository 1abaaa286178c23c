"""--jobs N: several processes make one search, and say together what one says by itself: the same graphs and outcomes,
the same claims, and no execution twice where one has none twice. Whoever is killed, nothing is lost; a bug, the time and
a signal end all of them."""

import os
import re
import signal
import subprocess
import sys
import time

from heddle_run import Case, Done, SECONDS, end_group, let_work, processor_time, read_json, some

SOON = 15  # seconds; a second on a machine that has nothing else to do

HEAD = """
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <heddle.h>
#include "run_threads.h"
"""
ATOMICS = HEAD + """
static atomic_int x, y;
static void *Work(void *me) {
  for (int i = 0; i < ROUNDS; ++i) atomic_fetch_add(i % 2 ? &x : &y, me == 0 ? 1 : 3);
  return 0;
}
int main() { RunSame(THREADS, Work); heddle_outcome("%d", x); }
"""
LAST_WRITER = HEAD + """
static atomic_int x;
static int order;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static atomic_int next;
static void *Work(void *arg) {
  (void)arg;
  int me = next++;
  for (int i = 0; i < ROUNDS; ++i) {
    pthread_mutex_lock(&m);
    order = order * 3 + me;
    pthread_mutex_unlock(&m);
    x = me;
  }
  return 0;
}
int main() { RunSame(3, Work); heddle_outcome("%d %d", order % 17, x); }
"""
QUEUE = HEAD + """
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t some = PTHREAD_COND_INITIALIZER;
static int items, taken[2];
static atomic_int next;
static void *Put(void *arg) {
  for (int i = 0; i < ROUNDS; ++i) {
    pthread_mutex_lock(&m); ++items; pthread_cond_signal(&some); pthread_mutex_unlock(&m);
  }
  return arg;
}
static void *Take(void *arg) {
  int me = next++;
  for (int i = 0; i < ROUNDS; ++i) {
    pthread_mutex_lock(&m);
    while (items == 0) pthread_cond_wait(&some, &m);
    --items; taken[me] = taken[me] * 2 + items;
    pthread_mutex_unlock(&m);
  }
  return arg;
}
int main() {
  pthread_t t[4];
  for (int i = 0; i < 4; ++i) pthread_create(&t[i], 0, i < 2 ? Put : Take, 0);
  for (int i = 0; i < 4; ++i) pthread_join(t[i], 0);
  heddle_outcome("%d %d", taken[0], taken[1]);
}
"""
# Which threads there are, how many, and what they are called depends on the schedule; so do the blocks.
FAMILY = HEAD + """
static atomic_int turns;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *Child(void *arg) { atomic_fetch_add((atomic_int *)arg, 1); ++turns; return 0; }
static void *Work(void *arg) {
  pthread_t child;
  for (int i = 0; i < ROUNDS; ++i) {
    const int turn = turns++;
    if (turn % 2 == 0) continue;
    atomic_int *own = malloc(16 + (size_t)turn * 16);
    *own = turn;
    pthread_create(&child, 0, Child, own);
    pthread_mutex_lock(&m); ++turns; pthread_mutex_unlock(&m);
    pthread_join(child, 0);
    free(own);
  }
  return arg;
}
int main() { RunSame(2, Work); heddle_outcome("%d", turns); }
"""
# Loops that wait: places become visible, and the search begins again.
SPIN = HEAD + """
static atomic_int lock, x;
static int order;
static void *Work(void *arg) {
  for (int i = 0; i < ROUNDS; ++i) {
    while (atomic_exchange(&lock, 1) != 0) {}
    order = order * 2 + (arg != 0); ++x;
    lock = 0;
    ++x;
  }
  return arg;
}
int main() {
  pthread_t a, b;
  pthread_create(&a, 0, Work, 0); pthread_create(&b, 0, Work, &x);
  pthread_join(a, 0); pthread_join(b, 0);
  heddle_outcome("%d", order % 7);
}
"""
# Overlapping accesses: memory is divided more finely, and the search begins again.
WIDE = HEAD + """
static union { _Atomic uint32_t word; _Atomic uint8_t byte[4]; } u;
static atomic_int late;
static void *Work(void *arg) {
  for (int i = 0; i < ROUNDS; ++i) {
    u.word += 0x101;
    if (++late == 2 * ROUNDS) { u.byte[0] = 1; u.byte[1] = 2; }
  }
  return arg;
}
int main() { RunSame(2, Work); ++late; pthread_t t; pthread_create(&t, 0, Work, 0); Work(0); pthread_join(t, 0);
  heddle_outcome("%u", u.word % 8); }
"""
CHOICES = HEAD + """
static atomic_int x;
static sem_t s;
static void *Work(void *arg) {
  for (int i = 0; i < ROUNDS; ++i) {
    const int by = heddle_choose(2);
    sem_wait(&s); x = x * 2 + by; sem_post(&s);
  }
  return arg;
}
int main() { sem_init(&s, 0, 1); RunSame(3, Work); heddle_outcome("%d", x % 16); }
"""
# Some executions kill the process, in the middle of a large search.
DIES = HEAD + """
static atomic_int x, y;
static void *Work(void *arg) {
  for (int i = 0; i < ROUNDS; ++i) { x = x * 2 + (arg != 0); ++y; }
  return arg;
}
int main() {
  pthread_t t; pthread_create(&t, 0, Work, &x); Work(0); pthread_join(t, 0);
  if (x % 64 == 5) abort();
  if (x % 64 == 9) *(volatile int *)8 = 1;
  heddle_outcome("%d", x % 64);
}
"""
# A race, late: what races becomes visible, and with --keep-going the search begins again.
RACES = HEAD + """
static atomic_int x;
static int plain;
static void *Work(void *arg) {
  for (int i = 0; i < ROUNDS; ++i) x = x * 2 + (arg != 0);
  if (x % 8 == 5) plain = arg != 0;
  return arg;
}
int main() {
  pthread_t t; pthread_create(&t, 0, Work, &x); Work(0); pthread_join(t, 0);
  heddle_outcome("%d %d", x % 8, plain);
}
"""

# Programs, "rest" or "all", of which everything is run; else all but what takes long.
named = sys.argv[2:]
REDUCTIONS = "optimal", "source", "dpor", "sleep-sets"
# Beside depth first. By bounds in turn all jobs are at the same one, and what is said of it is the same.
BOUND = ["--bound", "preemptions=2"]
OTHERS = [
    ["--order", "context-bounded", *BOUND, "--reduction", "none"],
    ["--order", "context-bounded", *BOUND, "--reduction", "bounded"],
    ["--order", "context-bounded", "--bound", "delays=2", "--reduction", "none"],
    ["--order", "depth-first", *BOUND, "--reduction", "none"],
    ["--order", "depth-first", *BOUND, "--reduction", "bounded"],
    ["--order", "best-first", *BOUND, "--reduction", "none"],
    ["--order", "best-first", "--reduction", "optimal"],
    ["--order", "best-first", "--reduction", "source"],
    ["--order", "random", "--reduction", "optimal"],
    ["--order", "random", "--reduction", "dpor"],
    ["--order", "depth-first", "--reduction", "happens-before"],
    ["--order", "depth-first", *BOUND, "--reduction", "happens-before"],
    ["--order", "context-bounded", "--reduction", "happens-before"],
    ["--order", "context-bounded", *BOUND, "--reduction", "happens-before-all"],
]
# Not of programs with operations that it does not model.
READS_FROM = [["--memory-model", *model, "--reduction", "reads-from"] for model in (["sc"], ["c11"], ["c11", "--bound", "stale=1"])]
READS_FROM_OF = ("atomics", "last_writer", "queue", "family") if named else ("family",)
OTHERS_OF = ("atomics", "last_writer", "family", "spin", *(("choices",) if named else ()))
# What a reduction runs twice, or not at all, depends on the order: only graphs and labels are the same.
INEXACT = {"spin", "choices"}
PROGRAMS = {
    "atomics": (ATOMICS, ["-DTHREADS=3", f"-DROUNDS={5 if named else 4}"], []),
    "four": (ATOMICS, ["-DTHREADS=4", "-DROUNDS=3"], []),
    "last_writer": (LAST_WRITER, ["-DROUNDS=2"], []),
    "queue": (QUEUE, ["-DROUNDS=2"], []),
    "family": (FAMILY, ["-DROUNDS=2"], []),
    "spin": (SPIN, ["-DROUNDS=2"], []),
    "wide": (WIDE, ["-DROUNDS=2"], []),
    "choices": (CHOICES, ["-DROUNDS=2"], []),
    "dies": (DIES, ["-DROUNDS=4"], ["--keep-going"]),
    "races": (RACES, ["-DROUNDS=4"], ["--keep-going"]),
}

case = Case(sys.argv[1])
every = [*PROGRAMS, "rest"]
chosen = every if named == ["all"] else named or [name for name in every if name != "four"]


def search(jobs, *arguments):
    (case.path / "jobs.json").unlink(missing_ok=True)
    done = case.heddle("check", "--jobs", jobs, "--json", "jobs.json", *arguments, seconds=4 * SECONDS)
    found = (case.path / "jobs.json").exists()
    return done, read_json(case.path / "jobs.json") if found else None


def claims(result):
    return {"complete": result["complete"], "verdict": result["verdict"], "stop": result["stop"],
            "graphs": result["coverage"]["happens_before"], "outcomes": sorted(result["outcomes"]),
            # Of several searches in turn, how far the one by bounds came depends on how soon another one has proved all.
            "bound": None if result["order"] == "escalating" else result["completed_bound"],
            "sum": result["coverage"].get("trace_sum"),
            "guarantee": re.sub(r"[0-9,]+ executions", "all executions", result["guarantee"]),
            "bugs": sorted({bug["identity"] for bug in result["bugs"]}), "weak": result["weak_memory"]["holds"]}


shared = 0
for turn, name in enumerate(name for name in PROGRAMS if name in chosen):
    text, flags, options = PROGRAMS[name]
    program = case.compile(name, text, "-w", *flags)
    ways = [["--order", "depth-first", "--reduction", one] for one in (REDUCTIONS if named else some(REDUCTIONS, 1, turn))]
    ways += [["--order", "escalating"]] if named or turn % 3 == 0 else []
    others = OTHERS if named else some(OTHERS, 4, OTHERS_OF.index(name) if name in OTHERS_OF else 0)
    for way in ways + (others if name in OTHERS_OF else []) + (READS_FROM if name in READS_FROM_OF else []):
        one_done, one = search(1, *way, *options, program)
        done, several = search(3, *way, *options, program)
        shared += several is not None and "jobs" in several
        same = one is not None and several is not None and claims(one) == claims(several)
        case.expect(f"{name} {' '.join(way)}: says what one job says", same, done)
        if not same:
            print(claims(one) if one else one_done.err, claims(several) if several else "")
        # --keep-going begins again behind a race, and a process that died has run what it died of twice.
        # Without a reduction, a look in vain of a loop is a schedule like any other.
        reduces = way[-1] in ("optimal", "reads-from") and name not in INEXACT
        exact = (reduces or way[-1:] == ["none"]) and not options
        if exact:
            case.expect(f"{name}: no execution twice", same and one["executions"] == several["executions"], done)
            counts = one and several and [{k: v["count"] for k, v in r["outcomes"].items()} for r in (one, several)]
            case.expect(f"{name}: outcomes as often", counts and counts[0] == counts[1], done)
if len(chosen) > 3:
    case.expect(f"jobs that searched together ({shared})", shared >= 10, Done(["heddle"], 0, "", ""))


# ---- how they end ----

def start(*arguments):
    command = [str(case.build / "heddle"), "check", *map(str, arguments)]
    return subprocess.Popen(command, cwd=case.path, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, text=True, errors="replace", start_new_session=True)


def finish(process, seconds=4 * SECONDS):
    """As it ended, and how long that took."""
    begun = time.monotonic()
    try:
        out, err = process.communicate(timeout=seconds)
        return Done(process.args, process.returncode, out, err, end_group(process.pid)), time.monotonic() - begun
    except subprocess.TimeoutExpired:
        end_group(process.pid)
        out, err = process.communicate()
        return Done(process.args, None, out, err), seconds


def children(process):
    with open(f"/proc/{process.pid}/task/{process.pid}/children") as file:
        return [int(pid) for pid in file.read().split()]


def kill_one(process, which, after=0.0):
    """Kills a process of the program once there are as many as `which` needs, and waits until heddle knows."""
    until = time.monotonic() + SECONDS
    while process.poll() is None and time.monotonic() < until and len(children(process)) <= which:
        time.sleep(0.01)
    if after:
        let_work(process, processor_time.of_tree(process.pid) + after)
    if process.poll() is None:
        try:
            killed = children(process)[which]
            os.kill(killed, signal.SIGKILL)
            while killed in children(process) and time.monotonic() < until:
                time.sleep(0.01)
            return True
        except (IndexError, FileNotFoundError, ProcessLookupError):
            pass
    return False


def killed_seconds(alone):
    """For a search that begins again when a process is killed, and that took so long alone, however busy the machine was."""
    return 4 * SECONDS + 20 * alone["elapsed_s"]


def atomics(rounds):
    return case.compile(f"atomics_{rounds}", ATOMICS, "-w", "-DTHREADS=3", f"-DROUNDS={rounds}")


if "rest" in chosen:
    order = ["--order", "depth-first", "--reduction", "optimal"]
    # As large as it has to be on this machine to be killed in the middle.
    for rounds in 4, 5, 6:
        large = atomics(rounds)
        done, alone = search(1, *order, large)
        if alone and alone["elapsed_s"] >= 0.3:
            break
    for which in 0, 1:
        process = start("--jobs", 2, *order, "--json", "kill.json", large)
        killed = kill_one(process, which, after=0.3)
        done, _ = finish(process, killed_seconds(alone))
        same = done.status == 0 and claims(read_json(case.path / "kill.json")) == claims(alone)
        case.expect(f"kill -9 of process {which} ({'killed' if killed else 'too late'}): nothing is lost", same, done)
        case.expect("... and no process is left", not done.leftover, done)

    endless = case.compile("endless", ATOMICS, "-w", "-DTHREADS=4", "-DROUNDS=9")
    process = start("--jobs", 2, *order, "--json", "killed.json", endless)
    deaths = 0
    while deaths < 3 and process.poll() is None:
        deaths += kill_one(process, 1, after=0.2)
    done, _ = finish(process)
    case.expect("kill -9 three times is reported",
                done.status == 3 and "killed from outside" in done.out + done.err, done)

    for way in order, ["--order", "random"], ["--order", "escalating"]:
        process = start("--jobs", 2, "--time", "300ms", *way, "--json", "time.json", endless)
        done, took = finish(process)
        ended = done.status == 0 and took < SOON and read_json(case.path / "time.json")["stop"] == "time"
        case.expect(f"{' '.join(way)}: --time ({took:.1f} s)", ended and not done.leftover, done)
        result = read_json(case.path / "time.json")
        # What several searches in turn ran is one execution, in whichever job.
        again = result["redundant"] if "escalating" in way else 0
        case.expect("... the executions of all jobs count",
                    result["executions"] <= sum(result["jobs"]) <= result["executions"] + again, done)
        case.expect("... and nothing is claimed", not result["complete"], done)
        for number in signal.SIGINT, signal.SIGTERM:
            process = start("--jobs", 2, *way, "--json", "time.json", endless)
            let_work(process, 0.3)
            process.send_signal(number)
            done, took = finish(process)
            ended = took < SOON and done.status == 0 and read_json(case.path / "time.json")["stop"] == "interrupted"
            case.expect(f"{' '.join(way)}: {number.name} ({took:.1f} s)", ended and not done.leftover, done)

    rare = case.compile("rare", ATOMICS.replace("heddle_outcome", "if (x == 3 * ROUNDS / 2 + 1) abort(); heddle_outcome")
                        .replace("RunSame(THREADS, Work);", "RunSame(THREADS, Work); if (x == y) abort();"),
                        "-w", "-DTHREADS=3", "-DROUNDS=6")
    for way in order, ["--order", "random"], ["--order", "escalating"]:
        done, result = search(2, *way, rare)
        bug = done.status == 1 and len(result["bugs"]) == 1 and result["stop"] == "bug"
        case.expect(f"{' '.join(way)}: a bug ends all jobs", bug and not done.leftover, done)
        if bug:
            done = case.heddle("replay", result["bugs"][0]["schedule"])
            case.expect("... and its schedule replays", done.status == 1, done)

    # The first bug by bounds in turn needs as many preemptions as it is said to need, whoever finds it.
    needs = case.compile("needs", """
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include "run_threads.h"
static atomic_int turn, padding;
static void *Even(void *arg) {
  for (int i = 0; i < 4; ++i) ++padding;
  for (int i = 0; i < 6; i += 2) { int is = i; atomic_compare_exchange_strong(&turn, &is, i + 1); }
  return arg;
}
static void *Odd(void *arg) {
  for (int i = 1; i < 6; i += 2) { int is = i; atomic_compare_exchange_strong(&turn, &is, i + 1); }
  for (int i = 0; i < 4; ++i) ++padding;
  return arg;
}
int main() {
  pthread_t a, b;
  pthread_create(&a, 0, Even, 0); pthread_create(&b, 0, Odd, 0); pthread_join(a, 0); pthread_join(b, 0);
  if (turn == 6) abort();
}
""", "-w")
    for reduction in "none", "bounded":
        way = ["--order", "context-bounded", "--reduction", reduction]
        found = []
        for jobs in 1, 2, 3:
            done, result = search(jobs, *way, needs)
            found.append([(bug["preemptions"], bug["fewer_may_do"]) for bug in result["bugs"]] + [result["completed_bound"]])
        case.expect(f"{' '.join(way)}: how many preemptions a bug needs {found}",
                    found[0] == found[1] == found[2] and len(found[0]) == 2, done)

    # A process that is killed in the middle of a bound, or of a search at random.
    for wide, killed_in in ((["--order", "context-bounded", "--bound", "preemptions=3", "--reduction", "none"], atomics(6)),
                            (["--order", "random", "--reduction", "optimal"], atomics(5))):
        done, alone = search(1, *wide, killed_in)
        process = start("--jobs", 2, *wide, "--json", "kill.json", killed_in)
        killed = kill_one(process, 1)
        done, _ = finish(process, killed_seconds(alone))
        same = done.status == 0 and claims(read_json(case.path / "kill.json")) == claims(alone)
        case.expect(f"{' '.join(wide)}: kill -9 ({'killed' if killed else 'too late'}): nothing is lost", same, done)

    # What has one job, and what is refused.
    done, result = search(2, *order, "--executions", 100, large)
    case.expect("--executions N are N", result and result["executions"] == 100 and "jobs" not in result, done)
    done, _ = search(1, "--save", "s.saved", "--time", "300ms", large)
    case.expect("--save with one job", done.status == 0 and (case.path / "s.saved").exists(), done)
    for wrong in 0, -1, "x":
        done, _ = search(wrong, large)
        case.expect(f"--jobs {wrong} is refused", done.status == 2 and "--jobs" in done.err, done)
case.finish()
