#include "space/space.h"

#include <algorithm>
#include <iterator>

namespace heddle::space {
namespace {

constexpr Value kOrders[] = {
    {"depth-first", "default with a --reduction or --bound depth"},
    {"context-bounded", "fewest preemptions first; default with another --bound"},
    {"random", "schedules drawn for ever; with --reduction, its branches in a random order"},
    {"pct", "drawn by priorities of threads: bugs of --depth D have a least probability"},
    {"pos", "drawn by priorities of operations: one draw for what is independent"},
    {"surw", "drawn so that all orders of the operations on one object are equally likely"},
    {"rff", "fuzzed: drawn so that reads read from other writes than before"},
    {"best-first", "what --priority prefers first"},
    {"escalating", "default: several of these in turn, until one has proved it"},
};

constexpr Value kPriorities[] = {
    {"pb", "fewer preemptions"},
    {"dpor", "what partial-order reduction would run"},
    {"mdpor", "and of that what races ask for"},
    {"ss", "what sleep sets would not leave out"},
    {"rand", "by chance"},
    {"method", "where threads meet in a --focus-function"},
    {"var", "where they meet at a --focus-variable"},
};

constexpr Value kReductions[] = {
    {"none", "default with an --order but context-bounded"},
    {"sleep-sets", ""},
    {"dpor", "persistent sets"},
    {"source", "source sets"},
    {"optimal", "default; each happens-before graph once"},
    {"happens-before", "the same within a bound, by a table of states"},
    {"happens-before-all", "... every state once"},
    {"bounded", "default with --bound preemptions=N: persistent sets within a bound, no table"},
    {"reads-from", "TruSt: each execution graph once, in little memory; default with tso and c11"},
};

constexpr Value kMemoryModels[] = {
    {"sc", "default: sequential consistency"},
    {"tso", "x86: a store may take effect after later loads of its thread"},
    {"c11", "C11's and C++20's: a load may read an old value, as far as memory orders allow"},
};

constexpr Value kPoints[] = {
    {"sync", "default: before synchronisation and atomics"},
    {"all", "before plain accesses too"},
    {"every", "before everything that a thread does, for tests of heddle itself"},
    {"hooks", "at heddle_hook only: what stands between two calls is taken to be atomic"},
};

constexpr Value kVisited[] = {
    {"none", "default"},
    {"states", "an execution ends where the whole program is in a state that was visited"},
    {"counters",
     "... where each thread has called heddle_hook as often, and what they share is the "
     "same; if it is not, that is a race condition"},
};

constexpr Value kUnits[] = {
    {"preemptions", "no schedule with more preemptions and early timeouts"},
    {"delays", "none that passes over more threads whose turn it is"},
    {"depth", "none that leaves the default after its first N choices of threads"},
    {"stale", "tso and c11: no execution with more stale accesses; 0 is sequential consistency"},
};

constexpr Value kPresets[] = {
    {"chess", "--order context-bounded --points sync"},
    {"inspect", "--order depth-first --reduction dpor --points all"},
    {"cb-por", "--order context-bounded --reduction happens-before --points sync"},
    {"gambit",
     "--order best-first --priority mdpor,pb --points sync, and --reduction dpor without --bound"},
    {"zing", "--order context-bounded --visited states --points sync"},
    {"one-page", "--order depth-first --visited counters --points hooks"},
};
constexpr Preset kPresetPoints[] = {
    // in the same order
    {{Order::kContextBounded, Reduction::kNone, {}, Points::kSync}, false, false},
    {{Order::kDepthFirst, Reduction::kDpor, {}, Points::kAll}, false, true},
    {{Order::kContextBounded, Reduction::kHappensBefore, {}, Points::kSync}, false, false},
    {{Order::kBestFirst, Reduction::kDpor, {}, Points::kSync, kDefaultPriorities}, true, false},
    {{Order::kContextBounded, Reduction::kNone, {}, Points::kSync, {}, 0, Visited::kStates},
     false,
     false},
    {{Order::kDepthFirst, Reduction::kNone, {}, Points::kHooks, {}, 0, Visited::kCounters},
     false,
     false},
};

// What excludes what. `why` comes before and after the name of the reduction; {} in it is the
// order's.
struct Exclusion {
  bool (*holds)(const Point& point);
  std::string_view why;
  std::string_view after = {};
};

bool Bounded(const Point& point) { return !point.bound.IsNone(); }
bool BoundsDepth(const Point& point) { return Bounded(point) && point.bound.unit == Unit::kDepth; }
bool BoundsStale(const Point& point) { return Bounded(point) && point.bound.unit == Unit::kStale; }
// Of --order pct.
constexpr uint32_t kMostDepth = 1000;

bool Reduces(const Point& point) { return point.reduction != Reduction::kNone; }
bool Visits(const Point& point) { return point.visited != Visited::kNone; }
// Is the reduction sound with a bound of preemptions?
bool ReducesWithin(const Point& point) {
  return KeepsStates(point) || point.reduction == Reduction::kBounded;
}

bool CountsHooks(const Point& point) { return point.visited == Visited::kCounters; }

bool IsWeak(const Point& point) { return point.memory_model != MemoryModel::kSc; }
bool ReadsFrom(const Point& point) { return point.reduction == Reduction::kReadsFrom; }

constexpr Exclusion kExclusions[] = {
    {[](const Point& p) { return IsWeak(p) && Bounded(p) && !BoundsStale(p); },
     "--memory-model tso and c11 have no preemptions to count: a thread that goes on late is one "
     "whose stores are seen late (--bound stale=N)"},
    {[](const Point& p) { return BoundsStale(p) && !IsWeak(p); },
     "--bound stale=N counts loads of old values, and under sequential consistency there are none "
     "(--memory-model tso or c11)"},
    {[](const Point& p) {
       return (IsWeak(p) || ReadsFrom(p)) && p.order != Order::kDepthFirst &&
              !(p.order == Order::kRandom && !Reduces(p));
     },
     "--memory-model tso and c11, and --reduction reads-from, are for --order depth-first (and the "
     "models for escalating and random): --order {} goes by sequentially consistent executions"},
    {[](const Point& p) { return IsWeak(p) && Reduces(p) && !ReadsFrom(p); },
     "--memory-model tso and c11 have more executions than there are orders of operations, which "
     "--reduction ",
     " would leave out: --reduction reads-from has them all"},
    {[](const Point& p) { return IsWeak(p) && Visits(p); },
     "--memory-model tso and c11 with --visited: what a thread may still read is no part of the "
     "states that are compared"},
    {[](const Point& p) { return (IsWeak(p) || ReadsFrom(p)) && p.points != Points::kSync; },
     "--memory-model tso and c11, and --reduction reads-from, need --points sync: what is told of "
     "data races holds for all that stands between two operations"},
    {[](const Point& p) { return CountsHooks(p) && p.points != Points::kHooks; },
     "--visited counters tells states apart by the calls of heddle_hook: it needs --points hooks, "
     "or two that a thread comes to between the same two calls would be taken for one"},
    {[](const Point& p) { return CountsHooks(p) && (p.order != Order::kDepthFirst || Bounded(p)); },
     "--visited counters is a depth-first search without a bound, as in the paper: --order {} or a "
     "--bound may leave out what follows a state that another schedule has visited"},
    {[](const Point& p) { return Visits(p) && Reduces(p); }, "--visited with --reduction ",
     " is unsound: what a reduction leaves out in a state depends on how the execution came there, "
     "so a state that was visited need not have been explored (--reduction none)"},
    {[](const Point& p) {
       return Visits(p) && p.order != Order::kDepthFirst && p.order != Order::kContextBounded;
     },
     "--visited states ends executions in states from which everything was explored or will be; "
     "--order {} does not see to that (--order depth-first, or context-bounded)"},
    {[](const Point& p) { return Visits(p) && Bounded(p) && p.bound.unit != Unit::kPreemptions; },
     "--visited states counts preemptions: how many delays were spent, or how deep it lies, is no "
     "property of a state, so schedules within the bound would be lost (--bound preemptions=N)"},
    {[](const Point& p) { return Visits(p) && Bounded(p) && p.order == Order::kDepthFirst; },
     "--visited states with --order {} and a bound is unsound: the first visit of a state need not "
     "be the cheapest one, so schedules within the bound would be lost (--order context-bounded)"},
    {[](const Point& p) { return p.visited == Visited::kStates && p.points != Points::kSync; },
     "--visited states needs --points sync: between the accesses that one call of the C library "
     "makes, what it has read is nowhere in the program's state"},
    {[](const Point& p) { return Draws(p.order) && Bounded(p) && !BoundsStale(p) && !Reduces(p); },
     "--order {} cannot be bounded: it proves nothing with or without --bound"},
    {[](const Point& p) { return Draws(p.order) && p.order != Order::kRandom && Reduces(p); },
     "--order {} draws whole schedules, of which --reduction ",
     " would run some and not others, and what it says of their probabilities would not hold: drop "
     "one of the two (--order random draws among the branches that a reduction keeps)"},
    {[](const Point& p) { return p.depth != 0 && p.order != Order::kPct; },
     "--depth is how many ordering constraints the bugs need that --order pct aims at: --order {} "
     "has none (--bound depth=N is another thing)"},
    {[](const Point& p) { return p.depth > kMostDepth; },
     "--depth is at most 1000: the probability of such a bug is none to speak of long before"},
    {[](const Point& p) { return p.points == Points::kEvery && Reduces(p); },
     "--points every runs all interleavings of everything that threads do: --reduction ",
     " would leave out most of them"},
    {[](const Point& p) { return p.points == Points::kHooks && Reduces(p); },
     "--points hooks takes all that a thread does between two calls of heddle_hook for one step, "
     "and does not look what memory that touches: --reduction ",
     " would take steps for independent that are not"},
    {[](const Point& p) { return BoundsDepth(p) && p.bound.most == 0; },
     "--bound depth=0 leaves no choice: the least depth is 1"},
    {[](const Point& p) { return BoundsDepth(p) && p.order == Order::kContextBounded; },
     "--order context-bounded with --bound depth is no order: a choice has a depth, and no cost; "
     "--iterate goes from depth to depth"},
    {[](const Point& p) { return BoundsDepth(p) && p.order == Order::kBestFirst; },
     "--order best-first with --bound depth: a choice has a depth, and no cost (--order "
     "depth-first, or --bound preemptions=N)"},
    {[](const Point& p) { return p.priorities.count != 0 && p.order != Order::kBestFirst; },
     "--priority is what --order best-first goes by: add --order best-first"},
    {[](const Point& p) {
       return p.order == Order::kBestFirst &&
              (KeepsStates(p) || p.reduction == Reduction::kBounded);
     },
     "--order best-first takes the branches that a reduction keeps in another order, and "
     "--reduction ",
     " keeps none: none, dpor, source and optimal do (with --bound preemptions=N only none)"},
    {[](const Point& p) { return BoundsDepth(p) && Reduces(p); }, "--reduction ",
     " with --bound depth is unsound: the schedule it keeps for a pruned one may leave the default "
     "later than the bound allows, so bugs within the bound are lost"},
    {[](const Point& p) { return KeepsStates(p) && p.order == Order::kRandom; },
     "--order random draws among the branches that a reduction keeps, and --reduction ",
     " keeps a table of states instead: --reduction optimal does"},
    {[](const Point& p) { return p.reduction == Reduction::kBounded && p.order == Order::kRandom; },
     "--order random draws among the branches of one search, and --reduction ",
     " begins anew with every bound: --reduction optimal does not"},
    {[](const Point& p) {
       return ReducesWithin(p) && Bounded(p) && p.bound.unit != Unit::kPreemptions;
     },
     "--reduction ",
     " counts preemptions: how many delays a schedule needs is no property of its happens-before "
     "graph (--bound preemptions=N, or --reduction none)"},
    {[](const Point& p) {
       return Reduces(p) && !ReducesWithin(p) && !(BoundsStale(p) && ReadsFrom(p)) &&
              (Bounded(p) || p.order == Order::kContextBounded);
     },
     "--reduction ",
     " with a bound is unsound: the schedule it keeps for a pruned one may need "
     "more preemptions or delays than the bound allows, so bugs within the bound are lost "
     "(--reduction happens-before and bounded are sound with --bound preemptions=N)"},
};

template <typename T>
std::optional<T> ValueOf(std::span<const Value> values, std::string_view name) {
  const auto found = std::ranges::find(values, name, &Value::name);
  if (found == values.end()) return std::nullopt;
  return static_cast<T>(found - values.begin());
}

template <typename T>
std::string_view Name(std::span<const Value> values, T value) {
  const auto index = static_cast<size_t>(value);
  return index < values.size() ? values[index].name : "unknown";
}

}  // namespace

const Axis& OrderAxis() {
  static constexpr Axis kAxis = {"--order", "Which schedule comes next", kOrders};
  return kAxis;
}

const Axis& ReductionAxis() {
  static constexpr Axis kAxis = {
      "--reduction", "Leave out schedules that only reorder independent operations", kReductions};
  return kAxis;
}

const Axis& PointsAxis() {
  static constexpr Axis kAxis = {"--points", "Where threads may be interrupted", kPoints};
  return kAxis;
}

const Axis& PresetAxis() {
  static constexpr Axis kAxis = {"--preset", "A system of the literature", kPresets};
  return kAxis;
}

const Axis& VisitedAxis() {
  static constexpr Axis kAxis = {"--visited", "Do not go on where the search was before", kVisited};
  return kAxis;
}

const Axis& MemoryModelAxis() {
  static constexpr Axis kAxis = {
      "--memory-model", "Which executions there are (default: sc, then c11 if it allows more)",
      kMemoryModels};
  return kAxis;
}

std::span<const Value> Units() { return kUnits; }
std::span<const Value> PriorityFunctions() { return kPriorities; }

std::string_view NameOf(Order order) { return Name(kOrders, order); }
std::string_view NameOf(Reduction reduction) { return Name(kReductions, reduction); }
std::string_view NameOf(Points points) { return Name(kPoints, points); }
std::string_view NameOf(Visited visited) { return Name(kVisited, visited); }
std::string_view NameOf(MemoryModel model) { return Name(kMemoryModels, model); }
std::string_view NameOf(Unit unit) { return Name(kUnits, unit); }
std::string_view NameOf(Priority priority) { return Name(kPriorities, priority); }

std::string NameOf(const Priorities& priorities) {
  std::string names;
  for (const Priority priority : priorities.List()) {
    names.append(names.empty() ? "" : ",").append(NameOf(priority));
  }
  return names;
}

std::string NameOf(const Point& point) {
  std::string name(NameOf(point.order));
  if (Reduces(point)) name.append(" ").append(NameOf(point.reduction));
  return name;
}

std::optional<Order> OrderOf(std::string_view name) { return ValueOf<Order>(kOrders, name); }
std::optional<Reduction> ReductionOf(std::string_view name) {
  return ValueOf<Reduction>(kReductions, name);
}
std::optional<Points> PointsOf(std::string_view name) { return ValueOf<Points>(kPoints, name); }
std::optional<Visited> VisitedOf(std::string_view name) { return ValueOf<Visited>(kVisited, name); }
std::optional<MemoryModel> MemoryModelOf(std::string_view name) {
  return ValueOf<MemoryModel>(kMemoryModels, name);
}
std::optional<Unit> UnitOf(std::string_view name) { return ValueOf<Unit>(kUnits, name); }
std::optional<Priority> PriorityOf(std::string_view name) {
  return ValueOf<Priority>(kPriorities, name);
}

const Preset* PresetOf(std::string_view name) {
  static_assert(std::size(kPresetPoints) == std::size(kPresets));
  const auto index = ValueOf<size_t>(kPresets, name);
  return index ? &kPresetPoints[*index] : nullptr;
}

Point ProverOf(const Point& escalating) {
  Point prover = escalating;
  const bool in_order = Bounded(prover) && !BoundsDepth(prover) && !BoundsStale(prover);
  prover.order = in_order ? Order::kContextBounded : Order::kDepthFirst;
  return prover;
}

std::string WhyNot(const Point& point) {
  if (point.order == Order::kEscalating && Visits(point)) {
    return "--visited states is for one search, and --order escalating is several in turn (--order "
           "depth-first, or context-bounded)";
  }
  if (point.order == Order::kEscalating && ReadsFrom(point) && !IsWeak(point)) {
    return "--reduction reads-from under --memory-model sc is one search, and --order escalating "
           "is "
           "several in turn (--order depth-first)";
  }
  if (point.order == Order::kEscalating) return WhyNot(ProverOf(point));
  for (const Exclusion& exclusion : kExclusions) {
    if (!exclusion.holds(point)) continue;
    std::string why(exclusion.why);
    if (const size_t at = why.find("{}"); at != std::string::npos)
      why.replace(at, 2, NameOf(point.order));
    if (!exclusion.after.empty()) why.append(NameOf(point.reduction)).append(exclusion.after);
    return why;
  }
  return "";
}

bool KeepsStates(const Point& point) {
  return point.reduction == Reduction::kHappensBefore ||
         point.reduction == Reduction::kHappensBeforeAll;
}

bool PartsWithBranches(const Point& point) {
  if (point.order == Order::kEscalating || Visits(point)) return false;
  return !Samples(point);
}

bool SharesWork(const Point& point) {
  if (point.order != Order::kEscalating) return PartsWithBranches(point);
  const Point prover = ProverOf(point);
  return PartsWithBranches(prover) && !BoundsInTurn(prover) && !KeepsStates(prover);
}

bool BoundsInTurn(const Point& point) {
  return point.order == Order::kContextBounded || point.bound.iterate;
}

bool InAnyOrder(const Point& point) {
  return Reduces(point) && (point.order == Order::kRandom || point.order == Order::kBestFirst);
}

bool CanBeCut(const Point& point) {
  return SharesWork(point) && !KeepsStates(point) && point.reduction != Reduction::kBounded &&
         !(InAnyOrder(point) && point.reduction == Reduction::kOptimal);
}

bool Draws(Order order) {
  switch (order) {
    case Order::kDepthFirst:
    case Order::kContextBounded:
    case Order::kBestFirst:
    case Order::kEscalating:
      return false;
    case Order::kRandom:
    case Order::kPct:
    case Order::kPos:
    case Order::kSurw:
    case Order::kRff:
      return true;
  }
  return false;
}

bool Samples(const Point& point) {
  return Draws(point.order) && point.reduction == Reduction::kNone;
}

}  // namespace heddle::space
