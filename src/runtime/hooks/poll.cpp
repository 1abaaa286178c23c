// Waiting for several descriptors. The real call is asked without a wait; if nothing is ready, the
// thread waits in the scheduler (world/transfer.h), or, where only something outside could help, in
// the kernel. Time limits are virtual.

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <time.h>

#include "runtime/export.h"
#include "runtime/hooks/operands.h"
#include "runtime/memory/rewind.h"
#include "runtime/prim/old_syscalls.h"
#include "runtime/prim/real.h"
#include "runtime/primitives/plain.h"
#include "runtime/runtime.h"
#include "runtime/world/closed_in_call.h"
#include "runtime/world/signals.h"
#include "runtime/world/transfer.h"
#include "runtime/world/virtual_time.h"

using namespace heddle::runtime;  // NOLINT: this file defines libc's names in terms of ours

namespace {

constexpr uint64_t kMillisecond = 1'000'000;

int Interrupted() {
  errno = EINTR;
  return -1;
}

// The answer of `look`, which never waits, once there is one or the limit has passed; `wait` is the
// real call without limit.
template <typename Look, typename Wait>
int WaitVirtually(Look look, Wait wait, const Readiness& readiness, const uint64_t* limit,
                  uintptr_t pc) {
  LookAtDescriptors(pc);
  const int found = look();
  if (found != 0 || (limit != nullptr && *limit == 0)) return found;
  const Wake wake = AwaitReadiness(readiness, limit, pc);
  if (wake == Wake::kInterrupted) return Interrupted();
  return wake == Wake::kNone || limit != nullptr ? look() : wait();
}

bool SomeDescriptorIsReady(const Readiness& self) {
  // A copy: asking must not change the program's answer fields.
  constexpr size_t kMost = 256;
  auto* asked = static_cast<const pollfd*>(self.argument);
  pollfd copy[kMost];
  for (size_t at = 0; at < self.count; at += kMost) {
    const size_t count = self.count - at < kMost ? self.count - at : kMost;
    for (size_t i = 0; i < count; ++i) copy[i] = asked[at + i];
    if (RawPoll(copy, count, 0) != 0) return true;
  }
  return false;
}

int Poll(pollfd* descriptors, nfds_t count, const uint64_t* limit, uintptr_t pc) {
  if (count == 0 && limit == nullptr) {
    Suspend(RunningWorld().mask, pc);
    return Interrupted();
  }
  if (count == 0 && *limit != 0) {  // how people sleep for less than a second
    return Sleep(*limit, pc) ? 0 : Interrupted();
  }
  MakeWritable(descriptors, count * sizeof *descriptors);
  PlainRange(descriptors, count * sizeof *descriptors, false, pc);
  auto* real = Real<&poll>("poll");
  const int found = WaitVirtually([=] { return real(descriptors, count, 0); },
                                  [=] { return real(descriptors, count, -1); },
                                  {SomeDescriptorIsReady, descriptors, count}, limit, pc);
  for (nfds_t i = 0; i < count; ++i) NotePollOf(descriptors[i].fd, descriptors[i].events);
  for (nfds_t i = 0; found >= 0 && i < count; ++i)
    PlainRange(&descriptors[i].revents, sizeof descriptors[i].revents, true, pc);
  return found;
}

constexpr short kEventsOfSets[] = {POLLIN, POLLOUT, POLLPRI};
struct Sets {
  int count;
  fd_set* asked[3];
};

bool SomeSetIsReady(const Readiness& self) {
  auto* sets = static_cast<const Sets*>(self.argument);
  fd_set copies[3];
  fd_set* arguments[3] = {};
  for (int i = 0; i < 3; ++i) {
    if (sets->asked[i] == nullptr) continue;
    copies[i] = *sets->asked[i];
    arguments[i] = &copies[i];
  }
  timeval none = {0, 0};
  return RawSelect(sets->count, arguments[0], arguments[1], arguments[2], &none) != 0;
}

int Select(int count, fd_set* in, fd_set* out, fd_set* special, const uint64_t* limit,
           uintptr_t pc) {
  if (count == 0) return Poll(nullptr, 0, limit, pc);
  Sets sets = {count, {in, out, special}};
  const size_t words = (static_cast<size_t>(count) + 63) / 64;
  for (fd_set* set : sets.asked) SeeBytesRead(set, words * 8, pc);
  fd_set asked[3];
  for (int i = 0; i < 3; ++i)
    if (sets.asked[i] != nullptr) asked[i] = *sets.asked[i];
  auto* real = Real<&select>("select");
  auto restore = [&] {
    for (int i = 0; i < 3; ++i)
      if (sets.asked[i] != nullptr) *sets.asked[i] = asked[i];
  };
  // A look that finds nothing clears the sets; they are the question of the next one.
  auto look = [&] {
    restore();
    timeval none = {0, 0};
    const int found = real(count, in, out, special, &none);
    return found;
  };
  auto wait = [&] {
    restore();
    return real(count, in, out, special, nullptr);
  };
  Sets questions = {count, {}};
  for (int i = 0; i < 3; ++i) questions.asked[i] = sets.asked[i] != nullptr ? &asked[i] : nullptr;
  const int found = WaitVirtually(look, wait, {SomeSetIsReady, &questions, 0}, limit, pc);
  for (int set = 0; set < 3; ++set)
    for (int i = 0; sets.asked[set] != nullptr && i < count && i < FD_SETSIZE; ++i)
      if (FD_ISSET(i, &asked[set])) NotePollOf(i, kEventsOfSets[set]);
  for (fd_set* set : sets.asked)
    if (found >= 0) SeeBytesWritten(set, words * 8, pc);
  return found;
}

// An epoll descriptor is itself ready when one of its own is.
bool SomeEventIsReady(const Readiness& self) {
  pollfd own = {static_cast<int>(self.count), POLLIN, 0};
  return RawPoll(&own, 1, 0) != 0;
}

int EpollWait(int descriptor, epoll_event* events, int most, const uint64_t* limit, uintptr_t pc) {
  if (most > 0) MakeWritable(events, static_cast<size_t>(most) * sizeof *events);
  auto* real = Real<&epoll_wait>("epoll_wait");
  const int found =
      WaitVirtually([=] { return real(descriptor, events, most, 0); },
                    [=] { return real(descriptor, events, most, -1); },
                    {SomeEventIsReady, nullptr, static_cast<size_t>(descriptor)}, limit, pc);
  NotePollOf(descriptor, POLLIN);
  if (found > 0) PlainRange(events, static_cast<size_t>(found) * sizeof *events, true, pc);
  return found;
}

// Milliseconds, negative for no limit, as a limit in `place`.
const uint64_t* LimitOf(int milliseconds, uint64_t& place) {
  if (milliseconds < 0) return nullptr;
  place = static_cast<uint64_t>(milliseconds) * kMillisecond;
  return &place;
}

const uint64_t* LimitOf(const timespec* length, uint64_t& place) {
  if (length == nullptr) return nullptr;
  place = NanosecondsOf(*length);
  return &place;
}

}  // namespace

