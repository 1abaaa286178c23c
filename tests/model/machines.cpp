#include "machines.h"

#include <algorithm>
#include <cstddef>
#include <tuple>
#include <vector>

#include "graph.h"

namespace heddle::litmus {
namespace {

struct Write {
  EventName name;
  int value = 0;
  bool update = false;
  bool seq_cst = false;
  // C11: of each location, the newest write that who acquires this one knows of.
  std::vector<EventName> releases;
};

using View = std::vector<EventName>;

struct MachineThread {
  size_t next = 0;
  std::vector<std::pair<int, Write>> buffer;  // TSO: location and store, oldest first
  View knows;                                 // C11
  View would_know_by_acquire_fence;
  View knew_at_release_fence;
};

struct State {
  std::vector<MachineThread> threads;
  std::vector<int> registers;
  std::vector<std::vector<Write>> memory;  // by location in modification order, main's first
  std::map<EventName, EventName> reads_from;
  std::vector<int> levels;  // of objects
  std::vector<std::vector<EventName>> chains;
  // C11: what who acquires by that object learns; a reader's lock learns from writers only.
  std::vector<View> released, released_by_writers;
};

bool Acquires(Order order) {
  return order == Order::kAcquire || order == Order::kAcqRel || order == Order::kSeqCst;
}
bool Releases(Order order) {
  return order == Order::kRelease || order == Order::kAcqRel || order == Order::kSeqCst;
}

class Machine {
 public:
  Machine(const Program& program, Model model) : program_(program), model_(model) {}

  std::set<uint64_t> Run() {
    State start;
    View of_main;
    for (int location = 0; location < program_.locations; ++location) {
      Write initial;
      initial.name = {kInitial, location};
      start.memory.push_back({initial});
      of_main.push_back(initial.name);
    }
    start.memory.resize(program_.locations);
    for (std::vector<Write>& writes : start.memory) writes[0].releases = of_main;
    start.registers.resize(program_.registers);
    start.levels = program_.objects;
    start.chains.resize(program_.objects.size());
    start.released.assign(program_.objects.size(), of_main);
    start.released_by_writers = start.released;
    MachineThread thread;
    thread.knows = thread.would_know_by_acquire_fence = thread.knew_at_release_fence = of_main;
    start.threads.assign(program_.threads.size(), thread);
    GoOn(start);
    return std::move(graphs_);
  }

 private:
  // What a thread knows follows from the graph, and so do its registers.
  using Key = std::tuple<std::vector<size_t>, Graph>;

  void GoOn(const State& state) {
    Key key;
    Graph& graph = std::get<Graph>(key);
    graph.reads_from = state.reads_from;
    graph.chains = state.chains;
    for (const std::vector<Write>& writes : state.memory) {
      std::vector<EventName>& names = graph.modification_orders.emplace_back();
      for (size_t i = 1; i < writes.size(); ++i) names.push_back(writes[i].name);
    }
    bool done = true;
    for (size_t t = 0; t < state.threads.size(); ++t) {
      std::get<0>(key).push_back(state.threads[t].next);
      done &= state.threads[t].buffer.empty() &&
              (state.threads[t].next == program_.threads[t].size() || IsBlocked(state, t));
    }
    if (!seen_.insert(key).second) return;
    if (done) graphs_.insert(Hash(graph));
    for (size_t t = 0; t < state.threads.size(); ++t) {
      if (!state.threads[t].buffer.empty()) FlushOne(state, t);
      if (state.threads[t].next < program_.threads[t].size()) Step(state, t);
    }
  }

  void FlushOne(State state, size_t t) {
    const auto [location, write] = state.threads[t].buffer.front();
    state.threads[t].buffer.erase(state.threads[t].buffer.begin());
    state.memory[location].push_back(write);
    GoOn(state);
  }

