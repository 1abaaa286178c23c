// The options of `heddle check`: their table, and which combinations make sense.
//
// A search is a point in a space (order, reduction, bound, visited, rewind). A combination that is
// unsound is refused with the reason, never run quietly; one that this version does not have is
// refused by name.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "channel/settings.h"
#include "cli/parse.h"
#include "report/terminal.h"

namespace heddle::cli {

struct SearchOptions {
  // The axes as written; empty: not given.
  std::string preset, order, reduction, bound, visited, rewind, points, timeouts, priority;
  std::string memory_model;

  std::vector<std::string> focus_functions, focus_variables;

  uint64_t executions = 0;
  uint64_t time_ms = 0;
  uint64_t seed = 1;
  static constexpr uint64_t kNotGiven = ~uint64_t{0};
  uint64_t depth = kNotGiven;
  uint64_t max_events = 1000000;
  uint64_t hang_ms = 10000;
  uint64_t idle_rounds = 16;
  bool leaks = false;
  bool uninitialised = false;
  uint64_t fail_allocations = 0;
  uint64_t memory = 0;  // bytes; 0: not given
  uint64_t jobs = 0;    // 0: not given
  bool iterate = false;
  bool keep_going = false;
  bool require_complete = false;
  bool verify_determinism = false;
  bool no_minimise = false;
  bool no_races = false;
  bool strict = false;
  bool exact = false;
  bool spurious_wakeups = false;
  bool no_debug_info = false;
  bool uninstrumented = false;
  bool show_output = false;
  bool quiet = false;
  bool full = false;
  std::string out = "heddle-out";
  std::string json;
  std::string suppressions;
  std::string save;            // file for the search, to go on with it later
  std::string resume;          // file of a search to go on with
  std::string shard;           // "K/N", "auto", "auto/N" (shard.h)
  std::string result;          // file for what a shard has explored
  uint64_t save_every_ms = 0;  // 0: as often as costs little
  // Of heddle::Check: where it was called (channel::kMaxCheckCall), and the descriptor that takes
  // the result (report/fields.h); -1: none.
  std::string at_check;
  int fields = -1;
  std::string volatiles = "plain";
  std::string reuse = "late";
  std::string release_sequences = "auto";
  std::string format;  // empty: output_format.h
  report::ColorChoice color = report::ColorChoice::kAuto;
};

void AddSearchOptions(CommandLine& line, SearchOptions& options);
// Of these, those that say what a bug is and what the program may do; and after what an execution
// is cut.
void AddCheckOptions(CommandLine& line, SearchOptions& options);
void AddSearchLimits(CommandLine& line, SearchOptions& options);

// Of the axes, --rewind and --timeouts: a name that is none of this version.
std::optional<base::Error> RefuseUnknownValues(const SearchOptions& options);

// The settings for the program's process, or why the options do not go together.
base::Result<channel::Settings> MakeSettings(SearchOptions options);

}  // namespace heddle::cli
