// A word that is also used by its bytes: a byte is in the release sequence of the store that wrote it, and a relaxed store
// of the same thread to that byte continues it in C. Whoever reads the word learns from every byte.
// Three executions with each reader: its load comes before, between or behind the two stores.
// heddle: check --memory-model sc -- 0
// expect: verdict=clean complete=true executions=3
// heddle: check -- 0
// expect: verdict=incomplete bugs=0
// heddle: check --memory-model sc -- 1
// expect: verdict=clean complete=true executions=3
// heddle: check -- 1
// expect: verdict=incomplete bugs=0
// heddle: check --release-sequences c++20 -- 0
// expect: verdict=bug kind=data-race location=@write location=@read
// heddle: check --memory-model sc --release-sequences c++20 -- 1
// expect: verdict=clean complete=true executions=3
// traces: 3 enumerated -- 0
// traces: 3 enumerated -- 1
#include <stdint.h>
#include <stdlib.h>

#include "run_threads.h"

static int data;
static union {
  uint32_t word;
  uint8_t bytes[4];
} shared;
static int reads_word;

static void *Publish(void *arg) {
  data = 1;  // @write
  __atomic_store_n(&shared.word, 0x01010101, __ATOMIC_RELEASE);
  __atomic_store_n(&shared.bytes[1], 2, __ATOMIC_RELAXED);
  return arg;
}

static void *Receive(void *arg) {
  int seen = reads_word ? __atomic_load_n(&shared.word, __ATOMIC_ACQUIRE) == 0x01010201
                        : __atomic_load_n(&shared.bytes[1], __ATOMIC_ACQUIRE) == 2;
  if (seen) assert(data == 1);  // @read
  return arg;
}

int main(int argc, char **argv) {
  reads_word = argc > 1 && atoi(argv[1]);
  RunThreads(2, (Body[]){Publish, Receive});
}
