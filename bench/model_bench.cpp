// What TruSt costs (src/model) without a program under test: the threads of bench/rivals and of the
// literature as machines of a few lines, under each model. Executions, and processor time for each.
//
//   model_bench [NAME N [sc|tso|c11]]       default: all
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <vector>

#include "model/trust.h"

namespace heddle {
namespace {

using model::Action;
using model::Label;
using model::Order;
using model::ThreadId;
using model::Update;
using model::Value;

// Orders of what a benchmark calls release and acquire.
struct Orders {
  Order load, store, update;
};
constexpr Orders kSeqCst = {Order::kSeqCst, Order::kSeqCst, Order::kSeqCst};
constexpr Orders kAcqRel = {Order::kAcquire, Order::kRelease, Order::kAcqRel};
constexpr Orders kWeakFailure = {Order::kRelaxed, Order::kSeqCst, Order::kSeqCst};
constexpr Orders kRelaxed = {Order::kRelaxed, Order::kRelaxed, Order::kRelaxed};

// A program: per thread a place and a few variables.
class Machine {
 public:
  Machine(ThreadId threads, Orders orders) : threads_(threads), orders_(orders) {}
  virtual ~Machine() = default;
  ThreadId Threads() const { return threads_; }
  virtual void Restart() { states_.assign(threads_, {}); }
  // False: the thread is done, or blocked before that use.
  virtual bool Next(ThreadId thread, Label& label) const = 0;
  virtual bool HasObjects() const { return false; }
  virtual bool IsBlocked(ThreadId) const { return false; }
  virtual void Advance(ThreadId thread, Value value) = 0;

 protected:
  struct State {
    int at = 0;
    int64_t a = 0, b = 0;
  };
  bool Load(Label& label, uint32_t location) const {
    label = {.action = Action::kLoad, .order = orders_.load, .location = location};
    return true;
  }
  bool Store(Label& label, uint32_t location, Value value) const {
    label = {
        .action = Action::kStore, .order = orders_.store, .location = location, .operand = value};
    return true;
  }
  bool Add(Label& label, uint32_t location, Value value) const {
    label = {.action = Action::kUpdate,
             .order = orders_.update,
             .update = Update::kAdd,
             .location = location,
             .operand = value};
    return true;
  }
  bool CompareExchange(Label& label, uint32_t location, Value from, Value to) const {
    label = {.action = Action::kUpdate,
             .order = orders_.update,
             .failure = orders_.load,
             .update = Update::kCompareExchange,
             .location = location,
             .operand = to,
             .expected = from};
    return true;
  }

  const ThreadId threads_;
  const Orders orders_;
  std::vector<State> states_;
};

class Readers final : public Machine {
 public:
  Readers(int n, Orders orders) : Machine(static_cast<ThreadId>(n + 1), orders) {}
  bool Next(ThreadId t, Label& label) const override {
    if (states_[t].at > 0) return false;
    return t == 0 ? Store(label, 0, 1) : Load(label, 0);
  }
  void Advance(ThreadId t, Value) override { ++states_[t].at; }
};

class StoreBuffering final : public Machine {
 public:
  StoreBuffering(int n, Orders orders) : Machine(static_cast<ThreadId>(n), orders) {}
  bool Next(ThreadId t, Label& label) const override {
    if (states_[t].at == 0) return Store(label, t, 1);
    if (states_[t].at == 1) return Load(label, (t + 1u) % threads_);
    return false;
  }
  void Advance(ThreadId t, Value) override { ++states_[t].at; }
};

class FencedStoreBuffering final : public Machine {
 public:
  FencedStoreBuffering(int n, Orders orders) : Machine(static_cast<ThreadId>(n), orders) {}
  bool Next(ThreadId t, Label& label) const override {
    if (states_[t].at == 0) return Store(label, t, 1);
    label = {.action = Action::kFence, .order = Order::kSeqCst};
    if (states_[t].at == 1) return true;
    return states_[t].at == 2 && Load(label, (t + 1u) % threads_);
  }
  void Advance(ThreadId t, Value) override { ++states_[t].at; }
};

class Additions final : public Machine {  // ccounter
 public:
  Additions(int n, Orders orders) : Machine(static_cast<ThreadId>(n), orders) {}
  bool Next(ThreadId t, Label& label) const override {
    return states_[t].at < 2 && Add(label, 0, 1);
  }
  void Advance(ThreadId t, Value) override { ++states_[t].at; }
};

class LastZero final : public Machine {
 public:
  LastZero(int n, Orders orders) : Machine(static_cast<ThreadId>(n + 1), orders), n_(n) {}
  bool Next(ThreadId t, Label& label) const override {
    const State& s = states_[t];
    if (t == 0) return s.at <= n_ && Load(label, n_ - s.at);
    if (s.at == 0) return Load(label, t - 1u);
    return s.at == 1 && Store(label, t, s.a + 1);
  }
  void Advance(ThreadId t, Value value) override {
    State& s = states_[t];
    ++s.at;
    s.a = static_cast<int64_t>(value);
    if (t == 0 && value == 0) s.at = n_ + 1;
  }

