// A block of the heap is called by what the variable or member points to that it is assigned to, also where no type is named.
// heddle: check
// expect: verdict=bug kind=data-race location=@hit message~"data race on counters#1.hits"
#include <stdlib.h>

#include "run_threads.h"

struct counters {
  long misses, hits;
};
static struct {
  struct counters *counters;
} server;

static void *Hit(void *arg) {
  server.counters->hits++;  // @hit
  return arg;
}

int main(void) {
  server.counters = calloc(1, sizeof *server.counters);
  RunSame(2, Hit);
  free(server.counters);
}
