// Pipes, socket pairs and event counters between threads of the program. A thread that reads from
// one that is empty waits for another thread, so it must wait in the scheduler, not in the kernel:
// all threads are one to the kernel.
//
// Reading and writing such a descriptor are visible operations, enabled when the kernel would not
// let them wait. Sockets count among them; they may lead elsewhere, so before their waiting is
// called a deadlock they get a little real time. So may everything else once the program has made a
// process, which inherits it: from then on nothing is followed, and who waits does it for real.
// Files and terminals are not followed: a call that waits on one of them waits for real.
#pragma once

#include <poll.h>
#include <time.h>

#include <cstddef>
#include <cstdint>

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

// Stands around a system call that uses `descriptor` for `events` (POLLIN, POLLOUT, or 0 for one
// that never waits, such as close). Does nothing for a descriptor that is not followed.
class Transfer {
 public:
  Transfer(int descriptor, short events, uintptr_t pc);
  ~Transfer();
  Transfer(const Transfer&) = delete;
  Transfer& operator=(const Transfer&) = delete;

  bool IsFollowed() const { return name_ >= 0; }

 private:
  int descriptor_;
  int name_;  // of what is followed; -1: nothing
  short events_;
  uintptr_t pc_;
};

// A call that waits until `is_ready` says so. It is asked while other threads run: system calls
// only.
struct Readiness {
  bool (*is_ready)(const Readiness& self);
  void* argument;
  size_t count;
};

// Waits, for at most `limit` nanoseconds of virtual time (null: no limit). False when time ran out.
bool AwaitReadiness(const Readiness& readiness, const uint64_t* limit, uintptr_t pc);

// Nobody can go on: could something from outside end a wait for a socket? True when it did, after a
// while of real time.
bool AwaitOutside();

// Whether `fiber`, which stands before kTransfer or kDescriptorWait, can go on.
bool IsReady(const Fiber& fiber);

}  // namespace heddle::runtime
