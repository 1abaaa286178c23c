// As loop_calls.c, and the program calls the library's function through a pointer: where that leads the code does not tell.
// ("every schedule explored (1 execution)" was said here.)
// compilers: gcc clang   opt: -O0 -O1 -O2
// heddle: check --reduction optimal
// expect: incomplete=unknown-loop
#include <arpa/inet.h>

static const char* (*volatile tell)(int, const void*, char*, socklen_t) = inet_ntop;
#define WRITE(value) tell(AF_INET, &(value), last, sizeof last)
#define ZERO "0.0.0.0"
#include "loop_calls.c"
