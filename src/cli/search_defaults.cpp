#include "cli/search_defaults.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "cli/point_text.h"

namespace heddle::cli {
namespace {

using base::Error;
using space::NameOf;

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
  if (bound.unit == space::Unit::kStale)
    return Error{"--iterate goes from bound to bound of preemptions, delays or depth: drop it"};
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
  if (options.memory_model.empty()) options.memory_model = NameOf(space::MemoryModel::kSc);
  const bool fits_model = bound.IsNone() || bound.unit == space::Unit::kStale;
  if (options.memory_model != NameOf(space::MemoryModel::kSc) && fits_model) {
    if (options.order.empty())
      options.order = NameOf(options.reduction.empty() ? Order::kEscalating : Order::kDepthFirst);
    const bool proves = options.order != NameOf(Order::kRandom);
    if (options.reduction.empty() && proves) options.reduction = NameOf(Reduction::kReadsFrom);
  }
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

}  // namespace

std::optional<Error> FillInOpen(SearchOptions& options, space::Bound& bound) {
  if (auto refusal = FillInPreset(options, bound)) return refusal;
  if (auto refusal = FillInFocus(options)) return refusal;
  if (auto refusal = FillInIterate(options, bound)) return refusal;
  FillInDefaults(options, bound);
  return std::nullopt;
}

}  // namespace heddle::cli
