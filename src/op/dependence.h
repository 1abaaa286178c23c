// The dependence relation: which operations commute, and which could have run earlier than they
// did. It is read off op.def; nothing else in heddle knows what an operation does.
//
// Two transitions are independent if, in every state in which both are enabled, neither enables or
// disables the other, and both orders lead to the same state (Mazurkiewicz; Inspect section 2.3
// after Flanagan and Godefroid, POPL'05). Here they are if they are of different threads and have
// no object in common on which their accesses do not commute.
//
// Dependent transitions that are never enabled together need no reversal (may-be-co-enabled,
// Inspect section 4.4). Inspect decides that by locksets: transitions of threads that hold a lock
// in common are not. Program order and the order of critical sections say that already (a
// transition under a lock happens after the unlock of the section before), so what is left is the
// lock itself: an unlock and the lock that waited for it. That is decided by the *level* of the
// object: its state, as far as it enables anything, before the earlier of the two.
//
// Pure functions; safe from any thread.
#pragma once

#include "op/operation.h"

namespace heddle::op {

inline bool Commute(Access a, Access b) {
  return a == Access::kNone || b == Access::kNone || (a == b && a != Access::kWrite);
}

// Does an operation of `kind` succeed on an object at `level`? `expected` is the folded operand of
// a compare-exchange. What only another thread's step, or only the outside, decides is taken to.
inline bool SucceedsAt(Kind kind, Level level, Level expected) {
  switch (Info(kind).needs) {
    case Needs::kFree:
      return level == 0;
    case Needs::kNoWriter:
      return level != kWriterHolds;
    case Needs::kPositive:
      return level != 0;
    case Needs::kExpected:
      return level == expected;
    case Needs::kNothing:
    case Needs::kWoken:
    case Needs::kOutside:
      return true;
  }
  __builtin_unreachable();
}

// Can an operation of `kind` be made, if only to fail or to time out, when its object is at
// `level`?
inline bool IsEnabledAt(Kind kind, bool timed, Level level) {
  return timed || !MayWait(kind) || SucceedsAt(kind, level, 0);
}

// How a kShared operation moves the level of its object.
inline int LevelChange(Kind kind) { return kind == Kind::kRwUnlock ? -1 : 1; }

// Does an operation of `kind` with this access come by itself as soon as it can, within the step of
// whoever makes it possible? In another order that may be another step.
inline bool ComesByItself(Kind kind, Access access) {
  if (kind == Kind::kThreadFinish) return true;
  if (access != Access::kNone) return false;
  return kind == Kind::kThreadCreate || kind == Kind::kThreadStart || kind == Kind::kThreadJoin ||
         kind == Kind::kThreadExit || kind == Kind::kBarrierLeave || kind == Kind::kFutexWoken;
}

inline Level Fold(uint64_t value) { return static_cast<Level>(value ^ value >> 32); }

// The access that an operation of `kind` will turn out to be on an object at `level`, when
// elsewhere it was seen to be `seen`.
inline Access AccessAt(Kind kind, Level level, Level expected, Access seen) {
  const Needs needs = Info(kind).needs;
  if (needs == Needs::kNothing || needs == Needs::kWoken || needs == Needs::kOutside) return seen;
  // A join is a write where others may join the thread, too, whether it succeeds or not.
  if (FamilyOf(kind) == Family::kThread) return seen;
  return SucceedsAt(kind, level, expected) ? Info(kind).access : Access::kRead;
}

}  // namespace heddle::op
