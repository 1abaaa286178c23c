#include "runtime/world/leaks.h"

#include <algorithm>

#include "base/check.h"
#include "runtime/bounded_text.h"
#include "runtime/fibers/invariants.h"
#include "runtime/fibers/pool.h"
#include "runtime/fibers/table.h"
#include "runtime/fibers/trace_buffers.h"
#include "runtime/memory/execution_state.h"
#include "runtime/memory/pages.h"
#include "runtime/memory/program_heap.h"
#include "runtime/memory/rewind.h"
#include "runtime/memory/tables.h"
#include "runtime/prim/copy.h"
#include "runtime/prim/lifetime.h"
#include "runtime/prim/page.h"
#include "runtime/runtime.h"
#include "runtime/world/unseen_calls.h"

namespace heddle::runtime {
namespace {

struct Place {
  uintptr_t payload;
  uintptr_t pc;
};
// A table of the execution: of every allocation, the last ones last.
Place* const places = reinterpret_cast<Place*>(TableAddress(kAllocationPlacesTable));
[[HEDDLE_OF_EXECUTION]] uint32_t place_count;
constexpr uint32_t kMostPlaces = 1u << 24;
[[HEDDLE_OF_EXECUTION]] uintptr_t exit_frame;

uintptr_t PlaceOf(uintptr_t payload) {
  for (uint32_t i = place_count; i-- > 0;)
    if (places[i].payload == payload) return places[i].pc;
  return 0;
}

enum class Reached : uint8_t { kNo, kByLost, kYes };

struct Block {
  uintptr_t begin;
  size_t bytes;
  Reached reached;
};

// The live blocks of an execution, and which of them are reached. Filled anew for each.
class Reachability {
 public:
  bool FindBlocks() {
    if (blocks_ == nullptr) {
      blocks_ = static_cast<Block*>(ReserveMemory(kMost * sizeof(Block)));
      to_scan_ = static_cast<uint32_t*>(ReserveMemory(kMost * sizeof(uint32_t)));
    }
    count_ = 0;
    g_program_heap.VisitFreshLive([&](uintptr_t begin, size_t bytes) {
      HEDDLE_CHECK(count_ < kMost);
      blocks_[count_++] = {begin, bytes, Reached::kNo};
    });
    std::sort(blocks_, blocks_ + count_,
              [](const Block& a, const Block& b) { return a.begin < b.begin; });
    return count_ != 0;
  }

  // What these bytes point to, and what that points to, is reached.
  void Scan(uintptr_t begin, uintptr_t end, Reached how = Reached::kYes) {
    ScanWords(begin, end, how);
    while (scan_count_ != 0) {
      const Block& block = blocks_[to_scan_[--scan_count_]];
      ScanWords(block.begin, block.begin + block.bytes, how);
    }
  }

  void Point(const void* to) {
    const auto word = reinterpret_cast<uintptr_t>(to);
    Reach(word, Reached::kYes);
    Scan(0, 0);
  }

  // The loader's own are reached: it has memory that is not the program's.
  void ReachLoaders() {
    for (uint32_t i = 0; i < count_; ++i)
      if (blocks_[i].reached == Reached::kNo && InLoader(PlaceOf(blocks_[i].begin)))
        Point(reinterpret_cast<const void*>(blocks_[i].begin));
  }

  // Of those that are not reached, which no other one points to; of a circle, the first. `others`:
  // all that are lost but it, and their bytes.
  const Block* FirstLost(uint32_t& others, size_t& bytes) {
    others = 0;
    bytes = 0;
    for (uint32_t i = 0; i < count_; ++i) {
      Block& block = blocks_[i];
      if (block.reached == Reached::kYes) continue;
      ++others;
      bytes += block.bytes;
      if (block.reached == Reached::kByLost) continue;
      block.reached = Reached::kByLost;  // itself is no other one
      Scan(block.begin, block.begin + block.bytes, Reached::kByLost);
      block.reached = Reached::kNo;
    }
    for (uint32_t i = 0; i < count_; ++i) {
      if (blocks_[i].reached != Reached::kNo) continue;
      --others;
      bytes -= blocks_[i].bytes;
      return &blocks_[i];
    }
    return nullptr;
  }

 private:
  static constexpr uint32_t kMost = 1u << 24;
  static constexpr uint64_t kAddress = (uint64_t{1} << 48) - 1;

  void Reach(uint64_t word, Reached how) {
    const uintptr_t address = word & kAddress;
    if (!IsOnHeap(address)) return;
    const Block* behind =
        std::upper_bound(blocks_, blocks_ + count_, address,
                         [](uintptr_t at, const Block& block) { return at < block.begin; });
    if (behind == blocks_) return;
    Block& block = blocks_[behind - blocks_ - 1];
    if (address - block.begin > block.bytes || block.reached >= how) return;
    block.reached = how;
    to_scan_[scan_count_++] = static_cast<uint32_t>(&block - blocks_);
  }

