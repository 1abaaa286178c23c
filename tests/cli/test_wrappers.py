"""A program with wrappers of its own: its steps are shown where the wrappers are called, and nothing is lost."""

import json
import subprocess
import sys

from heddle_run import SECONDS, Case

case = Case(sys.argv[1])
FILES = {
    "atomic.h": """
static inline int atomic_get(int *at) {
  return __atomic_load_n(at, __ATOMIC_SEQ_CST);  // get
}
static inline void atomic_set(int *at, int value) {
  __atomic_store_n(at, value, __ATOMIC_SEQ_CST);  // set
}
""",
    "thread.h": """
typedef struct Mutex Mutex;
extern Mutex *const accounts;
void Lock(Mutex *mutex);
void Unlock(Mutex *mutex);
void Transfer(int *from, int *to);
""",
    "thread.c": """
#include <pthread.h>
#include "thread.h"
struct Mutex { pthread_mutex_t mutex; };
static Mutex the = {PTHREAD_MUTEX_INITIALIZER};
Mutex *const accounts = &the;
void Lock(Mutex *mutex) {
  pthread_mutex_lock(&mutex->mutex);  // lock
}
void Unlock(Mutex *mutex) {
  pthread_mutex_unlock(&mutex->mutex);  // unlock
}
""",
    "transfer.h": """
#include "atomic.h"
#include "thread.h"
// No wrapper: it does several things.
static inline void Move(int *from, int *to) {
  Lock(accounts);                         // move locks
  atomic_set(from, atomic_get(from) - 1); // move takes
  Unlock(accounts);                       // move unlocks
  atomic_set(to, atomic_get(to) + 1);     // move gives
}
""",
    "main.c": """
#include <assert.h>
#include <pthread.h>
#include "transfer.h"
static int from = 2, to;
static void *Run(void *arg) {
  Move(&from, &to);
  return arg;
}
int main(void) {
  pthread_t thread;
  Lock(accounts);
  Unlock(accounts);
  pthread_create(&thread, 0, Run, 0);
  Move(&from, &to);
  Lock(accounts);                                     // main locks
  assert(atomic_get(&from) + atomic_get(&to) == 2);   // main looks
  Unlock(accounts);
  pthread_join(thread, 0);
}
""",
}
for name, text in FILES.items():
    (case.path / name).write_text(text)


def line_of(file, mark):
    return next(at for at, line in enumerate(FILES[file].split("\n"), 1) if line.endswith(f"// {mark}"))


def place(location):
    return f"{location['file'].split('/')[-1]}:{location['line']}"


for options in ["-O0"], ["-O1"], ["-O2"], ["-O1", "--heddle-compiler=clang"]:
    subprocess.run([case.build / "heddle-cc", *options, "-g", "-pthread", "-o", "program", "thread.c", "main.c"],
                   check=True, timeout=SECONDS, cwd=case.path)
    done = case.heddle("check", "--json", "result.json", "./program")
    steps = json.loads((case.path / "result.json").read_text())["bugs"][0]["steps"]
    shown = {place(step["location"]) for step in steps}
    within = {place(step["within"]) for step in steps if "within" in step}
    what = " ".join(options)
    case.expect(f"{what}: steps are shown where wrappers are called", done.status == 1
                and {f"transfer.h:{line_of('transfer.h', 'move locks')}", f"main.c:{line_of('main.c', 'main locks')}",
                     f"transfer.h:{line_of('transfer.h', 'move takes')}"} <= shown
                and not any(at.startswith(("atomic.h", "thread.c")) for at in shown), done)
    case.expect(f"{what}: JSON has the wrappers' lines",
                {f"thread.c:{line_of('thread.c', 'lock')}", f"atomic.h:{line_of('atomic.h', 'get')}"} <= within, done)
    case.expect(f"{what}: the text has not", "[atomic.h" not in done.out and "transfer.h:" in done.out, done)
    done = case.heddle("report", "--full", "result.json")
    case.expect(f"{what}: --full has", f"[atomic.h:{line_of('atomic.h', 'get')}]" in done.out, done)
case.finish()
