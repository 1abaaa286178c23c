// As loop_calls.c, and in front of the call are instructions of floating point, of which heddle knows only how long they are.
// ("every schedule explored (1 execution)" was said here.)
// compilers: gcc clang   opt: -O1 -O2
// heddle: check --reduction optimal
// expect: incomplete=loop-calls stdout~gcvt
#include <stdlib.h>

#define WRITE(value) gcvt(value, 8, last)
#define ZERO "0"
#include "loop_calls.c"
