#include "explore.h"

#include <gtest/gtest.h>

#include <algorithm>
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

model::Needs NeedsOf(Use use) {
  switch (use) {
    case Use::kLock:
    case Use::kTryLock:
    case Use::kWriteLock:
      return model::Needs::kZero;
    case Use::kReadLock:
    case Use::kTryReadLock:
      return model::Needs::kNotWriter;
    case Use::kWait:
    case Use::kTryWait:
      return model::Needs::kPositive;
    case Use::kUnlock:
    case Use::kRwUnlock:
    case Use::kPost:
      return model::Needs::kNothing;
  }
  return model::Needs::kNothing;
}

// Runs a program: where each thread is, and what its registers hold. With main, that is thread 0.
class Interpreter {
 public:
  Interpreter(const Program& program, const ExploreOptions& options)
      : program_(program), options_(options) {
    Restart();
  }

  size_t Threads() const { return program_.threads.size() + (options_.with_main ? 1 : 0); }
  bool IsMain(size_t thread) const { return options_.with_main && thread == 0; }

  void Restart() {
    at_.assign(Threads(), 0);
    registers_.assign(program_.registers, 0);
    finals_.assign(program_.locations, 0);
    levels_ = program_.objects;
    for (size_t thread = 0; thread < at_.size(); ++thread) SkipConditions(thread);
  }

  // It is there, not done, and does not wait.
  bool CanGoOn(size_t thread) const {
    if (!IsMain(thread)) return IsCreated(thread) && !IsDone(thread) && !IsBlocked(thread);
    const Label next = at_[0] < MainsSteps() ? MainsNext() : Label{};
    return at_[0] < MainsSteps() && (next.action != Action::kJoin || IsDone(next.other));
  }

  Label Next(size_t thread) const {
    return IsMain(thread) ? MainsNext() : LabelOf(TextOf(thread)[at_[thread]]);
  }

  // It stands before a use that cannot succeed now.
  bool IsBlocked(size_t thread) const {
    if (IsMain(thread) || !IsCreated(thread) || IsDone(thread)) return false;
    const litmus::Instruction& next = TextOf(thread)[at_[thread]];
    return next.kind == Kind::kUse && !Tries(next.use) &&
           !Succeeds(next.use, levels_[next.location]);
  }
  bool IsMainDone() const { return at_[0] == MainsSteps(); }
  const std::vector<int>& Levels() const { return levels_; }

  // What a comparison calls its next instruction.
  EventName NextName(size_t thread) const {
    if (IsMain(thread)) return {kInitial, static_cast<int>(at_[0])};
    return {static_cast<int>(thread) - (options_.with_main ? 1 : 0), static_cast<int>(at_[thread])};
  }

  // Past its next instruction, which reads `value` if it reads.
  void Advance(size_t thread, model::Value value) {
    if (IsMain(thread)) {
      const Label made = MainsNext();
      if (made.action == Action::kLoad) finals_[made.location] = static_cast<int>(value);
      ++at_[0];
      return;
    }
    const litmus::Instruction& made = TextOf(thread)[at_[thread]];
    if (made.kind == Kind::kUse) {
      int& level = levels_[made.location];
      value = Succeeds(made.use, level);
      if (value != 0) level = LevelAfter(made.use, level);
    }
    if (made.result != kNoRegister) registers_[made.result] = static_cast<int>(value);
    ++at_[thread];
    SkipConditions(thread);
  }

  const std::vector<int>& Registers() const { return registers_; }
  const std::vector<int>& Finals() const { return finals_; }  // with main

 private:
  const Thread& TextOf(size_t thread) const {
    return program_.threads[thread - (options_.with_main ? 1 : 0)];
  }
  bool IsCreated(size_t thread) const {
    return !options_.with_main || at_[0] >= program_.locations + thread;
  }
  bool IsDone(size_t thread) const {
    return IsCreated(thread) && at_[thread] == TextOf(thread).size();
  }

  size_t MainsSteps() const { return 2 * (program_.locations + program_.threads.size()); }

