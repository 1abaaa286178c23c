// Does heddle control this process? Decided once, before the first hook does anything.
#pragma once

namespace heddle::runtime {

extern bool g_decided;
void DecideControl();

// Is it the process that was started, and no child that it forked? REQUIRES: g_decided.
bool IsFirstProcess();

// The body of heddle::Check has returned: ends the execution. Looks at what it leaves behind first.
[[noreturn]] void EndBody();

}  // namespace heddle::runtime
