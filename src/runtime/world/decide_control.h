// Does heddle control this process? Decided once, before the first hook does anything.
#pragma once

namespace heddle::runtime {

extern bool g_decided;
void DecideControl();

// Is it the process that was started, and no child that it forked? REQUIRES: g_decided.
bool IsFirstProcess();

// Nothing of the program is left to run: ends the execution with the program's exit status. If it
// is 0, what the program leaves behind is looked at.
[[noreturn]] void EndProgram(int status);

}  // namespace heddle::runtime
