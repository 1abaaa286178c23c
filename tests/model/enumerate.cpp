#include "enumerate.h"

#include <algorithm>
#include <stdexcept>
#include <vector>

#include "axioms.h"

namespace heddle::litmus {
namespace {

// A condition or compare-exchange, and how it is supposed to turn out.
struct Decision {
  EventName name;
  const Instruction* instruction = nullptr;
  bool holds = false;
  int read = -1;  // of a compare-exchange
};

// A thread that is blocked for ever, and where.
struct Blocked {
  int thread = 0;
  const Instruction* instruction = nullptr;
};

struct ValueFromItself {};

bool HasResult(const Event& event) { return event.type == Type::kRead || event.type == Type::kUse; }

// The values in an execution, each computed from what it depends on.
class Values {
 public:
  explicit Values(const Execution& execution) : execution_(execution) {
    values_.resize(execution.events.size());
    states_.resize(execution.events.size());
  }

  int Of(int event) {
    if (states_[event] == State::kKnown) return values_[event];
    if (states_[event] == State::kBeingFound) throw ValueFromItself();
    states_[event] = State::kBeingFound;
    values_[event] = Find(event);
    states_[event] = State::kKnown;
    return values_[event];
  }

  // Of a register, before the thread comes to that instruction.
  int OfRegister(int reg, EventName before) {
    for (int i = static_cast<int>(execution_.events.size()); i-- > 0;) {
      const Event& event = execution_.events[i];
      if (HasResult(event) && event.name.thread == before.thread &&
          event.name.instruction < before.instruction && event.instruction->result == reg)
        return Of(i);
    }
    return 0;
  }

  int OfOperand(const Operand& operand, EventName at) {
    return operand.constant + (operand.reg == kNoRegister ? 0 : OfRegister(operand.reg, at));
  }

 private:
  enum class State { kUnknown, kBeingFound, kKnown };

  int Find(int number) {
    const Event& event = execution_.events[number];
    if (event.type == Type::kRead) return Of(execution_.reads_from[number]);
    if (event.type == Type::kUse) return event.succeeds ? 1 : 0;
    if (event.instruction == nullptr) return 0;
    const int operand = OfOperand(event.instruction->value, event.name);
    return event.instruction->kind == Kind::kFetchAdd ? Of(event.partner) + operand : operand;
  }

  const Execution& execution_;
  std::vector<int> values_;
  std::vector<State> states_;
};

// Would graphs that are not built be refused without that part, too?
bool MayPruneWithout(std::optional<Part> part) {
  if (!part) return true;
  const auto needed = {Part::kNoThinAir,     Part::kAtomicity, Part::kCoherenceMo,
                       Part::kCoherenceMoRf, Part::kScAcyclic, Part::kTsoPerLocation};
  return std::find(needed.begin(), needed.end(), *part) == needed.end();
}

class Enumeration {
 public:
  Enumeration(const Program& program, const Question& question)
      : program_(program),
        question_(question),
        prune_(question.prune && MayPruneWithout(question.without)) {}

  Executions Run() {
    for (int location = 0; location < program_.locations; ++location) {
      Event write;
      write.type = Type::kWrite;
      write.name = {kInitial, location};
      write.location = location;
      execution_.events.push_back(write);
    }
    FlowFrom(0, 0);
    return std::move(result_);
  }

 private:
  // Every control flow from that instruction on.
  void FlowFrom(int thread, int number) {
    if (thread == static_cast<int>(program_.threads.size())) return ChooseChains();
    if (number >= static_cast<int>(program_.threads[thread].size())) return FlowFrom(thread + 1, 0);
    const Instruction& instruction = program_.threads[thread][number];
    const EventName name = {thread, number};
    const size_t events = execution_.events.size();
    switch (instruction.kind) {
      case Kind::kFence:
        AddEvent(Type::kFence, name, instruction, instruction.order);
        FlowFrom(thread, number + 1);
        break;
      case Kind::kLoad:
        AddEvent(Type::kRead, name, instruction, instruction.order);
        FlowFrom(thread, number + 1);
        break;
      case Kind::kStore:
        AddEvent(Type::kWrite, name, instruction, instruction.order);
        FlowFrom(thread, number + 1);
        break;
      case Kind::kExchange:
      case Kind::kFetchAdd:
        AddUpdate(name, instruction);
        FlowFrom(thread, number + 1);
        break;
      case Kind::kCompareExchange:
        for (const bool succeeds : {true, false}) {
          decisions_.push_back({name, &instruction, succeeds, static_cast<int>(events)});
          if (succeeds)
            AddUpdate(name, instruction);
          else
            AddEvent(Type::kRead, name, instruction, instruction.failure);
          FlowFrom(thread, number + 1);
          execution_.events.resize(events);
          decisions_.pop_back();
        }
        break;
      case Kind::kUse:
        for (const bool succeeds : {true, false}) {
          if (succeeds || Tries(instruction.use)) {
            AddEvent(Type::kUse, name, instruction,
                     succeeds ? instruction.order : instruction.failure);
            execution_.events.back().succeeds = succeeds;
            FlowFrom(thread, number + 1);
          } else {
            blocked_.push_back({thread, &instruction});
            FlowFrom(thread + 1, 0);
            blocked_.pop_back();
          }
          execution_.events.resize(events);
        }
        break;
      case Kind::kSkipIf:
        for (const bool skips : {true, false}) {
          decisions_.push_back({name, &instruction, skips, -1});
          FlowFrom(thread, number + 1 + (skips ? instruction.skip : 0));
          decisions_.pop_back();
        }
        break;
    }
    execution_.events.resize(events);
  }

