#include "one_by_one.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "runtime/fibers/pool.h"
#include "runtime/fibers/table.h"
#include "runtime/fibers/trace_buffers.h"
#include "runtime/fibers/trace_view.h"
#include "runtime/prim/context.h"
#include "runtime/races.h"
#include "runtime/runtime.h"
#include "small_program.h"

namespace heddle::runtime {
namespace {

const std::function<void()>* asked;
void* test_stack_pointer;
uintptr_t test_thread_pointer;

void Serve(void* argument) {
  Fiber& self = *static_cast<Fiber*>(argument);
  for (;;) {
    (*asked)();
    heddle_switch_context(&self.stack_pointer, test_stack_pointer, test_thread_pointer);
  }
}

}  // namespace

void BeginOneByOne(uint32_t threads) {
  ASSERT_LE(threads, PoolSize());
  BeginSearch();
  BeginExecution({});
  for (uint32_t i = 0; i < threads; ++i) {
    const uint32_t number = i == 0 ? 0 : NumberOfChild(0, i);
    ASSERT_EQ(number, i);
    Fiber& fiber = BeginFiber(number, i == 0 ? op::kNoThread : 0);
    LendStorage(fiber);
    ProvideStack(fiber, DefaultStackSize(), nullptr);
    fiber.tick = 1;
    fiber.clock.Set(number, 1, g_state.bump);
    fiber.stack_pointer = PrepareStack(fiber.stack_begin + fiber.stack_size, Serve, &fiber);
    fiber.state = FiberState::kRunning;
  }
  g_state.several_threads = threads > 1;
  g_state.in_execution = true;
}

void EndOneByOne() {
  g_state.in_execution = false;
  BeginSearch();  // what was wished for
}

void As(op::ThreadId thread, const std::function<void()>& operations) {
  asked = &operations;
  Fiber& fiber = FiberAt(thread);
  g_state.current = &fiber;
  test_thread_pointer = ReadThreadPointer();
  heddle_switch_context(&test_stack_pointer, fiber.stack_pointer, fiber.thread_pointer);
}

trace::Execution SoFar() { return ViewOfTrace(g_fiber_count); }

std::vector<trace::Access> LastAccesses() {
  const trace::Execution execution = SoFar();
  const trace::AccessList last = execution.AccessesOf(execution.events.size() - 1);
  std::vector<trace::Access> accesses;
  for (size_t i = 0; i < last.size(); ++i) accesses.push_back(last[i]);
  return accesses;
}

bool Raced() {
  const auto races = RacesOfExecution();
  return std::any_of(races.begin(), races.end(), [](const trace::Race& r) { return !r.allowed; });
}

void* FreshMemory(size_t size) {
  constexpr size_t kMost = 512;
  alignas(64) static char memory[1 << 20];
  static size_t used = 0;
  EXPECT_LE(size, kMost);
  EXPECT_LT(used, sizeof memory - kMost);
  used += kMost;
  return memory + used;
}

uintptr_t FreshPlace() {
  static uintptr_t place = 0x1000;
  return ++place;
}

}  // namespace heddle::runtime
