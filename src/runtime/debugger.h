// Where a debugger stops a replay (Settings::debugger). The debugger has a breakpoint at each of
// two functions, and libheddle calls them where it is to stop: so a stop costs nothing until then.
// What they mean is in a variable beside them. tools/heddle_gdb.py is the other side.
#pragma once

#include <cstdint>

#include "runtime/export.h"

extern "C" {

// Who runs on which kernel thread: two numbers, then two texts.
struct HeddleThread {
  int turn;       // 1: it is the thread's (SleepWhile)
  int number;     // the kernel's; 0: it has not begun
  char name[16];  // that the kernel knows: the program's, else as `path`
  char path[40];  // as in reports: "main", "T1", "T1.2"
};

// Read and written by the debugger, which may know no types: words, then the text.
struct HeddleDebugger {
  uint64_t stop_at;  // written by the debugger: stop at this moment (StepRecord::moment); 0: never
  uint64_t leaving;  // written by the debugger: the number of a thread, plus one, that is to stop
                     // when it stands before its next operation; 0: none
  uint64_t reason;   // of the stop: HeddleDebuggerReason
  uint64_t moment;   // of the last thing done
  uint64_t thread;   // who runs: its number
  uint64_t ending;   // reason kHeddleEnds: 1 if the program ended by itself, without an error
  uint64_t number;   // of stops, whatever the reason
  uint64_t threads;  // address of HeddleThread[thread_count], by number of the thread
  uint64_t thread_count;
  char message[512];  // reason kHeddleEnds: how the execution ended
};

enum HeddleDebuggerReason : uint64_t {
  kHeddleMoment,     // an event was just made, or a plain access is about to be
  kHeddleOperation,  // the thread that is leaving heddle stands before another operation first
  kHeddleEnds,       // the execution ends here
};

HEDDLE_EXPORT extern HeddleDebugger heddle_debugger;

// The execution is about to begin: the time to write stop_at.
HEDDLE_EXPORT void heddle_debugger_begin();
HEDDLE_EXPORT void heddle_debugger_stop();
}

namespace heddle::runtime {

// All three do nothing unless a debugger was announced.
void DebuggerAtMoment(uint64_t moment);
void DebuggerAtOperation();
void DebuggerAtEnd();

}  // namespace heddle::runtime