  void ScanWords(uintptr_t begin, uintptr_t end, Reached how) {
    for (uintptr_t at = RoundUp(begin, 4); at + 8 <= end; at += 4)
      Reach(LoadAt<uint64_t>(reinterpret_cast<const char*>(at)), how);
  }

  Block* blocks_ = nullptr;  // by address
  uint32_t* to_scan_ = nullptr;
  uint32_t count_ = 0;
  uint32_t scan_count_ = 0;
};

[[HEDDLE_LASTS("filled anew for each execution")]] Reachability reachability;

bool HasEnded(const Fiber& fiber) { return fiber.state == FiberState::kFinished; }

// But for the storage of threads that have ended, or never began.
void ScanWritten(uintptr_t begin, uintptr_t end) {
  for (uint32_t number = 0; number < PoolSize(); ++number) {
    const bool lives = number < g_used_fibers && !HasEnded(g_fibers[number]);
    const StorageRange storage = StorageOf(number);
    if (lives || storage.end <= begin || end <= storage.begin) continue;
    if (begin < storage.begin) ScanWritten(begin, storage.begin);
    if (storage.end < end) ScanWritten(storage.end, end);
    return;
  }
  reachability.Scan(begin, end);
}

// How much of its stack is in use, from where on. Below where it called exit is what libc and
// heddle left there.
uintptr_t StandsAt(const Fiber& fiber) {
  const bool exits = &fiber == &Current() && exit_frame != 0;
  return exits ? exit_frame : reinterpret_cast<uintptr_t>(fiber.stack_pointer);
}

bool HasFrames(const Fiber& fiber) {
  return !HasEnded(fiber) && fiber.state != FiberState::kCreated &&
         fiber.state != FiberState::kUnused;
}

// Where a thread is on a stack that it made itself, nobody knows how much of its first one is used.
bool StacksAreKnown() {
  for (uint32_t id = 0; id < g_used_fibers; ++id) {
    const Fiber& fiber = g_fibers[id];
    const auto begin = reinterpret_cast<uintptr_t>(fiber.stack_begin);
    if (HasFrames(fiber) && StandsAt(fiber) - begin > fiber.stack_size) return false;
  }
  return true;
}

void ScanThread(const Fiber& fiber) {
  if (HasEnded(fiber)) {
    if (!fiber.joined && !fiber.detached) reachability.Point(fiber.result);
    return;
  }
  if (fiber.state == FiberState::kCreated) return reachability.Point(fiber.argument);
  reachability.Point(fiber.result);
  for (const TlsDestructor* at = fiber.tls_destructors; at != nullptr; at = at->next)
    reachability.Point(at->argument);
  if (!HasFrames(fiber)) return;
  reachability.Scan(StandsAt(fiber),
                    reinterpret_cast<uintptr_t>(fiber.stack_begin) + fiber.stack_size);
}

void ScanRoots() {
  VisitWritten([](const char* begin, const char*, size_t bytes) {
    const auto at = reinterpret_cast<uintptr_t>(begin);
    ScanWritten(at, at + bytes);
  });
  for (uint32_t id = 0; id < g_used_fibers; ++id) ScanThread(g_fibers[id]);
  for (const Invariant* at = g_invariants; at != nullptr; at = at->next)
    reachability.Point(at->argument);
}

}  // namespace

void InitLeaks() {
  MapTable(kAllocationPlacesTable, kMostPlaces * sizeof(Place));
  AddExecutionTable(kArrayTable<places, place_count>);
}

void NoteAllocationPlace(uintptr_t payload, uintptr_t pc) {
  if (place_count == kMostPlaces) return;
  // The C++ library's operator new has called malloc: who called that is told second.
  const bool again = place_count != 0 && places[place_count - 1].payload == payload;
  places[again ? place_count - 1 : place_count++] = {payload, pc};
}

void NoteExitFrame(uintptr_t lowest) {
  if (exit_frame == 0) exit_frame = lowest;
}

void CheckLeaks() {
  if (!LooksForLeaks() || g_state.kernel_threads) return;
  if (!HasSnapshot()) return NoteIncomplete(Incomplete::kLeaksUnseen);
  if (!reachability.FindBlocks()) return;
  if (!StacksAreKnown()) return NoteIncomplete(Incomplete::kLeaksUnseen);
  ScanRoots();
  reachability.ReachLoaders();
  uint32_t others;
  size_t bytes;
  const Block* lost = reachability.FirstLost(others, bytes);
  if (lost == nullptr) return;
  char message[sizeof(trace::Ending::message)];
  BoundedText text = {message, message + sizeof message};
  text.Add("nothing points to %%B%lx%%, %zu bytes%%A%lx%%, when the program ends", lost->begin,
           lost->bytes, lost->begin);
  if (others != 0)
    text.Add("; %u other block%s, %zu bytes, %s lost, too", others, others == 1 ? "" : "s", bytes,
             others == 1 ? "is" : "are");
  g_trace->ending.block = lost->begin;
  g_trace->ending.made_there = true;
  EndExecution(trace::EndKind::kLeak, 0, lost->begin, PlaceOf(lost->begin), "%s", message);
}

}  // namespace heddle::runtime
