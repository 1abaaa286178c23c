// Two threads head release sequences of one object: a store S of the first, and a read-modify-write F of the second, which
// continues that of the first. A relaxed store X by one of them continues its own only: whoever reads the first's (10) is
// ordered after S, whoever reads the second's (20) after F. (wrong/release_two_heads.c mixes them up.)
// What each thread released is kept apart from the first time that it matters; then the search begins again.
//
// Graphs. The first stores: S before X, F anywhere: 3 orders, and the load reads the initial value or one of the three
// writes: 3 * 4. The second stores if F comes behind S: S F X and 4 loads, or F S and 3 loads.
// heddle: check --reduction optimal -- 0
// expect: verdict=clean complete=true executions=12 redundant=0
// heddle: check --reduction optimal -- 1
// expect: verdict=clean complete=true executions=7 redundant=0
// heddle: check --order depth-first --reduction none -- 0
// expect: verdict=clean complete=true happens_before=12
// heddle: check --reduction optimal --rewind fork -- 0
// expect: verdict=clean complete=true executions=12
// heddle: check --reduction optimal --release-sequences c++20 -- 0
// expect: verdict=bug kind=data-race
// heddle: check --reduction optimal --release-sequences c++20 -- 1
// expect: verdict=bug kind=data-race
// traces: 12 enumerated -- 0
// traces: 7 enumerated -- 1
#include <stdatomic.h>
#include <stdlib.h>

#include "run_threads.h"

static int first, second;
static atomic_int word;
static int storing;

static void *First(void *arg) {
  first = 1;
  atomic_store_explicit(&word, 1, memory_order_release);
  if (storing == 0) atomic_store_explicit(&word, 10, memory_order_relaxed);
  return arg;
}

static void *Second(void *arg) {
  second = 1;
  int old = atomic_fetch_add_explicit(&word, 1, memory_order_release);
  if (storing == 1 && old == 1) atomic_store_explicit(&word, 20, memory_order_relaxed);
  return arg;
}

static void *Receive(void *arg) {
  int seen = atomic_load_explicit(&word, memory_order_acquire);
  if (seen == 10) assert(first == 1);
  if (seen == 20) assert(second == 1);
  if (seen == 2 || seen == 11) assert(first == 1);
  if (seen == 2 || seen == 11) assert(second == 1);
  return arg;
}

int main(int argc, char **argv) {
  storing = argc > 1 ? atoi(argv[1]) : 0;
  RunThreads(3, (Body[]){First, Second, Receive});
}
