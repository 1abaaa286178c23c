// Pools that poison what they have and unpoison what they hand out: nothing is accessed in between.
// compilers: gcc clang   opt: -O0 -O2
// Two threads take a node, write it and give it back, under a lock: it is one node, or each has its own, by who comes first. The orders of four
// critical sections, two of each thread: 4! / (2! * 2!).
// traces: 6 enumerated -- pool
// heddle: check -- pool
// expect: verdict=clean complete=true executions=6
// heddle: check --no-races -- pool
// expect: verdict=clean complete=true executions=6
// heddle: check --points all -- pool
// expect: verdict=clean complete=true
// heddle: check --visited states -- pool
// expect: verdict=clean complete=true
// heddle: check --rewind fork -- pool
// expect: verdict=clean complete=true executions=6
// heddle: check -- pool static
// expect: verdict=clean complete=true executions=6
// heddle: check -- pool large
// expect: verdict=clean complete=true executions=6
// What is poisoned may be freed, and what is allocated there later is not poisoned; the stack is left out; what no whole granule is poisoned of is not.
// heddle: check -- freed
// expect: verdict=clean complete=true executions=1
// heddle: check -- stack
// expect: verdict=clean complete=true executions=1
// heddle: check -- bytes
// expect: verdict=clean complete=true executions=1
// What is asked is answered.
// heddle: check -- asked
// expect: verdict=clean complete=true executions=1
// A pool that was poisoned before main is not known to be.
// heddle: check -- early
// expect: verdict=clean complete=true executions=1
#include <sanitizer/asan_interface.h>

#include <cassert>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <string>
#include <thread>

namespace {

constexpr size_t kNodes = 4;
struct Node {
  Node* next;
  int value;
  char rest[24];
};

struct Pool {
  explicit Pool(Node* nodes) {
    for (size_t i = 0; i < kNodes; ++i) nodes[i].next = i + 1 < kNodes ? &nodes[i + 1] : nullptr;
    free = nodes;
    __asan_poison_memory_region(nodes, kNodes * sizeof(Node));
  }
  Node* Take() {
    const std::lock_guard<std::mutex> lock(mutex);
    Node* node = free;
    __asan_unpoison_memory_region(node, sizeof *node);
    free = node->next;
    return node;
  }
  void GiveBack(Node* node) {
    const std::lock_guard<std::mutex> lock(mutex);
    node->next = free;
    free = node;
    __asan_poison_memory_region(node, sizeof *node);
  }
  std::mutex mutex;
  Node* free;
};

Node nodes[kNodes];
int early_flag[4];
__attribute__((constructor)) void PoisonEarly() {
  __asan_poison_memory_region(early_flag, sizeof early_flag);
}

void Use(Pool& pool) {
  Node* node = pool.Take();
  std::memset(node, 1, sizeof *node);
  assert(node->value == 0x01010101);
  pool.GiveBack(node);
}

void RunPool(const std::string& where) {
  void* memory = nodes;
  if (where.empty()) memory = std::malloc(kNodes * sizeof(Node));
  if (where == "large") memory = std::malloc(size_t{2} << 20);
  Pool pool(static_cast<Node*>(memory));
  std::thread first([&] { Use(pool); });
  std::thread second([&] { Use(pool); });
  first.join();
  second.join();
  if (where != "static") std::free(memory);
}

void Freed() {
  char* block = static_cast<char*>(std::malloc(100));
  __asan_poison_memory_region(block, 100);
  std::free(block);
  for (int i = 0; i < 10; ++i) {
    char* other = static_cast<char*>(std::malloc(100));
    std::memset(other, i, 100);
    std::free(other);
  }
}

__attribute__((noinline)) void PoisonFrame() {
  char buffer[256];
  __asan_poison_memory_region(buffer, sizeof buffer);
}
__attribute__((noinline)) void UseFrame() {
  volatile char buffer[256];
  for (volatile char& byte : buffer) byte = 1;
}

void Bytes() {
  char* block = static_cast<char*>(std::malloc(40));
  __asan_poison_memory_region(block + 3, 4);
  __asan_poison_memory_region(block + 13, 10);
  std::memset(block, 1, 16);
  block[23] = block[39] = 1;
  std::free(block);
}

void Asked() {
  char* block = static_cast<char*>(std::malloc(64));
  __asan_poison_memory_region(block + 32, 16);
  assert(__asan_region_is_poisoned(block, 64) == block + 32);
  assert(__asan_region_is_poisoned(block, 32) == nullptr);
  __asan_poison_memory_region(block + 8, 8);
  __asan_poison_memory_region(block, 4);  // no granule
  assert(!__asan_address_is_poisoned(block + 7) && __asan_address_is_poisoned(block + 8));
  block[7] = block[5] = block[16] = 1;
  __asan_unpoison_memory_region(block + 8, 8);
  assert(__asan_address_is_poisoned(block + 47) && !__asan_address_is_poisoned(block + 48));
  __asan_unpoison_memory_region(block + 32, 16);
  assert(__asan_region_is_poisoned(block, 64) == nullptr);
  std::memset(block, 1, 64);
  std::free(block);
}

}  // namespace

int main(int count, char** arguments) {
  const std::string what = arguments[1];
  if (what == "pool") RunPool(count > 2 ? arguments[2] : "");
  if (what == "freed") Freed();
  if (what == "stack") {
    PoisonFrame();
    UseFrame();
  }
  if (what == "bytes") Bytes();
  if (what == "asked") Asked();
  if (what == "early") early_flag[1] = 1;
  return 0;
}
