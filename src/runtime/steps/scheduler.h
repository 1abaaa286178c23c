// The step loop.
//
// A visible operation reads, in order:
//
// * if (!InExecution()) return Real<&foo>("foo")(...);
//     in hooks/. An ordinary program, a static constructor, or heddle's own code
// * Object& object = FindObject(address, ObjectKind::kMutex);
//     in primitives/, and so is the next line
// * Perform({.kind = ..., .object = ..., .pc = ...}, object, machine);
//     does it (steps/perform.h). `machine` changes the object and answers what that means
//     (objects/)
//
// Perform is made of these, which operations that are not on one object use themselves:
//
// * Reach(operation, &object);
//     publish it, and wait to be chosen
// * change the state: the operation is enabled, and nothing else runs
// * Commit(operation, &object, access, value);
//     record it: orders it in the dependence graph
// * Changed(object);
//     others' next operations may be enabled or disabled now
#pragma once

#include "runtime/runtime.h"

namespace heddle::runtime {

// Publishes `operation` as the running thread's next and returns when the scheduler has chosen the
// thread, which implies that the operation is enabled (objects/enabled.cpp has the table of
// when). `object`: the object whose changes can enable or disable it; if it is always enabled,
// null, or the object that it would access if it can fail (a misuse), so that it is known what it
// was about to do. With `timed`, the scheduler may also let it go by a timeout: the answer is then
// Wake::kTimedOut.
Wake Reach(const op::Operation& operation, Object* object, bool timed = false);
// What a handler that interrupts a call which waits does to it (signal(7)).
enum class Interrupts : uint8_t { kNever, kUnlessRestarted, kAlways };
// The same as Reach, for a call that a signal may end: the answer may be Wake::kInterrupted, and
// the operation was not made.
Wake ReachInCall(const op::Operation& operation, Object* object, bool timed, Interrupts interrupts);
// A step that is no scheduling point: waits, if need be, until `operation` is enabled, and goes on
// as soon as it is, before any choice (thread join, for example).
Wake ReachLocal(const op::Operation& operation, Object* object, bool timed = false);

// The running fiber gives up for good (it finished): runs somebody else.
[[noreturn]] void LeaveForGood();

}  // namespace heddle::runtime
