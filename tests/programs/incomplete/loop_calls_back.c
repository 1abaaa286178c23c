// As loop_calls.c, and heddle sees the memory of what the loop calls, but that calls the program by a pointer, and the program a
// function that heddle does not know.
// compilers: gcc clang   opt: -O1 -O2
// heddle: check --reduction optimal
// expect: incomplete=loop-calls stdout~qsort
#define _GNU_SOURCE
#include <stdlib.h>

static int Compare(const void *a, const void *b);
#define WRITE(value) qsort((int[2]){value, 0}, 2, sizeof(int), Compare)
#define ZERO "0"
#include "loop_calls.c"

static int Compare(const void *a, const void *b) {
  return strfromd(last, sizeof last, "%.0f", *(const int *)a + *(const int *)b) - 1;
}
