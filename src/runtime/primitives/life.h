// The life of a synchronisation object: which are initialised, and which were made by a call and
// never destroyed.
//
// Whether an object is initialised is read from the program's memory (glibc_layout.h), because an
// assignment, a static initialiser or a constructor makes one without a call. So nothing has to be
// forgotten when memory is freed or used again. What our record adds is who destroyed it, and
// where.
//
// Certain: a destroyed object, and one in heap memory that still holds the pattern of a fresh or a
// freed block. Likely: memory that no initialiser leaves behind. Both end the execution as a
// misuse; the message tells them apart.
#pragma once

#include <cstddef>
#include <cstdint>

#include "runtime/fibers/schedule.h"
#include "runtime/objects/life.h"
#include "runtime/prim/glibc_layout.h"
#include "runtime/steps/perform.h"
#include "runtime/steps/program_end.h"

namespace heddle::runtime {

// Ends the execution as a misuse, telling what is known of `memory`. `does`: "%T1% locks ...".
[[noreturn]] void EndUninitialised(const Object& object, const void* memory, size_t bytes,
                                   bool looks_destroyed, const char* does, uintptr_t pc);

// The running thread uses `object`, whose memory must be an initialised one.
template <typename T>
void RequireInitialised(const Object& object, const T& memory, const char* does, uintptr_t pc) {
  if (__builtin_expect(!LooksInitialised(memory), 0))
    EndUninitialised(object, const_cast<const void*>(static_cast<const volatile void*>(&memory)),
                     sizeof memory, LooksDestroyed(memory), does, pc);
}

// The running thread is about to call an _init function for `object`: a scheduling point. Until it
// returns, neither the object nor the program's memory is changed. `pc` is the program's line.
void ReachInitialise(Object& object, uintptr_t pc);
// The function answered `status`. True: it made the object, and the caller makes its record anew.
bool CommitInitialise(Object& object, int status, uintptr_t pc);
// That, and the record: `machine` makes it, or answers that this is a misuse.
template <typename Machine>
void FinishInitialise(Object& object, int status, uintptr_t pc, Machine machine) {
  if (!CommitInitialise(object, status, pc)) return;
  const Answer answer = machine();
  if (answer.misuse != Misuse::kNone)
    EndByMisuse({.kind = op::Kind::kInitialise, .object = object.address, .pc = pc}, object,
                answer);
  Changed(object);
}
// The same for a _destroy function: publishes and commits, and then: it may be destroyed.
void ReachDestroy(Object& object, uintptr_t pc);
template <typename T>
void NoteDestroyed(Object& object, T& memory, uintptr_t pc);
void NoteDestroyed(Object& object, uintptr_t pc);

// A _destroy call: `machine` answers whether this state may be destroyed. The event does not depend
// on that, so it is not Perform that asks. The status is 0 if the object was destroyed.
template <typename T, typename Machine>
int PerformDestroy(Object& object, T& memory, uintptr_t pc, Machine machine) {
  ReachDestroy(object, pc);
  const Answer answer = machine();
  if (answer.misuse != Misuse::kNone)
    EndByMisuse({.kind = op::Kind::kDestroy, .object = object.address, .pc = pc}, object, answer);
  if (answer.status != 0) return answer.status;
  RequireInitialised(object, memory, "destroys", pc);
  NoteDestroyed(object, memory, pc);
  return 0;
}

// All _init calls of this execution, in order. An object that was made again without being
// destroyed was lost, and has its first entry not over.
const Making* FirstMaking();

// The running thread initialises or destroys `object`. If another thread waits for it, this is a
// misuse, and ends the execution.
//
// Whether a thread waits already, or comes only now, tells executions apart, but no event does: it
// stands before its wait from the end of its last operation on, which may be on something else. So
// where it matters, to come to a wait is an operation of its own, which reads the object. It
// matters where an object is made or destroyed in a state in which a thread would have to wait, and
// the thread may come before and after that: it stands there when it happens, or comes later
// without knowing of it. Such waits are found by their place in the code (places.h), and the search
// begins again. Until then a thread that stands there is taken to come only now.
void RequireNobodyBlocked(Object& object, const char* does, uintptr_t pc);
// The running thread is about to publish an operation that waits while `object` is not free.
void BeginWait(Object& object, uintptr_t pc);

template <typename T>
void NoteDestroyed(Object& object, T& memory, uintptr_t pc) {
  MarkDestroyed(memory);
  NoteDestroyed(object, pc);
}

}  // namespace heddle::runtime
