#!/usr/bin/env python3
"""Generated programs whose threads use objects in the frame of a function that may have returned: every reduction has to say what
plain enumeration says, a use after return or none.

  frames.py BUILD [--programs N] [--seed N] [--keep FOLDER]

main calls a function once or twice, which lends a mutex, a semaphore and an atomic of its frame to one or two threads, by a pointer,
waits for some of what they do, or for nothing, and returns; in between and afterwards it makes operations in frames of its own and deeper
ones. A thread uses what it finds. A program that is right orders the return after the last use, by a join.
"""

import argparse
import json
import pathlib
import random
import subprocess
import sys
import tempfile

REDUCTIONS = ["none", "sleep-sets", "dpor", "source", "optimal", "bounded", "happens-before"]
HEAD = """#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
struct Objects { pthread_mutex_t mutex; sem_t semaphore; atomic_int flag; };
static struct Objects *_Atomic shared;
static pthread_mutex_t other = PTHREAD_MUTEX_INITIALIZER;
static atomic_int told;
static pthread_t threads[2];
__attribute__((noinline)) static void Deep(void) {
  volatile char frame[%d];
  frame[0] = 1;
  pthread_mutex_lock(&other);
  frame[1] = 1;
  pthread_mutex_unlock(&other);
}
"""
USES = ["pthread_mutex_lock(&o->mutex); pthread_mutex_unlock(&o->mutex);",
        "if (pthread_mutex_trylock(&o->mutex) == 0) pthread_mutex_unlock(&o->mutex);",
        "sem_post(&o->semaphore);", "atomic_store(&o->flag, 1);", "atomic_fetch_add(&o->flag, 1);", "told = 1;", "if (!told) return a;"]
WAITS = ["", "sem_wait(&own.semaphore);", "while (!own.flag) {}", "if (!own.flag) pthread_join(threads[0], 0), joined = 1;",
         "pthread_mutex_lock(&own.mutex); pthread_mutex_unlock(&own.mutex);"]
AFTER = ["Deep();", "pthread_mutex_lock(&other); pthread_mutex_unlock(&other);", "told = 1;", ""]


def program(draw):
    users = draw.choice([1, 1, 2])
    joins = draw.random() < 0.3
    text = HEAD % draw.choice([16, 64, 512])
    for i in range(users):
        uses = " ".join(draw.choice(USES) for _ in range(draw.choice([1, 2, 2])))
        text += f"static void *User{i}(void *a) {{ struct Objects *o = shared; if (!o) return a; {uses} return a; }}\n"
    wait = draw.choice(WAITS)
    create = " ".join(f"pthread_create(&threads[{i}], 0, User{i}, 0);" for i in range(users))
    join = " ".join(f"{'if (!joined) ' if i == 0 else ''}pthread_join(threads[{i}], 0);" for i in range(users))
    before = draw.random() < 0.7
    text += "static int joined;\n__attribute__((noinline)) static void Lend(void) {\n"
    text += "  struct Objects own = {PTHREAD_MUTEX_INITIALIZER};\n  sem_init(&own.semaphore, 0, 0);\n"
    text += f"  {'' if before else create} shared = &own; {create if before else ''}\n  {wait}\n  {join if joins else ''}\n}}\n"
    after = " ".join(draw.choice(AFTER) for _ in range(draw.choice([0, 1, 2])))
    late = "" if joins else join
    if not joins and draw.random() < 0.4:
        late = " ".join(f"{'if (!joined) ' if i == 0 else ''}pthread_detach(threads[{i}]);" for i in range(users))
    return text + f"int main(void) {{ Lend(); {after} {late} }}\n", joins


def answer(build, binary, reduction, folder):
    result = folder / "result.json"
    result.unlink(missing_ok=True)
    command = [str(build / "heddle"), "check", "--quiet", "--no-minimise", "--time", "60s", "--order", "depth-first", "--jobs", "1",
               "--reduction", reduction, "--out", str(folder), "--json", str(result), "--", str(binary)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    if not result.exists():
        return f"status {done.returncode}", done.stderr
    found = json.loads(result.read_text())
    if found["verdict"] == "clean":
        return "clean" if found["complete"] else "not complete", ""
    return ",".join(sorted({bug["kind"] for bug in found["bugs"]})) or found["verdict"], ""


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build", type=lambda name: pathlib.Path(name).resolve())
    parser.add_argument("--programs", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=pathlib.Path)
    arguments = parser.parse_args()
    failed = uses = 0
    for seed in range(arguments.seed, arguments.seed + arguments.programs):
        draw = random.Random(seed)
        text, right = program(draw)
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            (folder / "program.c").write_text(text)
            level = draw.choice(["-O0", "-O1", "-O2"])
            subprocess.run([str(arguments.build / "heddle-cc"), "-g", level, "-pthread", "program.c", "-o", "program"], cwd=folder,
                           check=True, capture_output=True)
            answers = {reduction: answer(arguments.build, folder / "program", reduction, folder)[0] for reduction in REDUCTIONS}
        wanted = answers["none"]
        uses += wanted == "use-after-return"
        one = lambda found: "bug" if found in ("use-after-return", "deadlock") and wanted in ("use-after-return", "deadlock") else found
        if any(one(found) != one(wanted) for found in answers.values()) or (right and wanted == "use-after-return"):
            failed += 1
            print(f"seed {seed} ({level}{', right' if right else ''}): {answers}")
            if arguments.keep:
                arguments.keep.mkdir(parents=True, exist_ok=True)
                (arguments.keep / f"frames_{seed}.c").write_text(text)
    print(f"{arguments.programs} programs, {uses} with a use after return, {failed} failed")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
