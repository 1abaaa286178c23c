// A spin lock in asm statements that looks at the flag in one instruction and sets it in another:
// both threads may be inside.
// compilers: gcc clang   opt: -O0 -O1 -O2
// heddle: check
// expect: verdict=bug kind=data-race preemptions=1 location=@inside
// heddle: check --points all --no-races
// expect: verdict=bug kind=assertion
// No number of graphs is stated: written in C, with plain accesses as scheduling points, it leaves 148; in asm
// statements a few looks in vain are told apart, how many depends on the compiler.
#include "run_threads.h"

static int flag, count;
static volatile int inside;

static void *Enter(void *arg) {
  __asm__ volatile(
      "1:\tcmpl $0, %0\n\t"
      "je 2f\n\t"
      "pause\n\t"
      "jmp 1b\n"
      "2:\tmovl $1, %0"
      : "+m"(flag)
      :
      : "memory", "cc");
  count++;  // @inside
  assert(inside == 0);
  inside = 1;
  __asm__ volatile("mfence" ::: "memory");
  inside = 0;
  __asm__ volatile("movl $0, %0" : "=m"(flag) : : "memory");
  return arg;
}

int main(void) { RunSame(2, Enter); }
