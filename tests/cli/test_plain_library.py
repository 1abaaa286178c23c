"""A program built with heddle-cc on a shared library that was not: the library's synchronisation is under control, in
whatever thread, and its threads are the program's."""

import subprocess
import sys

from heddle_run import Case

LIBRARY = """
#include <pthread.h>
static pthread_mutex_t locks[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static void *Cross(void *from) {
  long first = (long)from;
  pthread_mutex_lock(&locks[first]);
  pthread_mutex_lock(&locks[1 - first]);
  pthread_mutex_unlock(&locks[1 - first]);
  pthread_mutex_unlock(&locks[first]);
  return 0;
}
void Lock(void) { pthread_mutex_lock(&locks[0]); }
void Unlock(void) { pthread_mutex_unlock(&locks[0]); }
void CrossThem(void) {
  pthread_t threads[2];
  for (long i = 0; i < 2; i++) pthread_create(&threads[i], 0, Cross, (void *)i);
  for (long i = 0; i < 2; i++) pthread_join(threads[i], 0);
}
"""
GUARDED = """
#include "run_threads.h"
void Lock(void), Unlock(void);
static int x;
static void *Add(void *arg) { Lock(); x++; Unlock(); return arg; }
int main() { RunSame(3, Add); assert(x == 3); }
"""
CROSSED = "void CrossThem(void); int main() { CrossThem(); }"

case = Case(sys.argv[1])
library = case.compile("libplain.so", LIBRARY, "-shared", "-fPIC", compiler="gcc")
link = [f"-L{case.path}", "-l:libplain.so", f"-Wl,-rpath,{case.path}"]
done = case.heddle("check", "--order", "depth-first", case.compile("guarded", GUARDED, *link))
case.expect("locks of the library order the program's accesses: 3! executions, no race",
            done.status == 0 and "not a proof: not rebuilt with heddle-cc: libplain.so" in done.out and "6 executions" in done.out, done)
done = case.heddle("check", case.compile("crossed", CROSSED, *link))
case.expect("a deadlock inside the library, at one preemption", done.status == 1 and "deadlock" in done.out
            and "1 preemption" in done.out, done)

# It waits for another thread of the program, past heddle: by a system call of its own, or in a loop. That is no hang of the
# program's. Alone in the program, it can only wait for ever.
WAITS = """
static int word;
static long Futex(int operation, int value) {
  long result;
  register long limit __asm__("r10") = 0;
  __asm__ volatile("syscall" : "=a"(result) : "a"(202), "D"(&word), "S"(operation), "d"(value), "r"(limit)
                   : "rcx", "r11", "memory");
  return result;
}
void Sleep(void) { while (!__atomic_load_n(&word, __ATOMIC_ACQUIRE)) Futex(0, 0); }
void Spin(void) { while (!__atomic_load_n(&word, __ATOMIC_ACQUIRE)); }
void Wake(void) { __atomic_store_n(&word, 1, __ATOMIC_RELEASE); Futex(1, 1); }
"""
WAITER = """
#include <pthread.h>
void HOW(void), Wake(void);
static void *Run(void *arg) { Wake(); return arg; }
int main(int argc, char **argv) {
  pthread_t thread;
  if (argc == 1) pthread_create(&thread, 0, Run, 0);
  HOW();
  pthread_join(thread, 0);
}
"""
case.compile("libwaits.so", WAITS, "-shared", "-fPIC", compiler="gcc")
link = [f"-L{case.path}", "-l:libwaits.so", f"-Wl,-rpath,{case.path}"]
for how in "Sleep", "Spin":
    waiter = case.compile(how, WAITER.replace("HOW", how), *link)
    for options in [], ["--rewind", "fork"]:
        done = case.heddle("check", "--hang-after", "100ms", *options, waiter)
        case.expect(f"{how} {' '.join(options)}: out of control by that library, no bug", done.status == 3
                    and "main waits in libwaits.so" in done.out and "hang:" not in done.out, done)
    done = case.heddle("check", "--executions", "1", "--hang-after", "100ms", waiter, "alone")
    case.expect(f"{how}, alone: cut", done.status == 0 and "an execution was cut" in done.out, done)
try:
    openmp = case.compile("openmp", "int main(void) { int s = 0;\n#pragma omp parallel for reduction(+:s) num_threads(2)\n"
                          "for (int i = 0; i < 4; i++) s += i;\nreturn s != 6; }", "-fopenmp", "--heddle-compiler=gcc")
except subprocess.CalledProcessError:
    print("skipped: no OpenMP")
else:
    done = case.heddle("check", "--hang-after", "100ms", openmp)
    case.expect("OpenMP: out of control by libgomp, no bug", done.status == 3 and "waits in libgomp" in done.out, done)
case.finish()