extern "C" {

HEDDLE_EXPORT int poll(pollfd* descriptors, nfds_t count, int milliseconds) {
  if (!InExecution()) return Real<&poll>("poll")(descriptors, count, milliseconds);
  uint64_t place;
  return Poll(descriptors, count, LimitOf(milliseconds, place), HEDDLE_CALLER);
}

int __poll_chk(pollfd* descriptors, nfds_t count, int milliseconds, size_t room);
HEDDLE_EXPORT int __poll_chk(pollfd* descriptors, nfds_t count, int milliseconds, size_t room) {
  if (!InExecution() || room / sizeof *descriptors < count)
    return Real<&__poll_chk>("__poll_chk")(descriptors, count, milliseconds, room);
  uint64_t place;
  return Poll(descriptors, count, LimitOf(milliseconds, place), HEDDLE_CALLER);
}

// The signal mask is left as it is.
HEDDLE_EXPORT int ppoll(pollfd* descriptors, nfds_t count, const timespec* length,
                        const sigset_t* mask) {
  if (!InExecution()) return Real<&ppoll>("ppoll")(descriptors, count, length, mask);
  SeeRead(length, HEDDLE_ACCESS_CALLER);
  SeeRead(mask, HEDDLE_ACCESS_CALLER);
  uint64_t place;
  return Poll(descriptors, count, LimitOf(length, place), HEDDLE_CALLER);
}

HEDDLE_EXPORT int select(int count, fd_set* in, fd_set* out, fd_set* special, timeval* length) {
  if (!InExecution()) return Real<&select>("select")(count, in, out, special, length);
  uint64_t place;
  SeeRead(length, HEDDLE_ACCESS_CALLER);
  timespec limit = {};
  if (length != nullptr) limit = {length->tv_sec, length->tv_usec * 1000};
  return Select(count, in, out, special, LimitOf(length != nullptr ? &limit : nullptr, place),
                HEDDLE_CALLER);
}

HEDDLE_EXPORT int pselect(int count, fd_set* in, fd_set* out, fd_set* special,
                          const timespec* length, const sigset_t* mask) {
  if (!InExecution()) return Real<&pselect>("pselect")(count, in, out, special, length, mask);
  SeeRead(length, HEDDLE_ACCESS_CALLER);
  SeeRead(mask, HEDDLE_ACCESS_CALLER);
  uint64_t place;
  return Select(count, in, out, special, LimitOf(length, place), HEDDLE_CALLER);
}

HEDDLE_EXPORT int epoll_ctl(int descriptor, int operation, int subject,
                            epoll_event* event) noexcept {
  if (!InExecution()) return Real<&epoll_ctl>("epoll_ctl")(descriptor, operation, subject, event);
  if (operation != EPOLL_CTL_DEL) SeeRead(event, HEDDLE_ACCESS_CALLER);
  const SetChange change(descriptor, subject, HEDDLE_CALLER);
  return Real<&epoll_ctl>("epoll_ctl")(descriptor, operation, subject, event);
}

HEDDLE_EXPORT int epoll_wait(int descriptor, epoll_event* events, int most, int milliseconds) {
  if (!InExecution())
    return Real<&epoll_wait>("epoll_wait")(descriptor, events, most, milliseconds);
  uint64_t place;
  return EpollWait(descriptor, events, most, LimitOf(milliseconds, place), HEDDLE_CALLER);
}

HEDDLE_EXPORT int epoll_pwait(int descriptor, epoll_event* events, int most, int milliseconds,
                              const sigset_t* mask) {
  if (!InExecution())
    return Real<&epoll_pwait>("epoll_pwait")(descriptor, events, most, milliseconds, mask);
  uint64_t place;
  return EpollWait(descriptor, events, most, LimitOf(milliseconds, place), HEDDLE_CALLER);
}

}  // extern "C"
