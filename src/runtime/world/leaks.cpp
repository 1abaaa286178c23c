#include "runtime/world/leaks.h"

#include <unwind.h>

#include <algorithm>
#include <span>
#include <tuple>

#include "base/check.h"
#include "base/hash.h"
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
#include "runtime/record.h"
#include "runtime/runtime.h"
#include "runtime/steps/scheduler.h"
#include "runtime/world/own_code.h"
#include "runtime/world/unseen_calls.h"

namespace heddle::runtime {
namespace {

// Of an allocation.
struct Allocation {
  uintptr_t payload;
  uintptr_t pc;
  uint64_t stack;  // a hash, where leaks are told apart by it; else 0
  bool ignored;    // the program means it
};
// A table of the execution: of every allocation, the last ones last.
Allocation* const places = reinterpret_cast<Allocation*>(TableAddress(kAllocationPlacesTable));
[[HEDDLE_OF_EXECUTION]] uint32_t place_count;
constexpr uint32_t kMostPlaces = 1u << 24;
[[HEDDLE_OF_EXECUTION]] uintptr_t exit_frame;

// Places in the code that have leaked in an earlier execution: a hash set. A program has few.
struct WatchedPlaces {
  static constexpr uint32_t kSlots = 1u << 12;
  uint32_t count = 0;
  bool all = false;  // there is no room for more
  uintptr_t* pcs = nullptr;

  uintptr_t& SlotOf(uintptr_t pc) {
    uint32_t at = static_cast<uint32_t>(base::Spread(pc) >> 40) % kSlots;
    while (pcs[at] != 0 && pcs[at] != pc) at = (at + 1) % kSlots;
    return pcs[at];
  }
  bool Has(uintptr_t pc) { return all || (count != 0 && SlotOf(pc) == pc); }
};
[[HEDDLE_LASTS("of the search: WatchLeakPlace")]] WatchedPlaces watched;

// A hash of the program's frames of a stack, from the one with the return address `from` on.
struct StackHash {
  uintptr_t from;
  uint32_t frames = 0;
  uint64_t hash = 1;

