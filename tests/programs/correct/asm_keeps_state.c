// The calls before the instructions of asm statements leave everything as it was: registers, flags,
// vector registers, the red zone of a function that calls nothing; and they find the memory however
// its address is written. Two threads at once, so that each call may run the other one.
// compilers: gcc clang   opt: -O0 -O1 -O2 -O3
// heddle: check --bound preemptions=1
// expect: verdict=clean warnings=0
// Graphs: each thread adds to shared_long once, reads it twice and adds three times, which leaves 494 orders
// (enumerate.py); then both set the same bit, in 2 orders, and exchange the wide word, in 2. No order of one excludes
// one of another: 494 * 2 * 2 = 1976.
// traces: 1976
#include <stdint.h>
#include <string.h>

#include "run_threads.h"

static long shared_long;
static int shared_bits[8];
static _Thread_local long mine[4];

typedef struct {
  _Alignas(16) uint64_t low;
  uint64_t high;
} Wide;
static Wide wide = {1, 2};

// Every general register but those of stack and frame holds a number of its own across the call.
static void Registers(void) {
  uint64_t wrong = 1;
  __asm__ volatile(
      "movq $101, %%rax; movq $102, %%rbx; movq $103, %%rcx; movq $104, %%rdx\n\t"
      "movq $105, %%rsi; movq $108, %%r8; movq $109, %%r9\n\t"
      "movq $110, %%r10; movq $111, %%r11; movq $112, %%r12; movq $113, %%r13\n\t"
      "movq $114, %%r14; movq $115, %%r15\n\t"
      "lock; incq (%%rdi)\n\t"
      "cmpq $101, %%rax; jne 1f; cmpq $102, %%rbx; jne 1f; cmpq $103, %%rcx; jne 1f\n\t"
      "cmpq $104, %%rdx; jne 1f; cmpq $105, %%rsi; jne 1f\n\t"
      "cmpq $108, %%r8; jne 1f; cmpq $109, %%r9; jne 1f; cmpq $110, %%r10; jne 1f\n\t"
      "cmpq $111, %%r11; jne 1f; cmpq $112, %%r12; jne 1f; cmpq $113, %%r13; jne 1f\n\t"
      "cmpq $114, %%r14; jne 1f; cmpq $115, %%r15; jne 1f\n\t"
      "xorl %%eax, %%eax\n"
      "1:"
      : "=&a"(wrong)
      : "D"(&shared_long)
      : "rbx", "rcx", "rdx", "rsi", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15", "memory",
        "cc");
  assert(wrong == 0);
}

// Carry and direction, and the zero flag that a compare-exchange leaves, survive the next call.
static void Flags(void) {
  unsigned char carry, zero;
  __asm__ volatile(
      "stc\n\tmovq %2, %%rax\n\tsetc %0\n\t"
      "cmpq %%rax, %%rax\n\tmovq %2, %%rdx\n\tsetz %1"
      : "=q"(carry), "=q"(zero)
      : "m"(shared_long)
      : "rax", "rdx", "memory", "cc");
  assert(carry == 1 && zero == 1);
}

static void Vectors(void) {
  double numbers[2] = {1.5, -2.25}, after[2];
  long long_double_kept;
  __asm__ volatile(
      "movupd (%2), %%xmm15; fldpi\n\t"
      "lock; incq %0\n\t"
      "movupd %%xmm15, (%3); fldpi; fcomip %%st(1), %%st; setne %b1; fstp %%st(0)\n\t"
      "movzbl %b1, %k1"
      : "+m"(shared_long), "=&q"(long_double_kept)
      : "r"(numbers), "r"(after)
      : "xmm15", "memory", "cc", "st");
  assert(memcmp(numbers, after, sizeof after) == 0 && long_double_kept == 0);
}

// A function that calls nothing keeps its variables below the stack pointer.
__attribute__((noinline, no_sanitize_thread)) static long RedZone(long a) {
  volatile long kept[4] = {a, a + 1, a + 2, a + 3};
  __asm__ volatile("lock; incq %0" : "+m"(shared_long) : : "memory", "cc");
  return kept[0] + kept[1] + kept[2] + kept[3];
}

// Nobody finds the frame by a register that the statement uses for something else.
static void FramePointer(void) {
  long wrong;
  __asm__ volatile(
      "pushq %%rbp; movq $106, %%rbp; lock; incq (%%rdi); subq $106, %%rbp\n\t"
      "movq %%rbp, %0; popq %%rbp"
      : "=&a"(wrong)
      : "D"(&shared_long)
      : "memory", "cc");
  assert(wrong == 0);
}

static void Addresses(void) {
  long local[4] = {10, 20, 30, 40};
  const long index = 2;
  long got, constant = 7;
  __asm__ volatile("movq 8(%1,%2,8), %0" : "=r"(got) : "r"(local), "r"(index) : "memory");
  assert(got == 40);
  __asm__ volatile("pushq %1; movq (%%rsp), %0; addq $1, (%%rsp); popq %1"
                   : "=&r"(got), "+r"(constant)
                   :
                   : "memory", "cc");
  assert(got == 7 && constant == 8);
  __asm__ volatile("lock; addq $5, %0" : "+m"(mine[1]) : : "memory", "cc");
  assert(mine[1] == 5);
  mine[1] = 0;
  __asm__ volatile("lock; btsl %1, %0" : "+m"(shared_bits) : "r"(37) : "memory", "cc");
  __asm__ volatile("lock; orl $0, (%%rsp)" ::: "memory", "cc");
  __asm__ volatile("mfence; lfence; sfence" ::: "memory");
}

static void Wides(void) {
  Wide expected;
  unsigned char done;
  __asm__ volatile("lock cmpxchg16b %1; setz %0"
                   : "=q"(done), "+m"(wide), "=a"(expected.low), "=d"(expected.high)
                   : "b"(3ul), "c"(4ul), "a"(1ul), "d"(2ul)
                   : "memory", "cc");
  assert(done || (expected.low == 3 && expected.high == 4));
}

static void *Run(void *arg) {
  char from[5] = "asm", to[5];
  Registers();
  Flags();
  Vectors();
  assert(RedZone(1) == 10);
  FramePointer();
  Addresses();
  Wides();
  const char *source = from;
  char *destination = to;
  long count = sizeof from;
  __asm__ volatile("rep movsb" : "+S"(source), "+D"(destination), "+c"(count) : : "memory");
  assert(strcmp(to, "asm") == 0 && count == 0);
  return arg;
}

int main(void) {
  RunSame(2, Run);
  assert(shared_long == 8 && shared_bits[1] == 1 << 5);
  assert(wide.low == 3 && wide.high == 4);
}
