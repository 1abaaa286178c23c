#include "runtime/world/poison.h"

#include "check/data_race.h"
#include "runtime/memory/program_heap.h"
#include "runtime/places.h"
#include "runtime/primitives/plain.h"
#include "runtime/record.h"
#include "runtime/runtime.h"
#include "runtime/steps/frames.h"
#include "runtime/steps/object_use.h"
#include "runtime/world/allocate.h"

namespace heddle::runtime {
namespace {

struct Range {
  uintptr_t begin;
  uintptr_t end;
};

// Empty where nothing is to be done.
Range RangeOf(const volatile void* memory, size_t bytes) {
  const auto begin = reinterpret_cast<uintptr_t>(memory);
  if (!InExecution() || bytes == 0 || IsOnStack(begin)) return {};
  const uintptr_t limit = uintptr_t{1} << kUserAddressBits;
  if (begin >= limit || bytes > limit - begin) return {};
  // What was freed is poisoned already, and stays so.
  const bool is_live =
      IsInProgramHeap(begin) ? IsUnitOfBlock(begin) : !IsRangeOutOfBounds(begin, bytes);
  if (!is_live) return {};
  return {begin, begin + bytes};
}

// Poisoned or not.
bool IsInBlock(uintptr_t byte) {
  return IsInProgramHeap(byte) ? IsAllOfBlock(byte, byte) : g_program_heap.IsInBlock(byte, 1);
}

bool IsForbidden(uintptr_t byte) {
  return (IsOnHeap(byte) && !IsInBlock(byte)) || check::IsFreed(byte, 1);
}

// What else in the first and the last unit is poisoned stays so.
void SetUnpoisoned(uintptr_t begin, uintptr_t end) {
  g_program_heap.SetPoisoned(begin, end - begin, false);
  for (const uintptr_t unit : {RoundDown(begin, kUnit), RoundDown(end - 1, kUnit)})
    if (check::AnyIsFreed(unit, kUnit)) g_program_heap.SetPoisoned(unit, kUnit, true);
}

}  // namespace

void Poison(const volatile void* memory, size_t bytes, uintptr_t caller) {
  const Range range = RangeOf(memory, bytes);
  const uintptr_t begin = RoundUp(range.begin, check::kGranule);
  // The rest of a block's last granule belongs to nobody.
  const bool rest_is_free = IsOnHeap(range.end) && !IsInBlock(range.end);
  const uintptr_t end =
      rest_is_free ? RoundUp(range.end, check::kGranule) : RoundDown(range.end, check::kGranule);
  if (begin >= end) return;
  GiveBack(reinterpret_cast<const void*>(begin), end - begin, caller, check::GivenBack::kPoisoned);
  g_program_heap.SetPoisoned(begin, end - begin, true);
}

void Unpoison(const volatile void* memory, size_t bytes, uintptr_t caller) {
  const Range range = RangeOf(memory, bytes);
  if (range.begin == range.end) return;
  const size_t size = range.end - range.begin;
  const bool is_step = g_state.several_threads && IsStepAt(caller);
  if (is_step)
    PlainPoint(range.begin, size, true, caller);
  else if (g_state.recording)
    RecordAccess(range.begin, static_cast<uint32_t>(size), true, caller);
  const check::AccessMode mode =
      is_step && !g_state.all_points ? check::AccessMode::kVisible : check::AccessMode::kPlain;
  if (check::ReuseRange(AccessorOf(Current()), range.begin, size, caller, mode))
    SetUnpoisoned(range.begin, range.end);
}

void* FirstPoisoned(void* memory, size_t bytes) {
  if (!InExecution()) return nullptr;
  const auto begin = reinterpret_cast<uintptr_t>(memory);
  for (uintptr_t byte = begin; byte < begin + bytes; ++byte)
    if (IsForbidden(byte)) return reinterpret_cast<void*>(byte);
  return nullptr;
}

}  // namespace heddle::runtime
