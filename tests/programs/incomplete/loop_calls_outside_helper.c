// As loop_calls.c, and the loop looks in a function of its own: what the loop calls is in the function that calls that one.
// compilers: gcc clang   opt: -O0 -O1 -O2
// heddle: check --reduction optimal
// expect: incomplete=loop-calls stdout~strfromd
#define _GNU_SOURCE
#include <stdatomic.h>
#include <stdlib.h>

__attribute__((noinline)) static int Look(atomic_int* from) { return *from; }
#define LOOK(from) Look(&(from))
#define WRITE(value) strfromd(last, sizeof last, "%.0f", value)
#define ZERO "none"
#include "loop_calls.c"
