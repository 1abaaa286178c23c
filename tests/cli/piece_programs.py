"""Programs whose searches are cut, for test_pieces.py and the tests of campaigns, and what has to be the same of them."""

from heddle_run import read_json

# Three threads that meet in one word; some schedules break an assertion.
ADDS = """
#include <heddle.h>
#include "run_threads.h"
#include <stdatomic.h>
static atomic_int x;
static int got[3];
static void *Add(void *arg) {
  long self = (long)arg;
  for (int i = 0; i < 3; i++) got[self] = got[self] * 9 + atomic_fetch_add(&x, 1);
  return 0;
}
int main() {
  RunSame(3, Add);
  heddle_outcome("%d", got[2]);
#ifdef WRONG
  assert(got[0] % 9 != 3 || got[1] % 2 == 0);
#endif
}
"""
# A lock that is tried, a time limit, and threads that others make only in some schedules: their numbers, and those of
# what is on their stacks, are given in the order in which they are met.
LATE = """
#include <heddle.h>
#include "run_threads.h"
#include <stdatomic.h>
static atomic_int turn, sum;
static void *Late(void *arg) {
  atomic_int *of = arg;
  atomic_fetch_add(of, 1);
  atomic_fetch_add(&sum, 1);
  return 0;
}
static void *Run(void *arg) {
  atomic_int mine = 0;
  pthread_t late;
  int turned = atomic_fetch_add(&turn, 1);
  if (turned == (long)arg % 2) return 0;
  pthread_create(&late, 0, Late, &mine);
  atomic_fetch_add(&mine, 1);
  pthread_join(late, 0);
  return 0;
}
int main() {
  RunSame(3, Run);
  heddle_outcome("%d", sum);
}
"""
# Four stores and four loads of each of two threads, relaxed: more executions under C11's memory model than in any order.
RELAXED = """
#include <heddle.h>
#include "run_threads.h"
#include <stdatomic.h>
static atomic_int x, y;
static int got[2];
static void *First(void *arg) {
  for (int i = 1; i <= 4; i++) {
    atomic_store_explicit(&x, i, memory_order_relaxed);
    got[0] = got[0] * 9 + atomic_load_explicit(&y, memory_order_relaxed);
  }
  return arg;
}
static void *Second(void *arg) {
  for (int i = 1; i <= 4; i++) {
    atomic_store_explicit(&y, i, memory_order_relaxed);
    got[1] = got[1] * 9 + atomic_load_explicit(&x, memory_order_relaxed);
  }
  return arg;
}
int main() {
  RunThreads(2, (Body[]){First, Second});
  heddle_outcome("%d %d", got[0], got[1]);
#ifdef WRONG
  assert(got[0] != 0 || got[1] != 0);  // all loads read before any store
#endif
}
"""
# Only where T2 is first do the two plain writes meet: what is visible grows late.
GROWS = """
#include <heddle.h>
#include "run_threads.h"
#include <stdatomic.h>
static atomic_int x;
int plain;
static void *Add(void *arg) {
  long self = (long)arg;
  int got = 0;
  for (int i = 0; i < 3; i++) got += atomic_fetch_add(&x, 1);
  if (self == 2 ? got == 3 : got == 12) plain = (int)self;
  return 0;
}
int main() { RunSame(3, Add); }
"""
# A loop that waits, which the search learns on the way, and begins again.
WAITS = """
#include "run_threads.h"
#include <stdatomic.h>
static atomic_int ready, x;
static void *Run(void *arg) {
  if (arg == 0) while (!atomic_load(&ready)) {}
  atomic_fetch_add(&x, 1);
  if (arg != 0) atomic_store(&ready, 1);
  return 0;
}
int main() { RunSame(3, Run); }
"""
ONE = "int main() { return 0; }"


def found(path):
    """What has to be the same, however the search was cut."""
    json = read_json(path)
    return {"sum": json["coverage"]["trace_sum"], "graphs": json["coverage"]["happens_before"],
            "outcomes": sorted(json["outcomes"]), "bugs": sorted({bug["identity"] for bug in json["bugs"]}),
            "complete": json["complete"], "verdict": json["verdict"]}
