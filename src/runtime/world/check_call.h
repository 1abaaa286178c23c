// heddle::Check in a process that heddle controls: at the call that was asked for, heddle takes
// over.
//
// heddle::Check of an ordinary process (ask_heddle.h) has heddle start the same program again. That
// process runs as an ordinary one up to the same call, where the snapshot is taken and the body of
// the call becomes what an execution is. Both count the calls, and what the calls before it
// answered is answered again, so that the program comes to the same place.
#pragma once

#include <cstdint>

namespace heddle::runtime {

// Does heddle take over at a call of heddle::Check, and not at main? REQUIRES: controlled.
bool TakesOverAtCheck();

// Before main, then. A test framework breaks at an assertion that fails, also before the call:
// there that is the business of the test's own process.
void PassOverBreaks();

// A call of heddle::Check in a controlled process, outside an execution. Answers the first letter
// of the verdict if it is an earlier call, and 0 if it is the one: then the process is ready to be
// taken over. `place`: "FILE:LINE". `pc`: where it was called.
char CheckCalled(void (*body)(void*), void* argument, const char* place, uintptr_t pc);

// Goes on in `take_over`, which never returns, on a stack of heddle's own: from here on the present
// one belongs to the snapshot.
[[noreturn]] void LeaveStackFor(void (*take_over)());

// The program has come to its end before the call. Ends the process, and says so.
[[noreturn]] void EndedBeforeCheck();

}  // namespace heddle::runtime
