// A test-and-set lock, a ticket lock and a bit lock in asm statements, beside the same in C11: the
// same executions. Of each order of two threads, the second tries before the first is in, never,
// before the first gives back what it has, or after: with a wait that ends when somebody writes the
// lock, 3 traces an order.
// compilers: gcc clang   opt: -O0 -O1 -O2
// Whether heddle can follow the loop, through Exchange or a bit instruction, depends on the compiler; where not, that is no proof.
// heddle: check --order depth-first -- exchange
// expect: happens_before=6 bugs=0
// heddle: check --order depth-first --reduction optimal -- exchange
// expect: executions=6 redundant=0 bugs=0
// heddle: check --order depth-first -- exchange atomics
// expect: happens_before=6 bugs=0
// heddle: check --order depth-first --reduction optimal -- exchange atomics
// expect: executions=6 redundant=0 bugs=0
// heddle: check --memory-model sc -- ticket
// expect: verdict=clean complete=true
// heddle: check -- ticket
// expect: verdict=incomplete bugs=0
// heddle: check --order depth-first -- bit
// expect: happens_before=6 bugs=0
#include <stdatomic.h>
#include <string.h>

#include "run_threads.h"

static _Atomic int flag;
static _Atomic unsigned next_ticket, serving;
static int count;

static int use_atomics;

static int Exchange(int value) {
  if (use_atomics) return atomic_exchange(&flag, value);
  __asm__ volatile("xchgl %0, %1" : "+r"(value), "+m"(flag) : : "memory");
  return value;
}

static void *UnderExchange(void *arg) {
  while (Exchange(1)) __asm__ volatile("rep; nop" ::: "memory");
  count++;
  if (use_atomics)
    atomic_store_explicit(&flag, 0, memory_order_release);
  else
    __asm__ volatile("movl $0, %0" : "=m"(flag) : : "memory");
  return arg;
}

static void *UnderTicket(void *arg) {
  unsigned mine = 1;
  __asm__ volatile(
      "lock xaddl %0, %1\n"
      "1:\tcmpl %0, %2\n\t"
      "je 2f\n\t"
      "pause\n\t"
      "jmp 1b\n"
      "2:"
      : "+r"(mine), "+m"(next_ticket), "+m"(serving)
      :
      : "memory", "cc");
  count++;
  __asm__ volatile("movl %1, %0" : "=m"(serving) : "r"(mine + 1) : "memory");
  return arg;
}

static void *UnderBit(void *arg) {
  __asm__ goto(
      "1: lock; btsl $5, %0\n\t"
      "jc 1b\n\t"
      "jmp %l1"
      :
      : "m"(flag)
      : "memory", "cc"
      : taken);
  assert(!"not reached");
taken:
  count++;
  __asm__ volatile("lock; btrl $5, %0" : "+m"(flag) : : "memory", "cc");
  return arg;
}

int main(int argc, char **argv) {
  assert(argc >= 2);
  use_atomics = argc == 3;
  RunSame(2, strcmp(argv[1], "exchange") == 0 ? UnderExchange
             : strcmp(argv[1], "ticket") == 0 ? UnderTicket
                                              : UnderBit);
  assert(count == 2);
}
