// A hundred different races in one execution: none is dropped.
// heddle: check --keep-going --executions 20 --no-minimise
// expect: verdict=bug bugs=100 kinds=data-race
// As scheduling points the accesses would leave 2^100 graphs.
#include "run_threads.h"

static volatile char x[100];

#define WRITE(i) x[i] = 1;
#define TEN(i)                                                                \
  WRITE(i) WRITE(i + 1) WRITE(i + 2) WRITE(i + 3) WRITE(i + 4) WRITE(i + 5) \
  WRITE(i + 6) WRITE(i + 7) WRITE(i + 8) WRITE(i + 9)

static void *Write(void *arg) {
  TEN(0) TEN(10) TEN(20) TEN(30) TEN(40) TEN(50) TEN(60) TEN(70) TEN(80) TEN(90)
  return arg;
}

int main() { RunSame(2, Write); }
