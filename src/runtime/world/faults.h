// Signals that heddle needs for itself: faults of the program (a crash is how an execution ended,
// not the end of the search), writes to pages of the snapshot, and the supervisor's word that an
// execution hangs. They are handled on a stack of their own, because a fault may mean that the
// thread's stack is full.
#pragma once

#include <signal.h>

#include <cstdint>

namespace heddle::runtime {

void InstallFaultHandlers();

// The signals that must always come: bit n - 1 is signal n.
uint64_t OwnSignals();

// Forgets what waited to be handled in the last execution.
void LeaveHandler();

// The kernel's handler for signals that the program handles and heddle does not need.
void OnOutsideSignal(int number, siginfo_t* info, void* context);

}  // namespace heddle::runtime
