// The work-stealing queue of Cilk-5. Arguments: how many items fit, how many are pushed, how often the thief tries. With N, N + 1 and
// 3 it is the program of bench/table1_bench.py, which repeats Table 1 of Musuvathi and Qadeer, MSR-TR-2007-12.
// compilers: gcc clang
// heddle: check --bound preemptions=0 --reduction none -- 3 4 3
// expect: verdict=clean complete=true executions=2 happens_before=2
// heddle: check --bound preemptions=1 --reduction none -- 3 4 3
// expect: verdict=clean complete=true executions=50 happens_before=24
// heddle: check --bound preemptions=2 --reduction none -- 3 4 3
// expect: verdict=clean complete=true executions=640 happens_before=168
// heddle: check --bound preemptions=2 --order depth-first --reduction none -- 3 4 3
// expect: verdict=clean complete=true executions=640 happens_before=168
// traces: 138 -- 3 3 1
// long traces: 138 enumerated -- 3 3 1
// traces: 3034 -- 1 3 2
#include "work_stealing_the.h"

int main(int argc, char **argv) { RunQueue(argc, argv, (Functions){Push, Pop, Steal}); }