  void Step(State state, size_t t) {
    MachineThread& thread = state.threads[t];
    const EventName name = {static_cast<int>(t), static_cast<int>(thread.next)};
    const Instruction& instruction = program_.threads[t][thread.next++];
    switch (instruction.kind) {
      case Kind::kSkipIf:
        if (state.registers[instruction.condition] == instruction.equals)
          thread.next = std::min(thread.next + static_cast<size_t>(instruction.skip),
                                 program_.threads[t].size());
        GoOn(state);
        break;
      case Kind::kFence:
        if (instruction.order == Order::kSeqCst && !thread.buffer.empty()) return;
        if (Acquires(instruction.order))
          Learn(state, thread.knows, thread.would_know_by_acquire_fence);
        if (Releases(instruction.order)) thread.knew_at_release_fence = thread.knows;
        GoOn(state);
        break;
      case Kind::kUse:
        UseObject(state, t, name, instruction);
        break;
      case Kind::kStore:
        Store(state, t, name, instruction);
        break;
      case Kind::kLoad:
      case Kind::kExchange:
      case Kind::kFetchAdd:
      case Kind::kCompareExchange:
        Read(state, t, name, instruction);
        break;
    }
  }

  bool IsBlocked(const State& state, size_t t) const {
    const Instruction& next = program_.threads[t][state.threads[t].next];
    return next.kind == Kind::kUse && !Tries(next.use) &&
           !Succeeds(next.use, state.levels[next.location]);
  }

  // A locked instruction for TSO.
  void UseObject(State& state, size_t t, EventName name, const Instruction& instruction) {
    MachineThread& thread = state.threads[t];
    int& level = state.levels[instruction.location];
    const bool succeeds = Succeeds(instruction.use, level);
    const bool by_reader =
        instruction.use == Use::kReadLock || instruction.use == Use::kTryReadLock;
    const bool by_writer = instruction.use == Use::kRwUnlock && level == kWriteLocked;
    if (!thread.buffer.empty() || (!succeeds && !Tries(instruction.use))) return;
    if (succeeds) level = LevelAfter(instruction.use, level);
    if (Tries(instruction.use)) state.registers[instruction.result] = succeeds;
    state.chains[instruction.location].push_back(name);
    View& released = state.released[instruction.location];
    View& released_by_writers = state.released_by_writers[instruction.location];
    const View& found = by_reader ? released_by_writers : released;
    const Order order = succeeds ? instruction.order : instruction.failure;
    if (Acquires(order)) {
      Learn(state, thread.knows, found);
      Learn(state, thread.would_know_by_acquire_fence, found);
    }
    if (!Releases(order)) return GoOn(state);
    Learn(state, released, thread.knows);
    if (by_writer) Learn(state, released_by_writers, thread.knows);
    GoOn(state);
  }

  int ValueOf(const State& state, const Operand& operand) const {
    return operand.constant + (operand.reg == kNoRegister ? 0 : state.registers[operand.reg]);
  }

  void Store(State& state, size_t t, EventName name, const Instruction& instruction) {
    Write write;
    write.name = name;
    write.value = ValueOf(state, instruction.value);
    write.seq_cst = instruction.order == Order::kSeqCst;
    const int location = instruction.location;
    switch (model_) {
      case Model::kSc:
        state.memory[location].push_back(write);
        GoOn(state);
        break;
      case Model::kTso:
        state.threads[t].buffer.emplace_back(location, write);
        GoOn(state);
        break;
      case Model::kC11: {
        const std::vector<Write>& writes = state.memory[location];
        for (size_t at = 1 + Place(writes, state.threads[t].knows[location]); at <= writes.size();
             ++at)
          if (at == writes.size() || !writes[at].update)
            Put(state, t, write, location, at, instruction.order);
        break;
      }
    }
  }

