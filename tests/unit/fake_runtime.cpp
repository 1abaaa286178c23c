#include "fake_runtime.h"

#include <gtest/gtest.h>

#include <map>
#include <memory>

#include "runtime/fibers/await.h"
#include "runtime/fibers/trace_buffers.h"
#include "runtime/objects/atoms.h"
#include "runtime/objects/plain.h"
#include "runtime/objects/table.h"
#include "runtime/places.h"
#include "runtime/record.h"
#include "runtime/visible.h"

namespace heddle::runtime {

State g_state;
FakeRuntime g_fake;
TraceBuffers* g_trace;

namespace {

constexpr size_t kBumpBytes = 1 << 20;
std::map<std::pair<uintptr_t, ObjectKind>, std::unique_ptr<Object>> objects;
std::vector<Object*> numbered;
constexpr uint32_t kMostTouches = 1000;
constexpr uint32_t kMostObjects = 1000;

void ResetTouches() {
  static TraceBuffers trace;
  static trace::Touch touches[kMostTouches];
  static ObjectName names[kMostObjects];
  trace = {};
  trace.touches = touches;
  trace.touch_capacity = kMostTouches;
  trace.objects = names;
  g_trace = &trace;
}

}  // namespace

void BeginFakeExecution(unsigned threads) {
  static const std::unique_ptr<char[]> memory = std::make_unique<char[]>(kBumpBytes);
  if (check::g_shadow.root == nullptr) SetUpRaceCheck();
  check::BeginExecution();
  check::g_race_sink = [](const check::Race& race) { g_fake.races.push_back(race); };
  objects.clear();
  numbered.clear();
  ResetTouches();
  g_fake = {};
  g_fake.fibers = std::vector<Fiber>(threads);
  g_state = {};
  g_state.in_execution = g_state.several_threads = true;
  g_state.bump = {memory.get(), memory.get(), memory.get() + kBumpBytes};
  for (unsigned thread = 0; thread < threads; ++thread) {
    Fiber& fiber = g_fake.fibers[thread];
    fiber.id = thread;
    fiber.tick = 1;
    fiber.clock.Set(thread, 1, g_state.bump);
  }
  RunAs(0);
}

void EndFakeExecution() { g_state = {}; }

void RunAs(unsigned thread) { g_state.current = &g_fake.fibers[thread]; }

Object& FindObject(uintptr_t address, ObjectKind kind, bool* fresh) {
  std::unique_ptr<Object>& object = objects[{address, kind}];
  if (fresh != nullptr) *fresh = object == nullptr;
  if (object == nullptr) {
    object = std::make_unique<Object>();
    object->address = address;
    object->kind = kind;
    object->number = static_cast<uint32_t>(numbered.size());
    g_trace->objects[object->number] = {address, kind, 0, 0};
    numbered.push_back(object.get());
    g_trace->object_count = static_cast<uint32_t>(numbered.size());
  }
  return *object;
}

Object* SearchObject(uintptr_t address, ObjectKind kind) {
  const auto at = objects.find({address, kind});
  return at == objects.end() ? nullptr : at->second.get();
}

Object* LookUpObject(uintptr_t address, ObjectKind kind) { return SearchObject(address, kind); }

Object& ObjectOfNumber(uint32_t number) { return *numbered[number]; }

void NeedSharesApart() { abort(); }
bool WantFinerAtoms() { return g_fake.wants_finer_atoms = true; }

Wake Reach(const op::Operation& operation, Object*, bool) {
  g_fake.reached.push_back(operation);
  return Wake::kNone;
}

void Commit(const op::Operation& operation, Object* object, op::Access access, uint64_t value,
            uint64_t, Effect, op::Level expected) {
  g_fake.events.push_back({operation, access, value, {}});
  if (object == nullptr) return;
  g_fake.events.back().touches.push_back({0, object->number, object->level, expected});
}

void CommitTouches(const op::Operation& operation, const Touches& touches, op::Access access,
                   uint64_t value, uint64_t, Effect) {
  g_fake.events.push_back({operation, access, value, {}});
  for (uint32_t i = 0; i < touches.Count(); ++i) {
    g_fake.events.back().touches.push_back(touches[i]);
  }
  g_fake.events.back().of_a_part = touches.OfAPart();
}

void EndExecution(trace::EndKind, int, uintptr_t, uintptr_t, const char*, ...) { abort(); }

void AcquireFrom(Fiber& self, const trace::Clock& release) {
  self.clock.Join(release, g_state.bump);
}

void ReleaseInto(Fiber& self, trace::Clock& release) {
  release.Join(self.clock, g_state.bump);
  BeginTick(self);
}

void ReleaseAs(Fiber& self, trace::Clock& release) {
  release.Assign(self.clock, g_state.bump);
  BeginTick(self);
}

void BeginTick(Fiber& self) { self.clock.Set(self.id, ++self.tick, g_state.bump); }

void RecordAccess(uintptr_t address, uint32_t size, bool write, uintptr_t) {
  g_fake.records.push_back({address, size, write});
}

void NoteWeakness(const char*) {}
void NoteIncomplete(const char*) {}

bool IsVisiblePlace(uintptr_t) { return false; }
void NotePlainInRound(const Fiber&, uintptr_t, size_t) {}

}  // namespace heddle::runtime