  // False: no more are needed.
  bool Add(uintptr_t pc) {
    if (frames == 0 && pc != from) return true;
    if (IsOwnCode(pc)) return true;
    hash = base::Fold(hash, pc);
    return ++frames < trace::kLeakFrames;
  }
};

_Unwind_Reason_Code AddFrame(_Unwind_Context* context, void* hash) {
  return static_cast<StackHash*>(hash)->Add(_Unwind_GetIP(context)) ? _URC_NO_REASON
                                                                    : _URC_END_OF_STACK;
}

uint64_t HashOfStack(uintptr_t pc) {
  const OutsideExecution outside;
  StackHash hash = {.from = pc};
  _Unwind_Backtrace(AddFrame, &hash);
  return hash.hash;
}

uint64_t HashOfRecorded(uintptr_t payload, uintptr_t pc) {
  StackHash hash = {.from = pc};
  const channel::BlockRecord* block = RecordedBlock(payload);
  if (block == nullptr) return 0;
  for (const uint64_t frame : std::span(block->pc, block->frames))
    if (!hash.Add(frame)) break;
  return hash.hash;
}

// What is found to point to a block: nothing, a lost one, a lost one that is told, the program.
enum class Reached : uint8_t { kNo, kByLost, kByTold, kYes };

struct Block {
  uintptr_t begin;
  size_t bytes;
  Reached reached;
  const Allocation* place;  // null: not known
};

// The live blocks of an execution, and which of them are reached. Filled anew for each.
class Reachability {
 public:
  bool FindBlocks() {
    if (blocks_ == nullptr) {
      blocks_ = static_cast<Block*>(ReserveMemory(kMost * sizeof(Block)));
      to_scan_ = static_cast<uint32_t*>(ReserveMemory(kMost * sizeof(uint32_t)));
      lost_ = static_cast<Lost*>(ReserveMemory(kMost * sizeof(Lost)));
    }
    count_ = 0;
    g_program_heap.VisitFreshLive([&](uintptr_t begin, size_t bytes) {
      HEDDLE_CHECK(count_ < kMost);
      blocks_[count_++] = {begin, bytes, Reached::kNo, nullptr};
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

  // Where the blocks were allocated. False: all of them are reached.
  bool FindPlaces() {
    const auto is_lost = [](const Block& block) { return block.reached == Reached::kNo; };
    if (std::none_of(blocks_, blocks_ + count_, is_lost)) return false;
    for (const Allocation& place : std::span(places, place_count)) {
      Block* block = LastFrom(place.payload);
      if (block != nullptr && block->begin == place.payload) block->place = &place;
    }
    return true;
  }

  // The loader's own are reached: it has memory that is not the program's. So are those that the
  // program wants to be ignored.
  void ReachIgnored() {
    for (const Block& block : std::span(blocks_, count_))
      if (block.reached == Reached::kNo && block.place != nullptr &&
          (block.place->ignored || InLoader(block.place->pc)))
        Point(reinterpret_cast<const void*>(block.begin));
  }

  // tell(leak) for those that are not reached, and that no other one of these points to (of a
  // circle, the first is not): what the same calls have allocated is one leak.
  template <typename Tell>
  void TellLost(Tell tell) {
    const std::span<Lost> all = FindLost();
    std::sort(all.begin(), all.end(), [](const Lost& a, const Lost& b) {
      return std::tie(a.pc, a.stack, a.block) < std::tie(b.pc, b.stack, b.block);
    });
    for (size_t begin = 0, end; begin < all.size(); begin = end) {
      const Lost& first = all[begin];
      for (end = begin + 1; end < all.size(); ++end)
        if (all[end].pc != first.pc || all[end].stack != first.stack) break;
      const std::span<const Lost> same = all.subspan(begin, end - begin);
      marked_ = marked_bytes_ = 0;
      for (const Lost& lost : same) Mark(*lost.block, Reached::kByTold);
      for (const Lost& lost : same)
        Scan(lost.block->begin, lost.block->begin + lost.block->bytes, Reached::kByTold);
      const Block& block = *first.block;
      tell(trace::Leak{block.begin, block.bytes, first.pc, first.stack,
                       static_cast<uint32_t>(marked_ - 1), marked_bytes_ - block.bytes});
    }
  }

 private:
  static constexpr uint32_t kMost = 1u << 24;
  static constexpr uint64_t kAddress = (uint64_t{1} << 48) - 1;

  // One that nothing points to.
  struct Lost {
    Block* block;
    uintptr_t pc;
    uint64_t stack;
  };

  std::span<Lost> FindLost() {
    for (Block& block : std::span(blocks_, count_)) {
      if (block.reached != Reached::kNo) continue;
      block.reached = Reached::kByLost;  // itself is no other one
      Scan(block.begin, block.begin + block.bytes, Reached::kByLost);
      block.reached = Reached::kNo;
    }
    uint32_t found = 0;
    for (Block& block : std::span(blocks_, count_)) {
      if (block.reached != Reached::kNo) continue;
      const Allocation place = block.place != nullptr ? *block.place : Allocation{};
      const bool unknown = place.stack == 0 && place.pc != 0 && g_state.recording;
      lost_[found++] = {&block, place.pc,
                        unknown ? HashOfRecorded(block.begin, place.pc) : place.stack};
    }
    return {lost_, found};
  }

  // The last block that begins at or before it; null if there is none.
  Block* LastFrom(uintptr_t address) {
    Block* behind =
        std::upper_bound(blocks_, blocks_ + count_, address,
                         [](uintptr_t at, const Block& block) { return at < block.begin; });
    return behind == blocks_ ? nullptr : behind - 1;
  }

  void Mark(Block& block, Reached how) {
    block.reached = how;
    ++marked_;
    marked_bytes_ += block.bytes;
  }

  void Reach(uint64_t word, Reached how) {
    const uintptr_t address = word & kAddress;
    if (!IsOnHeap(address)) return;
    Block* block = LastFrom(address);
    if (block == nullptr || address - block->begin > block->bytes || block->reached >= how) return;
    Mark(*block, how);
    to_scan_[scan_count_++] = static_cast<uint32_t>(block - blocks_);
  }

  void ScanWords(uintptr_t begin, uintptr_t end, Reached how) {
    for (uintptr_t at = RoundUp(begin, 4); at + 8 <= end; at += 4)
      Reach(LoadAt<uint64_t>(reinterpret_cast<const char*>(at)), how);
  }

  Block* blocks_ = nullptr;  // by address
  uint32_t* to_scan_ = nullptr;
  Lost* lost_ = nullptr;
  uint32_t count_ = 0;
  uint32_t scan_count_ = 0;
  size_t marked_ = 0;  // blocks, and their bytes
  size_t marked_bytes_ = 0;
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
  MapTable(kAllocationPlacesTable, kMostPlaces * sizeof(Allocation));
  AddExecutionTable(kArrayTable<places, place_count>);
}

void NoteAllocationPlace(uintptr_t payload, uintptr_t pc) {
  if (place_count == kMostPlaces) return;
  const uint64_t stack = __builtin_expect(watched.Has(pc), 0) ? HashOfStack(pc) : 0;
  // The C++ library's operator new has called malloc: who called that is told second.
  const bool again = place_count != 0 && places[place_count - 1].payload == payload;
  const bool ignored = Current().leaks_disabled != 0;
  if (ignored && !again) Current().leaks_ignored += base::Spread(payload);
  places[again ? place_count - 1 : place_count++] = {payload, pc, stack, ignored};
}

void IgnoreLeakOf(const void* object) {
  if (!InExecution() || !LooksForLeaks()) return;
  const uintptr_t block = g_program_heap.FindLive(reinterpret_cast<uintptr_t>(object)).payload;
  for (uint32_t i = place_count; block != 0 && i-- > 0;) {
    if (places[i].payload != block) continue;
    if (!places[i].ignored) Current().leaks_ignored += base::Spread(block);
    places[i].ignored = true;
    return;
  }
}

void DisableLeaks() {
  if (InExecution()) ++Current().leaks_disabled;
}

void EnableLeaks() {
  if (InExecution() && Current().leaks_disabled != 0) --Current().leaks_disabled;
}

bool WatchLeakPlace(uintptr_t pc) {
  if (pc == 0 || watched.Has(pc)) return false;
  if (watched.pcs == nullptr)
    watched.pcs = static_cast<uintptr_t*>(ReserveMemory(WatchedPlaces::kSlots * sizeof(uintptr_t)));
  if (++watched.count == WatchedPlaces::kSlots / 2) watched.all = true;
  watched.SlotOf(pc) = pc;
  return true;
}

uint32_t WatchedLeakPlaces() { return watched.count; }

void NoteExitFrame(uintptr_t lowest) {
  if (exit_frame == 0) exit_frame = lowest;
}

void CheckLeaks() {
  if (!LooksForLeaks() || g_state.kernel_threads) return;
  if (!HasSnapshot()) return NoteIncomplete(Incomplete::kLeaksUnseen);
  if (!reachability.FindBlocks()) return;
  if (!StacksAreKnown()) return NoteIncomplete(Incomplete::kLeaksUnseen);
  ScanRoots();
  if (!reachability.FindPlaces()) return;
  reachability.ReachIgnored();
  const std::span<trace::Leak> room = {g_trace->leaks, g_trace->leak_capacity};
  uint32_t& count = g_trace->leak_count;
  reachability.TellLost([&](const trace::Leak& leak) {
    if (count == room.size()) return NoteIncomplete(Incomplete::kLeaksUnseen);
    room[count++] = leak;
  });
  if (count == 0) return;
  std::sort(room.begin(), room.begin() + count,
            [](const trace::Leak& a, const trace::Leak& b) { return a.block < b.block; });
  EndExecution(trace::EndKind::kLeak, 0, room[0].block, room[0].pc,
               "nothing points to %u blocks when the program ends", count);
}

}  // namespace heddle::runtime
