// As loop_calls.c, and the program calls the library's function through a pointer: where that leads the code does not tell.
// ("every schedule explored (1 execution)" was said here.)
// compilers: gcc clang   opt: -O0 -O1 -O2
// heddle: check --reduction optimal
// expect: incomplete=unknown-loop
#define _GNU_SOURCE
#include <stdlib.h>

static int (*volatile tell)(char*, size_t, const char*, double) = strfromd;
#define WRITE(value) tell(last, sizeof last, "%.0f", value)
#define ZERO "0"
#include "loop_calls.c"