  Label MainsNext() const {
    const size_t locations = program_.locations, threads = program_.threads.size();
    size_t step = at_[0];
    Label label;
    label.order = model::Order::kPlain;
    label.action = step < locations ? Action::kStore : Action::kLoad;
    if (step >= locations + threads && step < locations + 2 * threads) label.action = Action::kJoin;
    if (step >= locations && step < locations + threads) label.action = Action::kCreate;
    if (label.action == Action::kStore)
      label.location = static_cast<model::LocationId>(step);
    else if (label.action == Action::kLoad)
      label.location = static_cast<model::LocationId>(step - locations - 2 * threads);
    else
      label.other = static_cast<model::ThreadId>(1 + (step - locations) % threads);
    return label;
  }

  Label LabelOf(const litmus::Instruction& next) const {
    Label label;
    label.order = OrderOf(next.order);
    if (next.kind == Kind::kFence || next.kind == Kind::kSkipIf) return label;
    if (next.kind == Kind::kUse) {
      label.action = Action::kUse;
      label.failure = OrderOf(next.failure);
      label.needs = NeedsOf(next.use);
      label.blocks = !Tries(next.use);
      label.shared = next.use == Use::kReadLock || next.use == Use::kTryReadLock;
      if (label.blocks && label.needs != model::Needs::kNothing && options_.needs_unknown)
        label.needs = model::Needs::kUnknown;
      label.location = static_cast<model::LocationId>(program_.locations + next.location);
      label.level = static_cast<uint32_t>(levels_[next.location]);
      label.operand = static_cast<model::Value>(next.use);
      return label;
    }
    label.location = static_cast<model::LocationId>(next.location);
    label.continues_own_sequences = options_.continue_own_sequences;
    label.action = Action::kUpdate;
    if (next.kind == Kind::kLoad) label.action = Action::kLoad;
    if (next.kind == Kind::kStore) label.action = Action::kStore;
    if (next.kind == Kind::kFetchAdd) label.update = model::Update::kAdd;
    if (next.kind != Kind::kLoad) label.operand = static_cast<model::Value>(ValueOf(next.value));
    if (next.kind != Kind::kCompareExchange) return label;
    label.update = model::Update::kCompareExchange;
    label.failure = OrderOf(next.failure);
    label.expected = static_cast<model::Value>(ValueOf(next.expected));
    return label;
  }

  int ValueOf(const Operand& operand) const {
    return operand.constant + (operand.reg == kNoRegister ? 0 : registers_[operand.reg]);
  }

  void SkipConditions(size_t thread) {
    if (IsMain(thread)) return;
    const Thread& text = TextOf(thread);
    while (at_[thread] < text.size() && text[at_[thread]].kind == Kind::kSkipIf) {
      const litmus::Instruction& skip = text[at_[thread]];
      ++at_[thread];
      if (registers_[skip.condition] == skip.equals)
        at_[thread] = std::min(at_[thread] + skip.skip, text.size());
    }
  }

  const Program& program_;
  const ExploreOptions options_;
  std::vector<size_t> at_;
  std::vector<int> registers_;
  std::vector<int> finals_;
  std::vector<int> levels_;
};

constexpr EventName kUnnamed = {-2, 0};

// One exploration.
class Run {
 public:
  Run(const Program& program, model::Consistency& model, const ExploreOptions& options)
      : program_(program),
        options_(options),
        interpreter_(program, options),
        trust_(model, ExecutionGraph(static_cast<model::ThreadId>(interpreter_.Threads()))),
        random_(options.random_threads) {}

  Explored All() {
    while (trust_.Next() && !::testing::Test::HasFatalFailure()) {
      if (options_.most_stale && !stale_.AtMost(trust_.Graph(), *options_.most_stale)) continue;
      if (!Replay()) continue;
      Complete();
      Look();
      for (size_t thread = 0; thread < interpreter_.Threads(); ++thread)
        if (interpreter_.IsBlocked(thread))
          trust_.Blocked(static_cast<model::ThreadId>(thread), interpreter_.Next(thread));
    }
    found_.counts = trust_.Count();
    return found_;
  }

 private:
  // False: the last event, a use that was put before others, is not enabled there.
  bool Replay() {
    CheckedReplay();
    return !refused_;
  }

