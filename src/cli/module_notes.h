// What the mapped files tell the reader of a report: libraries that were not rebuilt, code
// in programs and libraries that was not instrumented, and asm statements that are not seen.
#pragma once

#include "report/assemble.h"
#include "report/records.h"

namespace heddle::cli {

void AddModuleNotes(const report::Records& records, report::RunFacts& facts);

}  // namespace heddle::cli
