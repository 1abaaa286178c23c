// What is published by a plain flag races, too, but only where the flag was seen: by the second
// search, in which the flag is visible. Two traces, two races.
// heddle: check --keep-going
// expect: verdict=bug bugs=2 kinds=data-race complete=true executions=2 happens_before=2
// expect: kind=data-race location=@set location=@seen
// expect: kind=data-race location=@write location=@read
// traces: 2 enumerated --keep-going
#include "run_threads.h"

static volatile int ready;
static volatile int data;

static void *Publish(void *arg) {
  data = 42;  // @write
  ready = 1;  // @set
  return arg;
}

static void *Use(void *arg) {
  if (ready)             // @seen
    if (data != 42) arg = 0;  // @read
  return arg;
}

int main() { RunThreads(2, (Body[]){Publish, Use}); }
