// Which test framework is in a program? Answered from its file: nothing of it runs.
#pragma once

#include "base/result.h"
#include "cases/framework.h"
#include "session/inspect_elf.h"

namespace heddle::cases {

// The framework whose marks are in the program's read-only data, or whose shared library it needs;
// an error, in one line, if that is none, or more than one.
base::Result<const Framework*> Recognise(const session::ProgramFile& program);

}  // namespace heddle::cases