 private:
  const int n_;
};

class Indexer final : public Machine {
 public:
  Indexer(int n, Orders orders) : Machine(static_cast<ThreadId>(n), orders) {}
  bool Next(ThreadId t, Label& label) const override {
    const State& s = states_[t];
    if (s.at == 4) return false;
    const int message = (s.at + 1) * 11 + t;
    return CompareExchange(label, (message * 7 + s.a) % 128, 0, message);
  }
  void Advance(ThreadId t, Value value) override {
    State& s = states_[t];
    if (value == 0)
      ++s.at, s.a = 0;
    else
      ++s.a;
  }
};

// spsc: a ring of two slots; the producer and the consumer each look 2n times for room, or a
// number.
class Ring final : public Machine {
 public:
  Ring(int n, Orders orders) : Machine(2, orders), n_(n) {}
  bool Next(ThreadId t, Label& label) const override {
    const State& s = states_[t];
    if (s.at == 1) return Store(label, t, s.a + 1);  // consumer's is 0, producer's 1
    return s.b < 2 * n_ && Load(label, 1u - t);
  }
  void Advance(ThreadId t, Value value) override {
    State& s = states_[t];
    const auto other = static_cast<int64_t>(value);
    if (s.at == 1) {
      s.at = 0;
      ++s.a;
      return;
    }
    ++s.b;
    s.at = t == 1 ? s.a - other < 2 : other > s.a;
  }

 private:
  const int n_;
};

// mtxcounter: each thread adds 1 under a mutex.
class Mutex final : public Machine {
 public:
  Mutex(int n, Orders orders) : Machine(static_cast<ThreadId>(n), orders) {}
  void Restart() override {
    Machine::Restart();
    level_ = 0;
  }
  bool Next(ThreadId t, Label& label) const override {
    const State& s = states_[t];
    if (s.at == 1) return Load(label, 0);
    if (s.at == 2) return Store(label, 0, s.a + 1);
    if (s.at == 4) return false;
    label = {.action = Action::kUse, .location = 1, .level = level_};
    label.order = s.at == 0 ? Order::kAcquire : Order::kRelease;
    label.blocks = s.at == 0;
    if (s.at == 0) label.needs = model::Needs::kZero;
    return !IsBlocked(t);
  }
  bool HasObjects() const override { return true; }
  bool IsBlocked(ThreadId t) const override { return states_[t].at == 0 && level_ == 1; }
  void Advance(ThreadId t, Value value) override {
    State& s = states_[t];
    if (s.at == 0) level_ = 1;
    if (s.at == 1) s.a = static_cast<int64_t>(value);
    if (s.at == 3) level_ = 0;
    ++s.at;
  }

