// One-time initialisation. Beginning is enabled unless another thread runs the initialisation.
#pragma once

#include "runtime/objects/answer.h"
#include "runtime/objects/object.h"

namespace heddle::runtime {

// `always`: it was done before the execution began.
OnceState NewOnce(bool done, bool always);

// What memory says of an initialisation that nobody runs: a flag in reused memory is a new flag.
bool IsRunning(const OnceState& once);
bool IsDone(const OnceState& once);

// REQUIRES: !IsRunning. The answer's value is 1 if the thread is to run it, and then to end it.
Answer BeginOnce(OnceState& once, op::ThreadId self);
// `done`: no exception left it.
Answer EndOnce(OnceState& once, bool done);

}  // namespace heddle::runtime
