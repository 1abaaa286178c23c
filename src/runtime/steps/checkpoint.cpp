#include "runtime/steps/checkpoint.h"

#include "runtime/fibers/outside.h"
#include "runtime/fibers/pool.h"
#include "runtime/memory/execution_state.h"
#include "runtime/memory/pages.h"
#include "runtime/memory/rewind.h"
#include "runtime/prim/context.h"
#include "runtime/prim/lifetime.h"
#include "runtime/runtime.h"

namespace heddle::runtime {

[[HEDDLE_LASTS("set once")]] void (*g_keep_checkpoint)();
[[HEDDLE_LASTS("set by who keeps them")]] uint32_t g_first_checkpoint = ~0u;

namespace {

constexpr size_t kStackBytes = size_t{256} << 10;
[[HEDDLE_LASTS("mapped once")]] char* stack;

void Keep(void*) {
  const Fiber& self = Current();
  g_state.in_execution = false;
  g_keep_checkpoint();
  g_state.in_execution = true;
  void* abandoned;
  heddle_switch_context(&abandoned, self.stack_pointer, self.thread_pointer);
  __builtin_unreachable();
}

}  // namespace

void InitCheckpoints() {
  if (stack == nullptr) stack = static_cast<char*>(ReserveMemory(kStackBytes));
}

void ReachCheckpoint() {
  Fiber& self = Current();
  void* const keeper = PrepareStack(stack + kStackBytes, Keep, nullptr);
  heddle_switch_context(&self.stack_pointer, keeper, self.thread_pointer);
}

bool CanSaveProgram() {
  return MemoryCanBeSaved() && StacksCanBeSaved() && g_outside.can_be_saved();
}

void SaveProgram(base::SavedBytes& to) {
  SaveExecution(to);
  SaveMemory(to);
  SaveStacks(to);
}

void RestoreProgram(std::span<const char> saved) {
  base::SavedBytesReader reader(saved);
  RestoreExecution(reader);
  RestoreMemory(reader);
  RestoreStacks(reader);
  HEDDLE_CHECK(reader.AtEnd());
}

}  // namespace heddle::runtime
