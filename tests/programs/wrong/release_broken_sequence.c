// A store of another thread ends a release sequence in C, too: 2 comes between the release store and the relaxed one,
// and whoever then reads 3 is not ordered after the release store. Where 2 comes before or behind, there is no race.
// heddle: check
// expect: verdict=bug kind=data-race location=@write location=@read
// heddle: check --release-sequences c++20
// expect: verdict=bug kind=data-race location=@write location=@read
// Graphs: traces.py derives 18.
// traces: 18 enumerated --keep-going
#include <stdatomic.h>

#include "run_threads.h"

static int data;
static atomic_int flag;
static atomic_int between;

static void *Publish(void *arg) {
  data = 1;  // @write
  atomic_store_explicit(&flag, 1, memory_order_release);
  int broken = atomic_load_explicit(&between, memory_order_relaxed);
  atomic_store_explicit(&flag, broken ? 3 : 4, memory_order_relaxed);
  return arg;
}

static void *Break(void *arg) {
  if (atomic_load_explicit(&flag, memory_order_relaxed) == 1) {
    atomic_store_explicit(&flag, 2, memory_order_relaxed);
    atomic_store_explicit(&between, 1, memory_order_relaxed);
  }
  return arg;
}

static void *Receive(void *arg) {
  if (atomic_load_explicit(&flag, memory_order_acquire) == 3) assert(data == 1);  // @read
  return arg;
}

int main() { RunThreads(3, (Body[]){Publish, Break, Receive}); }
