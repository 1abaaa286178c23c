// race_struct_copy.c with gcc, which announces the copy of the structure, and then calls memcpy, which is seen as well: two reads.
// compilers: gcc   opt: -O0 -O2
// heddle: check
// expect: verdict=bug kind=data-race
// Graphs: the write before, between or after the two reads, 3.
// traces: 3 enumerated --keep-going
#include "race_struct_copy.c"
