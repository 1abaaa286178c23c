#include "runtime/world/transfer.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include "runtime/fibers/atoms.h"
#include "runtime/fibers/schedule.h"
#include "runtime/fibers/table.h"
#include "runtime/memory/execution_state.h"
#include "runtime/memory/tables.h"
#include "runtime/objects/without_memory.h"
#include "runtime/prim/lifetime.h"
#include "runtime/prim/old_syscalls.h"
#include "runtime/prim/syscall.h"
#include "runtime/runtime.h"
#include "runtime/steps/commit.h"
#include "runtime/steps/scheduler.h"
#include "runtime/world/closed_in_call.h"
#include "runtime/world/descriptors.h"
#include "runtime/world/processes.h"
#include "runtime/world/shared_files.h"
#include "runtime/world/virtual_time.h"

namespace heddle::runtime {
namespace {

// One object (kDescriptorsAddress) stands for all that are followed in the dependence relation, so
// a thread that waits for several is woken by any. What threads learn from each other is kept
// apart: an object for each, named by the number of its first descriptor.
constexpr int kMost = 1024;
constexpr uintptr_t kFirstNumberAddress = kFirstDescriptorAddress + kMost + 1;
constexpr uintptr_t kFirstFileAddress = kFirstNumberAddress + kMost;
static_assert(kFirstFileAddress + kMost <= kFirstThreadAddress);
constexpr int kNotFollowed = -1;
// A table, by descriptor.
struct Followed {
  int name = kNotFollowed;  // the same for both ends
};
Followed* const followed = reinterpret_cast<Followed*>(TableAddress(kFollowedTable));
[[HEDDLE_OF_EXECUTION]] int followed_end;      // no descriptor from here on is followed
[[HEDDLE_OF_EXECUTION]] bool follows_sockets;  // a socket was followed
constexpr int kSocketsName = kMost;            // which socket leads to which is not known

// Not beside a process that the program made: it may have the other end.
bool FollowsAny() { return followed_end != 0 && !HasChildProcesses(); }

// Its name, or kNotFollowed.
int NameOf(int descriptor) {
  if (!FollowsAny() || descriptor < 0 || descriptor >= followed_end) return kNotFollowed;
  return followed[descriptor].name;
}

void Follow(int descriptor, int name) {
  RefuseWithStates("pipes, sockets or event counters");
  if (descriptor < 0 || descriptor >= kMost) return;
  for (; followed_end <= descriptor; ++followed_end) followed[followed_end] = {};
  followed[descriptor].name = name;
}

// Which numbers are in use: the kernel gives out the lowest that is not.
Object& Table() { return FindObject(kDescriptorTableAddress, ObjectKind::kWord); }

// What a number stands for. Those that programs do not reach are one.
Object& NumberObject(int descriptor) {
  const int number = descriptor < kMost ? descriptor : kMost - 1;
  return FindObject(kFirstNumberAddress + static_cast<uintptr_t>(number), ObjectKind::kWord);
}

// What the descriptors that share a file do (shared_files.h).
Object& FileObject(int name) {
  return FindObject(kFirstFileAddress + static_cast<uintptr_t>(name), ObjectKind::kWord);
}

// What is shown is not read again.
bool IsShown(int descriptor) {
  return (descriptor == 1 || descriptor == 2) && IsInherited(descriptor);
}

// Two reads of one file see what the other has left.
bool MovesPosition(int descriptor) {
  struct stat status;
  return RawSyscall(SYS_fstat, descriptor, reinterpret_cast<long>(&status)) == 0 &&
         S_ISREG(status.st_mode);
}

// A step that uses what is not followed. `takes`: what it reads or writes another use can tell,
// whatever it is.
void UseAs(int descriptor, bool takes, uintptr_t pc) {
  if (!g_state.several_threads || descriptor < 0) return;
  Object& object = NumberObject(descriptor);
  const op::Operation use = {.kind = op::Kind::kDescriptorUse, .object = object.address, .pc = pc};
  Reach(use, nullptr);
  const bool tells = !IsShown(descriptor) && (takes || MovesPosition(descriptor));
  const op::Access access = tells ? op::Access::kWrite : op::Access::kRead;
  const int shared = SharedFileOf(descriptor);
  if (shared < 0) return Commit(use, &object, access, static_cast<uint64_t>(descriptor));
  Touches touches;
  touches.Add(object, 0, pc);
  touches.Add(FileObject(shared), 0, pc);
  CommitTouches(use, touches, access, static_cast<uint64_t>(descriptor));
}

Object& Descriptors() { return FindObject(kDescriptorsAddress, ObjectKind::kWord); }

// The call fails at once: to read from the end of a pipe that is written, or the other way round.
bool HasWrongDirection(int flags, short events) {
  return (flags & O_ACCMODE) == (events == POLLIN ? O_WRONLY : O_RDONLY);
}

// A call for `events`, POLLIN or POLLOUT, which are not there now, fails and does not wait.
bool FailsAtOnce(int descriptor, short events) {
  const auto flags = static_cast<int>(RawSyscall(SYS_fcntl, descriptor, F_GETFL));
  return (flags & O_NONBLOCK) != 0 || HasWrongDirection(flags, events);
}

// The argument is the descriptor, the count the events. Asked anew each time: the number may stand
// for something else since.
bool WouldNotWait(const Readiness& self) {
  const auto events = static_cast<short>(self.count);
  const int descriptor = static_cast<int>(reinterpret_cast<intptr_t>(self.argument));
  struct pollfd poll = {descriptor, events, 0};
  return events == 0 || RawPoll(&poll, 1, 0) != 0 || FailsAtOnce(descriptor, events);
}

// `descriptor` is about to be closed or replaced. Another thread may be waiting for it.
void RememberWaits(int descriptor) {
  short transfers = 0, polls = 0;
  for (const short events : {POLLIN, POLLOUT}) {
    struct pollfd poll = {descriptor, events, 0};
    if (RawPoll(&poll, 1, 0) != 0) continue;
    polls |= events;
    if (IsFollowed(descriptor) && !FailsAtOnce(descriptor, events)) transfers |= events;
  }
  RememberClose(descriptor, transfers, polls);
}

// What the threads that use one thing learn from each other.
trace::Clock& ReleaseOf(int name) {
  return FindObject(kFirstDescriptorAddress + static_cast<uintptr_t>(name), ObjectKind::kWord)
      .release;
}

void CommitOpened(int descriptor, uintptr_t pc) {
  Touches touches;
  touches.Add(Table(), 0, pc);
  touches.Add(NumberObject(descriptor), 0, pc);
  CommitTouches({.kind = op::Kind::kDescriptorOpen, .object = kDescriptorTableAddress, .pc = pc},
                touches, op::Access::kWrite, static_cast<uint64_t>(descriptor));
}

op::Operation OperationOn(op::Kind kind, const Readiness* readiness, uintptr_t pc) {
  return {.kind = kind,
          .object = kDescriptorsAddress,
          .operand = static_cast<uint64_t>(reinterpret_cast<uintptr_t>(readiness)),
          .pc = pc};
}

}  // namespace

void InitTransfers() {
  MapTable(kFollowedTable, sizeof(Followed) * kMost);
  AddExecutionTable(kArrayTable<followed, followed_end>);
}

void FollowDescriptors(int first, int second) {
  Follow(first, first);
  Follow(second, first);
}

void FollowSocket(int descriptor) {
  if (descriptor < 0) return;
  Follow(descriptor, kSocketsName);
  follows_sockets = true;
}

void FollowCopy(int descriptor, int copy) {
  if (const int name = NameOf(descriptor); name != kNotFollowed)
    Follow(copy, name);
  else
    StopFollowing(copy);
}

void StopFollowing(int descriptor) {
  if (descriptor >= 0 && descriptor < followed_end) followed[descriptor].name = kNotFollowed;
}

bool IsFollowed(int descriptor) { return NameOf(descriptor) != kNotFollowed; }

Transfer::Transfer(int descriptor, short events, uintptr_t pc)
    : descriptor_(descriptor), name_(-1), events_(events), pc_(pc) {
  ++Current().changes;  // the outside world has changed, or will have: the thread does not spin
  if (events == POLLIN && g_state.several_threads) RefuseWithStates("reading from a descriptor");
  if (!runtime::IsFollowed(descriptor)) UseAs(descriptor, true, pc);
  name_ = NameOf(descriptor);  // it may be one now: another thread has made it
  if (name_ == kNotFollowed) {
    NoteTransferOf(descriptor, events);
    return;
  }
  const Readiness readiness = {WouldNotWait,
                               reinterpret_cast<void*>(static_cast<intptr_t>(descriptor)),
                               static_cast<size_t>(events)};
  const Wake wake = ReachInCall(OperationOn(op::Kind::kTransfer, &readiness, pc), &Descriptors(),
                                false, Interrupts::kUnlessRestarted);
  interrupted_ = wake == Wake::kInterrupted;
  if (interrupted_) {
    errno = EINTR;
    return;
  }
  NoteTransferOf(descriptor, events_);
  if (events_ != POLLOUT) AcquireFrom(Current(), ReleaseOf(name_));
}

Transfer::~Transfer() {
  if (interrupted_) return;
  if (!IsFollowed()) {
    // Of the step that used the other one.
    if (opened_ >= 0 && g_state.several_threads) CommitOpened(opened_, pc_);
    return;
  }
  if (events_ != POLLIN) ReleaseInto(Current(), ReleaseOf(name_));
  Object& object = Descriptors();
  Touches touches;
  touches.Add(object, 0, pc_);
  touches.Add(NumberObject(descriptor_), 0, pc_);
  if (opened_ >= 0) {
    touches.Add(Table(), 0, pc_);
    touches.Add(NumberObject(opened_), 0, pc_);
  }
  CommitTouches(OperationOn(op::Kind::kTransfer, nullptr, pc_), touches, op::Access::kWrite,
                static_cast<uint64_t>(descriptor_));
  Changed(object);
}

int Transfer::Opens(int descriptor) {
  opened_ = descriptor;
  return descriptor;
}

void AddDescriptor(Touches& touches, int descriptor, uintptr_t pc) {
  touches.Add(NumberObject(descriptor), 0, pc);
  if (const int shared = SharedFileOf(descriptor); shared >= 0)
    touches.Add(FileObject(shared), 0, pc);
}

void UseDescriptor(int descriptor, uintptr_t pc) { UseAs(descriptor, false, pc); }

DescriptorChange::DescriptorChange(op::Kind kind, uintptr_t pc)
    : operation_{.kind = kind, .object = kDescriptorTableAddress, .pc = pc},
      is_step_(g_state.several_threads) {
  ++Current().changes;
  if (!is_step_) return;
  RefuseWithStates("descriptors that are made or closed beside other threads");
  Reach(operation_, nullptr);
}

void DescriptorChange::Uses(int descriptor) {
  if (descriptor < 0) return;
  for (uint32_t i = 0; i < count_; ++i)
    if (&NumberObject(numbers_[i]) == &NumberObject(descriptor)) return;
  numbers_[count_++] = descriptor;
}

int DescriptorChange::Opens(int descriptor) {
  NoteOpenedFile(descriptor);
  Uses(descriptor);
  changes_ |= descriptor >= 0;
  return descriptor;
}

void DescriptorChange::Closes(int descriptor) {
  KeepDescriptor(descriptor);
  Uses(descriptor);
  changes_ |= IsOpen(descriptor);
  if (is_step_) RememberWaits(descriptor);
  if (const int name = NameOf(descriptor); name != kNotFollowed) {
    ends_transfer_ = true;  // whoever has the other end sees it
    AcquireFrom(Current(), ReleaseOf(name));
    ReleaseInto(Current(), ReleaseOf(name));
  }
  StopFollowing(descriptor);
}

DescriptorChange::~DescriptorChange() {
  if (!is_step_) return;
  Touches touches;
  touches.Add(Table(), 0, operation_.pc);
  for (uint32_t i = 0; i < count_; ++i) touches.Add(NumberObject(numbers_[i]), 0, operation_.pc);
  if (ends_transfer_) touches.Add(Descriptors(), 0, operation_.pc);
  // One that failed has only looked.
  CommitTouches(operation_, touches, changes_ ? op::Access::kWrite : op::Access::kRead,
                count_ != 0 ? static_cast<uint64_t>(numbers_[count_ - 1]) : ~uint64_t{0});
  if (ends_transfer_) Changed(Descriptors());
}

void LookAtDescriptors(uintptr_t pc) {
  if (!g_state.several_threads) return;
  const op::Operation operation = OperationOn(op::Kind::kDescriptorUse, nullptr, pc);
  Reach(operation, nullptr);
  Touches all;
  all.Add(Descriptors(), 0, pc);
  all.Add(Table(), 0, pc);
  CommitTouches(operation, all, op::Access::kRead);
}

SetChange::SetChange(int set, int subject, uintptr_t pc) : set_(set), subject_(subject), pc_(pc) {
  ++Current().changes;
  if (!g_state.several_threads) return;
  const Readiness never_waits = {WouldNotWait, nullptr, 0};
  Reach(OperationOn(op::Kind::kTransfer, &never_waits, pc), &Descriptors());
}

SetChange::~SetChange() {
  if (!g_state.several_threads) return;
  Object& object = Descriptors();
  Touches touches;
  touches.Add(object, 0, pc_);
  for (const int descriptor : {set_, subject_})
    if (descriptor >= 0 && (descriptor == set_ || set_ != subject_))
      touches.Add(NumberObject(descriptor), 0, pc_);
  CommitTouches(OperationOn(op::Kind::kTransfer, nullptr, pc_), touches, op::Access::kWrite,
                static_cast<uint64_t>(set_));
  Changed(object);
}

Wake AwaitReadiness(const Readiness& readiness, const uint64_t* limit, uintptr_t pc) {
  Fiber& self = Current();
  ++self.changes;
  if (!FollowsAny()) {  // no other thread could make it ready
    if (readiness.is_ready(readiness)) return Wake::kNone;
    if (limit == nullptr) return Wake::kTimedOut;
    if (!Sleep(*limit, pc)) return Wake::kInterrupted;
    return readiness.is_ready(readiness) ? Wake::kNone : Wake::kTimedOut;
  }
  Object& object = Descriptors();
  const op::Operation operation = OperationOn(op::Kind::kDescriptorWait, &readiness, pc);
  if (limit != nullptr) self.deadline = self.now + *limit;
  const Wake wake = ReachInCall(operation, &object, limit != nullptr, Interrupts::kAlways);
  if (wake == Wake::kInterrupted) return wake;
  const bool timed_out = wake == Wake::kTimedOut;
  Commit(operation, &object, op::Access::kRead, timed_out, timed_out);
  return timed_out ? Wake::kTimedOut : Wake::kNone;
}

bool AwaitOutside() {
  if (!follows_sockets && !HasChildProcesses()) return false;
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
