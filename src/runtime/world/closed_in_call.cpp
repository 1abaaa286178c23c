#include "runtime/world/closed_in_call.h"

#include <poll.h>

#include <cstdint>

#include "runtime/memory/execution_state.h"
#include "runtime/memory/tables.h"
#include "runtime/prim/lifetime.h"
#include "runtime/runtime.h"
#include "runtime/steps/scheduler.h"

namespace heddle::runtime {
namespace {

constexpr int kMost = 1024;

// The last close of a number, and for what who used it might have been waiting.
struct Closed {
  short transfers = 0;
  short polls = 0;
  uint32_t closer = 0;
  uint32_t tick = 0;
};
Closed* const closed = reinterpret_cast<Closed*>(TableAddress(kClosedInCallTable));
[[HEDDLE_OF_EXECUTION]] int closed_end;  // nothing is remembered from here on

// It came later, but nothing orders it behind the close: it might have begun before.
void Note(int descriptor, short events, short Closed::*waits) {
  if (descriptor < 0 || descriptor >= closed_end) return;
  const Closed& entry = closed[descriptor];
  const Fiber& self = Current();
  if ((entry.*waits & events) != 0 && entry.closer != self.id &&
      self.clock.At(entry.closer) < entry.tick)
    NoteIncomplete(Incomplete::kClosedInCall);
}

}  // namespace

void InitClosedInCall() {
  MapTable(kClosedInCallTable, sizeof(Closed) * kMost);
  AddExecutionTable(kArrayTable<closed, closed_end>);
}

void RememberClose(int descriptor, short transfers, short polls) {
  if (descriptor < 0 || descriptor >= kMost || (transfers | polls) == 0) return;
  for (; closed_end <= descriptor; ++closed_end) closed[closed_end] = {};
  closed[descriptor] = {transfers, polls, Current().id, Current().tick};
}

void NoteTransferOf(int descriptor, short events) { Note(descriptor, events, &Closed::transfers); }

void NotePollOf(int descriptor, short events) {
  constexpr short kUsual = POLLIN | POLLOUT;  // what else it may wait for is not remembered
  const auto asked = static_cast<short>(events & kUsual);
  Note(descriptor, asked != 0 ? asked : kUsual, &Closed::polls);
}

}  // namespace heddle::runtime