  void CheckedReplay() {
    refused_ = false;
    interpreter_.Restart();
    const ExecutionGraph& graph = trust_.Graph();
    named_.assign(graph.Size(), kUnnamed);
    for (const EventId event : graph.ReplayOrder()) {
      const model::Event& e = graph.At(event);
      const bool comes_first = e.IsLoad() && e.reads_from >= 0 && named_[e.reads_from] == kUnnamed;
      ASSERT_FALSE(comes_first) << "a load is replayed before its write";
      if (e.IsStore() && e.of_update) {  // made with the load
        named_[event] = named_[graph.Before(event)];
        continue;
      }
      if (options_.needs_unknown && interpreter_.IsBlocked(e.thread)) {
        ASSERT_EQ(event, graph.ReplayOrder().back());
        ++found_.refused;
        refused_ = true;
        return;
      }
      ASSERT_TRUE(interpreter_.CanGoOn(e.thread));
      ASSERT_EQ(interpreter_.Next(e.thread), e.label);
      Make(event);
    }
  }

  void Make(EventId event) {
    const model::Event& e = trust_.Graph().At(event);
    named_[event] = interpreter_.NextName(e.thread);
    interpreter_.Advance(e.thread, e.value);
  }

  void Complete() {
    for (size_t thread = Choose(); thread < interpreter_.Threads(); thread = Choose()) {
      const auto event =
          trust_.Extend(static_cast<model::ThreadId>(thread), interpreter_.Next(thread));
      named_.resize(trust_.Graph().Size());
      Make(event);
      if (event + 1 < trust_.Graph().Size()) named_[event + 1] = named_[event];
    }
  }

  // The number of threads if none can go on.
  size_t Choose() {
    std::vector<size_t> able;
    for (size_t thread = 0; thread < interpreter_.Threads(); ++thread) {
      if (!interpreter_.CanGoOn(thread)) continue;
      if (options_.random_threads == 0) return thread;
      able.push_back(thread);
    }
    return able.empty() ? interpreter_.Threads() : able[random_() % able.size()];
  }

  void Look() {
    const ExecutionGraph& graph = trust_.Graph();
    ++found_.executions;
    if (options_.keep_graphs) ++found_.graphs[Hash(Named())];
    Outcome outcome = interpreter_.Registers();
    for (const int location : program_.observed_locations) outcome.push_back(FinalValue(location));
    int blocked = 0;
    for (size_t thread = 0; thread < interpreter_.Threads(); ++thread)
      blocked += interpreter_.IsBlocked(thread);
    found_.deadlocks += blocked > 0;
    if (!program_.objects.empty()) {
      outcome.insert(outcome.end(), interpreter_.Levels().begin(), interpreter_.Levels().end());
      outcome.push_back(blocked);
    }
    found_.outcomes.insert(outcome);
    if (options_.look) options_.look(graph, outcome);
    if (options_.look_for_races && !found_.race) found_.race = model::FindRace(graph).has_value();
  }

  int FinalValue(int location) const {
    const ExecutionGraph& graph = trust_.Graph();
    const auto l = static_cast<model::LocationId>(location);
    const int final = l < graph.Locations() ? static_cast<int>(graph.At(graph.Newest(l)).value) : 0;
    if (options_.with_main && interpreter_.IsMainDone()) {
      EXPECT_EQ(interpreter_.Finals()[location], final);
    }
    return final;
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
      if (graph.At(event).IsLoad() && named_[event].thread != kInitial)
        named.reads_from[NameOf(event)] = NameOf(graph.At(event).reads_from);
    const auto locations = static_cast<model::LocationId>(program_.locations);
    named.chains.resize(program_.objects.size());
    for (model::LocationId l = locations; l < graph.Locations(); ++l)
      for (model::Position p = 1; p <= graph.NewestPosition(l); ++p)
        named.chains[l - locations].push_back(NameOf(graph.WriteAt(l, p)));
    for (model::LocationId l = 0; l < std::min(locations, graph.Locations()); ++l)
      for (model::Position p = 1; p <= graph.NewestPosition(l); ++p)
        if (named_[graph.WriteAt(l, p)].thread != kInitial)
          named.modification_orders[l].push_back(NameOf(graph.WriteAt(l, p)));
    return named;
  }

  const Program& program_;
  const ExploreOptions options_;
  Interpreter interpreter_;
  model::Trust trust_;
  model::StaleAccesses stale_ = {};
  std::minstd_rand random_;
  std::vector<EventName> named_ = {};
  bool refused_ = false;
  Explored found_ = {};
};

}  // namespace

Explored Explore(const Program& program, model::Consistency& model, const ExploreOptions& options) {
  return Run(program, model, options).All();
}

}  // namespace heddle::litmus
