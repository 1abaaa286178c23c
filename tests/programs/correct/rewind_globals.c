// Every execution starts from the same memory: globals, static locals, the heap, strings,
// function pointers.
// heddle: check
// expect: verdict=clean complete=true executions>=6
// Graphs: two updates in each thread, C(4,2) = 6.
// traces: 6 enumerated
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "run_threads.h"

static int in_data = 5, in_bss;
static char text[] = "fresh";
static int *heap;
static atomic_int x;
static void (*hook)(void);

static void Hook() {}

static int Calls() {
  static int calls;
  return ++calls;
}

static void *Dirty(void *arg) {
  (void)arg;
  x++;
  x++;
  return 0;
}

int main() {
  assert(in_data == 5 && in_bss == 0 && heap == 0 && hook == 0 && x == 0);
  assert(strcmp(text, "fresh") == 0);
  assert(Calls() == 1);
  in_data = 6, in_bss = 1, text[0] = 'F', hook = Hook;
  heap = calloc(1000, sizeof *heap);
  for (int i = 0; i < 1000; i++) assert(heap[i] == 0);
  memset(heap, 0xff, 1000 * sizeof *heap);
  RunSame(2, Dirty);
  free(heap);
  heap = malloc(10);  // left for the rewind
}
