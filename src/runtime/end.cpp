// Ending an execution, from wherever the program stands, and remarks about what weakens the
// guarantee.

#include <stdarg.h>
#include <stdio.h>

#include <algorithm>

#include "base/hash.h"
#include "runtime/control.h"
#include "runtime/fibers/pool.h"
#include "runtime/fibers/program_end.h"
#include "runtime/fibers/scheduler.h"
#include "runtime/fibers/trace_buffers.h"
#include "runtime/memory/own_heap.h"
#include "runtime/record.h"
#include "runtime/restart.h"
#include "runtime/roots.h"
#include "runtime/runtime.h"

namespace heddle::runtime {
namespace {

// Hashes of the texts noted so far, keys of the warnings; in heddle's heap, so that a forked
// execution's notes are known afterwards. More than anybody reads; what is beyond is not passed
// over in silence.
struct Known {
  static constexpr unsigned kMost = 1024;
  uint64_t keys[kMost] = {};
  bool full = false;
  bool irreducible = false;
};

Known& KnownAt(RootNumber number) {
  void*& root = g_own_heap.Root(number);
  if (root == nullptr) root = new Known;
  return *static_cast<Known*>(root);
}

// Is `key` new at `number`? Remembers it, while there is room.
bool IsFirst(RootNumber number, uint64_t key) {
  Known& known = KnownAt(number);
  for (uint64_t& at : known.keys) {
    if (at == key) return false;
    if (at != 0) continue;
    at = key;
    return true;
  }
  if (!known.full)
    AppendNote(channel::NoteKind::kWarning,
               number == kNotesRoot
                   ? "there are more notes than these: the others are left out"
                   : "there are more warnings than these: the others are left out");
  known.full = true;
  return false;
}

void NoteOnce(channel::NoteKind kind, const char* text) {
  if (IsFirst(kNotesRoot, base::HashText(text))) AppendNote(kind, text);
}

bool Reduces() {
  const channel::Reduction reduction = ChannelHeader().settings.reduction;
  const bool does_without = reduction == channel::Reduction::kBounded && !IsReducible();
  return reduction != channel::Reduction::kNone && !does_without;
}

}  // namespace

void EndExecution(trace::EndKind kind, int status, uintptr_t address, uintptr_t pc,
                  const char* format, ...) {
  trace::Ending& ending = g_trace->ending;
  ending.kind = kind;
  ending.status = status;
  ending.thread = Current().id;
  ending.address = address;
  ending.pc = pc;
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(ending.message, sizeof ending.message, format, arguments);
  va_end(arguments);
  if (g_state.recording) RecordEnding(ending);
  LeaveToLoop();
}

void EndAsCut(uintptr_t pc, const char* format, ...) {
  char message[sizeof(trace::Ending::message)];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(message, sizeof message, format, arguments);
  va_end(arguments);
  // Told once: there may be as many as there are executions.
  if (IsFirst(kNotesRoot, base::HashText("cut"))) AppendNote(channel::NoteKind::kForbids, message);
  EndExecution(trace::EndKind::kCut, 0, 0, pc, "%s", message);
}

void EndByMisuse(uintptr_t address, uintptr_t pc, const char* format, ...) {
  char message[sizeof(trace::Ending::message)];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(message, sizeof message, format, arguments);
  va_end(arguments);
  CommitAttempt();
  ReachProgramEnd(pc);
  EndExecution(trace::EndKind::kMisuse, 0, address, pc, "%s", message);
}

void Unsupported(const char* what) {
  EndExecution(trace::EndKind::kUnsupported, 0, 0, 0,
               "the program uses %s, which heddle does not model", what);
}

void Restart(RestartFor what, const char* message) {
  g_trace->restart_for = what;
  EndExecution(trace::EndKind::kRestart, 0, 0, 0, "%s", message);
}

void RestartWithThreads(uint32_t count) {
  g_trace->wanted_threads = std::max(count, 2 * PoolSize());  // few restarts
  Restart(RestartFor::kThreads, "more threads than thread-local storage was made for");
}

RestartFor RestartReason() { return g_trace->restart_for; }
uint32_t WantedThreads() { return g_trace->wanted_threads; }

void PrepareNotes() {
  KnownAt(kNotesRoot);
  KnownAt(kWarningsRoot);
}

void NoteWeakness(const char* text) { NoteOnce(channel::NoteKind::kWeakens, text); }
void NoteIncomplete(const char* text) { NoteOnce(channel::NoteKind::kForbids, text); }

bool IsFirstWarning(uint64_t key) { return IsFirst(kWarningsRoot, key); }

void NoteWeaknessOfReduction(const char* text) {
  if (Reduces()) NoteWeakness(text);
}
void NoteIncompleteReduction(const char* text) {
  ReduceNoMore();
  if (Reduces()) NoteIncomplete(text);
}
void NoteIncompleteTable(const char* text) {
  const channel::Reduction reduction = ChannelHeader().settings.reduction;
  if (reduction == channel::Reduction::kHappensBefore ||
      reduction == channel::Reduction::kHappensBeforeAll)
    NoteIncomplete(text);
}
void ReduceNoMore() { KnownAt(kNotesRoot).irreducible = true; }
bool IsReducible() { return !KnownAt(kNotesRoot).irreducible; }

}  // namespace heddle::runtime
