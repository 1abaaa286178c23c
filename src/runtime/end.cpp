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

// Hashes of the texts noted so far; in heddle's heap, so that a forked execution's notes are known
// afterwards.
constexpr unsigned kMaxNotes = 64;
uint64_t* Noted() {
  void*& root = g_own_heap.Root(kNotesRoot);
  if (root == nullptr) root = new uint64_t[kMaxNotes]();
  return static_cast<uint64_t*>(root);
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
  uint64_t* noted = Noted();
  for (unsigned i = 0; i < kMaxNotes; ++i) {
    if (noted[i] == hash) return;
    if (noted[i] != 0) continue;
    noted[i] = hash;
    AppendNote(channel::NoteKind::kWeakens, text);
    return;
  }
}

}  // namespace heddle::runtime
