// What an explorer costs: NextPlan and Learn alone, on recorded traces, and together with the fake
// target.
//
//   explore_bench [EXECUTIONS]       default 2,000,000 per line
//
// "canned": a target that interprets nothing. It answers with a trace of the same shape for every
// plan (two threads, always enabled), of which only the choices actually taken are rewritten. Its
// own cost is measured by an empty loop and taken off.
#include <sys/resource.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "explore/compose/registry.h"
#include "explore/coverage.h"
#include "explore/main_loop.h"
#include "target/fake_target.h"

namespace heddle {
namespace {

using Clock = std::chrono::steady_clock;

double Seconds(Clock::time_point since) {
  return std::chrono::duration<double>(Clock::now() - since).count();
}

double PeakMegabytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024;
}

// Two threads that never block, and `points` choice points.
class CannedTarget final : public target::Target {
 public:
  explicit CannedTarget(uint32_t points) : choices_(points) {
    for (uint32_t i = 0; i < points; ++i) {
      choices_[i] = {};
      choices_[i].kind = trace::ChoiceKind::kThread;
      choices_[i].set_words = 1;
      choices_[i].option_count = 2;
      choices_[i].event = i;
    }
    execution_.choices = choices_;
    execution_.words = kWords;
    execution_.threads = 2;
    execution_.ending.kind = trace::EndKind::kExit;
  }

  const trace::Execution& Run(const plan::Plan& plan) override {
    uint32_t running = 0;
    uint32_t preemptions = 0;
    size_t next = 0;
    for (uint32_t i = 0; i < choices_.size(); ++i) {
      trace::Choice& choice = choices_[i];
      choice.running = choice.fallback = running;
      choice.running_open = true;
      if (next < plan.deviations.size() && plan.deviations[next].choice == i) {
        running = plan.deviations[next++].option;
        ++preemptions;
      }
      choice.chosen = running;
    }
    execution_.preemptions = preemptions;
    return execution_;
  }

 private:
  static constexpr uint64_t kWords[] = {0b11};  // both threads open; leaving one costs

  std::vector<trace::Choice> choices_;
  trace::Execution execution_;
};

// Nanoseconds per execution of the loop around `target`.
double Measure(const explore::Entry& entry, target::Target& target, uint64_t executions,
               std::span<explore::Observer* const> observers) {
  explore::ExecutionBudget budget(executions);
  void* state = entry.make_state();
  const auto explorer = entry.Attach(state, 1, nullptr);
  const auto start = Clock::now();
  uint64_t done = 0;
  class Count final : public explore::Observer {
   public:
    explicit Count(uint64_t* done) : done_(done) {}
    Then OnExecution(const plan::Plan&, const trace::Execution&) override {
      ++*done_;
      return Then::kContinue;
    }

   private:
    uint64_t* const done_;
  } count(&done);
  std::vector<explore::Observer*> all(observers.begin(), observers.end());
  all.push_back(&count);
  RunSearch(*explorer, target, all, budget);
  const double seconds = Seconds(start);
  entry.free_state(state);
  return seconds * 1e9 / static_cast<double>(done);
}

void BenchCanned(const explore::Entry& entry, uint64_t executions, uint32_t points) {
  CannedTarget target(points);
  const auto start = Clock::now();
  for (uint64_t i = 0; i < executions; ++i) {
    const plan::Deviation deviation{static_cast<uint32_t>(i % points), 1};
    target.Run({.deviations = {&deviation, 1}});
  }
  const double alone = Seconds(start) * 1e9 / static_cast<double>(executions);
  const double all = Measure(entry, target, executions, {});
  std::printf("%-24s canned, %4u choice points   %7.0f ns per NextPlan+Learn\n",
              space::NameOf(entry.point).c_str(), points, all - alone);
}

void BenchFake(const explore::Entry& entry, uint64_t executions) {
  const std::vector<target::Instruction> thread(6, target::FetchAdd(0, 1));
  target::FakeTarget target(
      {.threads = {thread, thread, thread, thread}, .variables = {0}, .semaphores = {}});
  explore::Coverage::State state;
  explore::Coverage coverage(&state);
  explore::Observer* const observers[] = {&coverage};
  const double ns = Measure(entry, target, executions, observers);
  std::printf(
      "%-24s fake target, 24 operations %7.0f ns per execution, %.0f/s; peak memory so far %.0f "
      "MB\n",
      space::NameOf(entry.point).c_str(), ns, 1e9 / ns, PeakMegabytes());
}

}  // namespace
}  // namespace heddle

int main(int argc, char** argv) {
  const uint64_t executions = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 2000000;
  for (const auto& entry : heddle::explore::Entries()) {
    for (uint32_t points : {10u, 30u, 200u}) heddle::BenchCanned(entry, executions, points);
    heddle::BenchFake(entry, executions);
  }
}
