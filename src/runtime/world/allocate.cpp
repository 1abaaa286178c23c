#include "runtime/world/allocate.h"

#include <errno.h>

#include "check/data_race.h"
#include "runtime/bounded_text.h"
#include "runtime/control.h"
#include "runtime/early_blocks.h"
#include "runtime/fibers/trace_buffers.h"
#include "runtime/loops/heap_rounds.h"
#include "runtime/memory/pages.h"
#include "runtime/memory/program_heap.h"
#include "runtime/objects/table.h"
#include "runtime/places.h"
#include "runtime/prim/host_lock.h"
#include "runtime/prim/lifetime.h"
#include "runtime/primitives/plain.h"
#include "runtime/record.h"
#include "runtime/runtime.h"
#include "runtime/steps/choice_point.h"
#include "runtime/steps/commit.h"
#include "runtime/steps/object_use.h"
#include "runtime/steps/program_end.h"
#include "runtime/steps/scheduler.h"
#include "runtime/world/decide_control.h"
#include "runtime/world/leaks.h"
#include "runtime/world/unseen_calls.h"

namespace heddle::runtime {
namespace {

// Outside an execution real kernel threads may allocate (a constructor may start some); inside
// there is only one.
[[HEDDLE_LASTS("free in an execution")]] constinit bool g_lock = false;

// Stands where the heap is about to be used.
class Turn : HostLock {
 public:
  Turn() : HostLock(InExecution() ? nullptr : &g_lock) {}
};

size_t PowerOfTwoAtLeast(size_t value) {
  if (value <= 16) return 16;
  const int bits = 64 - __builtin_clzll(value - 1);
  return bits < 64 ? size_t{1} << bits : 0;
}

trace::EndKind EndOf(FreeResult result) {
  if (result == FreeResult::kDoubleFree) return trace::EndKind::kDoubleFree;
  if (result == FreeResult::kNotABlock) return trace::EndKind::kInvalidFree;
  return trace::EndKind::kMisuse;
}

// What was freed already, and by whom. Nothing of it is known of a free before main.
void AddFirstFree(BoundedText& text, const check::FreedBlock* first) {
  if (first == nullptr) return;
  text.Add(", first by %%T%u%% at %%L%lx%%%%A%lx%%", first->thread, first->pc, first->begin);
}

// The block that an address lies in which is none.
void AddHolder(BoundedText& text, uintptr_t address) {
  const OutOfBounds found = g_program_heap.FindOutOfBounds(address, 1);
  if (found.payload == 0 || found.side != OutOfBounds::Side::kNone) return;
  text.Add(": it lies %zu bytes into %%B%lx%%", address - found.payload, found.payload);
  if (found.freed)
    text.Add(", which was freed");
  else
    text.Add(", %zu bytes", found.bytes);
  text.Add("%%A%lx%%", found.payload);
  g_trace->ending.block = found.payload;
}

[[noreturn]] void EndByBadFree(FreeResult result, const void* payload, uintptr_t caller) {
  const char* what = "is freed, but malloc did not return it";
  if (result == FreeResult::kDoubleFree) what = "is freed twice";
  if (result == FreeResult::kCorrupt)
    what = "is freed, but the heap was overwritten before or at it";
  const uintptr_t address = reinterpret_cast<uintptr_t>(payload);
  if (!InExecution())
    FailSetUp("before main() or after its end, the address 0x%lx %s", address, what);
  const bool twice = result == FreeResult::kDoubleFree;
  if (twice && g_state.several_threads && !IsInProgramHeap(address))
    NoteIncomplete(Incomplete::kLargeDoubleFree);
  const bool known = twice && check::AnyIsFreed(address, 1);
  const check::FreedBlock* first = known ? &check::FreedBlockAt(address, 1) : nullptr;
  ReachProgramEnd(caller);
  char message[sizeof(trace::Ending::message)];
  BoundedText text = {message, message + sizeof message};
  text.Add("the address 0x%lx %s", address, what);
  if (twice) AddFirstFree(text, first);
  if (result == FreeResult::kNotABlock) AddHolder(text, address);
  EndExecution(EndOf(result), 0, address, caller, "%s", message);
}

// What allocates a block, and what gives it back.
struct FamilyNames {
  const char* allocate;
  const char* give_back;
};
constexpr FamilyNames kFamilyNames[] = {{"malloc", "free"},
                                        {"operator new", "operator delete"},
                                        {"operator new[]", "operator delete[]"}};

// What gives a block back: free, unless operator delete has said that it is about to call that.
struct Deleter {
  const void* payload = nullptr;
  HeapFamily family = HeapFamily::kMalloc;
  size_t bytes = kUnsaid;
  uintptr_t caller = 0;
};
[[HEDDLE_OF_EXECUTION]] Deleter deleter;

const FamilyNames& NamesOf(HeapFamily family) {
  return kFamilyNames[static_cast<size_t>(FunctionsOf(family))];
}

// `said` of a block of that many bytes. The C++ library asks malloc for one byte where new is asked
// for none, and for a multiple of the alignment where it is given one.
bool IsSizeOf(size_t said, HeapFamily family, size_t bytes) {
  if (said == bytes) return true;
  const size_t asked = said != 0 ? said : 1;
  const size_t alignment = AlignmentOf(family);
  return asked <= bytes && bytes - asked < (alignment != 0 ? alignment : 1);
}

bool Fits(const Deleter& by, const void* payload) {
  const auto address = reinterpret_cast<uintptr_t>(payload);
  const HeapFamily family = g_program_heap.FamilyOf(address);
  if (__builtin_expect(family != by.family, 0)) return false;
  if (by.bytes == kUnsaid) return true;
  return IsSizeOf(by.bytes, family, g_program_heap.FindLive(address).bytes);
}

void AddAlignment(BoundedText& text, HeapFamily family) {
  const size_t alignment = AlignmentOf(family);
  if (alignment != 0) text.Add(" with alignment %zu", alignment);
}

// REQUIRES: !Fits(by, payload).
[[noreturn]] void EndByMismatch(const void* payload, const Deleter& by, uintptr_t caller) {
  const uintptr_t address = reinterpret_cast<uintptr_t>(payload);
  const HeapFamily family = g_program_heap.FamilyOf(address);
  ReachProgramEnd(caller);
  g_trace->ending.block = address;
  char message[sizeof(trace::Ending::message)];
  BoundedText text = {message, message + sizeof message};
  text.Add("the address 0x%lx is given back by %s", address, NamesOf(by.family).give_back);
  const bool other_alignment = by.family != family && FunctionsOf(by.family) == FunctionsOf(family);
  if (other_alignment) AddAlignment(text, by.family);
  if (by.family == family)
    text.Add(" as %zu bytes, but is of %zu, and", by.bytes, g_program_heap.FindLive(address).bytes);
  else
    text.Add(", but");
  text.Add(" comes from %s", NamesOf(family).allocate);
  if (other_alignment) AddAlignment(text, family);
  text.Add("%%A%lx%%", address);
  EndExecution(trace::EndKind::kAllocDeallocMismatch, 0, address, caller, "%s", message);
}

// --reuse now: was the block freed and handed out again, and does nothing order that before the
// free by the running thread? Then it may have meant the block that was, or got the new one by a
// race. What is freed is the new one; in the other order of the two frees it shows which it is.
void NoteStaleFree(const void* memory, size_t bytes, uintptr_t caller) {
  if (__builtin_expect(!g_program_heap.ReusesNow(), 1) || !g_state.several_threads) return;
  const auto address = reinterpret_cast<uintptr_t>(memory);
  if (!check::ComesBeforeReuse(AccessorOf(Current()), address, bytes)) return;
  const uintptr_t first = check::FreedBlockAt(address, 1).pc;
  if (!IsStepAt(first)) WishLifePlace(first);
  if (!IsStepAt(caller)) WishLifePlace(caller);
}

// Another thread may have been first since the running one came to its free. `freed`: it is known
// to be, of a block of an arena.
bool IsFreedAgain(const void* memory, check::GivenBack how, bool freed) {
  if (how != check::GivenBack::kFreed) return false;
  const auto address = reinterpret_cast<uintptr_t>(memory);
  const bool large = IsOnHeap(address) && !IsInProgramHeap(address);
  return freed || (large && g_program_heap.BytesOf(memory) == 0);
}

}  // namespace

// To other threads, freeing a block is like writing to all of it, also for the second time. Of two
// frees that nothing orders, the one that comes second is the bug; that they race is not told, too,
// but makes them scheduling points, so that either comes second. So does an operation on an object
// in the block (steps/object_use.h).
void GiveBack(const void* memory, size_t bytes, uintptr_t caller, check::GivenBack how) {
  const Fiber& self = Current();
  const uintptr_t address = reinterpret_cast<uintptr_t>(memory);
  const bool destroys = how == check::GivenBack::kDestroyed;
  if (!g_state.several_threads) {
    if (g_state.recording) RecordFree(address, static_cast<uint32_t>(bytes), caller, destroys);
    check::FreeRange(AccessorOf(self), address, bytes, caller, check::AccessMode::kPlain, how,
                     IsFreedAgain(memory, how, g_program_heap.FreedBytesOf(memory) != 0));
    return;
  }
  const bool visible = (g_state.places & kVisiblePlaces) != 0 && IsVisiblePlace(caller);
  if (visible || g_state.all_points) {
    PlainPoint(address, bytes, true, caller);
    if (g_state.recording) RecordStepFrees(destroys);
  } else if (g_state.recording) {
    RecordFree(address, static_cast<uint32_t>(bytes), caller, destroys);
  }
  if (how == check::GivenBack::kFreed) NoteStaleFree(memory, bytes, caller);
  const bool freed = g_program_heap.FreedBytesOf(memory) != 0;
  if (freed) check::TellRacesOtherwise(address, bytes);
  const bool used =
      check::FreeRange(AccessorOf(self), address, bytes, caller,
                       visible ? check::AccessMode::kVisible : check::AccessMode::kPlain, how,
                       IsFreedAgain(memory, how, freed));
  if (__builtin_expect(used && !visible && !g_state.all_points, 0)) WishLifePlace(caller);
}

bool HeapIsOurs() {
  if (__builtin_expect(!g_decided, 0)) DecideControl();
  return Controlled();
}

bool MayFail(uintptr_t caller) {
  return InExecution() && Current().may_fail != 0 && !InCLibrary(caller);
}

// A step of its own, as heddle_choose is (hooks/heddle_api.cpp). Out of line: without the option
// nobody comes here.
[[gnu::noinline]] static bool Fails(Fiber& self, size_t bytes, uintptr_t caller, size_t alignment,
                                    Contents contents) {
  HashCallArgument(bytes, alignment + static_cast<size_t>(contents));
  --self.may_fail;
  // Its size tells it from heddle_choose's, which has none.
  const op::Operation operation = {
      .kind = op::Kind::kChoose, .size = 1, .operand = 2, .pc = caller};
  Reach(operation, nullptr);
  const bool fails = ChooseOption(trace::ChoiceKind::kValue, 2) == 1;
  // The value is for the report: what could not be had, plus one.
  Commit(operation, nullptr, op::Access::kNone, fails ? bytes + 1 : 0, fails ? 2 : 1);
  ++self.changes;
  if (!fails) return false;
  self.may_fail = 0;
  errno = ENOMEM;
  return true;
}

// What was done with the memory before is of no matter to what it is now, but that somebody who is
// not ordered with its reuse may still take it for what it was.
static void Renew(uintptr_t payload, size_t bytes) {
  if (!g_program_heap.ReusesNow()) return check::ForgetRange(payload, bytes);
  ForgetObjects(payload, payload + bytes);
  if (g_state.several_threads && g_state.check_races)
    check::HandOutAgain(AccessorOf(Current()), payload, bytes);
  else
    check::ForgetRange(payload, bytes);
}

void* Allocate(size_t bytes, uintptr_t caller, size_t alignment, Contents contents) {
  bool reused = false;
  alignment = PowerOfTwoAtLeast(alignment);
  void* payload = nullptr;
  if (__builtin_expect(MayFail(caller), 0) && Fails(Current(), bytes, caller, alignment, contents))
    return nullptr;
  if (InExecution() && Current().loops.heap_rounds != nullptr)
    ComeRoundToAllocate(Current(), bytes, __builtin_frame_address(0));
  {
    Turn turn;
    const unsigned thread = InExecution() ? Current().id : 0;
    if (alignment != 0) {
      payload = g_program_heap.Take(thread, bytes, alignment, contents == Contents::kZero, &reused);
    }
  }
  if (__builtin_expect(payload == nullptr, 0)) {
    errno = ENOMEM;
  } else if (__builtin_expect(reused, 0) && InExecution()) {
    Renew(reinterpret_cast<uintptr_t>(payload), g_program_heap.BytesOf(payload));
  }
  if (payload != nullptr && InExecution() && __builtin_expect(LooksForLeaks(), 0))
    NoteAllocationPlace(reinterpret_cast<uintptr_t>(payload), caller);
  if (__builtin_expect(!InExecution(), 0) && payload != nullptr)
    NoteEarlyBlock(reinterpret_cast<uintptr_t>(payload), bytes);
  else if (__builtin_expect(g_state.recording, 0) && payload != nullptr)
    RecordBlock(reinterpret_cast<uintptr_t>(payload), bytes);
  return payload;
}

void* AllocateArray(size_t count, size_t bytes, uintptr_t caller) {
  size_t total;
  if (__builtin_mul_overflow(count, bytes, &total)) {
    errno = ENOMEM;
    return nullptr;
  }
  return Allocate(total, caller, 16, Contents::kZero);
}

// Of memory that is none of ours, as a program's with a malloc of its own, nothing is known.
void NoteFamily(void* payload, HeapFamily family, uintptr_t caller) {
  const auto address = reinterpret_cast<uintptr_t>(payload);
  if (g_program_heap.FindLive(address).payload == 0) return;
  g_program_heap.SetFamily(address, family);
  if (InExecution() && LooksForLeaks()) NoteAllocationPlace(address, caller);
}

void NoteDelete(const void* payload, HeapFamily family, size_t bytes, uintptr_t caller) {
  if (payload == nullptr || !InExecution()) return;
  if (deleter.payload != payload)
    deleter = {payload, family, bytes, caller};  // else delete[] calls delete
}

void Free(void* payload, uintptr_t caller) {
  if (payload == nullptr) return;
  if (InExecution() && g_state.several_threads && Current().loops.heap_rounds == nullptr)
    BeginHeapRounds(Current());
  if (InExecution()) {
    Deleter by;
    if (deleter.payload == payload) {
      by = deleter;
      caller = deleter.caller;
      deleter.payload = nullptr;
    }
    size_t bytes = g_program_heap.BytesOf(payload);
    if (__builtin_expect(bytes != 0, 1)) {
      if (__builtin_expect(!Fits(by, payload), 0)) {
        NoteStaleFree(payload, bytes, caller);
        EndByMismatch(payload, by, caller);
      }
    } else {
      bytes = g_program_heap.FreedBytesOf(payload);
    }
    if (bytes != 0) GiveBack(payload, bytes, caller);
  }
  FreeResult result;
  {
    Turn turn;
    const unsigned thread = InExecution() ? Current().id : kArenas;
    result = g_program_heap.GiveBack(payload, thread);
  }
  if (__builtin_expect(result != FreeResult::kOk, 0)) EndByBadFree(result, payload, caller);
}

// Always moves: who keeps the old address uses what was freed, whatever the heap has behind it.
void* Resize(void* payload, size_t bytes, uintptr_t caller) {
  if (payload == nullptr) return Allocate(bytes, caller);
  const size_t old_bytes = g_program_heap.BytesOf(payload);
  if (old_bytes == 0 || bytes == 0) {  // glibc: a size of zero frees
    Free(payload, caller);
    return nullptr;
  }
  if (MayFail(caller)) HashCallArgument(payload);
  void* moved = Allocate(bytes, caller);
  if (moved == nullptr) return nullptr;
  const size_t kept = g_program_heap.FindLive(reinterpret_cast<uintptr_t>(payload)).bytes;
  CopyBytes(moved, payload, bytes < kept ? bytes : kept);
  Free(payload, caller);
  return moved;
}

void* ResizeArray(void* payload, size_t count, size_t bytes, uintptr_t caller) {
  size_t total;
  if (__builtin_mul_overflow(count, bytes, &total)) {
    errno = ENOMEM;
    return nullptr;
  }
  return Resize(payload, total, caller);
}

size_t UsableBytes(const void* payload) {
  return g_program_heap.FindLive(reinterpret_cast<uintptr_t>(payload)).bytes;
}

}  // namespace heddle::runtime
