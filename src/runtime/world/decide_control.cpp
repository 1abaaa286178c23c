#include "runtime/world/decide_control.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "runtime/control.h"
#include "runtime/prim/lifetime.h"
#include "runtime/runtime.h"
#include "runtime/steps/program_end.h"
#include "runtime/world/check_call.h"
#include "runtime/world/leaks.h"
#include "runtime/world/leftovers.h"
#include "runtime/world/termination.h"

namespace heddle::runtime {

[[HEDDLE_LASTS("decided once")]] bool g_decided;

namespace {

[[HEDDLE_LASTS("decided once")]] pid_t decided_in;  // a child of the program may exit, too

void FinishProgram(int status) {
  ReachProgramEnd(0);  // the program's handlers may have let others go on
  if (ChannelHeader().settings.show_output != 0) fflush(nullptr);
  if (status == 0) CheckLeftovers();
}

// Runs last of all exit handlers, being registered first: exit() has run the program's handlers,
// and would now end the process.
void LeaveAtExit(int status, void*) {
  if (g_state.in_execution) {
    FinishProgram(status);
    if (status == 0) CheckLeaks();
    EndByExit(status, 0);
  }
  if (TakesOverAtCheck() && IsFirstProcess()) EndedBeforeCheck();
}

}  // namespace

bool IsFirstProcess() { return getpid() == decided_in; }

void EndBody() {
  FinishProgram(0);
  if (LooksForLeaks()) NoteIncomplete(Incomplete::kLeaksUnseen);
  EndExecution(trace::EndKind::kExit, 0, 0, 0, "the body returned");
}

void DecideControl() {
  if (g_decided) return;
  g_decided = true;
  decided_in = getpid();
  OpenChannel();
  if (Controlled()) on_exit(LeaveAtExit, nullptr);
}

}  // namespace heddle::runtime
