// Every byte that was asked for may be used, by accesses of any size, however the block was allocated, resized and given on: before main, by one
// thread and by several, and after its memory was another block's.
// compilers: gcc clang   opt: -O0 -O2
// heddle: check
// expect: bugs=0
// heddle: check --no-races
// expect: bugs=0
// heddle: check --rewind fork --executions 20
// expect: bugs=0
// heddle: check --order depth-first --rewind checkpoint --executions 100
// expect: bugs=0
#include <malloc.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include "run_threads.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static char *early;  // of before main
static char *early_large;
static char *passed;
static __thread char copy[4096];

struct Flexible {
  short count;
  char values[];
};

__attribute__((constructor)) static void AllocateEarly(void) {
  early = malloc(21);
  early_large = malloc((1 << 20) + 100);
}

// Writes and reads all of it, in pieces of every size.
static void UseAll(char *memory, size_t bytes) {
  for (size_t i = 0; i < bytes; ++i) memory[i] = (char)i;
  for (size_t i = 0; i + 2 <= bytes; i += 2) ++*(short *)(memory + i);
  for (size_t i = 0; i + 4 <= bytes; i += 4) ++*(int *)(memory + i);
  for (size_t i = 0; i + 8 <= bytes; i += 8) ++*(long *)(memory + i);
  if (bytes >= 8) ++*(long *)(memory + (bytes - 8) / 8 * 8);
  if (bytes == 0) return;
  memset(memory, 1, bytes);
  memcpy(copy, memory, bytes < sizeof copy ? bytes : sizeof copy);
  memmove(memory, memory + 1, bytes - 1);
  atomic_store((atomic_char *)(memory + bytes - 1), 1);
}

static char *Resized(char *memory, size_t bytes) {
  memory = realloc(memory, bytes);
  UseAll(memory, bytes);
  return memory;
}

static void UseBlocks(void) {
  for (size_t bytes = 0; bytes < 70; bytes += 3) {
    char *const memory = malloc(bytes);
    UseAll(memory, bytes);
    free(memory);
  }
  char *memory = calloc(3, 7);
  UseAll(memory, 21);
  for (size_t bytes = 5; bytes < 60; bytes += 9) memory = Resized(memory, bytes);
  for (size_t bytes = 60; bytes > 9; bytes -= 9) memory = Resized(memory, bytes);
  free(memory);
  memory = aligned_alloc(256, 512);
  UseAll(memory, 512);
  free(memory);
  memory = memalign(32, 33);
  UseAll(memory, malloc_usable_size(memory));
  free(memory);
  void *aligned;
  if (posix_memalign(&aligned, 128, 129) != 0) abort();
  UseAll(aligned, 129);
  free(aligned);
  memory = malloc(100);
  const size_t usable = malloc_usable_size(memory);
  assert(usable >= 100);
  UseAll(memory, usable);
  free(memory);
  struct Flexible *const flexible = malloc(sizeof *flexible + 5);
  flexible->count = 5;
  UseAll(flexible->values, 5);
  free(flexible);
  memory = strdup("four");
  assert(memory[4] == '\0' && strlen(memory) == 4);
  free(memory);
  memory = malloc((1 << 20) + 77);
  UseAll(memory + (1 << 20), 77);
  free(memory);
}

static void *Use(void *arg) {
  UseBlocks();
  pthread_mutex_lock(&mutex);
  UseAll(early, 21);
  early_large[(1 << 20) + 99] = 1;
  if (passed) UseAll(passed, 15);
  free(passed);
  passed = malloc(15);
  UseAll(passed, 15);
  pthread_mutex_unlock(&mutex);
  return arg;
}

int main(void) {
  UseBlocks();
  UseAll(early, 21);
  RunSame(2, Use);
  free(passed);
  free(early);
  free(early_large);
}
