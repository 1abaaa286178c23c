// What a rewind costs as the number of hot pages grows, and what a block of the program's heap
// costs. Prints one line per figure: nanoseconds, best of five.

#include <stdio.h>
#include <sys/mman.h>
#include <time.h>

#include <cstdint>
#include <initializer_list>

#include "runtime/memory/pages.h"
#include "runtime/memory/program_heap.h"
#include "runtime/memory/snapshot.h"
#include "runtime/prim/copy.h"

namespace heddle::runtime {
namespace {

Snapshot g_snapshot;

double Now() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<double>(now.tv_sec) * 1e9 + static_cast<double>(now.tv_nsec);
}

template <typename Body>
double BestNanoseconds(int repeats, Body body) {
  double best = 1e18;
  for (int trial = 0; trial < 5; ++trial) {
    const double begin = Now();
    for (int i = 0; i < repeats; ++i) body();
    const double each = (Now() - begin) / repeats;
    if (each < best) best = each;
  }
  return best;
}

void BenchRewind(unsigned hot_pages) {
  constexpr size_t kBytes = size_t{64} << 20;
  const auto begin = reinterpret_cast<uintptr_t>(ReserveMemory(kBytes));
  Fill(reinterpret_cast<void*>(begin), 1, kBytes);
  g_snapshot.AddPages(begin, begin + kBytes, PROT_READ | PROT_WRITE);
  g_snapshot.Take();
  for (unsigned i = 0; i < hot_pages; ++i) g_snapshot.MakeWritable(begin + i * 9 * kPageBytes, 1);
  const double each = BestNanoseconds(20000, [&] {
    for (unsigned i = 0; i < hot_pages; ++i)
      *reinterpret_cast<char*>(begin + i * 9 * kPageBytes) = 2;
    g_snapshot.Rewind();
  });
  printf("rewind of 64 MB, %3u hot pages    %9.1f ns\n", hot_pages, each);
  g_snapshot.Drop();
  UnmapMemory(reinterpret_cast<void*>(begin), kBytes);
}

void BenchHeap(size_t bytes) {
  constexpr int kBlocks = 20;
  const double each = BestNanoseconds(20000, [&] {
    void* blocks[kBlocks];
    bool reused = false;
    for (void*& block : blocks) block = g_program_heap.Take(1, bytes, 16, false, &reused);
    for (void* block : blocks) g_program_heap.GiveBack(block);
    g_program_heap.Rewind();
  });
  printf("malloc and free of %7zu bytes   %9.1f ns\n", bytes, each / kBlocks);
}

}  // namespace
}  // namespace heddle::runtime

int main() {
  for (const unsigned hot_pages : {0, 1, 2, 8, 64, 512}) heddle::runtime::BenchRewind(hot_pages);
  for (const size_t bytes : {16, 64, 256, 4096, 65536}) heddle::runtime::BenchHeap(bytes);
  heddle::runtime::BenchHeap(size_t{2} << 20);
  return 0;
}
