// What the recognition of loops (loops/) keeps of a thread.
#pragma once

#include <cstddef>
#include <cstdint>

#include "op/operation.h"
#include "runtime/objects/object.h"
#include "runtime/prim/page.h"

namespace heddle::runtime {

struct AwaitRound;
struct HeapRounds;
struct RunOut;
struct TimedRounds;

// A plain or atomic write: in the low bits its address, above that its size.
using RecentWrite = uint64_t;
inline constexpr uint32_t kRecentWrites = 64;
inline constexpr uint32_t kWriteAddressBits = 48;
static_assert(kWriteAddressBits >= kUserAddressBits);
inline constexpr size_t kLongestWrite = 256;  // bytes; longer ones are not looked at again

// What was written, and what was there at some time.
struct WrittenValue {
  RecentWrite write;
  uint64_t value;
};

// Looks for a thread's return to the same place in the same state (recurrence.h).
struct Recurrence {
  op::Kind kind = op::Kind::kHook;  // one place may be of two operations: the halves of an update
  bool met_stale = false;  // between the last two meetings with it, an older write was read
  uint32_t stale_at = 0;   // Fiber::stale_reads when the state was taken
  uintptr_t anchor = 0;    // code address at which a return is looked for
  uintptr_t object = 0;    // what is accessed there: the same code at another address is no return
  uint64_t began = 0;      // Fiber::written when the anchor was chosen
  uint32_t visits = 0;     // of the anchor
  uint32_t taken_at = 0;   // the visit at which the state was taken
  uint32_t away = 0;       // events since the last visit
  uint32_t longest = 0;    // events after which another anchor is tried
  uintptr_t yield = 0;     // place of the last yield since the last visit
  // Others have changed what the loop reads: the next visit is compared anew.
  bool out_of_date = false;
  bool run_out = false;      // of the state that was met: the loop may end by itself (run_out.h)
  uint32_t idle_rounds = 0;  // visits in a row since which nobody has changed what the loop reads
  uint64_t state = 0;        // hash of registers and stack at an earlier visit; 0: none yet
  // The rest of the state is what the thread has written.
  uint64_t taken_written = 0;      // Fiber::written when the state was taken
  WrittenValue* values = nullptr;  // of the writes between the two, when the state was taken
  uint32_t value_count = 0;
};

// An object that a loop accesses, as of the loop's last access to it.
struct SpinAccess {
  Object* object;
  uint32_t version;
  uint32_t uses;
  bool written;  // the thread itself changes it on the way
};
inline constexpr uint32_t kSpinAccesses = 32;

inline constexpr uint32_t kPlacesOfRound = 8;

// What a thread has done since it last changed anything.
struct SpinWindow {
  uint64_t changes = 0;  // the count of changes when the window began
  uint32_t count = 0;    // of `accesses`; more than kSpinAccesses: too many to wait for
  uint32_t place_count = 0;
  Recurrence cycle;                // up to here asked by every event: one line of the cache
  SpinAccess* accesses = nullptr;  // since the state was taken; in bump memory
  uint64_t values_written = 0;     // hash of what the thread writes, at the last visit
  // Of the window `quiet` only: where in the code the events since the last visit were.
  uintptr_t places[kPlacesOfRound];
};

// The same for loops that take locks on the way: what it may not have changed is everything but
// locks.
struct PollWindow {
  uint64_t changes = 0;
  bool repeating = false;  // the state was met again
  // Locks taken since the window began, less those given back: now, and before the operation at the
  // anchor. It is one at which the thread holds as few as anywhere in the loop.
  int16_t held = 0;
  int16_t held_at_anchor = 0;
  Recurrence cycle;
  uint64_t progress = 0;  // of the other threads, when the state was taken or met again
};

// By kind of loop, in bump memory; null: it has been in none.
struct LoopsOfThread {
  RunOut* run_out = nullptr;        // its loop may end by itself (run_out.h); in bump memory
  AwaitRound* await = nullptr;      // in a loop that waits for one object (await.h); in bump memory
  SpinWindow* restoring = nullptr;  // since it last changed anything but memory; in bump memory
  HeapRounds* heap_rounds = nullptr;    // it has freed memory (heap_rounds.h); in bump memory
  TimedRounds* timed_rounds = nullptr;  // a time limit of it has passed; in bump memory
};

// In lines of the cache of their own. SaveFibers leaves out what a thread that has ended needs no
// more, and what of `recent` was not written.
struct LoopWindows {
  alignas(64) SpinWindow quiet;  // since it last changed anything
  alignas(64) PollWindow poll;
  // The last of `written`: number n is at n % kRecentWrites. Not cleared when a thread begins.
  RecentWrite recent[kRecentWrites];
};

}  // namespace heddle::runtime
