#include "runtime/primitives/barrier.h"

#include "runtime/prim/glibc_layout.h"
#include "runtime/primitives/life.h"
#include "runtime/runtime.h"

namespace heddle::runtime {
namespace {

uintptr_t AddressOf(const pthread_barrier_t* barrier) {
  return reinterpret_cast<uintptr_t>(barrier);
}

// Others wait at it, who would never leave.
void RequireNobodyArrived(const Object& object, const char* does, uintptr_t pc) {
  if (object.barrier.arrived != 0)
    EndByMisuse(object.address, pc, "%%T%u%% %s barrier %%O%lx%% while others wait at it",
                Current().id, does, object.address);
}

// The last has arrived: all who stand before leaving learn what everybody did, and depend on that.
void LetLeave(Object& object) {
  for (Fiber* fiber = object.pending_threads; fiber != nullptr; fiber = fiber->next_pending) {
    if (fiber->pending.kind != op::Kind::kBarrierLeave) continue;
    if (fiber->pending.operand + 1 != object.barrier.round) continue;  // of an earlier round
    AcquireFrom(*fiber, object.release);
    fiber->wake_hash += LastEventHash();
  }
  Changed(object);
}

}  // namespace

Object& FindBarrier(pthread_barrier_t* barrier) {
  bool fresh;
  Object& object = FindObject(AddressOf(barrier), ObjectKind::kBarrier, &fresh);
  if (fresh) object.barrier = {.needed = BarrierCountIn(*barrier), .arrived = 0, .round = 0};
  return object;
}

int BarrierWait(pthread_barrier_t* barrier, uintptr_t pc) {
  Object& object = FindBarrier(barrier);
  const op::Operation arrive{
      .kind = op::Kind::kBarrierArrive, .object = AddressOf(barrier), .pc = pc};
  Reach(arrive, &object);
  RequireInitialised(object, *barrier, "arrives at", pc);
  Fiber& self = Current();
  BarrierState& state = object.barrier;
  if (state.arrived == 0) object.release.Zero();  // who left the last round has learnt from it
  ReleaseInto(self, object.release);
  if (++state.arrived == state.needed) {
    state.arrived = 0;
    ++state.round;
    AcquireFrom(self, object.release);
    Commit(arrive, &object, op::Access::kWrite, 1);
    LetLeave(object);
    return PTHREAD_BARRIER_SERIAL_THREAD;
  }
  Commit(arrive, &object, op::Access::kWrite);
  const op::Operation leave{
      .kind = op::Kind::kBarrierLeave, .object = arrive.object, .operand = state.round, .pc = pc};
  ReachLocal(leave, &object);
  if (self.now < object.group.time) self.now = object.group.time;
  Commit(leave, &object, op::Access::kNone);
  return 0;
}

void BarrierInit(pthread_barrier_t* barrier, int status, uintptr_t pc) {
  Object& object = FindBarrier(barrier);
  if (!CommitInitialise(object, status, pc)) return;
  RequireNobodyArrived(object, "initialises", pc);
  // The round goes on counting: some may have been let go and not left yet.
  object.barrier.needed = BarrierCountIn(*barrier);
}

int BarrierDestroy(pthread_barrier_t* barrier, uintptr_t pc) {
  Object& object = FindBarrier(barrier);
  ReachDestroy(object, pc);
  RequireNobodyArrived(object, "destroys", pc);
  RequireInitialised(object, *barrier, "destroys", pc);
  NoteDestroyed(object, *barrier, pc);
  return 0;
}

}  // namespace heddle::runtime