  void AddEvent(Type type, EventName name, const Instruction& instruction, Order order) {
    Event event;
    event.type = type;
    event.name = name;
    event.order = order;
    event.instruction = &instruction;
    if (type == Type::kUse)
      event.object = instruction.location;
    else if (type != Type::kFence)
      event.location = instruction.location;
    event.locked = instruction.kind == Kind::kExchange || instruction.kind == Kind::kFetchAdd ||
                   instruction.kind == Kind::kCompareExchange;
    execution_.events.push_back(event);
    if (execution_.events.size() > kMostEvents) throw std::length_error("too many events");
  }

  void AddUpdate(EventName name, const Instruction& instruction) {
    const int read = static_cast<int>(execution_.events.size());
    AddEvent(Type::kRead, name, instruction, instruction.order);
    AddEvent(Type::kWrite, name, instruction, instruction.order);
    execution_.events[read].partner = read + 1;
    execution_.events[read + 1].partner = read;
  }

  void ChooseChains() {
    levels_ = program_.objects;
    execution_.chains.assign(program_.objects.size(), {});
    ChooseChainFrom(0);
  }

  // Any use that comes next in its thread, among those of the object, may be next in the chain.
  void ChooseChainFrom(int object) {
    if (object == static_cast<int>(program_.objects.size())) return ChooseReads();
    std::vector<int>& chain = execution_.chains[object];
    const std::vector<Event>& events = execution_.events;
    std::set<int> looked_at;  // threads
    for (int i = 0; i < static_cast<int>(events.size()); ++i) {
      const Event& event = events[i];
      if (event.object != object || std::find(chain.begin(), chain.end(), i) != chain.end())
        continue;
      if (!looked_at.insert(event.name.thread).second) continue;
      const int level = levels_[object];
      const Use use = event.instruction->use;
      if (Succeeds(use, level) != event.succeeds) continue;
      if (event.succeeds) levels_[object] = LevelAfter(use, level);
      chain.push_back(i);
      execution_.events[i].level = level;
      ChooseChainFrom(object);
      chain.pop_back();
      levels_[object] = level;
    }
    if (!looked_at.empty()) return;  // it is not complete
    for (const Blocked& blocked : blocked_)
      if (blocked.instruction->location == object &&
          Succeeds(blocked.instruction->use, levels_[object]))
        return;
    ChooseChainFrom(object + 1);
  }

  void ChooseReads() {
    execution_.reads_from.assign(execution_.events.size(), -1);
    ChooseReadsFrom(0);
  }

  void ChooseReadsFrom(int reader) {
    const std::vector<Event>& events = execution_.events;
    if (reader == static_cast<int>(events.size())) return ChooseOrders();
    if (events[reader].type != Type::kRead) return ChooseReadsFrom(reader + 1);
    for (int writer = 0; writer < static_cast<int>(events.size()); ++writer) {
      if (events[writer].type != Type::kWrite) continue;
      if (events[writer].location != events[reader].location) continue;
      if (writer == events[reader].partner) continue;
      if (prune_ && writer > reader && events[writer].name.thread == events[reader].name.thread)
        continue;  // from its own future
      execution_.reads_from[reader] = writer;
      ChooseReadsFrom(reader + 1);
    }
    execution_.reads_from[reader] = -1;
  }

