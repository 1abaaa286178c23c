#include <algorithm>

#include "cli/point_text.h"
#include "cli/refuse_visiting.h"
#include "cli/search_defaults.h"
#include "cli/search_options.h"

namespace heddle::cli {
namespace {

using base::Error;

constexpr uint64_t kMostFailAllocations = 255;
constexpr uint64_t kMostIdleRounds = 1'000'000;

// Where it was measured to be faster (docs/algorithms/checkpoints.md): what runs next has most in
// common with what ran last. Of several searches in turn the prover has most of the turns.
channel::Rewind DefaultRewind(const space::Point& point) {
  const bool in_order =
      point.order == space::Order::kDepthFirst || point.order == space::Order::kEscalating;
  const bool pays = in_order && point.visited == space::Visited::kNone;
  return pays ? channel::Rewind::kCheckpoint : channel::Rewind::kMemory;
}

// Nothing if some name is none of this version.
std::optional<space::Point> PointOf(const SearchOptions& options, space::Bound bound) {
  const auto order = space::OrderOf(options.order);
  const auto reduction = space::ReductionOf(options.reduction);
  const auto points = space::PointsOf(options.points);
  const auto visited = space::VisitedOf(options.visited);
  const auto memory_model = space::MemoryModelOf(options.memory_model);
  if (!order || !reduction || !points || !visited || !memory_model) return std::nullopt;
  const bool deep = options.depth != SearchOptions::kNotGiven;
  const uint64_t depth = deep ? std::min<uint64_t>(options.depth, space::kUnbounded) : 0;
  const auto priorities = ParsePriorities(options.priority);
  return space::Point{
      *order,      *reduction, bound, *points, *priorities, static_cast<uint32_t>(depth), *visited,
      *memory_model};
}

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

// All that the options say, of a search whose point is `point`.
channel::Settings SettingsOf(const SearchOptions& options, const space::Point& point) {
  channel::Settings settings = {};
  settings.mode = channel::Mode::kCheck;
  settings.order = point.order;
  settings.reduction = point.reduction;
  settings.rewind =
      options.rewind.empty() ? DefaultRewind(point) : channel::RewindOf(options.rewind);
  settings.points = point.points;
  settings.visited = point.visited;
  settings.memory_model = point.memory_model;
  settings.timeouts =
      options.timeouts == "last" ? channel::Timeouts::kLast : channel::Timeouts::kAny;
  settings.seed = options.seed;
  settings.bound = point.bound;
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

}  // namespace

base::Result<channel::Settings> MakeSettings(SearchOptions options) {
  base::Result<space::Bound> bound = ParseBound(options.bound);
  if (!bound.Ok()) return Error{bound.Message()};
  if (const auto priorities = ParsePriorities(options.priority); !priorities.Ok()) {
    return Error{priorities.Message()};
  }
  if (auto refusal = FillInOpen(options, *bound)) return *refusal;
  if (auto refusal = RefuseUnknownValues(options)) return *refusal;
  space::Point point = *PointOf(options, *bound);
  if (options.depth == 0) return Error{"--depth must be at least 1"};
  if (const std::string why = space::WhyNot(point); !why.empty()) return Error{why};
  if (auto refusal = RefuseUnbounded(options, point)) return *refusal;
  if (auto refusal = RefuseVisiting(options, point.visited)) return *refusal;
  if (point.order == space::Order::kPct && point.depth == 0) point.depth = space::kDefaultDepth;
  const bool has_place = options.at_check.find('@') != std::string::npos;
  if (!options.at_check.empty() &&
      (!has_place || options.at_check.size() >= channel::kMaxCheckCall))
    return base::Error{"--at-check is for heddle::Check, which gives it the call"};
  return SettingsOf(options, point);
}

}  // namespace heddle::cli