 private:
  uint32_t level_ = 0;
};

struct Benchmark {
  const char* name;
  int n;
  const char* orders_name;
  Orders orders;
  std::unique_ptr<Machine> (*make)(int, Orders);
};

template <typename M>
std::unique_ptr<Machine> Make(int n, Orders orders) {
  return std::make_unique<M>(n, orders);
}

const Benchmark kBenchmarks[] = {
    {"readers", 13, "seq_cst", kSeqCst, Make<Readers>},
    {"readers", 16, "seq_cst", kSeqCst, Make<Readers>},
    {"readers", 16, "relaxed", kRelaxed, Make<Readers>},
    {"sb", 12, "seq_cst", kSeqCst, Make<StoreBuffering>},
    {"sb", 12, "relaxed", kRelaxed, Make<StoreBuffering>},
    {"sb+fences", 12, "relaxed", kRelaxed, Make<FencedStoreBuffering>},
    {"sb", 12, "mixed", kWeakFailure, Make<StoreBuffering>},
    {"ccounter", 5, "seq_cst", kSeqCst, Make<Additions>},
    {"ccounter", 5, "relaxed", kRelaxed, Make<Additions>},
    {"mutex", 7, "relaxed", kRelaxed, Make<Mutex>},
    {"mutex", 8, "relaxed", kRelaxed, Make<Mutex>},
    {"lastzero", 12, "seq_cst", kSeqCst, Make<LastZero>},
    {"lastzero", 12, "relaxed", kRelaxed, Make<LastZero>},
    {"indexer", 15, "seq_cst", kSeqCst, Make<Indexer>},
    {"indexer", 16, "seq_cst", kSeqCst, Make<Indexer>},
    {"indexer", 16, "mixed", kWeakFailure, Make<Indexer>},
    {"indexer", 16, "relaxed", kRelaxed, Make<Indexer>},
    {"spsc", 3, "seq_cst", kSeqCst, Make<Ring>},
    {"spsc", 4, "mixed", kWeakFailure, Make<Ring>},
    {"spsc", 3, "acq_rel", kAcqRel, Make<Ring>},
    {"spsc", 4, "seq_cst", kSeqCst, Make<Ring>},
    {"spsc", 4, "acq_rel", kAcqRel, Make<Ring>},
};

void Complete(Machine& machine, model::Trust& trust) {
  Label label;
  for (ThreadId t = 0; t < machine.Threads();) {
    if (machine.Next(t, label)) {
      machine.Advance(t, trust.Graph().At(trust.Extend(t, label)).value);
      if (label.action == Action::kUse) t = 0;  // another may go on now
    } else {
      ++t;
    }
  }
  for (ThreadId t = 0; machine.HasObjects() && t < machine.Threads(); ++t)
    if (!machine.Next(t, label) && machine.IsBlocked(t)) trust.Blocked(t, label);
}

void Replay(Machine& machine, const model::ExecutionGraph& graph) {
  machine.Restart();
  for (const model::EventId event : graph.ReplayOrder()) {
    const model::Event& e = graph.At(event);
    if (!(e.IsStore() && e.of_update)) machine.Advance(e.thread, e.value);
  }
}

void Run(const Benchmark& benchmark, const char* name, model::Consistency& model) {
  const std::unique_ptr<Machine> machine = benchmark.make(benchmark.n, benchmark.orders);
  const std::clock_t begin = std::clock();
  model::Trust trust(model, model::ExecutionGraph(machine->Threads()));
  uint64_t executions = 0, events = 0;
  while (trust.Next()) {
    Replay(*machine, trust.Graph());
    Complete(*machine, trust);
    ++executions;
    events += trust.Graph().Size();
  }
  const double seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
  const model::Trust::Counts& counts = trust.Count();
  std::printf(
      "%-9s %3d %-8s %-4s %8lu executions %7.3f s %9.0f /s  %3lu events  refused %lu  "
      "pending %lu  graphs %zu\n",
      benchmark.name, benchmark.n, benchmark.orders_name, name, executions, seconds,
      static_cast<double>(executions) / seconds, events / executions, counts.inconsistent,
      counts.pending, counts.most_graphs);
}

}  // namespace
}  // namespace heddle

int main(int argc, char** argv) {
  using namespace heddle;
  const std::pair<const char*, std::unique_ptr<model::Consistency>> models[] = {
      {"sc", model::MakeSequential()}, {"tso", model::MakeTso()}, {"c11", model::MakeC11()}};
  for (const Benchmark& benchmark : kBenchmarks) {
    if (argc > 2 &&
        (std::strcmp(argv[1], benchmark.name) != 0 || std::atoi(argv[2]) != benchmark.n))
      continue;
    for (const auto& [name, model] : models)
      if (argc <= 3 || std::strcmp(argv[3], name) == 0) Run(benchmark, name, *model);
  }
  return 0;
}
