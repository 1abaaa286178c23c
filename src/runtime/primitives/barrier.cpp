#include "runtime/primitives/barrier.h"

#include "runtime/objects/barrier.h"
#include "runtime/prim/glibc_layout.h"
#include "runtime/primitives/life.h"
#include "runtime/steps/perform.h"

namespace heddle::runtime {
namespace {

uintptr_t AddressOf(const pthread_barrier_t* barrier) {
  return reinterpret_cast<uintptr_t>(barrier);
}

// A local step, which touches nothing: there is nothing to ask the barrier.
void Leave(Object& object, uint32_t round, uintptr_t pc) {
  const op::Operation leave = {
      .kind = op::Kind::kBarrierLeave, .object = object.address, .operand = round, .pc = pc};
  ReachLocal(leave, &object);
  Fiber& self = Current();
  if (self.now < object.group.time) self.now = object.group.time;
  Commit(leave, &object, op::Access::kNone);
}

}  // namespace

Object& FindBarrier(pthread_barrier_t* barrier) {
  bool fresh;
  Object& object = FindObject(AddressOf(barrier), ObjectKind::kBarrier, &fresh);
  if (fresh) object.barrier = NewBarrier(BarrierCountIn(*barrier));
  return object;
}

int BarrierWait(pthread_barrier_t* barrier, uintptr_t pc) {
  Object& object = FindBarrier(barrier);
  const op::Operation arrive = {
      .kind = op::Kind::kBarrierArrive, .object = AddressOf(barrier), .pc = pc};
  const Answer arrived = Perform(arrive, object, [&] {
    RequireInitialised(object, *barrier, "arrives at", pc);
    return ArriveAt(object.barrier);
  });
  if (!arrived.opens) Leave(object, object.barrier.round, pc);
  return arrived.status;
}

void BarrierInit(pthread_barrier_t* barrier, int status, uintptr_t pc) {
  Object& object = FindBarrier(barrier);
  FinishInitialise(object, status, pc,
                   [&] { return InitialiseBarrier(object.barrier, BarrierCountIn(*barrier)); });
}

int BarrierDestroy(pthread_barrier_t* barrier, uintptr_t pc) {
  Object& object = FindBarrier(barrier);
  return PerformDestroy(object, *barrier, pc, [&] { return DestroyBarrier(object.barrier); });
}

}  // namespace heddle::runtime
