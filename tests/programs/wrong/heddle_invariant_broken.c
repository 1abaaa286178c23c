// Two atomics that must always sum to 7: between the two updates they do not. Every schedule shows it, and the
// message names the function and the report the line that broke it. A crash of the function is the program's.
// heddle: check -- sum
// expect: verdict=bug kind=invariant preemptions=0 thread=T1 location=@first message~SumIsSeven
// heddle: check -- crash
// expect: verdict=bug kind=crash location=@crash
// heddle: check -- main
// expect: verdict=bug kind=invariant preemptions=0 thread=main location=@last message~SumIsSeven
// Graphs: the first step, of either thread, breaks the sum and ends the execution: 2. main alone: 1.
// heddle: check --order depth-first --keep-going -- sum
// expect: verdict=bug complete=true happens_before=2 kind=invariant
// heddle: check --order depth-first --keep-going --reduction optimal -- sum
// expect: verdict=bug incomplete=invariant executions=2 redundant=0 kind=invariant
// heddle: check --order depth-first --keep-going -- main
// expect: verdict=bug complete=true happens_before=1 kind=invariant
#include <heddle.h>
#include <stdatomic.h>
#include <string.h>

#include "run_threads.h"

static atomic_int account[2] = {3, 4};
static int *volatile nowhere;

static int SumIsSeven(void *arg) {
  (void)arg;
  return account[0] + account[1] == 7;
}

static int Crashes(void *arg) {
  (void)arg;
  return *nowhere;  // @crash
}

static void *Transfer(void *arg) {
  account[0]--;  // @first
  account[1]++;
  return arg;
}

int main(int argc, char **argv) {
  assert(argc == 2);
  heddle_invariant(strcmp(argv[1], "crash") == 0 ? Crashes : SumIsSeven, 0);
  if (strcmp(argv[1], "main") == 0)
    account[0] = 9;  // @last
  else
    RunSame(2, Transfer);
}
