#include "runtime/world/streams.h"

#include <errno.h>
#include <pthread.h>

#include "runtime/fibers/atoms.h"
#include "runtime/fibers/schedule.h"
#include "runtime/objects/enabled.h"
#include "runtime/objects/mutex.h"
#include "runtime/objects/without_memory.h"
#include "runtime/prim/lifetime.h"
#include "runtime/prim/linkage.h"
#include "runtime/primitives/plain.h"
#include "runtime/runtime.h"
#include "runtime/steps/perform.h"
#include "runtime/world/processes.h"
#include "runtime/world/transfer.h"

namespace heddle::runtime {
namespace {

[[HEDDLE_LASTS("of the program")]] bool program_locks;
[[HEDDLE_OF_EXECUTION]] bool all_flushed;  // beside other threads

uintptr_t AddressOf(const FILE* stream) { return reinterpret_cast<uintptr_t>(stream); }

bool IsShown(const FILE* stream) { return stream == stdout || stream == stderr; }

Object& FindStream(uintptr_t address, bool* fresh = nullptr) {
  bool is_new;
  Object& object = FindObject(address, ObjectKind::kStream, &is_new);
  if (is_new) {
    object.mutex = FreeMutex();
    object.mutex.type = PTHREAD_MUTEX_RECURSIVE;
  }
  if (fresh != nullptr) *fresh = is_new;
  return object;
}

int DescriptorOf(FILE* stream) {
  const int error = errno;
  const int descriptor = IsShown(stream) ? -1 : fileno(stream);
  errno = error;
  return descriptor;
}

// Where reading and writing goes on, as the macros among the _unlocked functions have it.
void AccessPlace(const FILE* stream, uintptr_t pc) {
  const char* const begin = reinterpret_cast<const char*>(&stream->_IO_read_ptr);
  const char* const end = reinterpret_cast<const char*>(&stream->_IO_buf_base);
  PlainRange(begin, static_cast<size_t>(end - begin), true, pc);
}

// What may have to wait for a lock is an operation on one object: only then do reductions know what
// it waits for.
void CommitUseOf(FILE* stream, Object& object, const op::Operation& use) {
  const int descriptor = DescriptorOf(stream);
  if (program_locks || descriptor < 0) return Commit(use, &object, op::Access::kWrite);
  Touches touches;
  touches.Add(object, object.level, use.pc);
  AddDescriptor(touches, descriptor, use.pc);
  CommitTouches(use, touches, op::Access::kWrite);
}

// Streams that nobody has used so far it does not touch.
void UseAll(uintptr_t pc) {
  Object& all = FindStream(kAllStreamsAddress);
  const op::Operation use = {.kind = op::Kind::kStreamUse, .object = kAllStreamsAddress, .pc = pc};
  all_flushed = true;
  Reach(use, &all);
  Touches touches;
  ForEachTouchedObject([&](const Object& object) {
    if (object.kind == ObjectKind::kStream) touches.Add(object, object.level, pc);
  });
  CommitTouches(use, touches, op::Access::kWrite);
}

bool AnyUsed() {
  bool any = false;
  ForEachTouchedObject([&](const Object& object) { any |= object.kind == ObjectKind::kStream; });
  return any;
}

void NoteLocks() {
  if (!program_locks)
    NoteIncomplete(Incomplete::kStreams,
                   "one is locked by flockfile, which the program finds while it runs");
}

// With one thread there is no step.
template <typename Machine>
Answer Lock(op::Kind kind, FILE* stream, uintptr_t pc, Machine machine) {
  NoteLocks();
  Object& object = FindStream(AddressOf(stream));
  const op::Operation operation = {.kind = kind, .object = object.address, .pc = pc};
  const auto change = [&] { return machine(object.mutex, Current().id); };
  if (g_state.several_threads) return Perform(operation, object, change);
  const Answer answer = change();
  object.level = LevelOf(object);
  return answer;
}

}  // namespace

void InitStreams() {
  program_locks = AnyModuleWants("flockfile") || AnyModuleWants("ftrylockfile");
}

void CheckBufferOf(const FILE* stream, uintptr_t pc) {
  const auto buffer = reinterpret_cast<uintptr_t>(stream->_IO_buf_base);
  if (IsOnHeap(buffer)) PlainRangeAlone(buffer, 1, true, pc);
}

bool HasOutput(const FILE* stream) { return stream->_IO_write_ptr > stream->_IO_write_base; }

void UseStream(FILE* stream, StreamForm form, uintptr_t pc) {
  if (!g_state.several_threads) {  // is it closed?
    if (stream != nullptr && !IsShown(stream)) AccessPlace(stream, pc);
    return;
  }
  if (stream == nullptr) {
    all_flushed = true;
    if (AnyUsed()) UseAll(pc);
    return;
  }
  if (IsShown(stream) && !program_locks) {
    if (form == StreamForm::kUnlocked) AccessPlace(stream, pc);
    return;
  }
  Fiber& self = Current();
  ++self.changes;  // it does not spin
  if (!IsShown(stream)) RefuseWithStates("streams that are used beside other threads");
  bool fresh;
  Object& object = FindStream(AddressOf(stream), &fresh);
  if (fresh && all_flushed)
    NoteIncomplete(Incomplete::kStreams, "fflush(NULL) before a stream is used for the first time");
  const op::Operation use = {.kind = op::Kind::kStreamUse, .object = object.address, .pc = pc};
  Reach(use, &object);
  BeginUse(use, object);
  if (form == StreamForm::kLocked) AcquireFrom(self, object.release);
  CommitUseOf(stream, object, use);
  // As a scheduling point it would be one that others pass, who cannot have the lock.
  if (form == StreamForm::kUnlocked || !IsPlainPoint(pc)) AccessPlace(stream, pc);
  if (form == StreamForm::kLocked) ReleaseInto(self, object.release);
  Changed(object);
  EndUse(object, pc);
}

void LockStream(FILE* stream, uintptr_t pc) { Lock(op::Kind::kStreamLock, stream, pc, LockMutex); }

bool TryLockStream(FILE* stream, uintptr_t pc) {
  return Lock(op::Kind::kStreamTryLock, stream, pc, TryLockMutex).status == 0;
}

void UnlockStream(FILE* stream, uintptr_t pc) {
  Lock(op::Kind::kStreamUnlock, stream, pc, [](MutexState& lock, op::ThreadId self) {
    return lock.owner == self ? UnlockMutex(lock, self) : Misused(Misuse::kNotLockedByIt);
  });
}

}  // namespace heddle::runtime