  void Read(const State& state, size_t t, EventName name, const Instruction& instruction) {
    const MachineThread& thread = state.threads[t];
    const int location = instruction.location;
    const std::vector<Write>& writes = state.memory[location];
    switch (model_) {
      case Model::kSc:
        ReadFrom(state, t, name, instruction, writes.back(), writes.size());
        break;
      case Model::kTso: {
        const bool waits_for_all = instruction.kind != Kind::kLoad;
        const bool waits_for_seq_cst = instruction.order == Order::kSeqCst;
        for (const auto& [place, write] : thread.buffer)
          if (waits_for_all || (waits_for_seq_cst && write.seq_cst)) return;
        const Write* newest = &writes.back();
        for (const auto& [place, write] : thread.buffer)
          if (place == location) newest = &write;
        ReadFrom(state, t, name, instruction, *newest, writes.size());
        break;
      }
      case Model::kC11:
        for (size_t from = Place(writes, thread.knows[location]); from < writes.size(); ++from)
          ReadFrom(state, t, name, instruction, writes[from], from + 1);
        break;
    }
  }

  // `behind`: where the store of a read-modify-write goes.
  void ReadFrom(State state, size_t t, EventName name, const Instruction& instruction, Write source,
                size_t behind) {
    const int location = instruction.location;
    bool stores = instruction.kind != Kind::kLoad;
    Order order = instruction.order;
    if (instruction.kind == Kind::kCompareExchange &&
        source.value != ValueOf(state, instruction.expected)) {
      stores = false;
      order = instruction.failure;
    }
    Write write;
    write.name = name;
    write.update = true;
    write.value = ValueOf(state, instruction.value) +
                  (instruction.kind == Kind::kFetchAdd ? source.value : 0);
    state.registers[instruction.result] = source.value;
    state.reads_from[name] = source.name;
    if (model_ == Model::kC11) {
      MachineThread& thread = state.threads[t];
      for (View* view : {&thread.knows, &thread.would_know_by_acquire_fence})
        LearnOne(state, *view, source.name, location);
      if (order != Order::kPlain) {
        Learn(state, thread.would_know_by_acquire_fence, source.releases);
        if (Acquires(order)) Learn(state, thread.knows, source.releases);
      }
    }
    if (!stores) return GoOn(state);
    const std::vector<Write>& writes = state.memory[location];
    if (behind < writes.size() && writes[behind].update) return;
    write.releases = source.releases;
    Put(state, t, write, location, behind, order);
  }

  // C11, and read-modify-writes of all models.
  void Put(State state, size_t t, Write write, int location, size_t at, Order order) {
    std::vector<Write>& writes = state.memory[location];
    writes.insert(writes.begin() + static_cast<std::ptrdiff_t>(at), write);
    if (model_ != Model::kC11) return GoOn(state);
    MachineThread& thread = state.threads[t];
    for (View* view : {&thread.knows, &thread.would_know_by_acquire_fence})
      LearnOne(state, *view, write.name, location);
    // Of a read-modify-write: and what its source releases.
    View releases = write.releases.empty() ? Initially() : write.releases;
    if (order != Order::kPlain) {
      Learn(state, releases, thread.knew_at_release_fence);
      if (Releases(order)) Learn(state, releases, thread.knows);
    }
    writes[at].releases = releases;
    GoOn(state);
  }

  View Initially() const {
    View view;
    for (int location = 0; location < program_.locations; ++location)
      view.push_back({kInitial, location});
    return view;
  }

  static size_t Place(const std::vector<Write>& writes, EventName name) {
    return static_cast<size_t>(
        std::find_if(writes.begin(), writes.end(),
                     [&](const Write& write) { return write.name == name; }) -
        writes.begin());
  }

  static void LearnOne(const State& state, View& view, EventName name, int location) {
    const std::vector<Write>& writes = state.memory[location];
    if (Place(writes, name) > Place(writes, view[location])) view[location] = name;
  }

  static void Learn(const State& state, View& view, const View& more) {
    for (size_t location = 0; location < more.size(); ++location)
      LearnOne(state, view, more[location], static_cast<int>(location));
  }

  const Program& program_;
  const Model model_;
  std::set<Key> seen_;
  std::set<uint64_t> graphs_;
};

}  // namespace

std::set<uint64_t> GraphsOfMachine(const Program& program, Model model) {
  return Machine(program, model).Run();
}

}  // namespace heddle::litmus
