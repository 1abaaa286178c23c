"""Going back into the middle of an execution (--rewind checkpoint, fork-checkpoint): a search is the same, to the last event, as one
that runs every execution from the beginning, whatever the program does: memory of all kinds, files, signals, time, random numbers,
loops that wait. Who kills the process of a checkpoint does no harm.

With `all` behind the build directory every program is searched in every way, otherwise each in one of the twelve."""

import os
import signal
import subprocess
import sys
import time

from heddle_run import Case, Done, read_json, some

# START runs before the threads are there, STEP(i, turn) is what thread i does in each of its turns.
FRAME = r"""
#include <assert.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>
#include "heddle.h"
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static atomic_int shared, flag;
static int plain, seen[3];
static char *blocks[3];
static _Thread_local int mine;
GLOBALS
static void Step(int i, int turn) { (void)turn; STEP; }
static void *Body(void *number) {
  int i = (int)(long)number;
  for (int turn = 0; turn < TURNS; turn++) {
    pthread_mutex_lock(&mutex);
    plain += i + turn;
    Step(i, turn);
    pthread_mutex_unlock(&mutex);
    seen[i] = seen[i] * 2 + atomic_fetch_add(&shared, 1) % 2;
  }
  return NULL;
}
int main(void) {
  START;
  pthread_t threads[3];
  for (long i = 0; i < THREADS; i++) pthread_create(&threads[i], ATTRIBUTES, Body, (void *)i);
  for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
  END;
  heddle_outcome("%d %d %d %d", plain, seen[0], seen[1], seen[2]);
  return 0;
}
"""


def text(step="", start="", end="", state="", turns=3, threads=2, attributes="NULL"):
    words = {"GLOBALS": state, "STEP": step, "START": start, "END": end, "TURNS": turns, "THREADS": threads, "ATTRIBUTES": attributes}
    result = FRAME
    for word, value in words.items():
        result = result.replace(word, str(value))
    return result


PROGRAMS = {
    "globals": text(),
    "three_threads": text(threads=3, turns=2),
    # Blocks that are given back and taken again, before and after a place where the search goes back to.
    "heap": text("free(blocks[i]); blocks[i] = malloc(40 + turn); memset(blocks[i], i + turn, 40); "
                 "for (int k = 0; k < 3; k++) if (blocks[k]) seen[i] += blocks[k][7]", end="for (int i = 0; i < 3; i++) free(blocks[i])"),
    "large_blocks": text("free(blocks[i]); blocks[i] = malloc(2 << 20); blocks[i][1 << 20] = (char)turn; "
                         "if (turn) { free(blocks[i]); blocks[i] = NULL; }"),
    "thread_local": text("mine += turn + 1; errno = mine; seen[i] += errno"),
    "random": text("unsigned char byte; if (getrandom(&byte, 1, 0) == 1) seen[i] += byte & 1"),
    "clock": text("struct timespec now; clock_gettime(CLOCK_MONOTONIC, &now); seen[i] += (int)now.tv_nsec & 1; "
                  "if (turn == 1) usleep(100)"),
    # What the kernel keeps: a position of a file, a descriptor that libc opens where no hook sees it, a handler.
    "standard_input": text("seen[i] += getchar()"),
    "file": text('FILE *file = fopen("/etc/passwd", "r"); if (file) { seen[i] += fgetc(file); fclose(file); }', turns=2),
    "file_kept_open": text("seen[i] += fgetc(file)", start='file = fopen("/etc/passwd", "r"); setvbuf(file, NULL, _IONBF, 0)',
                           state="static FILE *file;"),
    "directory": text("struct dirent *entry = readdir(directory); seen[i] += entry != NULL", state="static DIR *directory;",
                      start='directory = opendir("/")', end="closedir(directory)"),
    "pipe": text("char byte = (char)turn; if (write(ends[1], &byte, 1) == 1 && read(ends[0], &byte, 1) == 1) seen[i] += byte",
                 state="static int ends[2];", start="if (pipe(ends) != 0) return 1"),
    "handler": text("if (turn == 1) raise(SIGUSR1); if (i == 1) signal(SIGUSR1, turn % 2 ? Other : Handler)",
                    state="static void Handler(int n) { plain += n; } static void Other(int n) { plain -= n; }",
                    start="signal(SIGUSR1, Handler)"),
    "output": text('printf("%d\\n", i); fflush(stdout)'),
    "own_stacks": text("char room[2000]; memset(room, turn, sizeof room); seen[i] += room[99]", turns=2,
                       state="static char stack[1 << 17]; static pthread_attr_t attributes;",
                       start="pthread_attr_init(&attributes); pthread_attr_setstacksize(&attributes, 1 << 17)", attributes="&attributes"),
    "recursion": text("seen[i] += Deep(40 * (turn + 1))",
                      state="static int Deep(int n) { volatile char room[300]; room[n] = (char)n; "
                              "return n == 0 ? atomic_load(&shared) : Deep(n - 1) + room[n] % 2; }"),
    "waits": text("if (i == 0 && turn == 2) atomic_store(&flag, 1)",
                  state="", end="while (!atomic_load(&flag)) {}", turns=3),
    "spins": text("", state="", turns=1, start="", end="").replace(
        "for (int turn = 0; turn < 1; turn++) {",
        "if (i == 1) while (atomic_load(&flag) < 2) {}\n  if (i == 0) { atomic_fetch_add(&shared, 2); atomic_fetch_add(&flag, 1); "
        "atomic_fetch_add(&shared, 2); atomic_fetch_add(&flag, 1); }\n  for (int turn = 0; turn < 3; turn++) {"),
    "choices": text("if (turn == 1) seen[i] += heddle_choose(3)", turns=2),
    "semaphore": text("if (i == 0) sem_post(&semaphore); else if (sem_trywait(&semaphore) == 0) seen[i] += 5",
                      state="static sem_t semaphore;", start="sem_init(&semaphore, 0, 0)"),
    "race": text().replace("seen[i] = seen[i] * 2", "plain++; seen[i] = seen[i] * 2"),
    "assertion": text(end="assert(seen[0] != 1)"),
    "crash": text(end="if (seen[0] == 1) *(volatile int *)8 = 1"),
    "exit_in_thread": text("if (turn == 2 && i == 1) exit(seen[0] & 1)"),
}
# Whose executions change what the kernel keeps before there is much to skip.
WITHOUT = "standard_input", "file", "large_blocks", "file_kept_open", "directory", "pipe", "handler", "output"
SEARCHES = {
    "depth first": ["--order", "depth-first", "--reduction", "none"],
    "optimal": ["--order", "depth-first", "--reduction", "optimal"],
    "dpor": ["--order", "depth-first", "--reduction", "dpor"],
    "context-bounded": ["--order", "context-bounded"],
    "cb-por": ["--preset", "cb-por"],
    "best first": ["--order", "best-first", "--reduction", "none"],
    "random": ["--order", "random", "--seed", "3"],
    "states": ["--visited", "states"],
    "zing": ["--preset", "zing"],
    "reads-from": ["--order", "depth-first", "--reduction", "reads-from"],
    "C11": ["--order", "depth-first", "--memory-model", "c11"],
    "TSO by enumeration": ["--memory-model", "tso", "--reduction", "none"],
}

