#include "runtime/states/state_digest.h"

#include "check/known_accesses.h"
#include "runtime/fibers/invariants.h"
#include "runtime/fibers/keys.h"
#include "runtime/fibers/outside.h"
#include "runtime/fibers/table.h"
#include "runtime/fibers/trace_buffers.h"
#include "runtime/memory/memory_hash.h"
#include "runtime/memory/rewind.h"
#include "runtime/prim/lifetime.h"
#include "runtime/runtime.h"
#include "runtime/states/frame_snapshot.h"
#include "runtime/states/object_digest.h"

namespace heddle::runtime {
namespace {

using base::WideHash;

// Filled anew for each state.
check::KnownAccesses known_accesses;

// Of a thread in any state.
void PutLife(WideHash& hash, const Fiber& fiber) {
  hash.Put(uint64_t{fiber.id} << 32 | static_cast<uint64_t>(fiber.state));
  hash.Put(uint64_t{fiber.joiner} << 32 | fiber.handled_by);
  hash.Put(uint64_t{fiber.children} << 2 | uint64_t{fiber.detached} << 1 | uint64_t{fiber.joined});
  if (fiber.state == FiberState::kFinished)
    hash.Put(fiber.joined ? 0 : reinterpret_cast<uintptr_t>(fiber.result));
}

// What it stands before.
void PutPending(WideHash& hash, const Fiber& fiber) {
  const op::Operation& pending = fiber.pending;
  hash.Put(uint64_t{pending.other} << 32 | static_cast<uint64_t>(pending.kind) << 24 |
           uint64_t{pending.size} << 16 | uint64_t{pending.order} << 8 | pending.detail);
  hash.Put(pending.pc);
  hash.Put(pending.object);
  hash.Put(pending.object2);
  hash.Put(OperandOf(fiber));
  hash.Put(fiber.call_arguments);
  if (pending.kind == op::Kind::kThreadExit) hash.Put(reinterpret_cast<uintptr_t>(fiber.result));
  hash.Put(uint64_t{fiber.timed} | uint64_t{fiber.late} << 1 | uint64_t{fiber.done} << 2 |
           uint64_t{fiber.local} << 3 | uint64_t{fiber.woke_spuriously} << 4 |
           uint64_t{fiber.yielding} << 5 | static_cast<uint64_t>(fiber.wake) << 8 |
           uint64_t{fiber.atomic_depth} << 16);
  hash.Put(fiber.ignore_depth);
  hash.Put(fiber.may_fail);
  hash.Put(fiber.leaks_disabled);
  hash.Put(fiber.leaks_ignored);
  hash.Put(reinterpret_cast<uintptr_t>(fiber.cleanup));
  for (const TlsDestructor* at = fiber.tls_destructors; at != nullptr; at = at->next) {
    hash.Put(reinterpret_cast<uintptr_t>(at->function));
    hash.Put(reinterpret_cast<uintptr_t>(at->argument));
  }
}

void PutTimes(WideHash& hash, const Fiber& fiber) {
  if (!g_state.state_has_clock) return;
  hash.Put(fiber.now);
  hash.Put(fiber.limit_from);
  hash.Put(fiber.timed ? fiber.deadline + 1 : 0);
  hash.Put(fiber.clock_reads);
}

bool AddThread(WideHash& sum, const Fiber& fiber) {
  WideHash hash;
  PutLife(hash, fiber);
  if (fiber.state == FiberState::kPublished) {
    const FrameSnapshot& snapshot = FrameSnapshotOf(fiber);
    if (!snapshot.known || snapshot.execution != g_execution) return false;
    PutPending(hash, fiber);
    PutTimes(hash, fiber);
    for (const uint64_t value : snapshot.registers) hash.Put(value);
    hash.Put(snapshot.stack);
    const auto end = reinterpret_cast<uintptr_t>(fiber.stack_begin) + fiber.stack_size;
    hash.PutWords(reinterpret_cast<const void*>(snapshot.stack), end - snapshot.stack);
  }
  sum.Sum(hash);
  return true;
}

// The happens-before relation, as far as a race can still depend on it.
bool AddKnowledge(WideHash& sum) {
  const trace::Clock* live[kFrameSnapshots];
  check::KnownAccesses::Range dead[kFrameSnapshots];
  uint32_t count = 0;
  uint32_t dead_count = 0;
  for (op::ThreadId id = 0; id < g_used_fibers; ++id) {
    const Fiber& fiber = g_fibers[id];
    const auto begin = reinterpret_cast<uintptr_t>(fiber.stack_begin);
    if (fiber.state == FiberState::kPublished) {
      live[count++] = &fiber.clock;
      dead[dead_count++] = {begin, FrameSnapshotOf(fiber).stack};
    } else if (fiber.state == FiberState::kFinished) {
      dead[dead_count++] = {begin, begin + fiber.stack_size};
    }
  }
  check::KnownAccesses& known = known_accesses;
  if (!known.Begin({live, count}, {dead, dead_count})) return false;
  ForEachTouchedObject([&](const Object& object) {
    if (object.kind != ObjectKind::kWord) known.Remember(object.made_to_wait);
  });
  known.Sort();
  sum.Sum(known.HashAccesses());
  for (op::ThreadId id = 0; id < g_used_fibers; ++id) {
    const Fiber& fiber = g_fibers[id];
    const bool may_be_learnt = fiber.state == FiberState::kFinished && !fiber.joined;
    if (fiber.state != FiberState::kPublished && !may_be_learnt) continue;
    WideHash hash;
    hash.Put(uint64_t{id} + 1);
    hash.Put(known.HashClock(fiber.clock));
    hash.Put(known.HashClock(fiber.acquire_at_fence));
    hash.Put(known.HashClock(fiber.release_fence));
    sum.Sum(hash);
  }
  ForEachTouchedObject([&](const Object& object) { AddKnowledgeOf(sum, object, known_accesses); });
  return true;
}

void PutRest(WideHash& hash) {
  for (const char* at = g_trace->outcome; *at != '\0'; ++at) hash.Put(static_cast<uint8_t>(*at));
  hash.Put(0);
  hash.Put(HashOfKeys());
  for (const Invariant* at = g_invariants; at != nullptr; at = at->next) {
    hash.Put(reinterpret_cast<uintptr_t>(at->holds));
    hash.Put(reinterpret_cast<uintptr_t>(at->argument));
  }
}

}  // namespace

namespace {

bool Digest(plan::Key& key) {
  WideHash sum;
  for (op::ThreadId id = 0; id < g_used_fibers; ++id)
    if (!AddThread(sum, g_fibers[id])) return false;
  ForEachTouchedObject([&](const Object& object) { AddObject(sum, object); });
  WideHash rest;
  if (!g_outside.add_state(rest)) return false;
  PutRest(rest);
  rest.Put(check::g_poisoned.first);
  rest.Put(check::g_poisoned.second);
  sum.Sum(rest);
  sum.Sum(HashOfMemory());
  if (g_state.check_races && !AddKnowledge(sum)) return false;
  key = plan::KeyOf(sum);
  return true;
}

}  // namespace

bool DigestState(Fiber& self, plan::Key& key, base::Transcript* text) {
  if (g_used_fibers > kFrameSnapshots || !HasSnapshot()) return false;
  FindAllStandings(self);
  base::g_transcript = text;
  const bool is_known = Digest(key);
  base::g_transcript = nullptr;
  return is_known && (text == nullptr || !text->lacks_room);
}

}  // namespace heddle::runtime
