#include "explore.h"

#include <gtest/gtest.h>

#include <random>

#include "model/race.h"

namespace heddle::litmus {
namespace {

using model::Action;
using model::EventId;
using model::ExecutionGraph;
using model::Label;

model::Order OrderOf(Order order) {
  switch (order) {
    case Order::kPlain:
      return model::Order::kPlain;
    case Order::kRelaxed:
      return model::Order::kRelaxed;
    case Order::kAcquire:
      return model::Order::kAcquire;
    case Order::kRelease:
      return model::Order::kRelease;
    case Order::kAcqRel:
      return model::Order::kAcqRel;
    case Order::kSeqCst:
      return model::Order::kSeqCst;
  }
  return model::Order::kRelaxed;
}

// Runs a program: where each thread is, and what its registers hold.
class Interpreter {
 public:
  Interpreter(const Program& program, const ExploreOptions& options)
      : program_(program), options_(options) {
    Restart();
  }

  void Restart() {
    at_.assign(program_.threads.size(), 0);
    registers_.assign(program_.registers, 0);
    for (size_t thread = 0; thread < at_.size(); ++thread) SkipConditions(thread);
  }

  bool IsDone(size_t thread) const { return at_[thread] == program_.threads[thread].size(); }
  int Instruction(size_t thread) const { return static_cast<int>(at_[thread]); }

  Label Next(size_t thread) const {
    const litmus::Instruction& next = program_.threads[thread][at_[thread]];
    Label label;
    label.order = OrderOf(next.order);
    label.location = static_cast<model::LocationId>(next.location);
    label.operand = static_cast<model::Value>(ValueOf(next.value));
    label.continues_own_sequences = options_.continue_own_sequences;
    switch (next.kind) {
      case Kind::kLoad:
        label.action = Action::kLoad;
        break;
      case Kind::kStore:
        label.action = Action::kStore;
        break;
      case Kind::kExchange:
        label.action = Action::kUpdate;
        label.update = model::Update::kExchange;
        break;
      case Kind::kFetchAdd:
        label.action = Action::kUpdate;
        label.update = model::Update::kAdd;
        break;
      case Kind::kCompareExchange:
        label.action = Action::kUpdate;
        label.update = model::Update::kCompareExchange;
        label.failure = OrderOf(next.failure);
        label.expected = static_cast<model::Value>(ValueOf(next.expected));
        break;
      case Kind::kFence:
      case Kind::kSkipIf:
        label.location = 0;
        label.operand = 0;
        break;
    }
    return label;
  }

  // Past its next instruction, which reads `value` if it reads.
  void Advance(size_t thread, model::Value value) {
    const litmus::Instruction& made = program_.threads[thread][at_[thread]];
    if (made.result != kNoRegister) registers_[made.result] = static_cast<int>(value);
    ++at_[thread];
    SkipConditions(thread);
  }

  const std::vector<int>& Registers() const { return registers_; }

 private:
  int ValueOf(const Operand& operand) const {
    return operand.constant + (operand.reg == kNoRegister ? 0 : registers_[operand.reg]);
  }

  void SkipConditions(size_t thread) {
    const Thread& text = program_.threads[thread];
    while (at_[thread] < text.size() && text[at_[thread]].kind == Kind::kSkipIf) {
      const litmus::Instruction& skip = text[at_[thread]];
      ++at_[thread];
      if (registers_[skip.condition] == skip.equals)
        at_[thread] = std::min(at_[thread] + skip.skip, text.size());
    }
  }

  const Program& program_;
  const ExploreOptions& options_;
  std::vector<size_t> at_;
  std::vector<int> registers_;
};

// One exploration.
class Run {
 public:
  Run(const Program& program, model::Consistency& model, const ExploreOptions& options)
      : program_(program),
        options_(options),
        interpreter_(program, options),
        trust_(model, ExecutionGraph(static_cast<model::ThreadId>(program.threads.size()))),
        random_(options.random_threads) {}

  Explored All() {
    while (trust_.Next() && !::testing::Test::HasFatalFailure()) {
      Replay();
      Complete();
      Look();
    }
    found_.counts = trust_.Count();
    return found_;
  }

 private:
  void Replay() {
    interpreter_.Restart();
    const ExecutionGraph& graph = trust_.Graph();
    named_.assign(graph.Size(), {-1, 0});
    for (const EventId event : graph.ReplayOrder()) {
      const model::Event& e = graph.At(event);
      const bool comes_first = e.IsLoad() && e.reads_from >= 0 && named_[e.reads_from].thread < 0;
      ASSERT_FALSE(comes_first) << "a load is replayed before its write";
      if (e.IsStore() && e.of_update) {  // made with the load
        named_[event] = named_[graph.Before(event)];
        continue;
      }
      ASSERT_FALSE(interpreter_.IsDone(e.thread));
      ASSERT_EQ(interpreter_.Next(e.thread), e.label);
      Make(event);
    }
  }

  void Make(EventId event) {
    const model::Event& e = trust_.Graph().At(event);
    named_[event] = {e.thread, interpreter_.Instruction(e.thread)};
    interpreter_.Advance(e.thread, e.value);
  }

  void Complete() {
    for (size_t thread = Choose(); thread < program_.threads.size(); thread = Choose()) {
      const auto event =
          trust_.Extend(static_cast<model::ThreadId>(thread), interpreter_.Next(thread));
      named_.resize(trust_.Graph().Size());
      Make(event);
      if (event + 1 < trust_.Graph().Size()) named_[event + 1] = named_[event];
    }
  }

  // The number of threads if all are done.
  size_t Choose() {
    std::vector<size_t> able;
    for (size_t thread = 0; thread < program_.threads.size(); ++thread) {
      if (interpreter_.IsDone(thread)) continue;
      if (options_.random_threads == 0) return thread;
      able.push_back(thread);
    }
    return able.empty() ? program_.threads.size() : able[random_() % able.size()];
  }

  void Look() {
    const ExecutionGraph& graph = trust_.Graph();
    ++found_.executions;
    if (options_.keep_graphs) ++found_.graphs[Hash(Named())];
    Outcome outcome = interpreter_.Registers();
    for (const int location : program_.observed_locations) {
      const auto l = static_cast<model::LocationId>(location);
      outcome.push_back(l < graph.Locations() ? static_cast<int>(graph.At(graph.Newest(l)).value)
                                              : 0);
    }
    found_.outcomes.insert(outcome);
    if (options_.look_for_races && !found_.race) found_.race = model::FindRace(graph).has_value();
  }

  EventName NameOf(EventId event) const {
    if (event < 0) return {kInitial, ~event};
    return named_[event];
  }

  litmus::Graph Named() const {
    const ExecutionGraph& graph = trust_.Graph();
    litmus::Graph named;
    named.modification_orders.resize(program_.locations);
    for (EventId event = 0; event < graph.Size(); ++event)
      if (graph.At(event).IsLoad())
        named.reads_from[NameOf(event)] = NameOf(graph.At(event).reads_from);
    for (model::LocationId l = 0; l < graph.Locations(); ++l)
      for (model::Position p = 1; p <= graph.NewestPosition(l); ++p)
        named.modification_orders[l].push_back(NameOf(graph.WriteAt(l, p)));
    return named;
  }

  const Program& program_;
  const ExploreOptions options_;
  Interpreter interpreter_;
  model::Trust trust_;
  std::minstd_rand random_;
  std::vector<EventName> named_ = {};
  Explored found_ = {};
};

}  // namespace

Explored Explore(const Program& program, model::Consistency& model, const ExploreOptions& options) {
  return Run(program, model, options).All();
}

}  // namespace heddle::litmus