KILLED_IN = 120  # executions

case = Case(sys.argv[1])
(case.path / "input").write_text("0123456789abcdefghijklmnopqrstuvwxyz\n")


def search(program, rewind, options, executions=100):
    """The finished search, and all that tells one from another."""
    with open(case.path / "input", encoding="utf-8") as standard_input:
        done = case.heddle("check", "--keep-going", "--no-minimise", "--jobs", 1, "--executions", executions, "--rewind", rewind,
                           "--json", "result.json", *options, program, stdin=standard_input)
    result = read_json(case.path / "result.json")
    bugs = sorted((bug["kind"], bug["message"], bug["preemptions"], bug["execution"]) for bug in result["bugs"])
    coverage = result["coverage"]
    return done, [done.status, result["verdict"], result["complete"], result["executions"], result["redundant"], result["events"],
                  result.get("states"), result.get("hooks"), result["outcomes"], coverage["happens_before"], coverage["trace_sum"], coverage["by_preemptions"], bugs]


for turn, (name, source) in enumerate(PROGRAMS.items()):
    program = case.compile(name, source, "-O1", "-w")
    for words, options in some(SEARCHES.items(), 1, turn):
        expected = search(program, "memory", options)[1]
        done, result = search(program, "checkpoint", options)
        case.expect(f"{name}, {words}: as from the beginning\n{expected}\n{result}", result == expected, done)
    if name not in WITHOUT:
        done, _ = search(program, "checkpoint", SEARCHES["depth first"])
        case.expect(f"{name}: steps are skipped", read_json(case.path / "result.json")["steps_skipped"] > 0, done)
    done, result = search(program, "checkpoint", ["--verify-determinism", *SEARCHES["depth first"]])
    case.expect(f"{name}: every schedule twice, from a checkpoint and from the beginning", result[1] != "uncontrolled", done)

