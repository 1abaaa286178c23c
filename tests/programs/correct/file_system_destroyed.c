// file_system.c, whose main destroys the mutexes when it has joined the threads: as many traces.
// traces: 1 -- 13
// traces: 8 -- 16
// traces: 2048 -- 24
#define DESTROYED
#include "file_system.c"
