// A search is a point in a space: order, reduction, bound, visited, points. This is the registry of
// what there is on each axis, what it is called, what it is good for, and which points are no
// search, with the reason. The command line, its help, presets, the JSON result, the guarantee and
// the explorers all read it; so a new value is a line here and what it names in
// explore/compose/registry.cpp.
//
// A combination that is unsound is refused, never run quietly, and for callers of the library, too:
// explore::Find asks WhyNot.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace heddle::space {

// Part of the channel's contract: their numbers stay.
enum class Order : uint32_t {
  kDepthFirst = 0,
  kContextBounded = 1,
  kRandom = 2,
  kPct = 3,
  kPos = 4,
  kSurw = 5,
  kRff = 6,
  kBestFirst = 7,
  kEscalating = 8,
};
enum class Reduction : uint32_t {
  kNone,
  kSleepSets,
  kDpor,
  kSource,
  kOptimal,
  kHappensBefore,
  kHappensBeforeAll,
  kBounded,
  kReadsFrom,
};
// Which executions there are of an interleaving: what an atomic load may read (src/model).
enum class MemoryModel : uint32_t { kSc, kTso, kC11 };
// What --order best-first goes by (explore/best/priority.h).
enum class Priority : uint8_t { kPb, kDpor, kMdpor, kSs, kRand, kMethod, kVar };
// kHooks: a thread is interrupted at heddle_hook and where it waits, and nowhere else.
enum class Points : uint32_t { kSync, kAll, kEvery, kHooks };
// What a search remembers of what it has visited, to end executions that come there again. The
// tables of reductions (KeepsStates) are another thing.
enum class Visited : uint32_t { kNone, kStates, kCounters };
// Of cost (trace/cost.h). Early timeouts count among preemptions. The depth of a schedule is how
// many of its choices of threads there are up to the last one that is not the default. Under tso
// and c11, stale accesses (model/stale.h) are counted instead.
enum class Unit : uint32_t { kPreemptions, kDelays, kDepth, kStale };

inline constexpr uint32_t kUnbounded = 0xffffffffu;

// How many ordering constraints the bugs need that --order pct aims at, if nothing is said: what
// the papers on other orders compare with (docs/algorithms/sampling.md).
inline constexpr uint32_t kDefaultDepth = 3;

// How much of what an execution may have; for context-bounded, the last bound explored.
struct Bound {
  Unit unit = Unit::kPreemptions;
  uint32_t most = kUnbounded;
  bool iterate = false;  // of depth: first `most`, then twice as much, and so on without an end

  bool IsNone() const { return most == kUnbounded; }
  uint32_t Last() const { return iterate ? kUnbounded : most; }
  bool operator==(const Bound&) const = default;
};

// Priority functions, the one that decides first. Plain data, for the channel.
struct Priorities {
  static constexpr uint32_t kMost = 7;  // each function once
  uint32_t count = 0;
  Priority names[kMost] = {};

  std::span<const Priority> List() const { return {names, count}; }
  friend bool operator==(const Priorities&, const Priorities&) = default;
};

inline constexpr Priorities kDefaultPriorities = {2, {Priority::kMdpor, Priority::kPb}};

struct Point {
  Order order = Order::kDepthFirst;
  Reduction reduction = Reduction::kNone;
  Bound bound = {};
  Points points = Points::kSync;
  Priorities priorities = {};  // of best-first
  uint32_t depth = 0;          // of the bugs that kPct aims at; 0: not given
  Visited visited = Visited::kNone;
  MemoryModel memory_model = MemoryModel::kSc;
};

// A value of an axis. `help` is what follows its name in the help.
struct Value {
  std::string_view name;
  std::string_view help;
};

// An axis as an option of the command line: its values in the order of their enumeration.
struct Axis {
  std::string_view option;
  std::string_view help;
  std::span<const Value> values;
};
const Axis& OrderAxis();
const Axis& ReductionAxis();
const Axis& PointsAxis();
const Axis& VisitedAxis();
const Axis& MemoryModelAxis();
const Axis& PresetAxis();
std::span<const Value> Units();
std::span<const Value> PriorityFunctions();

std::string_view NameOf(Order order);
std::string_view NameOf(Reduction reduction);
std::string_view NameOf(Points points);
std::string_view NameOf(Visited visited);
std::string_view NameOf(MemoryModel model);
std::string_view NameOf(Unit unit);
std::string_view NameOf(Priority priority);
std::string NameOf(const Priorities& priorities);  // "mdpor,pb"
std::string NameOf(const Point& point);            // order and reduction, if it has one
// By its name, as on the command line; nothing if there is none of it.
std::optional<Order> OrderOf(std::string_view name);
std::optional<Reduction> ReductionOf(std::string_view name);
std::optional<Points> PointsOf(std::string_view name);
std::optional<Visited> VisitedOf(std::string_view name);
std::optional<MemoryModel> MemoryModelOf(std::string_view name);
std::optional<Unit> UnitOf(std::string_view name);
std::optional<Priority> PriorityOf(std::string_view name);

// A system of the literature as a point.
struct Preset {
  Point point;
  // Its reduction is for searches without a bound: with one it has none.
  bool bounds_without_reduction;
  bool end_at_cycle;  // threads that wait for each other are a deadlock, whatever others do
};
const Preset* PresetOf(std::string_view name);  // null if there is none of that name

// Empty if the point is a search; else why it is none, as a sentence that names the options.
std::string WhyNot(const Point& point);

// Of escalating: the search among several in turn that proves what the whole can prove.
Point ProverOf(const Point& escalating);

// Does a search at the point keep a table of states for its reduction?
bool KeepsStates(const Point& point);

// Can a search at the point part with branches (explore::Explorer::Split)? One that keeps states,
// to those that have the same table.
bool PartsWithBranches(const Point& point);

// ... and is it divided among several jobs (docs/algorithms/parallel.md)?
bool SharesWork(const Point& point);

// Does it explore one bound after the other? Then what is said of each of them has to hold for all
// jobs at that moment.
bool BoundsInTurn(const Point& point);

// Does it take the branches of a reduction in another order than depth first?
bool InAnyOrder(const Point& point);

// Can a saved search at the point be cut into pieces (docs/pieces.md)? Not by `bounded`, as nobody
// goes from bound to bound with all pieces; not one that keeps states, as pieces have no table
// together; and not by optimal in any order, as it has begun without knowing that it would be cut
// (R27 in dpor_extensions.md).
bool CanBeCut(const Point& point);

// Does the order draw whole schedules?
bool Draws(Order order);

// Does a search at the point draw schedules for ever, and prove nothing?
bool Samples(const Point& point);

}  // namespace heddle::space
