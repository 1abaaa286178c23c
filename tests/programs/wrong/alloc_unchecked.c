// What malloc returns is not looked at.
// heddle: check
// expect: verdict=clean complete=true executions=1
// heddle: check --fail-allocations 1
// expect: verdict=bug kind=crash location=@write step~"fails to allocate 40 bytes"
// heddle: check --fail-allocations 1 --reduction none --order depth-first
// expect: verdict=bug kind=crash location=@write
// heddle: check --fail-allocations 1 --visited states
// expect: verdict=bug kind=crash location=@write
// It fails or not: 2.
// traces: 2 enumerated --fail-allocations 1 --keep-going
// compilers: gcc clang
#include <stdlib.h>

int *volatile memory;  // visible to all, so that the compiler keeps the write

int main(void) {
  memory = malloc(40);
  memory[1] = 1;  // @write
  free(memory);
}
