// Ending an execution, from wherever the program stands, and remarks about what weakens the
// guarantee.

#include <stdarg.h>
#include <stdio.h>

#include "runtime/control.h"
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
// execution's notes are known afterwards.
constexpr unsigned kMaxNotes = 64;

// Is `key` new at `number`? Remembers it, while there is room.
bool IsFirst(RootNumber number, uint64_t key) {
  void*& root = g_own_heap.Root(number);
  if (root == nullptr) root = new uint64_t[kMaxNotes]();
  auto* known = static_cast<uint64_t*>(root);
  for (unsigned i = 0; i < kMaxNotes; ++i) {
    if (known[i] == key) return false;
    if (known[i] != 0) continue;
    known[i] = key;
    return true;
  }
  return false;
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

void Unsupported(const char* what) {
  EndExecution(trace::EndKind::kUnsupported, 0, 0, 0,
               "the program uses %s, which heddle does not model", what);
}

void RestartWithThreads(uint32_t count) {
  g_trace->wanted_threads = count;
  EndExecution(trace::EndKind::kRestart, 0, 0, 0,
               "more threads than thread-local storage was made for");
}

uint32_t TakeWantedThreads() {
  const uint32_t count = g_trace->wanted_threads;
  g_trace->wanted_threads = 0;
  return count;
}

void NoteWeakness(const char* text) {
  uint64_t hash = 1;
  for (const char* at = text; *at != '\0'; ++at)
    hash = (hash ^ static_cast<unsigned char>(*at)) * 0x100000001b3ull;
  if (IsFirst(kNotesRoot, hash)) AppendNote(channel::NoteKind::kWeakens, text);
}

bool IsFirstWarning(uint64_t key) { return IsFirst(kWarningsRoot, key); }

void NoteWeaknessOfReduction(const char* text) {
  if (ChannelHeader().settings.reduction != channel::Reduction::kNone) NoteWeakness(text);
}

}  // namespace heddle::runtime
