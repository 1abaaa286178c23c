#include "runtime/world/leftovers.h"

#include <string.h>

#include "runtime/bounded_text.h"
#include "runtime/control.h"
#include "runtime/fibers/table.h"
#include "runtime/fibers/trace_buffers.h"
#include "runtime/primitives/condition.h"
#include "runtime/primitives/life.h"
#include "runtime/record.h"
#include "runtime/runtime.h"
#include "runtime/steps/thread_life.h"
#include "runtime/world/own_code.h"

namespace heddle::runtime {
namespace {

// Of the threads left, those that one message names.
constexpr unsigned kMostNamed = 5;  // so many fit into trace::Ending::message

// Keys of warnings: a thread, "more threads than are named", or a place in the program.
constexpr uint64_t kThreadKey = 1ull << 63;
constexpr uint64_t kManyThreadsKey = kThreadKey | 1ull << 62;

bool IsStrict() { return ChannelHeader().settings.strict != 0; }

// One that stands before its end has nothing left to do.
bool IsLeft(const Fiber& fiber) {
  const bool stands = fiber.state == FiberState::kPublished || fiber.state == FiberState::kCreated;
  return stands && fiber.pending.kind != op::Kind::kThreadExit;
}

bool HasBegun(const Fiber& fiber) {
  return fiber.state != FiberState::kCreated && fiber.pending.kind != op::Kind::kThreadStart;
}

bool WaitsForSignal(const Fiber& fiber) {
  return fiber.pending.kind == op::Kind::kCondReacquire && fiber.wake == Wake::kNone &&
         fiber.pending.detail != kStoppedWaiting;
}

uintptr_t ObjectOf(const Fiber& fiber) {
  return WaitsForSignal(fiber) ? fiber.pending.object2 : fiber.pending.object;
}

// "locks mutex": a name may follow.
bool EndsWithNoun(const char* text) {
  constexpr const char* kNouns[] = {"mutex", "condition variable", "semaphore", "barrier"};
  const size_t length = strlen(text);
  for (const char* noun : kNouns)
    if (length >= strlen(noun) && strcmp(text + length - strlen(noun), noun) == 0) return true;
  return false;
}

void Describe(BoundedText& text, const Fiber& fiber, bool first) {
  if (!HasBegun(fiber)) {
    text.Add("%%T%u%% had not begun", fiber.id);
    return;
  }
  const bool unsignalled = WaitsForSignal(fiber);
  const char* what = op::Info(unsignalled ? op::Kind::kCondWait : fiber.pending.kind).text;
  if (fiber.pending.kind == op::Kind::kProgramExit) what = "about to end it, too";
  text.Add("%%T%u%% %sat %%L%lx%% (%s", fiber.id, first ? "was still " : "", fiber.pending.pc,
           what);
  if (EndsWithNoun(what)) text.Add(" %%O%lx%%", ObjectOf(fiber));
  text.Add(")");
}

void RecordLeft(const Fiber& fiber) {
  if (!HasBegun(fiber)) return;  // it stands nowhere yet
  RecordStanding(fiber.id, channel::kStepLeft, ObjectOf(fiber), fiber.pending.other);
}

unsigned ThreadsLeft() {
  unsigned left = 0;
  for (uint32_t id = 0; id < g_used_fibers; ++id) left += IsLeft(g_fibers[id]);
  return left;
}

void CheckThreads(unsigned left) {
  const bool strict = IsStrict();
  if (!strict && left > kMostNamed && !IsFirstWarning(kManyThreadsKey)) return;
  char message[sizeof(trace::Ending::message)];
  BoundedText text = {message, message + sizeof message};
  text.Add("%%T%u%% ended the program while ", Current().id);
  unsigned named = 0;
  for (uint32_t id = 0; id < g_used_fibers && named < kMostNamed; ++id) {
    if (!IsLeft(g_fibers[id]) || (!strict && !IsFirstWarning(kThreadKey | id))) continue;
    if (named != 0) text.Add(", ");
    Describe(text, g_fibers[id], named == 0);
    ++named;
  }
  if (named == 0) return;
  if (left > kMostNamed) text.Add(" and %u more", left - named);
  text.Add(named == 1 ? ": it is killed there" : ": they are killed there");
  if (!strict) return AppendNote(channel::NoteKind::kWarning, message);
  if (g_state.recording)
    for (uint32_t id = 0; id < g_used_fibers; ++id)
      if (IsLeft(g_fibers[id])) RecordLeft(g_fibers[id]);
  EndExecution(trace::EndKind::kMisuse, 0, 0, 0, "%s", message);
}

// Objects that a library of the system initialised are left out: the program cannot destroy them.
void WarnOfObjects() {
  for (const Making* making = FirstMaking(); making != nullptr; making = making->next) {
    if (making->over || !IsFirstWarning(making->pc) || IsSystemCode(making->pc)) continue;
    char message[160];
    snprintf(message, sizeof message,
             "the %s initialised at %%L%lx%% is not destroyed when the program ends",
             NounOf(making->kind), making->pc);
    AppendNote(channel::NoteKind::kWarning, message);
  }
}

void EndByObjects() {
  char message[sizeof(trace::Ending::message)];
  BoundedText text = {message, message + sizeof message};
  text.Add("not destroyed when the program ends: ");
  const Making* first = nullptr;
  uintptr_t last_place = 0;
  for (const Making* making = FirstMaking(); making != nullptr; making = making->next) {
    if (making->over || making->pc == last_place || IsSystemCode(making->pc)) continue;
    if (first == nullptr) first = making;
    last_place = making->pc;
    text.Add("%sthe %s initialised at %%L%lx%%", making == first ? "" : ", ", NounOf(making->kind),
             making->pc);
  }
  if (first == nullptr) return;
  g_trace->ending.made_there = true;
  EndExecution(trace::EndKind::kMisuse, 0, 0, first->pc, "%s", message);
}

}  // namespace

void CheckLeftovers() {
  if (const unsigned left = ThreadsLeft(); left != 0)
    CheckThreads(left);
  else if (IsStrict())
    EndByObjects();
  else
    WarnOfObjects();
}

}  // namespace heddle::runtime