# One Page Model Checking, with what is shared named, or all memory: by copying, and by the paper's processes.
PAGE = r"""
#include <pthread.h>
#include "heddle.h"
static int sum, list[8], length;
static void *Body(void *number) {
  int i = (int)(long)number;
  for (int n = 0; n < 4; n++) {
    heddle_hook();
    sum += i + n;
    if (n == 2) list[length++ % 8] = LISTED;
  }
  return NULL;
}
int main(void) {
  SHARED;
  pthread_t threads[2];
  for (long i = 0; i < 2; i++) pthread_create(&threads[i], 0, Body, (void *)i);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  heddle_outcome("%d %d", sum, list[0]);
  return 0;
}
"""
for name, listed, shared in (("page", "1", "heddle_shared(&sum, sizeof sum), heddle_shared(list, sizeof list)"), ("page_memory", "1", "(void)0"),
                             ("page_race", "i", "heddle_shared(&sum, sizeof sum), heddle_shared(list, sizeof list)")):
    program = case.compile(name, PAGE.replace("LISTED", listed).replace("SHARED", shared), "-O1", "-w")
    expected = search(program, "memory", ["--preset", "one-page"])[1]
    case.expect(f"{name}: {expected}", expected[3] > 0 and expected[6] > 0 and bool(expected[-1]) == (listed == "i"), Done([], 0, "", ""))
    for rewind in ("checkpoint", "fork", "fork-checkpoint") if "sum" in shared else ("checkpoint",):
        done, result = search(program, rewind, ["--preset", "one-page"])
        case.expect(f"{name}: {rewind} as memory\n{expected}\n{result}", result == expected, done)

# Long enough for processes as checkpoints, of which one comes each 4000 steps: two where nothing ends the program, else one.
LONG = text("if (turn == 0) for (int k = 0; k < COUNT; k++) atomic_fetch_add(&flag, 1); if (TOLD) LEAVE", turns=2)
for turn, (name, told, end) in enumerate((("long", 0, ""), ("long_crash", "turn == 1 && seen[1] == 1", "*(volatile int *)8 = 1"),
                                          ("long_exit", "turn == 1 && i == 1", "exit(seen[0])"))):
    source = LONG.replace("TOLD", str(told)).replace("LEAVE", end or "(void)0").replace("COUNT", "2500" if end else "4500")
    program = case.compile(name, source, "-O1", "-w")
    for words in some(("depth first", "optimal", "C11", "context-bounded"), 2, turn):
        expected = search(program, "fork", SEARCHES[words], 12)[1]
        for rewind in "memory", "checkpoint", "fork-checkpoint":
            done, result = search(program, rewind, SEARCHES[words], 12)
            skips = read_json(case.path / "result.json")["steps_skipped"] > 0
            case.expect(f"{name}, {words}: {rewind} skips steps", skips == (rewind != "memory"), done)
            case.expect(f"{name}, {words}: {rewind} as fork\n{expected}\n{result}", result == expected, done)


def child_of(number, program):
    """Its process that runs the program; None: it has none."""
    try:
        with open(f"/proc/{number}/task/{number}/children", encoding="ascii") as file:
            children = file.read().split()
        return next((int(child) for child in children if os.path.realpath(f"/proc/{child}/exe") == str(program)), None)
    except FileNotFoundError:
        return None


# Somebody kills processes that are checkpoints: what they were for is run again. One without a child may be an execution.
program = case.compile("killed", LONG.replace("TOLD", "0").replace("LEAVE", "(void)0").replace("COUNT", "2500"), "-O1", "-w")
expected = search(program, "memory", SEARCHES["depth first"], KILLED_IN)[1]
command = [str(case.build / "heddle"), "check", "--jobs", "1", "--keep-going", "--no-minimise", "--executions", str(KILLED_IN), "--rewind",
           "fork-checkpoint", "--json", "result.json", *SEARCHES["depth first"], str(program)]
process = subprocess.Popen(command, cwd=case.path, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
killed = 0
while process.poll() is None and killed < 8:
    time.sleep(0.03)
    # heddle, the search, the beginning, a checkpoint, what it was for: each is the child of the one before. Their numbers tell
    # nothing, because the kernel begins again at 1 when it has run out of them.
    line = [process.pid]
    while len(line) < 5 and line[-1] is not None:
        line.append(child_of(line[-1], program.resolve()))
    if len(line) < 5 or line[-1] is None:
        continue
    try:
        os.kill(line[3], signal.SIGKILL)
        killed += 1
    except ProcessLookupError:
        pass
out, err = process.communicate(timeout=120)
result = read_json(case.path / "result.json")
same = [result["executions"], result["coverage"]["trace_sum"]] == [expected[3], expected[10]]
case.expect(f"{killed} checkpoints killed: {result['executions']} executions of {expected[3]}", killed != 0 and same,
            Done(command, process.returncode, out, err))
case.finish()
