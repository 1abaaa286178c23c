#include "runtime/world/transfer.h"

#include <fcntl.h>
#include <sys/syscall.h>

#include "runtime/fibers/table.h"
#include "runtime/prim/old_syscalls.h"
#include "runtime/prim/syscall.h"
#include "runtime/runtime.h"
#include "runtime/world/clock.h"
#include "runtime/world/processes.h"

namespace heddle::runtime {
namespace {

// One object stands for all of them in the dependence relation, so a thread that waits for several
// is woken by any. What threads learn from each other is kept apart: an object for each, named by
// the number of its first descriptor.
constexpr uintptr_t kDescriptorsAddress = 2;
constexpr uintptr_t kFirstAddress = 16;

constexpr int kMost = 1024;
struct Followed {
  uint64_t serial;  // execution in which it is followed
  int name;         // the same for both ends
};
Followed followed[kMost];
uint64_t any_serial;                 // execution in which anything was followed
uint64_t socket_serial;              // execution in which a socket was
constexpr int kSocketsName = kMost;  // which socket leads to which is not known

// Not beside a process that the program made: it may have the other end.
bool FollowsAny() { return any_serial == g_state.serial && !HasChildProcesses(); }

Followed* Find(int descriptor) {
  if (!FollowsAny() || descriptor < 0 || descriptor >= kMost) return nullptr;
  Followed& entry = followed[descriptor];
  return entry.serial == g_state.serial ? &entry : nullptr;
}

void Follow(int descriptor, int name) {
  if (descriptor < 0 || descriptor >= kMost) return;
  followed[descriptor] = {g_state.serial, name};
  any_serial = g_state.serial;
}

Object& Descriptors() { return FindObject(kDescriptorsAddress, ObjectKind::kWord); }

// The argument is the descriptor, the count the events.
bool WouldNotWait(const Readiness& self) {
  const auto events = static_cast<short>(self.count);
  struct pollfd poll = {static_cast<int>(reinterpret_cast<intptr_t>(self.argument)), events, 0};
  return events == 0 || RawPoll(&poll, 1, 0) != 0;
}

bool IsNonBlocking(int descriptor) {
  return (RawSyscall(SYS_fcntl, descriptor, F_GETFL) & O_NONBLOCK) != 0;
}

// What the threads that use one thing learn from each other.
trace::Clock& ReleaseOf(int name) {
  return FindObject(kFirstAddress + static_cast<uintptr_t>(name), ObjectKind::kWord).release;
}

op::Operation OperationOn(op::Kind kind, const Readiness* readiness, uintptr_t pc) {
  return {.kind = kind,
          .object = kDescriptorsAddress,
          .operand = static_cast<uint64_t>(reinterpret_cast<uintptr_t>(readiness)),
          .pc = pc};
}

}  // namespace

void FollowDescriptors(int first, int second) {
  Follow(first, first);
  Follow(second, first);
}

void FollowSocket(int descriptor) {
  if (descriptor < 0) return;
  Follow(descriptor, kSocketsName);
  socket_serial = g_state.serial;
}

void FollowCopy(int descriptor, int copy) {
  if (const Followed* entry = Find(descriptor))
    Follow(copy, entry->name);
  else
    StopFollowing(copy);
}

void StopFollowing(int descriptor) {
  if (descriptor >= 0 && descriptor < kMost) followed[descriptor].serial = 0;
}

bool IsFollowed(int descriptor) { return Find(descriptor) != nullptr; }

Transfer::Transfer(int descriptor, short events, uintptr_t pc)
    : descriptor_(descriptor), name_(-1), events_(events), pc_(pc) {
  ++Current().changes;  // the outside world has changed, or will have: the thread does not spin
  const Followed* entry = Find(descriptor);
  if (entry == nullptr) return;
  name_ = entry->name;
  if (events != 0 && IsNonBlocking(descriptor)) events = 0;
  const Readiness readiness = {WouldNotWait,
                               reinterpret_cast<void*>(static_cast<intptr_t>(descriptor)),
                               static_cast<size_t>(events)};
  Reach(OperationOn(op::Kind::kTransfer, &readiness, pc), &Descriptors());
  if (events_ != POLLOUT) AcquireFrom(Current(), ReleaseOf(name_));
}

Transfer::~Transfer() {
  if (!IsFollowed()) return;
  if (events_ != POLLIN) ReleaseInto(Current(), ReleaseOf(name_));
  Object& object = Descriptors();
  Commit(OperationOn(op::Kind::kTransfer, nullptr, pc_), &object, op::Access::kWrite,
         static_cast<uint64_t>(descriptor_));
  Changed(object);
}

bool AwaitReadiness(const Readiness& readiness, const uint64_t* limit, uintptr_t pc) {
  Fiber& self = Current();
  ++self.changes;
  if (!FollowsAny()) {  // no other thread could make it ready
    if (readiness.is_ready(readiness)) return true;
    if (limit == nullptr) return false;
    Sleep(*limit, pc);
    return readiness.is_ready(readiness);
  }
  Object& object = Descriptors();
  const op::Operation operation = OperationOn(op::Kind::kDescriptorWait, &readiness, pc);
  if (limit != nullptr) self.deadline = self.now + *limit;
  const bool timed_out = Reach(operation, &object, limit != nullptr) == Wake::kTimedOut;
  Commit(operation, &object, op::Access::kRead, timed_out, timed_out);
  return !timed_out;
}

bool AwaitOutside() {
  if (socket_serial != g_state.serial && !HasChildProcesses()) return false;
  constexpr int kMilliseconds = 1000;
  for (int waited = 0; waited < kMilliseconds; ++waited) {
    RawPoll(nullptr, 0, 1);
    for (uint32_t id = 0; id < g_used_fibers; ++id) {
      const Fiber& fiber = g_fibers[id];
      const bool waits = fiber.state == FiberState::kPublished &&
                         (fiber.pending.kind == op::Kind::kTransfer ||
                          fiber.pending.kind == op::Kind::kDescriptorWait);
      if (!waits || !IsReady(fiber)) continue;
      Changed(Descriptors());
      return true;
    }
  }
  return false;
}

bool IsReady(const Fiber& fiber) {
  const auto& readiness = *reinterpret_cast<const Readiness*>(fiber.pending.operand);
  return readiness.is_ready(readiness);
}

}  // namespace heddle::runtime
