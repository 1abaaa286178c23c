// Pipes, socket pairs and event counters between threads of the program. A thread that reads from
// one that is empty waits for another thread, so it must wait in the scheduler, not in the kernel:
// all threads are one to the kernel.
//
// Reading and writing such a descriptor are visible operations, enabled when the kernel would not
// let them wait. Sockets count among them; they may lead elsewhere, so before their waiting is
// called a deadlock they get a little real time. So may everything else once the program has made a
// process, which inherits it: from then on nothing is followed, and who waits does it for real.
// Files and terminals are not followed: a call that waits on one of them waits for real.
//
// The numbers of descriptors are objects, too, once there are several threads: `open` takes the
// lowest that is free, so every call that makes or ends a descriptor depends on every other, and
// what uses a number depends on what opens or closes it. Uses of two numbers do not meet.
#pragma once

#include <poll.h>
#include <time.h>

#include <cstddef>
#include <cstdint>

#include "runtime/fibers/atoms.h"
#include "runtime/fibers/fiber.h"

namespace heddle::runtime {

// Once, before the first execution.
void InitTransfers();

// The running thread made these (one or two ends of one thing).
void FollowDescriptors(int first, int second);
void FollowSocket(int descriptor);
// `copy` is another name of `descriptor`.
void FollowCopy(int descriptor, int copy);

// `descriptor` names something else now.
void StopFollowing(int descriptor);

bool IsFollowed(int descriptor);

// Stands around a system call that makes or ends descriptors: a step that changes the table of
// descriptors, and the numbers that it is told of.
class DescriptorChange {
 public:
  // `kind`: kDescriptorOpen or kDescriptorClose.
  DescriptorChange(op::Kind kind, uintptr_t pc);
  ~DescriptorChange();
  DescriptorChange(const DescriptorChange&) = delete;
  DescriptorChange& operator=(const DescriptorChange&) = delete;

  // Before the call, which will close or replace `descriptor`, if that is open.
  void Closes(int descriptor);
  // The call uses `descriptor`, too.
  void Uses(int descriptor);
  // After the call, which has answered it; negative: the call failed. The answer is `descriptor`.
  int Opens(int descriptor);

 private:
  static constexpr uint32_t kMostNumbers = 3;

  op::Operation operation_;
  bool is_step_;
  bool changes_ = false;        // some number
  bool ends_transfer_ = false;  // a descriptor that it closes is followed
  uint32_t count_ = 0;
  int numbers_[kMostNumbers];
};

// What a use of `descriptor` by other means than these is to touch, too: its number, and the file
// that it shares.
void AddDescriptor(Touches& touches, int descriptor, uintptr_t pc);
// Uses `descriptor` in a way that never waits. Other uses of it can tell only where it moves the
// position in a file. `Transfer` says so by itself.
void UseDescriptor(int descriptor, uintptr_t pc);

// Stands around a system call that uses `descriptor` for `events` (POLLIN, POLLOUT, or 0 for one
// that never waits, such as shutdown). Of a descriptor that is not followed it says only that it is
// used.
class Transfer {
 public:
  Transfer(int descriptor, short events, uintptr_t pc);
  ~Transfer();
  Transfer(const Transfer&) = delete;
  Transfer& operator=(const Transfer&) = delete;

  bool IsFollowed() const { return name_ >= 0; }
  // A signal interrupted the call before it did anything; errno is EINTR.
  bool IsInterrupted() const { return interrupted_; }
  // The call has answered a new descriptor (accept); negative: it failed. The answer is it.
  int Opens(int descriptor);

 private:
  int descriptor_;
  int name_;  // of what is followed; -1: nothing
  short events_;
  bool interrupted_ = false;
  int opened_ = -1;
  uintptr_t pc_;
};

// Stands around a system call that changes for what `set`, a descriptor, tells to be ready: whoever
// waits for it may go on then.
class SetChange {
 public:
  SetChange(int set, int subject, uintptr_t pc);
  ~SetChange();
  SetChange(const SetChange&) = delete;
  SetChange& operator=(const SetChange&) = delete;

 private:
  const int set_, subject_;
  const uintptr_t pc_;
};

// A call that waits until `is_ready` says so. It is asked while other threads run: system calls
// only.
struct Readiness {
  bool (*is_ready)(const Readiness& self);
  void* argument;
  size_t count;
};

// Looks at descriptors, whatever they are, without a wait: a step, which the looks follow.
void LookAtDescriptors(uintptr_t pc);

// Waits, for at most `limit` nanoseconds of virtual time (null: no limit). kNone: it is ready.
Wake AwaitReadiness(const Readiness& readiness, const uint64_t* limit, uintptr_t pc);

// Nobody can go on: could something from outside end a wait for a socket? True when it did, after a
// while of real time.
bool AwaitOutside();

// Whether `fiber`, which stands before kTransfer or kDescriptorWait, can go on.
bool IsReady(const Fiber& fiber);

}  // namespace heddle::runtime
