// Under c11 an atomic access to a part of what others access whole sees the newest values only: the load and the store.
// heddle: check --memory-model c11
// expect: incomplete=weak-operation,weak-operation,reads-from-operation
// heddle: check --memory-model c11 --reduction none
// expect: incomplete=weak-operation,weak-operation
#include <stdatomic.h>
#include <stdint.h>

#include "run_threads.h"

static _Atomic uint32_t word;

static void* Whole(void* unused) {
  atomic_store_explicit(&word, 0x101, memory_order_relaxed);
  return unused;
}

static void* Part(void* unused) {
  (void)__atomic_load_n((uint8_t*)&word, __ATOMIC_RELAXED);
  return unused;
}

int main(void) { RunThreads(2, (Body[]){Whole, Part}); }
