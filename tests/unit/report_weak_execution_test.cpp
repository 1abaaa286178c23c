// What a finding's graph, as the channel has it, becomes in words. The steps are made by functions
// of this very test program, so they have lines.
#include <gtest/gtest.h>

#include <algorithm>

#include "report/finding_context.h"
#include "report/weak_execution.h"
#include "report/weak_words.h"
#include "self_module.h"

int heddle_test_data, heddle_test_message;

// clang-format off
__attribute__((noinline)) void HeddleTestStoreData() { asm volatile("nop; nop"); }
__attribute__((noinline)) void HeddleTestStoreFlag() { asm volatile("nop; nop; nop"); }
__attribute__((noinline)) void HeddleTestLoadFlag() { asm volatile("nop; nop; nop; nop"); }
__attribute__((noinline)) void HeddleTestLoadData() { asm volatile("nop; nop; nop; nop; nop"); }
// clang-format on

namespace heddle::report {
namespace {

constexpr uint32_t kFirstLine = 15;

channel::StepRecord StepOf(uint32_t thread, op::Kind kind, const int& object, uint64_t value,
                           uint32_t event, void (*by)()) {
  channel::StepRecord step = {};
  step.number = event;
  step.thread = thread;
  step.op_kind = static_cast<uint8_t>(kind);
  step.size = sizeof object;
  step.order = __ATOMIC_RELAXED;
  step.object = reinterpret_cast<uint64_t>(&object);
  const bool store = kind == op::Kind::kAtomicStore;
  (store ? step.written : step.value) = value;
  step.facts = store ? channel::kFactWritten : channel::kFactRead;
  step.event = event;
  step.frames = 1;
  step.pc[0] = reinterpret_cast<uint64_t>(by) + 1;
  return step;
}

channel::GraphEvent EventOf(uint16_t thread, model::EventKind kind, uint32_t location,
                            int32_t reads_from) {
  channel::GraphEvent event = {};
  event.kind = static_cast<uint8_t>(kind);
  event.order = static_cast<uint8_t>(model::Order::kRelaxed);
  event.thread = thread;
  event.location = location;
  event.position = kind == model::EventKind::kStore ? 1 : 0;
  event.reads_from = reads_from;
  return event;
}

// Message passing: the flag was read, the data not. Threads 1 and 2.
RawFinding Message() {
  using model::EventKind;
  RawFinding raw = {};
  raw.graph_head.threads = 3;
  raw.graph_head.model = space::MemoryModel::kC11;
  raw.graph = {EventOf(1, EventKind::kStore, 0, model::kNoEvent),
               EventOf(1, EventKind::kStore, 1, model::kNoEvent),
               EventOf(2, EventKind::kLoad, 1, 1),
               EventOf(2, EventKind::kLoad, 0, model::InitialOf(0))};
  raw.steps = {StepOf(1, op::Kind::kAtomicStore, heddle_test_data, 1, 1, HeddleTestStoreData),
               StepOf(1, op::Kind::kAtomicStore, heddle_test_message, 1, 2, HeddleTestStoreFlag),
               StepOf(2, op::Kind::kAtomicLoad, heddle_test_message, 1, 3, HeddleTestLoadFlag),
               StepOf(2, op::Kind::kAtomicLoad, heddle_test_data, 0, 4, HeddleTestLoadData)};
  return raw;
}

class Told {
 public:
  explicit Told(const RawFinding& raw)
      : raw_(raw), objects_(symbolizer_, modules_, raw_.steps, raw_.blocks) {}

  std::string Remark(size_t step) { return WeakTeller(context_).Remark(step); }
  std::vector<WeakExecution> Tell() { return WeakTeller(context_).Tell(); }

 private:
  const RawFinding raw_;
  const std::vector<Module> modules_ = {Self()};
  const ThreadNames threads_{{}};
  Symbolizer symbolizer_;
  SourceFiles source_;
  ObjectNames objects_;
  const FindingContext context_ = {raw_, modules_, threads_, objects_, symbolizer_, source_, false};
};

std::string Place(uint32_t line) {
  return "report_weak_execution_test.cpp:" + std::to_string(kFirstLine + line);
}

bool Has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(WeakTeller, TellsWhatALoadMissed) {
  Told told(Message());
  EXPECT_EQ(told.Remark(0), "");
  EXPECT_EQ(told.Remark(2), "");
  const std::string remark = told.Remark(3);
  EXPECT_TRUE(remark.starts_with("stale: ")) << remark;
  EXPECT_TRUE(Has(remark, " has stored 1 at " + Place(0) + "; nothing orders that")) << remark;
}

TEST(WeakTeller, TellsTheStoreBuffer) {
  RawFinding raw = Message();
  raw.graph_head.model = space::MemoryModel::kTso;
  EXPECT_TRUE(Has(Told(raw).Remark(3), "in its store buffer still"));
}

TEST(WeakTeller, TellsTheCycleAndWhatForbidsIt) {
  const std::vector<WeakExecution> told = Told(Message()).Tell();
  ASSERT_EQ(told.size(), 1u);
  const WeakExecution& weak = told[0];
  EXPECT_FALSE(weak.sequential);
  EXPECT_FALSE(weak.x86);
  EXPECT_TRUE(weak.all_tried);
  ASSERT_EQ(weak.cycle.size(), 4u);
  const std::vector<std::string> lines = CycleText(weak);
  EXPECT_TRUE(Has(lines[0], "stores heddle_test_data: 1, relaxed")) << lines[0];
  EXPECT_TRUE(Has(lines[2], "which reads that")) << lines[2];
  ASSERT_EQ(weak.edges.size(), 1u);
  EXPECT_EQ(weak.edges[0].relation, "rf");
  ASSERT_EQ(weak.forbidden_by.size(), 2u);
  EXPECT_EQ(ChangesText(weak.forbidden_by[0]),
            "memory_order_release at " + Place(1) + " and memory_order_acquire at " + Place(2));
  EXPECT_EQ(ChangesText(weak.forbidden_by[1]),
            "atomic_thread_fence(memory_order_release) before " + Place(1) +
                " and atomic_thread_fence(memory_order_acquire) before " + Place(3));
}

TEST(WeakTeller, SaysWhereNoWeakMemoryIsNeeded) {
  RawFinding raw = Message();
  raw.graph[3].reads_from = 0;
  const std::vector<WeakExecution> told = Told(raw).Tell();
  ASSERT_EQ(told.size(), 1u);
  EXPECT_TRUE(told[0].sequential);
  EXPECT_TRUE(told[0].events.empty());
}

TEST(WeakTeller, IsSilentWithoutAGraph) {
  RawFinding raw = Message();
  raw.graph.clear();
  EXPECT_TRUE(Told(raw).Tell().empty());
}

// The process that wrote it may have been damaged.
TEST(WeakTeller, IsSilentAboutWhatIsNoGraph) {
  const auto expect_nothing = [](const auto& damage) {
    RawFinding raw = Message();
    damage(raw);
    EXPECT_TRUE(Told(raw).Tell().empty());
    EXPECT_EQ(Told(raw).Remark(3), "");
  };
  expect_nothing([](RawFinding& raw) { raw.graph[2].reads_from = 3; });
  expect_nothing([](RawFinding& raw) { raw.graph[1].thread = 3; });
  expect_nothing([](RawFinding& raw) { raw.graph[0].kind = 77; });
  expect_nothing([](RawFinding& raw) { raw.graph[0].known = 5; });
}

}  // namespace
}  // namespace heddle::report
