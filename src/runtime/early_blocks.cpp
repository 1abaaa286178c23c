#include "runtime/early_blocks.h"

#include <unwind.h>

#include "runtime/memory/pages.h"
#include "runtime/prim/host_lock.h"
#include "runtime/prim/lifetime.h"
#include "runtime/prim/own_module.h"

namespace heddle::runtime {
namespace {

// A stack takes some ten microseconds.
constexpr size_t kMost = 1'000;
[[HEDDLE_LASTS("from before the first execution")]] channel::BlockRecord* blocks;
[[HEDDLE_LASTS("as above")]] size_t count;
[[HEDDLE_LASTS("as above")]] bool is_over;
// A constructor may start kernel threads.
[[HEDDLE_LASTS("free in an execution")]] constinit bool lock = false;

_Unwind_Reason_Code KeepFrame(_Unwind_Context* context, void* argument) {
  auto* block = static_cast<channel::BlockRecord*>(argument);
  const uintptr_t pc = _Unwind_GetIP(context);
  if (IsOwnCode(pc)) return _URC_NO_REASON;
  if (block->frames == channel::kMaxFrames) return _URC_END_OF_STACK;
  block->pc[block->frames++] = pc;
  return _URC_NO_REASON;
}

}  // namespace

channel::BlockRecord BlockOf(uintptr_t address, size_t bytes, bool with_callers) {
  channel::BlockRecord block = {};
  block.head.kind = channel::RecordKind::kBlock;
  block.address = address;
  block.bytes = bytes;
  if (with_callers) _Unwind_Backtrace(KeepFrame, &block);
  return block;
}

void NoteEarlyBlock(uintptr_t address, size_t bytes) {
  if (is_over || count == kMost) return;
  const channel::BlockRecord block = BlockOf(address, bytes, true);
  const HostLock held(&lock);
  if (blocks == nullptr)
    blocks = static_cast<channel::BlockRecord*>(ReserveMemory(kMost * sizeof *blocks));
  if (count != kMost) blocks[count++] = block;
}

std::span<const channel::BlockRecord> KeepEarlyBlocks() {
  is_over = true;
  return {blocks, count};
}

}  // namespace heddle::runtime
