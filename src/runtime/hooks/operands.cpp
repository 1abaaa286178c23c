#include "runtime/hooks/operands.h"

#include "runtime/states/frame_snapshot.h"

namespace heddle::runtime {

void SeeBytes(const void* at, size_t bytes, bool write, uintptr_t pc) {
  if (at == nullptr || !IsSeen(pc)) return;
  PlainRange(at, bytes, write, pc);
  if (__builtin_expect(g_state.takes_states, 0)) ClearDeadStack();
}

}  // namespace heddle::runtime
