#include "cli/search_options.h"

#include <algorithm>
#include <charconv>
#include <vector>

#include "cli/did_you_mean.h"
#include "cli/parse.h"
#include "cli/refuse_visiting.h"

namespace heddle::cli {
namespace {

using base::Error;

using space::kUnbounded;
using space::NameOf;

// An axis as an option.
struct Axis {
  std::string option;
  std::string SearchOptions::*value;
  std::vector<std::string> values;
  std::string help;
};

// "text: name (help), name or name (help)".
std::string HelpOf(const space::Axis& axis) {
  std::string text(axis.help);
  for (size_t i = 0; i < axis.values.size(); ++i) {
    const space::Value& value = axis.values[i];
    text += i == 0 ? ": " : i + 1 == axis.values.size() ? " or " : ", ";
    text += value.name;
    if (!value.help.empty()) text.append(" (").append(value.help).append(")");
  }
  return text;
}

Axis From(const space::Axis& axis, std::string SearchOptions::*value) {
  Axis option = {std::string(axis.option), value, {}, HelpOf(axis)};
  for (const space::Value& each : axis.values) option.values.emplace_back(each.name);
  return option;
}

const std::vector<Axis>& Axes() {
  static const std::vector<Axis> kAxes = {
      From(space::PresetAxis(), &SearchOptions::preset),
      From(space::OrderAxis(), &SearchOptions::order),
      From(space::ReductionAxis(), &SearchOptions::reduction),
      From(space::VisitedAxis(), &SearchOptions::visited),
      {"--rewind",
       &SearchOptions::rewind,
       {"memory", "checkpoint", "fork", "fork-checkpoint"},
       "How to get back to an earlier state: memory (default but with --order depth-first: to "
       "main), checkpoint (into the middle of an execution, so that what many have in common is "
       "run once), fork (to main, in a process per execution) or fork-checkpoint (both)"},
      From(space::PointsAxis(), &SearchOptions::points),
      {"--timeouts",
       &SearchOptions::timeouts,
       {"any", "last"},
       "When a time limit may pass: any (default: whenever its thread waits) or last (only when "
       "nothing else can run, the earliest first)"},
  };
  return kAxes;
}

// Where it was measured to be faster (docs/algorithms/checkpoints.md): what runs next has most in
// common with what ran last.
channel::Rewind DefaultRewind(const space::Point& point) {
  const bool pays =
      point.order == space::Order::kDepthFirst && point.visited == space::Visited::kNone;
  return pays ? channel::Rewind::kCheckpoint : channel::Rewind::kMemory;
}

std::string Joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

// `--order ""` is a shell variable that was not set, not the default.
std::string RefuseEmpty(const std::string& value) { return value.empty() ? "empty value" : ""; }

std::optional<Error> RefuseValue(const Axis& axis, const std::string& value) {
  if (value.empty() || std::ranges::find(axis.values, value) != axis.values.end())
    return std::nullopt;
  return Error{axis.option + " " + value + ": no such value" + DidYouMean(value, axis.values) +
               " (available: " + Joined(axis.values) + ")"};
}

// "preemptions=N, delays=N"
std::string UnitsOfBound() {
  std::string text;
  for (const space::Value& unit : space::Units()) {
    text.append(text.empty() ? "" : ", ").append(unit.name).append("=N");
  }
  return text;
}

// "none" or UNIT=N.
base::Result<space::Bound> ParseBound(const std::string& text) {
  if (text.empty() || text == "none") return space::Bound();
  size_t equals = text.find('=');
  const auto unit = space::UnitOf(text.substr(0, equals));
  uint32_t number = 0;
  const char* end = text.data() + text.size();
  const char* digits = equals == std::string::npos ? end : text.data() + equals + 1;
  auto parsed = std::from_chars(digits, end, number);
  if (!unit || parsed.ec != std::errc() || parsed.ptr != end || number == kUnbounded) {
    return Error{"--bound " + text + ": write " + UnitsOfBound() + " or none"};
  }
  return space::Bound{*unit, number};
}

// "mdpor,pb".
base::Result<space::Priorities> ParsePriorities(const std::string& text) {
  space::Priorities priorities;
  for (size_t at = 0; !text.empty() && at <= text.size();) {
    const size_t comma = std::min(text.find(',', at), text.size());
    const std::string name = text.substr(at, comma - at);
    const auto function = space::PriorityOf(name);
    if (!function) {
      std::string names;
      for (const space::Value& value : space::PriorityFunctions()) {
        names.append(names.empty() ? "" : ", ").append(value.name);
      }
      return Error{"--priority " + text + ": " +
                   (name.empty() ? "empty name" : "no function " + name) + " (available: " + names +
                   "; several with commas between, as in mdpor,pb)"};
    }
    if (std::ranges::count(priorities.List(), *function) != 0) {
      return Error{"--priority " + text + ": " + name + " is there twice"};
    }
    priorities.names[priorities.count++] = *function;
    at = comma + 1;
  }
  return priorities;
}

// Names are there to be looked at first: by functions that do, in front unless --priority has them.
std::optional<Error> FillInFocus(SearchOptions& options) {
  const auto fill_in = [&](space::Priority function, const std::vector<std::string>& names,
                           std::string_view option) -> std::optional<Error> {
    const auto given = ParsePriorities(options.priority);
    const bool has = std::ranges::count(given->List(), function) != 0;
    if (has && names.empty()) {
      return Error{std::string("--priority ").append(NameOf(function)) + " needs a " +
                   std::string(option) + " NAME"};
    }
    if (has || names.empty()) return std::nullopt;
    const std::string rest = options.priority.empty()
                                 ? std::string(NameOf(space::kDefaultPriorities))
                                 : options.priority;
    options.priority = std::string(NameOf(function)) + "," + rest;
    return std::nullopt;
  };
  if (auto error = fill_in(space::Priority::kMethod, options.focus_functions, "--focus-function"))
    return error;
  return fill_in(space::Priority::kVar, options.focus_variables, "--focus-variable");
}

// What a preset stands for must not be asked for otherwise.
std::optional<Error> FillIn(std::string_view preset, std::string_view option,
                            std::string_view means, std::string& value) {
  if (!value.empty() && value != means) {
    return Error{std::string("--preset ").append(preset) + " is " + std::string(option) + " " +
                 std::string(means) + ": drop one of the two"};
  }
  value = means;
  return std::nullopt;
}

std::optional<Error> FillInPreset(SearchOptions& options, space::Bound bound) {
  const space::Preset* preset = space::PresetOf(options.preset);
  if (preset == nullptr) return std::nullopt;
  const std::string& name = options.preset;
  space::Point point = preset->point;
  if (preset->bounds_without_reduction && !bound.IsNone()) {
    point.reduction = space::Reduction::kNone;
  }
  if (auto clash = FillIn(name, "--order", NameOf(point.order), options.order)) return clash;
  if (auto clash = FillIn(name, "--reduction", NameOf(point.reduction), options.reduction)) {
    return clash;
  }
  if (auto clash = FillIn(name, "--visited", NameOf(point.visited), options.visited)) return clash;
  if (options.priority.empty()) options.priority = NameOf(point.priorities);
  return FillIn(name, "--points", NameOf(point.points), options.points);
}

// A bound of depth goes on and on; with the others, it is an order that goes from one to the next.
std::optional<Error> FillInIterate(SearchOptions& options, space::Bound& bound) {
  if (!options.iterate) return std::nullopt;
  if (bound.IsNone()) return Error{"--iterate needs a --bound: " + UnitsOfBound()};
  bound.iterate = bound.unit == space::Unit::kDepth;
  const std::string_view in_order = NameOf(space::Order::kContextBounded);
  if (bound.iterate || options.order == in_order) return std::nullopt;
  if (!options.order.empty()) {
    return Error{"--iterate with --bound " + std::string(NameOf(bound.unit)) + " is --order " +
                 std::string(in_order) + ": drop --order " + options.order};
  }
  options.order = in_order;
  return std::nullopt;
}

// Gives the axes that are left open the values that make sense together.
void FillInDefaults(SearchOptions& options, space::Bound bound) {
  using space::Order;
  using space::Reduction;
  const bool reduces = !options.reduction.empty() && options.reduction != NameOf(Reduction::kNone);
  if (options.points.empty() && options.visited == NameOf(space::Visited::kCounters))
    options.points = NameOf(space::Points::kHooks);
  const bool every = options.points == NameOf(space::Points::kEvery) ||
                     options.points == NameOf(space::Points::kHooks);
  if (options.visited.empty()) options.visited = NameOf(space::Visited::kNone);
  if (options.visited != NameOf(space::Visited::kNone)) {
    if (options.reduction.empty()) options.reduction = NameOf(Reduction::kNone);
    if (options.order.empty() && bound.IsNone()) options.order = NameOf(Order::kDepthFirst);
  }
  const bool by_depth = bound.unit == space::Unit::kDepth;
  if (every && options.order.empty() && bound.IsNone()) options.order = NameOf(Order::kDepthFirst);
  if (options.order.empty() && !options.priority.empty()) options.order = NameOf(Order::kBestFirst);
  if (options.order.empty() && !bound.IsNone() && !reduces) {
    options.order = NameOf(by_depth ? Order::kDepthFirst : Order::kContextBounded);
  }
  if (options.order.empty()) {
    options.order = NameOf(options.reduction.empty() ? Order::kEscalating : Order::kDepthFirst);
  }
  if (options.order == NameOf(Order::kEscalating) && options.reduction.empty() && !every) {
    const bool counts = bound.unit == space::Unit::kPreemptions;
    options.reduction = bound.IsNone()                ? NameOf(Reduction::kOptimal)
                        : counts && !options.no_races ? NameOf(Reduction::kBounded)
                                                      : NameOf(Reduction::kNone);
  }
  if (options.order == NameOf(Order::kBestFirst)) {
    if (options.priority.empty()) options.priority = NameOf(space::kDefaultPriorities);
    if (options.reduction.empty() && bound.IsNone() && !every) {
      options.reduction = NameOf(Reduction::kDpor);
    }
  }
  if (options.reduction.empty()) {
    const bool in_bounds = options.order == NameOf(Order::kContextBounded);
    // Accesses that race and are no steps depend on each other, and no reduction knows.
    const bool races_hide = options.no_races && options.points != NameOf(space::Points::kAll);
    const bool reducible = bound.unit == space::Unit::kPreemptions && !every && !races_hide;
    options.reduction = NameOf(in_bounds && reducible ? Reduction::kBounded : Reduction::kNone);
  }
  if (options.points.empty()) options.points = NameOf(space::Points::kSync);
}

// Nothing if some name is none of this version.
std::optional<space::Point> PointOf(const SearchOptions& options, space::Bound bound) {
  const auto order = space::OrderOf(options.order);
  const auto reduction = space::ReductionOf(options.reduction);
  const auto points = space::PointsOf(options.points);
  const auto visited = space::VisitedOf(options.visited);
  if (!order || !reduction || !points || !visited) return std::nullopt;
  const bool deep = options.depth != SearchOptions::kNotGiven;
  const uint64_t depth = deep ? std::min<uint64_t>(options.depth, space::kUnbounded) : 0;
  const auto priorities = ParsePriorities(options.priority);
  return space::Point{
      *order, *reduction, bound, *points, *priorities, static_cast<uint32_t>(depth), *visited};
}

constexpr uint64_t kMostFailAllocations = 255;
constexpr uint64_t kMostIdleRounds = 1'000'000;

std::optional<Error> RefuseUnbounded(const SearchOptions& options, const space::Point& point) {
  if (space::Samples(point) && options.require_complete) {
    return Error{"--order " + options.order + " never completes a search: drop --require-complete"};
  }
  if (options.max_events == 0) return Error{"--max-events must be at least 1"};
  if (options.idle_rounds == 0 || options.idle_rounds > kMostIdleRounds)
    return Error{"--idle-rounds must be 1 to 1000000"};
  if (options.fail_allocations > kMostFailAllocations)
    return Error{"--fail-allocations must be 0 to 255"};
  // What may still fail is no part of what the counters tell.
  if (options.fail_allocations != 0 && point.visited == space::Visited::kCounters)
    return Error{"--fail-allocations does not go with --visited counters"};
  if (options.leaks && point.visited == space::Visited::kCounters)
    return Error{"--leaks does not go with --visited counters"};
  return std::nullopt;
}

void AddWhatToSearch(CLI::App& app, SearchOptions& options) {
  for (const Axis& axis : Axes()) {
    app.add_option(axis.option, options.*axis.value, axis.help)
        ->type_name("NAME")
        ->check(RefuseEmpty)
        ->group("Search");
  }
  std::string bounds;
  for (const space::Value& unit : space::Units()) {
    bounds.append(unit.name).append("=N: ").append(unit.help).append("; ");
  }
  app.add_option("--bound", options.bound, bounds + "or none (default)")
      ->type_name("BOUND")
      ->check(RefuseEmpty)
      ->group("Search");
  app.add_flag("--iterate", options.iterate,
               "With --bound depth=N: when that is through, 2N, 3N and so on, without an end; with "
               "the others the same as --order context-bounded")
      ->group("Search");
  std::string functions = "What --order best-first prefers: ";
  for (const space::Value& each : space::PriorityFunctions()) {
    functions.append(each.name).append(" (").append(each.help).append("), ");
  }
  app.add_option("--priority", options.priority,
                 functions + "or several, the first one decides (default mdpor,pb)")
      ->type_name("NAME,...")
      ->check(RefuseEmpty)
      ->group("Search");
  app.add_option("--focus-function", options.focus_functions,
                 "Look first where threads meet in this function (--priority method); repeatable")
      ->type_name("NAME")
      ->take_all()
      ->expected(1)
      ->check(RefuseEmpty)
      ->group("Search");
  app.add_option(
         "--focus-variable", options.focus_variables,
         "Look first where threads meet at this global variable, or queue.head, a member of "
         "one (--priority var); repeatable")
      ->type_name("NAME")
      ->take_all()
      ->expected(1)
      ->check(RefuseEmpty)
      ->group("Search");
  AddBytes(app, "--memory", options.memory,
           "What --order best-first, random keep in memory of the work that is left: 500M, 2G "
           "(default 1G); beyond that it goes to disk, or with --reduction they go on depth first")
      ->group("Search");
  AddNumber(app, "--jobs", options.jobs,
            "Search with so many processes at the same time, from the beginning. Default: one for "
            "each processor, after the first second. Searches that cannot be divided have one")
      ->check(CLI::Range(uint64_t{1}, uint64_t{1024}))
      ->group("Search");
  AddNumber(
      app, "--depth", options.depth,
      "With --order pct: the bugs that it aims at need so many ordering constraints (default " +
          std::to_string(space::kDefaultDepth) + ")")
      ->group("Search");
  AddNumber(app, "--seed", options.seed, "Of random schedules and of the program's own randomness")
      ->group("Search");
}

void AddWhenToStop(CLI::App& app, SearchOptions& options) {
  AddNumber(app, "--executions", options.executions, "Stop after N executions (0: no limit)")
      ->group("When to stop");
  AddDuration(app, "--time", options.time_ms, "Stop after this long: 500ms, 60s, 5m, 2h")
      ->group("When to stop");
  app.add_flag("--keep-going", options.keep_going, "Do not stop at the first bug")
      ->group("When to stop");
  AddNumber(app, "--max-events", options.max_events,
            "Operations after which an execution is cut: told, no bug, and the search is not "
            "complete (default 1000000)")
      ->group("When to stop");
  AddNumber(app, "--idle-rounds", options.idle_rounds,
            "Rounds of a loop in which nothing that it reads has changed, after which it waits "
            "although it is in a new state each time, as one that counts; then the search is not "
            "complete (default 16)")
      ->group("When to stop");
  AddDuration(
      app, "--hang-after", options.hang_ms,
      "Processor time, or time asleep in a system call, after which an execution is cut, or is "
      "a hang if it is proved never to end (default 10s; 0: never)")
      ->group("When to stop");
  app.add_flag("--require-complete", options.require_complete,
               "Exit status 4 when the search ends before everything asked for is explored")
      ->group("When to stop");
}

}  // namespace

void AddSearchOptions(CLI::App& app, SearchOptions& options) {
  AddWhatToSearch(app, options);
  AddWhenToStop(app, options);
  app.add_option("--save", options.save,
                 "Save the search to FILE now and then and at its end, to go on with it later")
      ->type_name("FILE")
      ->check(RefuseEmpty)
      ->group("When to stop");
  AddDuration(app, "--save-every", options.save_every_ms,
              "Save so often (default: at most every 30s, and less often where saving takes long)")
      ->group("When to stop");
  app.add_option("--shard", options.shard,
                 "Explore one of N parts of the search: K/N; auto or auto/N: as the environment of "
                 "the job says")
      ->type_name("K/N")
      ->check(RefuseEmpty)
      ->group("When to stop");
  app.add_option("--result", options.result,
                 "With --shard: write what was explored to FILE, for heddle merge")
      ->type_name("FILE")
      ->check(RefuseEmpty)
      ->group("When to stop");
  app.add_option("--resume", options.resume,
                 "Go on with the search in FILE; PROG and the options of the search are in there")
      ->type_name("FILE")
      ->check(RefuseEmpty)
      ->group("When to stop");

  app.add_flag("--no-races", options.no_races, "Do not look for data races")->group("Checks");
  app.add_option("--suppressions", options.suppressions,
                 "Findings not to report, in the format of ThreadSanitizer, AddressSanitizer and "
                 "LeakSanitizer")
      ->type_name("FILE")
      ->check(RefuseEmpty)
      ->group("Checks");
  app.add_option(
         "--volatile", options.volatiles,
         "What volatile accesses are: plain (default), or atomic (relaxed): they do not race "
         "and are scheduling points")
      ->type_name("plain|atomic")
      ->check(CLI::IsMember({"plain", "atomic"}))
      ->group("Checks");
  app.add_option(
         "--release-sequences", options.release_sequences,
         "Does a relaxed store continue the release sequences that its own thread heads? c11: yes; "
         "c++20: no; auto (default): as in the language that its source file is compiled as")
      ->type_name("auto|c11|c++20")
      ->check(CLI::IsMember({"auto", "c11", "c++20"}))
      ->group("Checks");
  app.add_flag(
         "--strict", options.strict,
         "Threads still running and objects not destroyed when the program ends, and loops that "
         "keep others out, are bugs")
      ->group("Checks");
  app.add_flag("--leaks", options.leaks,
               "Memory that nothing points to when the program ends with status 0 is a bug")
      ->group("Checks");
  app.add_flag("--uninitialised", options.uninitialised,
               "To read bytes of the heap that nobody has written is a bug")
      ->group("Checks");
  AddNumber(app, "--fail-allocations", options.fail_allocations,
            "Any one of a thread's first N allocations may fail (default 0: none does)")
      ->group("Checks");
  app.add_option(
         "--reuse", options.reuse,
         "When is freed memory handed out again? late (default): not soon, so that late uses are "
         "found; now: the next time that the thread allocates as much, so that ABA is found")
      ->type_name("now|late")
      ->check(CLI::IsMember({"now", "late"}))
      ->group("Checks");
  app.add_flag("--exact", options.exact,
               "With --visited states: keep the states, and compare them word by word where their "
               "hashes are the same")
      ->group("Search");
  app.add_flag("--spurious-wakeups", options.spurious_wakeups,
               "Let condition waits wake up without a signal, as POSIX allows")
      ->group("Checks");
  app.add_flag("--verify-determinism", options.verify_determinism,
               "Run every schedule twice and compare")
      ->group("Checks");
  app.add_flag("--no-minimise", options.no_minimise,
               "Report the schedule as found, not the simplest that shows the bug")
      ->group("Checks");
  app.add_flag("--no-debug-info", options.no_debug_info,
               "Accept a program without debug information: no source lines in the report")
      ->group("Checks");

  app.add_flag("--uninstrumented", options.uninstrumented,
               "Accept a program that was not built with heddle-cc: only its synchronisation calls "
               "are explored")
      ->group("Checks");

  app.add_option("--out", options.out, "Directory for schedules (default heddle-out)")
      ->check(RefuseEmpty)
      ->type_name("DIR")
      ->group("Output");
  app.add_option("--json", options.json, "Write the result to FILE")
      ->check(RefuseEmpty)
      ->type_name("FILE")
      ->group("Output");
  app.add_option("--at-check", options.at_check)->group("");
  app.add_option("--fields", options.fields)->group("");
  app.add_flag("--show-output", options.show_output, "Let the program print during the search")
      ->group("Output");
  app.add_flag("--full", options.full, "Show every step of a schedule, however long it is")
      ->group("Output");
  app.add_flag("--quiet", options.quiet, "Only a line for each bug and how to replay it")
      ->group("Output");
  AddColor(app, options.color);
}

base::Result<channel::Settings> MakeSettings(SearchOptions options) {
  base::Result<space::Bound> bound = ParseBound(options.bound);
  if (!bound.Ok()) return Error{bound.Message()};
  if (const auto priorities = ParsePriorities(options.priority); !priorities.Ok()) {
    return Error{priorities.Message()};
  }
  if (auto refusal = FillInPreset(options, *bound)) return *refusal;
  if (auto refusal = FillInFocus(options)) return *refusal;
  if (auto refusal = FillInIterate(options, *bound)) return *refusal;
  FillInDefaults(options, *bound);
  for (const Axis& axis : Axes()) {
    if (auto refusal = RefuseValue(axis, options.*axis.value)) return *refusal;
  }
  space::Point point = *PointOf(options, *bound);
  if (options.depth == 0) return Error{"--depth must be at least 1"};
  if (const std::string why = space::WhyNot(point); !why.empty()) return Error{why};
  if (auto refusal = RefuseUnbounded(options, point)) return *refusal;
  if (auto refusal = RefuseVisiting(options, point.visited)) return *refusal;
  if (point.order == space::Order::kPct && point.depth == 0) point.depth = space::kDefaultDepth;

  channel::Settings settings = {};
  const bool has_place = options.at_check.find('@') != std::string::npos;
  if (!options.at_check.empty() &&
      (!has_place || options.at_check.size() >= channel::kMaxCheckCall))
    return base::Error{"--at-check is for heddle::Check, which gives it the call"};
  settings.mode = channel::Mode::kCheck;
  settings.order = point.order;
  settings.reduction = point.reduction;
  settings.rewind =
      options.rewind.empty() ? DefaultRewind(point) : channel::RewindOf(options.rewind);
  settings.points = point.points;
  settings.visited = point.visited;
  settings.timeouts =
      options.timeouts == "last" ? channel::Timeouts::kLast : channel::Timeouts::kAny;
  settings.seed = options.seed;
  settings.bound = *bound;
  settings.priorities = point.priorities;
  settings.memory_limit = options.memory;
  settings.depth = point.depth;
  settings.keep_going = options.keep_going;
  settings.max_executions = options.executions;
  settings.time_limit_ms = options.time_ms;
  settings.max_events = options.max_events;
  settings.hang_ms = options.hang_ms;
  settings.idle_rounds = static_cast<uint32_t>(options.idle_rounds);
  settings.leaks = options.leaks;
  settings.uninitialised = options.uninitialised;
  settings.fail_allocations = static_cast<uint32_t>(options.fail_allocations);
  settings.reuse_now = options.reuse == "now";
  settings.verify = options.verify_determinism;
  settings.minimise = !options.no_minimise;
  // Statements that are atomic do not race.
  settings.report_races = !options.no_races && point.points != space::Points::kHooks;
  settings.exact = options.exact;
  settings.strict = options.strict;
  settings.suppressions = !options.suppressions.empty();
  settings.volatile_atomic = options.volatiles == "atomic";
  settings.release_sequences = channel::ReleaseSequencesOf(options.release_sequences);
  settings.spurious_wakeups = options.spurious_wakeups;
  const space::Preset* preset = space::PresetOf(options.preset);
  settings.end_at_cycle = preset != nullptr && preset->end_at_cycle;
  settings.show_output = options.show_output;
  options.at_check.copy(settings.at_check, sizeof settings.at_check - 1);
  return settings;
}

}  // namespace heddle::cli
