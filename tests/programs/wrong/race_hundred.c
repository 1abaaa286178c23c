// A hundred different races in one execution: none is dropped. Of elements of one array, in one line,
// they are told as one; in lines of their own, or on variables of their own, they stay apart.
// heddle: check --keep-going --executions 20 --no-minimise
// expect: verdict=bug bugs=3 kinds=data-race
// expect: kind=data-race races=100 location=@elements
// expect: kind=data-race races=1 message~"data race on first" location=@variables
// expect: kind=data-race races=1 message~"data race on second" location=@variables
// As scheduling points the accesses would leave 2^100 graphs.
#include "run_threads.h"

static volatile char x[100];
static volatile int first, second;

#define WRITE(i) x[i] = 1;
#define TEN(i)                                                                \
  WRITE(i) WRITE(i + 1) WRITE(i + 2) WRITE(i + 3) WRITE(i + 4) WRITE(i + 5) \
  WRITE(i + 6) WRITE(i + 7) WRITE(i + 8) WRITE(i + 9)

static void *Write(void *arg) {
  TEN(0) TEN(10) TEN(20) TEN(30) TEN(40) TEN(50) TEN(60) TEN(70) TEN(80) TEN(90)  // @elements
  first = 1, second = 1;  // @variables
  return arg;
}

int main() { RunSame(2, Write); }
