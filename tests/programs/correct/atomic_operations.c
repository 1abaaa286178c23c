// Every atomic operation on 1, 2, 4 and 8 bytes does what C says, alone and with another thread
// adding.
// compilers: gcc clang   std: c11 c17   opt: -O0 -O2
// heddle: check --bound preemptions=1
// expect: verdict=clean
// Graphs: one addition of each thread to each of six variables: 2^6 = 64, because both go through them in the same
// order.
// traces: 64
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "run_threads.h"

#define TEST(type, name)                                                                   \
  static _Atomic type name;                                                                \
  static void Test_##name() {                                                              \
    _Atomic type a = 5;                                                                    \
    type old = 5;                                                                          \
    assert(atomic_load_explicit(&a, memory_order_relaxed) == 5);                           \
    atomic_store_explicit(&a, 6, memory_order_release);                                    \
    assert(atomic_exchange(&a, 12) == 6);                                                  \
    assert(atomic_fetch_add(&a, 3) == 12 && atomic_fetch_sub(&a, 1) == 15);                \
    assert(atomic_fetch_and(&a, 6) == 14 && atomic_fetch_or(&a, 9) == 6);                  \
    assert(atomic_fetch_xor(&a, 15) == 15 && a == 0);                                      \
    assert(!atomic_compare_exchange_strong(&a, &old, 1) && old == 0);                      \
    assert(atomic_compare_exchange_strong(&a, &old, (type)-1) && a == (type)-1);           \
    old = (type)-1;                                                                        \
    while (!atomic_compare_exchange_weak(&a, &old, 2)) assert(old == (type)-1);            \
    assert(__atomic_fetch_nand((type *)&a, (type)3, __ATOMIC_SEQ_CST) == 2);               \
    assert(a == (type) ~(type)2);                                                          \
    a++;                                                                                   \
    a -= 1;                                                                                \
    atomic_fetch_add(&name, 1);                                                            \
  }

TEST(uint8_t, one)
TEST(uint16_t, two)
TEST(uint32_t, four)
TEST(uint64_t, eight)
TEST(int8_t, one_signed)
TEST(int64_t, eight_signed)

static _Atomic(int *) pointer;
static atomic_bool truth;
static int array[4];

static void *TestAll(void *arg) {
  (void)arg;
  Test_one();
  Test_two();
  Test_four();
  Test_eight();
  Test_one_signed();
  Test_eight_signed();
  return 0;
}

int main() {
  RunSame(2, TestAll);
  assert(one == 2 && two == 2 && four == 2 && eight == 2 && one_signed == 2 && eight_signed == 2);
  pointer = array;
  int *old = array;
  assert(atomic_compare_exchange_strong(&pointer, &old, array + 2));
  assert(atomic_exchange(&pointer, 0) == array + 2 && pointer == 0);
  assert(!atomic_exchange(&truth, true) && truth);
  atomic_thread_fence(memory_order_seq_cst);
  atomic_signal_fence(memory_order_acq_rel);
}
