// What the instructions of a fake program are to the rest of heddle.
#pragma once

#include "op/operation.h"
#include "target/fake_program.h"

namespace heddle::target {

// kYield for local instructions.
op::Kind KindOf(Instruction::Code code);

// May it give up? Timed waits for a condition variable, which do so in their own way, are not
// meant.
inline bool HasTimeLimit(Instruction::Code code) {
  using Code = Instruction::Code;
  return code == Code::kTimedLock || code == Code::kTimedSemWait || code == Code::kTimedReadLock ||
         code == Code::kTimedWriteLock || code == Code::kTimedJoin;
}

}  // namespace heddle::target
