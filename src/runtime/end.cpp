// Ending an execution, from wherever the program stands, and remarks for the report.

#include <stdarg.h>
#include <stdio.h>

#include <algorithm>

#include "base/hash.h"
#include "runtime/bounded_text.h"
#include "runtime/control.h"
#include "runtime/fibers/pool.h"
#include "runtime/fibers/switch.h"
#include "runtime/fibers/trace_buffers.h"
#include "runtime/memory/own_heap.h"
#include "runtime/record.h"
#include "runtime/restart.h"
#include "runtime/roots.h"
#include "runtime/runtime.h"

namespace heddle::runtime {
namespace {

constexpr size_t kLongestNote = 640;

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

bool Reduces() {
  const channel::Reduction reduction = ChannelHeader().settings.reduction;
  const bool does_without = reduction == channel::Reduction::kBounded && !IsReducible();
  return reduction != channel::Reduction::kNone && !does_without;
}

// A reduction that can do without leaves nothing out from now on.
bool IsReasonHere(Incomplete reason) {
  const channel::Reduction reduction = ChannelHeader().settings.reduction;
  switch (claim::ScopeOf(reason)) {
    case claim::Scope::kAny:
    case claim::Scope::kRest:
      return true;
    case claim::Scope::kReduced:
      ReduceNoMore();
      return Reduces();
    case claim::Scope::kForetold:
      return reduction == channel::Reduction::kHappensBefore ||
             reduction == channel::Reduction::kHappensBeforeAll;
  }
  return true;
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
  if (IsFirst(kNotesRoot, base::HashText("cut")))
    AppendNote(channel::NoteKind::kIncomplete, message, Incomplete::kCut);
  EndExecution(trace::EndKind::kCut, 0, 0, pc, "%s", message);
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

void NoteIncomplete(Incomplete reason, const char* detail) {
  if (!IsReasonHere(reason)) return;
  char text[kLongestNote];
  BoundedText told = {text, text + sizeof text};
  const auto [before, after] = claim::TextOf(reason);
  told.Add("%.*s%s%.*s", static_cast<int>(before.size()), before.data(), detail,
           static_cast<int>(after.size()), after.data());
  if (IsFirst(kNotesRoot, base::HashText(text)))
    AppendNote(channel::NoteKind::kIncomplete, text, reason);
}

bool IsFirstWarning(uint64_t key) { return IsFirst(kWarningsRoot, key); }

void ReduceNoMore() { KnownAt(kNotesRoot).irreducible = true; }
bool IsReducible() { return !KnownAt(kNotesRoot).irreducible; }

}  // namespace heddle::runtime
