// Writing down that an operation took effect, and what orders it with others.
#pragma once

#include "runtime/fibers/atoms.h"
#include "runtime/runtime.h"

namespace heddle::runtime {

// Whether a write left another value behind. One that did not orders like any write, but whoever
// spins sees no change: `while (flag.exchange(true))` repeats itself (loops/spin.h). kQueues: the
// thread comes to the queue of a futex, the last object touched, or leaves it: an access that
// commutes with others of its kind, but loops see a change there.
enum class Effect : uint8_t { kChanges, kLeavesAsItWas, kQueues };

// Records that the running thread's operation took effect: event, dependence hash. `extra` enters
// the hash (which waiter was woken, the value chosen). `expected`: what a compare-exchange looks
// for, folded.
void Commit(const op::Operation& operation, Object* object, op::Access access, uint64_t value = 0,
            uint64_t extra = 0, Effect effect = Effect::kChanges, op::Level expected = 0);
// The same for a wait for `condition` that gives up `mutex`, which was at level `held` before: both
// are written.
void CommitWait(const op::Operation& wait, Object& condition, Object& mutex, op::Level held,
                uint64_t extra = 0);
// The running thread's operation, if it has not been committed, is a misuse.
void CommitAttempt();
// Hash of the last committed event: what a thread that it wakes depends on.
uint64_t LastEventHash();
// Time passes because nothing else can happen (--timeouts last): all events from here on depend on
// all before.
void BeginEpoch();

// Like Commit, for an operation that touches several objects, all in the same way.
void CommitTouches(const op::Operation& operation, const Touches& touches, op::Access access,
                   uint64_t value = 0, uint64_t extra = 0, Effect effect = Effect::kChanges);

// Commits an operation that accesses these bytes and has left them as they were.
void CommitOnMemory(const op::Operation& operation, uintptr_t address, size_t bytes,
                    op::Access access, uint64_t value = 0, uint64_t extra = 0);

// Synchronisation order. AcquireFrom: self learns what `release` knows. ReleaseInto: what self
// knows joins it, ReleaseAs: replaces it; both begin a new tick, so what was released does not know
// what follows.
void AcquireFrom(Fiber& self, const trace::Clock& release);
void ReleaseInto(Fiber& self, trace::Clock& release);
void ReleaseAs(Fiber& self, trace::Clock& release);
void BeginTick(Fiber& self);

}  // namespace heddle::runtime
