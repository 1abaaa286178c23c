#include "cli/search_options.h"

#include <algorithm>
#include <charconv>
#include <vector>

#include "cli/parse.h"

namespace heddle::cli {
namespace {

using base::Error;

constexpr uint32_t kNoBound = 0xffffffffu;

// The axes with the values that exist, and those that the design names for later versions.
struct Axis {
  const char* option;
  std::string SearchOptions::*value;
  std::vector<std::string> here;
  std::vector<std::string> later;
  const char* help;
};

const std::vector<Axis>& Axes() {
  static const std::vector<Axis> kAxes = {
      {"--preset",
       &SearchOptions::preset,
       {"chess", "inspect"},
       {"zing", "gambit", "one-page", "cb-por"},
       "A system of the literature. chess: --order context-bounded --points sync; inspect: --order "
       "depth-first --reduction dpor --points all"},
      {"--order",
       &SearchOptions::order,
       {"depth-first", "context-bounded", "random"},
       {"best-first", "pct", "pos", "surw"},
       "depth-first (default), context-bounded (fewest preemptions first; default with --bound) or "
       "random"},
      {"--reduction",
       &SearchOptions::reduction,
       {"none", "sleep-sets", "dpor", "source", "optimal"},
       {"happens-before"},
       "Leave out schedules that only reorder independent operations: optimal (default; each "
       "happens-before graph once), source (source sets), dpor (persistent sets), sleep-sets, or "
       "none (default with --order)"},
      {"--visited", &SearchOptions::visited, {"none"}, {"happens-before", "states"}, "none"},
      {"--rewind",
       &SearchOptions::rewind,
       {"memory", "fork"},
       {"checkpoint"},
       "How to get back to main: memory (default) or fork (a process per execution)"},
      {"--points",
       &SearchOptions::points,
       {"sync", "all", "every"},
       {},
       "Where threads may be interrupted: sync (default: before synchronisation and atomics), "
       "all (before plain accesses too) or every (before everything that a thread does, for tests "
       "of heddle itself)"},
      {"--timeouts",
       &SearchOptions::timeouts,
       {"any", "last"},
       {},
       "When a time limit may pass: any (default: whenever its thread waits) or last (only when "
       "nothing else can run, the earliest first)"},
  };
  return kAxes;
}

std::string Joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

bool Has(const std::vector<std::string>& words, const std::string& word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

// `--order ""` is a shell variable that was not set, not the default.
std::string RefuseEmpty(const std::string& value) { return value.empty() ? "empty value" : ""; }

std::optional<Error> RefuseValue(const Axis& axis, const std::string& value) {
  if (value.empty() || Has(axis.here, value)) return std::nullopt;
  std::string given = std::string(axis.option) + " " + value;
  if (Has(axis.later, value)) {
    return Error{given + " is not available in this version (available: " + Joined(axis.here) +
                 ")"};
  }
  return Error{given + ": no such value (available: " + Joined(axis.here) + ")"};
}

// "none" or "preemptions=N".
base::Result<uint32_t> ParseBound(const std::string& text) {
  if (text.empty() || text == "none") return kNoBound;
  size_t equals = text.find('=');
  std::string kind = text.substr(0, equals);
  if (kind == "delays" || kind == "depth") {
    return Error{"--bound " + kind +
                 " is not available in this version (available: preemptions=N, none)"};
  }
  uint32_t number = 0;
  const char* end = text.data() + text.size();
  const char* digits = equals == std::string::npos ? end : text.data() + equals + 1;
  auto parsed = std::from_chars(digits, end, number);
  if (kind != "preemptions" || parsed.ec != std::errc() || parsed.ptr != end ||
      number == kNoBound) {
    return Error{"--bound " + text + ": write preemptions=N or none"};
  }
  return number;
}

// The value of an axis by its name. REQUIRES: it has that name.
template <typename T>
T ValueOf(const std::string& name, const char* (*name_of)(T)) {
  uint32_t value = 0;
  while (name != name_of(static_cast<T>(value))) ++value;
  return static_cast<T>(value);
}

// Why `reduction` cannot be combined with a bound on preemptions.
Error UnsoundWithBound(const std::string& reduction) {
  return Error{
      "--reduction " + reduction +
      " with a bound on preemptions is unsound: the schedule it keeps for a pruned one may need "
      "more preemptions than the bound allows, so bugs within the bound are lost"};
}

// What a preset stands for must not be asked for otherwise.
std::optional<Error> FillIn(const std::string& preset, const char* option, const char* means,
                            std::string& value) {
  if (!value.empty() && value != means) {
    return Error{"--preset " + preset + " is " + option + " " + means + ": drop one of the two"};
  }
  value = means;
  return std::nullopt;
}

std::optional<Error> FillInPreset(SearchOptions& options) {
  const bool chess = options.preset == "chess";
  if (!chess && options.preset != "inspect") return std::nullopt;
  if (auto clash = FillIn(options.preset, "--order", chess ? "context-bounded" : "depth-first",
                          options.order)) {
    return clash;
  }
  if (auto clash =
          FillIn(options.preset, "--reduction", chess ? "none" : "dpor", options.reduction)) {
    return clash;
  }
  return FillIn(options.preset, "--points", chess ? "sync" : "all", options.points);
}

// Gives the axes that are left open the values that make sense together.
void FillInDefaults(SearchOptions& options, bool bounded) {
  const bool reduces = !options.reduction.empty() && options.reduction != "none";
  if (options.points == "every" && options.order.empty() && !bounded) options.order = "depth-first";
  if (options.order.empty() && bounded && !reduces) options.order = "context-bounded";
  if (options.order.empty()) {
    options.order = "depth-first";
    if (options.reduction.empty()) options.reduction = "optimal";
  }
  if (options.reduction.empty()) options.reduction = "none";
}

std::optional<Error> RefuseUnsound(const SearchOptions& options, bool bounded) {
  if (options.order == "random" && bounded) {
    return Error{"--order random cannot be bounded: it proves nothing with or without --bound"};
  }
  if (options.reduction == "none" || options.reduction == "happens-before") return std::nullopt;
  if (options.points == "every") {
    return Error{
        "--points every runs all interleavings of everything that threads do: --reduction " +
        options.reduction + " would leave out most of them"};
  }
  if (bounded || options.order == "context-bounded") return UnsoundWithBound(options.reduction);
  if (options.order == "random") {
    return Error{"--order random runs schedules one by one: it has no use for --reduction " +
                 options.reduction};
  }
  return std::nullopt;
}

std::optional<Error> RefuseUnbounded(const SearchOptions& options) {
  if (options.order == "random" && options.require_complete) {
    return Error{"--order random never completes a search: drop --require-complete"};
  }
  if (options.max_events == 0) return Error{"--max-events must be at least 1"};
  return std::nullopt;
}

}  // namespace

void AddSearchOptions(CLI::App& app, SearchOptions& options) {
  for (const Axis& axis : Axes()) {
    app.add_option(axis.option, options.*axis.value, axis.help)
        ->type_name("NAME")
        ->check(RefuseEmpty)
        ->group("Search");
  }
  app.add_option("--bound", options.bound,
                 "preemptions=N: no schedule with more preemptions and early timeouts; or none "
                 "(default)")
      ->type_name("BOUND")
      ->check(RefuseEmpty)
      ->group("Search");
  AddNumber(app, "--seed", options.seed, "Of random schedules and of the program's own randomness")
      ->group("Search");

  AddNumber(app, "--executions", options.executions, "Stop after N executions (0: no limit)")
      ->group("When to stop");
  AddDuration(app, "--time", options.time_ms, "Stop after this long: 500ms, 60s, 5m, 2h")
      ->group("When to stop");
  app.add_flag("--keep-going", options.keep_going, "Do not stop at the first bug")
      ->group("When to stop");
  AddNumber(app, "--max-events", options.max_events,
            "Operations after which one execution counts as a hang (default 1000000)")
      ->group("When to stop");
  AddDuration(
      app, "--hang-after", options.hang_ms,
      "Processor time, or time asleep in a system call, after which one execution counts as "
      "a hang (default 10s; 0: never)")
      ->group("When to stop");
  app.add_flag("--require-complete", options.require_complete,
               "Exit status 4 when the search ends before everything asked for is explored")
      ->group("When to stop");

  app.add_flag("--no-races", options.no_races, "Do not look for data races")->group("Checks");
  app.add_option("--suppressions", options.suppressions,
                 "Findings not to report, in ThreadSanitizer's format")
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
  app.add_flag("--strict", options.strict,
               "Threads still running and objects not destroyed when the program ends are bugs")
      ->group("Checks");
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
      ->type_name("DIR")
      ->group("Output");
  app.add_option("--json", options.json, "Write the result to FILE")
      ->type_name("FILE")
      ->group("Output");
  app.add_flag("--show-output", options.show_output, "Let the program print during the search")
      ->group("Output");
  app.add_flag("--quiet", options.quiet, "Only a line for each bug and how to replay it")
      ->group("Output");
  AddColor(app, options.color);
}

base::Result<channel::Settings> MakeSettings(SearchOptions options) {
  base::Result<uint32_t> bound = ParseBound(options.bound);
  if (!bound.Ok()) return Error{bound.Message()};
  const bool bounded = *bound != kNoBound;
  if (auto refusal = FillInPreset(options)) return *refusal;
  FillInDefaults(options, bounded);
  // Unsoundness first: it holds in every version.
  if (auto refusal = RefuseUnsound(options, bounded)) return *refusal;
  for (const Axis& axis : Axes()) {
    if (auto refusal = RefuseValue(axis, options.*axis.value)) return *refusal;
  }
  if (auto refusal = RefuseUnbounded(options)) return *refusal;

  channel::Settings settings = {};
  settings.mode = channel::Mode::kCheck;
  settings.order = ValueOf<channel::Order>(options.order, channel::OrderName);
  settings.reduction = ValueOf<channel::Reduction>(options.reduction, channel::ReductionName);
  settings.rewind = options.rewind == "fork" ? channel::Rewind::kFork : channel::Rewind::kMemory;
  settings.points = channel::PointsOf(options.points);
  settings.timeouts =
      options.timeouts == "last" ? channel::Timeouts::kLast : channel::Timeouts::kAny;
  settings.seed = options.seed;
  settings.preemption_bound = *bound;
  settings.keep_going = options.keep_going;
  settings.max_executions = options.executions;
  settings.time_limit_ms = options.time_ms;
  settings.max_events = options.max_events;
  settings.hang_ms = options.hang_ms;
  settings.verify = options.verify_determinism;
  settings.minimise = !options.no_minimise;
  settings.report_races = !options.no_races;
  settings.strict = options.strict;
  settings.suppressions = !options.suppressions.empty();
  settings.volatile_atomic = options.volatiles == "atomic";
  settings.release_sequences = channel::ReleaseSequencesOf(options.release_sequences);
  settings.spurious_wakeups = options.spurious_wakeups;
  settings.end_at_cycle = options.preset == "inspect";
  settings.show_output = options.show_output;
  return settings;
}

}  // namespace heddle::cli
