// Release sequences: what an acquire load of an atomic object learns, by who released it.
//
// A release operation heads a sequence of writes to its object; an acquire load that reads any of
// them learns what the head released. A read-modify-write of any thread continues all sequences. A
// plain store ends those of other threads' heads. What it does to those of its own thread's heads
// is where the languages differ: in C11, C17 and C23, and in C++11 to C++17, it continues them; in
// C++20 (P0982) it ends them, too.
//
//   thread 1: x.store(1, release)                      head 1
//   thread 2: x.fetch_add(1, release)                  head 2, continues 1
//   thread 1: x.store(3, relaxed)                      C11: continues 1 and ends 2; C++20: ends
//   both
//
// So all that an object must know is the join of the heads' clocks (`release`), and with C11's rule
// the share of each thread in it. As long as one thread has all of it, its number will do. Shares
// of several threads are kept apart only if that is asked for, because it costs a clock for each
// read-modify-write, and few programs have a plain store after it that is not a release. A relaxed
// store after a release fence is a head, too: of what was known at the fence.
//
// Tested by tests/unit/release_sequence_test.cpp against the definition.
#pragma once

#include <cstdint>

#include "op/operation.h"
#include "trace/clock.h"

namespace heddle::trace {

struct Share {
  op::ThreadId thread;
  Clock clock;
  Share* next;
};

// Whose heads a release clock is made of. All zero: nobody's.
struct Heads {
  uint32_t by;     // thread + 1, if it made all of it; 0: nobody
  bool several;    // more than one thread made it
  uint64_t among;  // several: op::BitOf each
  Share* apart;    // several: the share of each; null if they were not kept apart
};

// A plain store that ends all sequences. `released`: what it heads a sequence with; empty, if it is
// relaxed and follows no release fence.
inline void EndSequences(Clock& release, Heads& heads, op::ThreadId thread, const Clock& released,
                         Bump& bump) {
  release.Assign(released, bump);
  heads = {released.Empty() ? 0 : thread + 1, false, 0, nullptr};
}

// The rare cases of the two functions below.
void ShareSequences(const Clock& release, Heads& heads, op::ThreadId thread, const Clock& released,
                    Bump& bump, bool keep_apart);
bool ContinueShared(Clock& release, Heads& heads, op::ThreadId thread, const Clock& released,
                    Bump& bump);

// A read-modify-write, which continues all sequences. `keep_apart`: the shares of several threads;
// the same during an execution.
inline void ContinueSequences(Clock& release, Heads& heads, op::ThreadId thread,
                              const Clock& released, Bump& bump, bool keep_apart) {
  if (released.Empty()) return;
  if (heads.by != thread + 1 && (heads.by != 0 || heads.several))
    ShareSequences(release, heads, thread, released, bump, keep_apart);
  else
    heads.by = thread + 1;
  release.Join(released, bump);
}

// A plain store that is no release, by C11's rule. False: nothing was done, because the shares
// would have to be kept apart to tell.
inline bool ContinueOwnSequences(Clock& release, Heads& heads, op::ThreadId thread,
                                 const Clock& released, Bump& bump) {
  if (__builtin_expect(heads.several, 0))
    return ContinueShared(release, heads, thread, released, bump);
  if (heads.by == thread + 1)
    release.Join(released, bump);
  else
    EndSequences(release, heads, thread, released, bump);
  return true;
}

}  // namespace heddle::trace
