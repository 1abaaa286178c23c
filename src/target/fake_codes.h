// What the instructions of a fake program are to the rest of heddle.
#pragma once

#include "op/operation.h"
#include "target/fake_program.h"
#include "trace/execution.h"

namespace heddle::target {

// Words of the files of the fake target.
using op::Access;
using op::Kind;
using op::ThreadId;
using trace::Choice;
using trace::ChoiceKind;
using trace::EndKind;
using Code = Instruction::Code;

// kYield for local instructions.
Kind KindOf(Code code);

// May it give up? Timed waits for a condition variable, which do so in their own way, are not
// meant.
inline bool HasTimeLimit(Code code) {
  return code == Code::kTimedLock || code == Code::kTimedSemWait || code == Code::kTimedReadLock ||
         code == Code::kTimedWriteLock || code == Code::kTimedJoin;
}

}  // namespace heddle::target
