// Objects in the frame of a function that has returned. The return of a frame is a write to all of
// it, as is the end of a thread to its whole stack: an operation that another thread makes on an
// object there depends on it, and in the order return, operation it is a misuse.
//
// What is known of a thread's frames is where its stack ended at each of its operations (the hooks
// tell, HEDDLE_CALLER): what lies below had returned. So while others run, an object on the stack
// of a thread is in a frame that has returned if it lies below Fiber::frame, and no doubt is left:
// the thread stands before an operation, and its stack ends above. What it calls later may cover
// the object with frames of its own, which may have objects at the same address, so from the
// thread's next operation on nothing below its end is certain.
//
//   Ask():  { mutex m; give(&m); wait(); }     main:  Ask(); lock(other)     T1:  unlock(m)
//
// main stands before lock(other), above m. If T1 goes on now, it unlocks a mutex that is gone.
//
// A return comes within the step before the thread's next operation, which is right after its last
// one: where a thread may use the object after the return, it may after that one. A search begins
// with returns that are no events. They become events (FrameEnd) as soon as an execution shows a
// use and a return that nothing orders, by the clocks of the synchronisation order:
//
//   * use, then return: the return looks at who has used what it leaves (Fiber::lent);
//   * return, then use, with the stack above the object: that is the misuse itself. It is reported
//     when the returns are events, unless nothing could have come in between;
//   * return, then operations of the owner further down, then use: the object looks alive. The use
//     looks for a return in what its thread does not know of the owner, and for one that it knows
//     of before operations that it does not (MayHaveReturned).
//
// Every order of a use and a return is one of these, or is ordered by synchronisation; then it is
// so in every execution that a reduction takes for this one, and none has to be shown the other.
// So nothing is missed by beginning without, and where a thread learns that its object is not used
// any more before it returns, there is no event and no execution more.
//
// A plain access is a use, too, of the lines that it touches. It is no event as a rule: where it is
// not ordered with a return it becomes one, as where it races (places.h); and where returns are
// events, each that is made to another thread's stack.
//
// Where they are events, so is it to come further down (FrameBegin): a use between the two is the
// misuse, one that comes after the second may not be. Both write the memory that they pass, in
// lines of 64 bytes (ObjectKind::kStack); a use reads its line, within its step.
//
// The thread-local variables of a thread other than main are taken to lie at the top of its stack:
// they end when it has left its last frame, and run the destructors of these variables.
//
// Nothing is known of a thread while it runs on a stack that is not heddle's (coroutines, an
// alternative signal stack), nor of any once a stack lies within a frame (stacks_within).
#pragma once

#include <cstdint>

#include "runtime/fibers/pool.h"
#include "runtime/runtime.h"

namespace heddle::runtime {

inline constexpr uintptr_t kNoHook = 1;  // State::hook_pc
inline constexpr uintptr_t kFrameLineBytes = 64;

// The running thread publishes an operation with the place `pc`, and its stack does not end where
// it did at the last one, or that is not known.
void ComeToFrame(Fiber& self, uintptr_t pc);

// On the way of every operation, and of calls that are one only if other threads make them so: a
// return must not come sooner or later by what others do.
inline void NoteFrame(Fiber& self, uintptr_t pc) {
  const bool same = g_state.hook_pc == pc && g_state.hook_frame == self.frame;
  if (__builtin_expect(!same, 0)) ComeToFrame(self, pc);
}

// The running thread has left all of the program's frames.
void LeaveFrames(Fiber& self);

// The running thread is about to use an object at `address`, which IsOfThread; `plain_pc`: by the
// plain access at this place. The thread whose frame it was in, if that has returned; else null.
const Fiber* OwnerOfLostFrame(uintptr_t address, uintptr_t plain_pc = 0);

// The use took effect, or was a misuse.
void CommitUseOnStack(uintptr_t address, uintptr_t pc);

// The program is about to run on this memory, or may.
void NoteStackMemory(const void* begin);

}  // namespace heddle::runtime
