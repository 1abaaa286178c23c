"""Programs that heddle does not control: status 3 says who did what where, and why, if there is a sign of it."""

import json
import os
import re
import sys

from heddle_run import Case

case = Case(sys.argv[1])
HEAD = """
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <x86intrin.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int state;
static int Odd(void);
static void *Run(void *arg) {
  atomic_store(&state, 1);
  for (int left = Odd(); left > 0; left--) {
    pthread_mutex_lock(&lock);  // odd
    pthread_mutex_unlock(&lock);
  }
  atomic_store(&state, 2);  // even
  return arg;
}
int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], 0, Run, 0);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], 0);
}
"""
FILE = """
static int Odd(void) {
  int count = 0;
  FILE *file = fopen("count.txt", "r+");
  if (file && fscanf(file, "%d", &count) == 1) {
    rewind(file);
    fprintf(file, "%d ", count + 1);
  }
  if (file) fclose(file);
  return count / 2 % 2;  // two threads count, so that every other execution is odd
}
"""
CLOCK = """
static int Odd(void) { return __rdtsc() / 64 % 16; }
"""


def line_of(mark):
    return next(at for at, line in enumerate(HEAD.split("\n"), 1) if f"// {mark}" in line)


def told(options, program, *wanted):
    """Status 3 by a schedule that did not replay, with the words."""
    done = case.heddle("check", *options, "--json", "result.json", program)
    notes = " ".join(note["text"] for note in json.loads((case.path / "result.json").read_text())["notes"])
    case.expect(f"{program.name} {' '.join(options)}: status 3, and why", done.status == 3
                and all(word in notes for word in wanted), done)
    return notes


# What one execution leaves in a file the next one reads.
(case.path / "count.txt").write_text("0")
file = case.compile("file", HEAD + FILE)
notes = told(["--verify-determinism"], file, "run a second time", "likely cause: T1 writes count.txt, opened at file.c:",
             "at first ", ", then ")
case.expect("it names the object and the line of what differs", f"locks mutex lock at file.c:{line_of('odd')}" in notes
            or f"stores atomic state at file.c:{line_of('even')}" in notes, case.heddle("--version"))
# The processor's clock leaves no sign: what it may be. Both ways to find out are chance, too.
clock = case.compile("clock", HEAD + CLOCK)
told(["--verify-determinism"], clock, "rdtsc", "uninitialised memory")

# What the program reads is another thing when the schedule is replayed.
INPUT = """
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
int main(void) {
  char text[8] = "";
  FILE *file = fopen("input.txt", "r");
  if (file && !fgets(text, sizeof text, file)) text[0] = 0;
  if (file) fclose(file);
  const char *setting = getenv("SETTING");
  assert(text[0] != 'x' && !setting);
}
"""
(case.path / "input.txt").write_text("x")
program = case.compile("input", INPUT)
done = case.heddle("check", "--json", "result.json", program)
schedule = json.loads((case.path / "result.json").read_text())["bugs"][0]["schedule"]
(case.path / "input.txt").write_text("y")
done = case.heddle("replay", schedule)
case.expect("replay with another input: status 3, and which", done.status == 3 and "did not show" in done.out
            and "likely cause: main reads input.txt, opened at input.c:7" in done.out, done)

# There a thread has ended that the schedule lets go on.
ENDS = """
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
static atomic_int state;
static void *Run(void *arg) {
  int times = 0;
  FILE *file = fopen("input.txt", "r");
  if (file && fscanf(file, "%d", &times) != 1) times = 0;
  if (file) fclose(file);
  for (; times > 0; times--) state++;
  return arg;
}
static void *Other(void *arg) {
  for (int i = 0; i < 4; i++) state++;
  assert(state != 7);
  return arg;
}
static void *Third(void *arg) {
  for (int i = 0; i < 4; i++) state += 10;
  return arg;
}
int main(void) {
  pthread_t threads[3];
  pthread_create(&threads[0], 0, Run, 0);
  pthread_create(&threads[1], 0, Other, 0);
  pthread_create(&threads[2], 0, Third, 0);
  for (int i = 0; i < 3; i++) pthread_join(threads[i], 0);
}
"""
ends = case.compile("ends", ENDS)
(case.path / "input.txt").write_text("4")
done = case.heddle("check", "--json", "result.json", ends)
schedule = json.loads((case.path / "result.json").read_text())["bugs"][0]["schedule"]
(case.path / "input.txt").write_text("1")
done = case.heddle("replay", schedule)
case.expect("a schedule that cannot be followed: status 3, which thread, and why", done.status == 3
            and re.search(r"the schedule did not replay: after \d+ operations it lets T1 go on, which has ended; what came last "
                          r"was \w+ .* at ends.c:\d+; likely cause: T1 reads input.txt, opened at ends.c:9", done.out), done)
(case.path / "input.txt").unlink()
done = case.heddle("check", "--json", "result.json", program, env={**os.environ, "SETTING": "1"})
schedule = json.loads((case.path / "result.json").read_text())["bugs"][0]["schedule"]
done = case.heddle("replay", schedule)
case.expect("replay in another environment: status 3, the environment is in the list", done.status == 3
            and "the environment" in done.out, done)
# The C++ library in the program: nobody has its function that ours stands before.
CATCHES = """
#include <stdexcept>
int main() {
  try { throw std::runtime_error("thrown"); } catch (const std::exception&) { return 0; }
  return 1;
}
"""
for flags in ["-static-libstdc++"], ["-Wl,-Bstatic", "-lstdc++", "-Wl,-Bdynamic"]:
    program = case.compile("catches", CATCHES, *flags, compiler="heddle-c++")
    done = case.heddle("check", program)
    if "-static-libstdc++" in flags:
        case.expect(f"{flags}: left out", done.status == 0, done)
    else:
        case.expect(f"{flags}: status 3, and what to do", done.status == 3 and "link the shared one" in done.out, done)
case.finish()
