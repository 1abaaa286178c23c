#include "fake_runtime.h"

#include <gtest/gtest.h>

#include <map>
#include <memory>

#include "runtime/objects/plain.h"
#include "runtime/record.h"

namespace heddle::runtime {

State g_state;
FakeRuntime g_fake;

namespace {

constexpr size_t kBumpBytes = 1 << 20;
std::map<std::pair<uintptr_t, ObjectKind>, std::unique_ptr<Object>> objects;

}  // namespace

void BeginFakeExecution(unsigned threads) {
  static const std::unique_ptr<char[]> memory = std::make_unique<char[]>(kBumpBytes);
  if (check::g_shadow.root == nullptr) SetUpRaceCheck();
  check::BeginExecution();
  check::g_race_sink = [](const check::Race& race) { g_fake.races.push_back(race); };
  objects.clear();
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
  }
  return *object;
}

Wake Reach(const op::Operation& operation, Object*, bool) {
  g_fake.reached.push_back(operation);
  return Wake::kNone;
}

void Commit(const op::Operation& operation, Object*, op::Access access, uint64_t value, uint64_t,
            Effect) {
  g_fake.events.push_back({operation, access, value});
}

void AcquireFrom(Fiber& self, const trace::Clock& release) {
  self.clock.Join(release, g_state.bump);
}

void ReleaseInto(Fiber& self, trace::Clock& release) {
  release.Join(self.clock, g_state.bump);
  self.clock.Set(self.id, ++self.tick, g_state.bump);
}

void ReleaseAs(Fiber& self, trace::Clock& release) {
  release.Assign(self.clock, g_state.bump);
  self.clock.Set(self.id, ++self.tick, g_state.bump);
}

void RecordAccess(uintptr_t address, uint32_t size, bool write, uintptr_t) {
  g_fake.records.push_back({address, size, write});
}

void NoteWeakness(const char*) {}

}  // namespace heddle::runtime
