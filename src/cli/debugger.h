// heddle replay --gdb: the program under gdb, which heddle's script (tools/heddle_gdb.py) teaches
// to follow a schedule.
//
//   heddle replay --gdb FILE ──► the ordinary replay: what are the steps, does the bug show?
//                            └─► becomes gdb, with two descriptors: the channel with the plan, for
//                                the program; the steps as JSON, for the script
//
// A front end that starts gdb itself (VS Code) sources the script. Its command heddle-replay calls
// `heddle replay --debugger-files=CHANNEL,STEPS FILE`, which does the first half.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "replay/schedule_file.h"
#include "report/search_result.h"

namespace heddle::cli {

// The script beside this executable, or where an installation puts it.
base::Result<std::string> FindDebuggerScript();

// What the script is to know, as JSON: the program and its arguments, what the environment must
// have in it, the finding and its steps.
std::string DebuggerSteps(const report::Finding& finding, const std::string& file,
                          const std::string& program, const replay::ScheduleFile& schedule,
                          const std::string& library);

// Becomes `debugger` (a path, or a name to be found in PATH), which inherits both descriptors.
// Comes back only when that could not be done, with the exit status.
int BecomeDebugger(const std::string& debugger, const std::string& script, int channel, int steps);

}  // namespace heddle::cli
