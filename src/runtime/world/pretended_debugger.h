// Test frameworks break at a failing assertion only if a debugger is there, for which they look in
// /proc/self/status. A search of theirs pretends that one is (channel::Settings::test_breaks).
#pragma once

namespace heddle::runtime {

bool TellsOfDebugger(const char* path);

// The file as it is but for "TracerPid: 1", in memory. Answers its descriptor, or -1 with errno.
int OpenPretendedStatus(int flags);

}  // namespace heddle::runtime