  void ChooseOrders() {
    if (prune_ && IsThinAir(execution_)) return;
    Values values(execution_);
    try {
      for (const Decision& decision : decisions_)
        if (Holds(decision, values) != decision.holds) return;
      outcome_.clear();
      for (int reg = 0; reg < program_.registers; ++reg) outcome_.push_back(Final(reg, values));
      values_.clear();
      for (size_t event = 0; event < execution_.events.size(); ++event)
        values_.push_back(
            execution_.events[event].type == Type::kFence ? 0 : values.Of(static_cast<int>(event)));
    } catch (const ValueFromItself&) {
      return;  // out of thin air
    }
    execution_.modification_orders.assign(program_.locations, {});
    ChooseOrderFrom(0);
  }

  static bool Holds(const Decision& decision, Values& values) {
    const Instruction& instruction = *decision.instruction;
    if (instruction.kind == Kind::kSkipIf)
      return values.OfRegister(instruction.condition, decision.name) == instruction.equals;
    return values.Of(decision.read) == values.OfOperand(instruction.expected, decision.name);
  }

  // A register belongs to the one thread that mentions it.
  int Final(int reg, Values& values) const {
    for (int i = static_cast<int>(execution_.events.size()); i-- > 0;) {
      const Event& event = execution_.events[i];
      if (HasResult(event) && event.instruction->result == reg) return values.Of(i);
    }
    return 0;
  }

  void ChooseOrderFrom(int location) {
    if (location == program_.locations) return JudgeExecution();
    std::vector<int> writes;
    for (size_t i = 0; i < execution_.events.size(); ++i)
      if (execution_.events[i].type == Type::kWrite && execution_.events[i].location == location)
        writes.push_back(static_cast<int>(i));
    // Main's write is the first. The others are sorted, as next_permutation wants it.
    do {
      if (prune_ && !IsPlausible(writes)) continue;
      execution_.modification_orders[location] = writes;
      ChooseOrderFrom(location + 1);
    } while (result_.complete && std::next_permutation(writes.begin() + 1, writes.end()));
  }

  // Writes of one thread in program order, and read-modify-writes next to what they read.
  bool IsPlausible(const std::vector<int>& order) const {
    for (size_t i = 1; i < order.size(); ++i) {
      const Event& event = execution_.events[order[i]];
      if (event.partner >= 0 && execution_.reads_from[event.partner] != order[i - 1]) return false;
      for (size_t j = i + 1; j < order.size(); ++j)
        if (order[j] < order[i] && execution_.events[order[j]].name.thread == event.name.thread)
          return false;
    }
    return true;
  }

  void JudgeExecution() {
    if (++result_.looked_at > question_.most_graphs) {
      result_.complete = false;
      return;
    }
    const Verdict verdict = Judge(execution_, question_);
    if (verdict.psc_alone_refuses) ++result_.refused_by_psc;
    if (!verdict.consistent) return;
    ++result_.graphs;
    result_.race |= verdict.race;
    Outcome outcome = outcome_;
    for (const int location : program_.observed_locations)
      outcome.push_back(values_[execution_.modification_orders[location].back()]);
    if (!program_.objects.empty()) {
      outcome.insert(outcome.end(), levels_.begin(), levels_.end());
      outcome.push_back(static_cast<int>(blocked_.size()));
    }
    result_.deadlocks += !blocked_.empty();
    result_.outcomes.insert(outcome);
    const Graph graph = ForOthers();
    result_.hashes.insert(Hash(graph));
    if (question_.keep_graphs) result_.kept.insert(graph);
  }

  Graph ForOthers() const {
    Graph graph;
    const std::vector<Event>& events = execution_.events;
    for (size_t i = 0; i < events.size(); ++i)
      if (events[i].type == Type::kRead)
        graph.reads_from[events[i].name] = events[execution_.reads_from[i]].name;
    for (const std::vector<int>& order : execution_.modification_orders) {
      std::vector<EventName>& names = graph.modification_orders.emplace_back();
      for (size_t i = 1; i < order.size(); ++i) names.push_back(events[order[i]].name);
    }
    for (const std::vector<int>& chain : execution_.chains) {
      std::vector<EventName>& names = graph.chains.emplace_back();
      for (const int use : chain) names.push_back(events[use].name);
    }
    return graph;
  }

  const Program& program_;
  const Question& question_;
  const bool prune_;
  Execution execution_;
  std::vector<Decision> decisions_;
  std::vector<Blocked> blocked_;
  std::vector<int> levels_;  // of objects, after their chains as far as chosen
  Outcome outcome_;          // without the final values
  std::vector<int> values_;  // what each event writes or reads
  Executions result_;
};

}  // namespace

Executions Enumerate(const Program& program, const Question& question) {
  return Enumeration(program, question).Run();
}

}  // namespace heddle::litmus
