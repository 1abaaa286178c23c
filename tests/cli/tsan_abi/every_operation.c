// Every operation of C that -fsanitize=thread replaces by a call, with its result printed: the
// output must be the same whether or not the calls are there. Used by tests/cli/test_tsan_abi.sh.
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef unsigned __int128 uint128_t;

static void Print(const char* what, uint128_t value) {
  printf("%s %016llx%016llx\n", what, (unsigned long long)(value >> 64), (unsigned long long)value);
}

static int runtime_order;  // not a constant to the compiler

// Every atomic operation on one type, with the memory orders that it may have.
#define ATOMICS(type)                                                                             \
  static void Atomics_##type(void) {                                                              \
    static type cell;                                                                             \
    const type big = (type)((((uint128_t)0x0123456789abcdefull) << 64) | 0xfedcba9876543210ull);  \
    type seen, expected;                                                                          \
    __atomic_store_n(&cell, big, __ATOMIC_RELAXED);                                               \
    Print(#type " load", __atomic_load_n(&cell, __ATOMIC_RELAXED));                               \
    __atomic_store_n(&cell, (type)(big + 1), __ATOMIC_RELEASE);                                   \
    Print(#type " load", __atomic_load_n(&cell, __ATOMIC_CONSUME));                               \
    __atomic_store_n(&cell, (type)(big + 2), __ATOMIC_SEQ_CST);                                   \
    Print(#type " load", __atomic_load_n(&cell, __ATOMIC_ACQUIRE));                               \
    Print(#type " load", __atomic_load_n(&cell, __ATOMIC_SEQ_CST));                               \
    Print(#type " load", __atomic_load_n(&cell, runtime_order));                                  \
    seen = (type)~big;                                                                            \
    __atomic_store(&cell, &seen, __ATOMIC_SEQ_CST);                                               \
    __atomic_load(&cell, &expected, __ATOMIC_SEQ_CST);                                            \
    Print(#type " generic", expected);                                                            \
    Print(#type " exchange", __atomic_exchange_n(&cell, (type)3, __ATOMIC_ACQ_REL));              \
    Print(#type " add", __atomic_fetch_add(&cell, big, __ATOMIC_RELAXED));                        \
    Print(#type " sub", __atomic_fetch_sub(&cell, (type)7, __ATOMIC_ACQUIRE));                    \
    Print(#type " or", __atomic_fetch_or(&cell, (type)0x15, __ATOMIC_RELEASE));                   \
    Print(#type " and", __atomic_fetch_and(&cell, (type) ~(type)4, __ATOMIC_ACQ_REL));            \
    Print(#type " xor", __atomic_fetch_xor(&cell, big, __ATOMIC_SEQ_CST));                        \
    Print(#type " nand", __atomic_fetch_nand(&cell, (type)0x7f, __ATOMIC_CONSUME));               \
    Print(#type " now", cell);                                                                    \
    Print(#type " add", __atomic_add_fetch(&cell, (type)1, __ATOMIC_SEQ_CST));                    \
    Print(#type " sub", __atomic_sub_fetch(&cell, big, __ATOMIC_SEQ_CST));                        \
    Print(#type " and", __atomic_and_fetch(&cell, (type)0xf7, __ATOMIC_SEQ_CST));                 \
    Print(#type " or", __atomic_or_fetch(&cell, big, __ATOMIC_SEQ_CST));                          \
    Print(#type " xor", __atomic_xor_fetch(&cell, (type)0x33, __ATOMIC_SEQ_CST));                 \
    Print(#type " nand", __atomic_nand_fetch(&cell, (type)0x33, __ATOMIC_SEQ_CST));               \
    seen = cell;                                                                                  \
    expected = (type)(seen + 1);                                                                  \
    Print(#type " fails", __atomic_compare_exchange_n(&cell, &expected, big, 0, __ATOMIC_ACQ_REL, \
                                                      __ATOMIC_ACQUIRE));                         \
    Print(#type " found", expected == seen);                                                      \
    Print(#type " succeeds", __atomic_compare_exchange_n(&cell, &expected, big, 0,                \
                                                         __ATOMIC_SEQ_CST, __ATOMIC_RELAXED));    \
    expected = 0;                                                                                 \
    while (!__atomic_compare_exchange_n(&cell, &expected, (type)(expected + 9), 1,                \
                                        __ATOMIC_RELEASE, __ATOMIC_RELAXED)) {                    \
    }                                                                                             \
    Print(#type " weak", expected);                                                               \
    Print(#type " weak", cell);                                                                   \
  }

// The older family; not on 16 bytes, where GCC and Clang differ in what they need for it.
#define SYNCS(type)                                                       \
  static void Syncs_##type(void) {                                        \
    static type cell = 5;                                                 \
    Print(#type " sync", __sync_fetch_and_add(&cell, 3));                 \
    Print(#type " sync", __sync_sub_and_fetch(&cell, 1));                 \
    Print(#type " sync", __sync_fetch_and_or(&cell, 0x30));               \
    Print(#type " sync", __sync_and_and_fetch(&cell, 0x3c));              \
    Print(#type " sync", __sync_fetch_and_xor(&cell, 0x11));              \
    Print(#type " sync", __sync_nand_and_fetch(&cell, 0x0f));             \
    Print(#type " sync", __sync_bool_compare_and_swap(&cell, 1, 2));      \
    Print(#type " sync", __sync_val_compare_and_swap(&cell, cell, 0x44)); \
    Print(#type " sync", __sync_lock_test_and_set(&cell, 1));             \
    __sync_lock_release(&cell);                                           \
    __sync_synchronize();                                                 \
    Print(#type " sync", cell);                                           \
  }

ATOMICS(uint8_t)
ATOMICS(uint16_t)
ATOMICS(uint32_t)
ATOMICS(uint64_t)
ATOMICS(uint128_t)
SYNCS(uint8_t)
SYNCS(uint16_t)
SYNCS(uint32_t)
SYNCS(uint64_t)

// GCC 12 adds bytes to an atomic pointer, Clang 14 elements.
#ifdef __clang__
#define STEP 1
#else
#define STEP sizeof(int)
#endif

static void Flags(void) {
  static atomic_flag flag = ATOMIC_FLAG_INIT;
  static _Bool test;
  Print("flag", atomic_flag_test_and_set(&flag));
  Print("flag", atomic_flag_test_and_set_explicit(&flag, memory_order_acquire));
  atomic_flag_clear(&flag);
  Print("flag", atomic_flag_test_and_set(&flag));
  Print("test", __atomic_test_and_set(&test, __ATOMIC_SEQ_CST));
  __atomic_clear(&test, __ATOMIC_RELEASE);
  Print("test", test);
  static _Atomic(int*) pointer;
  static int numbers[4] = {10, 11, 12, 13};
  atomic_store(&pointer, numbers);
  atomic_fetch_add(&pointer, 2 * STEP);
  Print("pointer", (unsigned)*atomic_load(&pointer));
  static _Atomic double real = 1.5;
  real += 2.25;
  Print("double", (uint128_t)(real * 100));
  atomic_thread_fence(memory_order_seq_cst);
  atomic_thread_fence(memory_order_acquire);
  atomic_thread_fence(memory_order_release);
  atomic_signal_fence(memory_order_seq_cst);
}

struct Packed {
  char first;
  uint16_t two;
  uint32_t four;
  uint64_t eight;
  uint128_t sixteen;
} __attribute__((packed));

struct Bits {
  unsigned a : 3, b : 7, c : 20;
};

struct Large {
  char bytes[300];
};

static struct Packed packed[3];
static struct Bits bits;
static struct Large large[2];
static uint8_t u8[4];
static uint16_t u16[4];
static uint32_t u32[4];
static uint64_t u64[4];
static uint128_t u128[4];
static volatile uint8_t v8;
static volatile uint16_t v16;
static volatile uint32_t v32;
static volatile uint64_t v64;
static volatile uint128_t v128;
static volatile struct Packed volatile_packed;

static void PlainAccesses(void) {
  for (int i = 1; i < 4; ++i) {
    u8[i] += (uint8_t)(u8[i - 1] + i);
    u16[i] += (uint16_t)(u16[i - 1] + i);
    u32[i] += u32[i - 1] + (uint32_t)i;
    u64[i] += u64[i - 1] + (uint64_t)i;
    u128[i] += u128[i - 1] + (((uint128_t)i) << 65);
  }
  Print("plain", u8[3] + u16[3] + u32[3] + u64[3] + u128[3]);
  for (int i = 0; i < 3; ++i) {
    packed[i].two = (uint16_t)(i + 1);
    packed[i].four += packed[i].two;
    packed[i].eight = packed[i].four * 3ull;
    packed[i].sixteen = packed[i].eight + (((uint128_t)1) << 100);
  }
  packed[0] = packed[2];
  Print("packed", packed[0].sixteen + packed[1].eight);
  bits.a = 5;
  bits.b = 99;
  bits.c += bits.a * bits.b;
  Print("bits", bits.c);
  v8++;
  v16 = (uint16_t)(v8 + 1);
  v32 = v16 + 1u;
  v64 = v32 + 1u;
  v128 = v64 + 1u;
  volatile_packed.two = 7;
  volatile_packed.four = volatile_packed.two;
  volatile_packed.eight = volatile_packed.four;
  volatile_packed.sixteen = volatile_packed.eight;
  Print("volatile", v128 + volatile_packed.sixteen);
}

static void MemoryFunctions(size_t size) {
  char* from = malloc(size + 64);
  char* to = malloc(size + 64);
  unsigned long sum = 0;
  memset(from, 7, size + 64);
  memset(to, 9, size + 64);
  for (size_t i = 0; i < size; ++i) from[i] = (char)(i * 31 + 1);
  memcpy(to, from, size);
  memmove(to + 5, to, size);
  memmove(to, to + 3, size);
  memset(to + size / 2, 0x5a, size / 4);
  for (size_t i = 0; i < size + 3; ++i) sum = sum * 131 + (unsigned char)to[i];
  Print("memory", sum);
  free(from);
  free(to);
}

int main(void) {
  runtime_order = getenv("PATH") != NULL ? __ATOMIC_ACQUIRE : __ATOMIC_SEQ_CST;
  Atomics_uint8_t();
  Atomics_uint16_t();
  Atomics_uint32_t();
  Atomics_uint64_t();
  Atomics_uint128_t();
  Syncs_uint8_t();
  Syncs_uint16_t();
  Syncs_uint32_t();
  Syncs_uint64_t();
  Flags();
  PlainAccesses();
  for (size_t size = 1; size < 5000; size += 1 + size / 7) MemoryFunctions(size);
  memset(&large[0], 3, sizeof large[0]);
  large[1] = large[0];
  Print("large", (uint128_t)large[1].bytes[299]);
  return 0;
}
