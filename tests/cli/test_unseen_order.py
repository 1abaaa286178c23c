"""Accesses that only a library which was not rebuilt orders: a race between them is likely, not certain, and the report names
the library. A small lock and a small parallel_for of our own, with atomics in a library that the plain compiler made; GLib's
mutex and oneTBB's parallel_for where they are installed."""

import subprocess
import sys

from heddle_run import Case, read_json

LOCK = """
static char taken;
static int counter;
void Lock(void) { while (__atomic_test_and_set(&taken, __ATOMIC_ACQUIRE)) __builtin_ia32_pause(); }
void Unlock(void) { __atomic_clear(&taken, __ATOMIC_RELEASE); }
int Unrelated(void) { return ++counter; }
"""
LOCKED = """
#include "run_threads.h"
void Lock(void), Unlock(void);
static int x;
static void *Add(void *arg) { Lock(); x++; Unlock(); return arg; }
int main() { RunSame(2, Add); }
"""
# A pool: the bodies run in a thread of the library; they are handed over by its own atomics.
POOL = """
#include <pthread.h>
#include <sched.h>
static void (*body)(int);
static int next, done, count;
static void *Work(void *arg) {
  int i;
  while ((i = __atomic_fetch_add(&next, 1, __ATOMIC_ACQ_REL)) < count) {
    body(i);
    __atomic_fetch_add(&done, 1, __ATOMIC_RELEASE);
  }
  return arg;
}
void ParallelFor(int n, void (*f)(int)) {
  body = f;
  count = n;
  pthread_t thread;
  pthread_create(&thread, 0, Work, 0);
  pthread_detach(thread);
  while (__atomic_load_n(&done, __ATOMIC_ACQUIRE) < n) sched_yield();
}
"""
POOLED = """
void ParallelFor(int n, void (*f)(int));
static int a[2];
static void Set(int i) { a[i] = i + 1; }
int main() { ParallelFor(2, Set); return a[0] + a[1] != 3; }
"""
UNLOCKED = """
#include "run_threads.h"
static int x;
static void *Add(void *arg) { x++; return arg; }
int main() { RunSame(2, Add); }
"""
GLIB = """
#include <glib.h>
#include "run_threads.h"
static GMutex mutex;
static int x;
static void *Add(void *arg) { g_mutex_lock(&mutex); x++; g_mutex_unlock(&mutex); return arg; }
int main() { RunSame(2, Add); }
"""
TBB = """
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
static int a[4];
int main() {
  tbb::global_control limit(tbb::global_control::max_allowed_parallelism, 2);
  tbb::parallel_for(0, 4, [](int i) { a[i] = i; });
  return a[0] + a[1] + a[2] + a[3] != 6;
}
"""

case = Case(sys.argv[1])


def races(program, *options):
    # Not beyond the first execution with a race: where its accesses are scheduling points, a thread is interrupted while it
    # holds a lock that heddle does not see, and who waits for that lock in the library spins for ever.
    done = case.heddle("check", "--json", "result.json", *options, program)
    result = read_json(case.path / "result.json")
    return done, [bug for bug in result["bugs"] if bug["kind"] == "data-race"]


def expect_likely(what, program, library):
    done, found = races(program)
    case.expect(f"{what}: every race is likely, because of {library}",
                all(not race["certain"] and library in race["may_be_ordered_by"] for race in found), done)
    case.expect(f"{what}: the report names {library}", library in done.out, done)
    return found, done


def library(name, text):
    case.compile(name, text, "-shared", "-fPIC", compiler="gcc")
    return [f"-L{case.path}", f"-l:{name}", f"-Wl,-rpath,{case.path}"]


found, done = expect_likely("a lock", case.compile("locked", LOCKED, *library("liblock.so", LOCK)), "liblock.so")
# The write of one thread, with the read and with the write of the other: one race of two pairs of instructions.
case.expect("a lock: heddle does not see it, so there are races", [race["races"] for race in found] == [2], done)
found, done = expect_likely("a pool", case.compile("pooled", POOLED, *library("libpool.so", POOL)), "libpool.so")
case.expect("a pool: heddle does not see how it waits, so there are races", len(found) >= 1, done)

# A library that nobody calls orders nothing.
link = library("liblock.so", LOCK)
done, found = races(case.compile("unlocked", UNLOCKED, "-Wl,--no-as-needed", *link))
case.expect("a library that is linked and not called: certain",
            [(race["races"], race["certain"]) for race in found] == [(2, True)], done)
# Code that was rebuilt may be what calls it.
MIDDLE = """
void Lock(void), Unlock(void);
static int y;
void In(void) { Lock(); y++; }
void Out(void) { y--; Unlock(); }
"""
case.compile("libmiddle.so", MIDDLE, "-shared", "-fPIC", *link)
middle = LOCKED.replace("Unlock", "Out").replace("Lock", "In")
found, done = expect_likely("a lock behind a library that was rebuilt",
                            case.compile("behind", middle, f"-L{case.path}", "-l:libmiddle.so", *link), "liblock.so")
case.expect("a lock behind a library that was rebuilt: races", len(found) >= 1, done)


def has(*command):
    return subprocess.run(command, capture_output=True).returncode == 0


if has("pkg-config", "--exists", "glib-2.0"):
    flags = subprocess.run(["pkg-config", "--cflags", "--libs", "glib-2.0"], capture_output=True, text=True).stdout.split()
    found, done = expect_likely("GLib's mutex", case.compile("glib", GLIB, *flags), "libglib-2.0.so.0")
    case.expect("GLib's mutex: races", [race["races"] for race in found] == [2], done)
else:
    print("skipped: GLib is not installed (libglib2.0-dev)")
if has("pkg-config", "--exists", "tbb"):
    found, done = expect_likely("oneTBB's parallel_for", case.compile("tbb", TBB, "-ltbb", compiler="heddle-c++"), "libtbb.so")
    case.expect("oneTBB's parallel_for: races", len(found) >= 1, done)
else:
    print("skipped: oneTBB is not installed (libtbb-dev)")
case.finish()
