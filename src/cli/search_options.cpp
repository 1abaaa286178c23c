#include "cli/search_options.h"

#include <algorithm>
#include <vector>

#include "cli/did_you_mean.h"
#include "cli/parse.h"

namespace heddle::cli {
namespace {

using base::Error;

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
      From(space::MemoryModelAxis(), &SearchOptions::memory_model),
      From(space::VisitedAxis(), &SearchOptions::visited),
      {"--rewind",
       &SearchOptions::rewind,
       {"memory", "checkpoint", "fork", "fork-checkpoint"},
       "How to get back to an earlier state: memory (to main), checkpoint (default with "
       "--order escalating or depth-first: into the middle of an execution, so that what many have "
       "in common is run once), fork (to main, in a process per execution) or fork-checkpoint "
       "(both)"},
      From(space::PointsAxis(), &SearchOptions::points),
      {"--timeouts",
       &SearchOptions::timeouts,
       {"any", "last"},
       "When a time limit may pass: any (default: whenever its thread waits) or last (only when "
       "nothing else can run, the earliest first)"},
  };
  return kAxes;
}

std::string Joined(const std::vector<std::string>& words, const char* between) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : between) + word;
  return text;
}

// Options under one heading of the help.
class Group {
 public:
  Group(CommandLine& line, const char* heading) : line_(line), heading_(heading) {}

  void Flag(const char* name, bool& value, const char* help) {
    line_.Flag(name, value, help).Group(heading_);
  }
  // `value` is a string, or several: then the option may be repeated.
  template <typename Value>
  CommandLine::Option Text(const std::string& name, Value& value, const char* type,
                           const std::string& help) {
    return line_.Text(name, value, help).Type(type).NotEmpty().Group(heading_);
  }
  void Names(const char* name, std::vector<std::string>& value, const char* help) {
    Text(name, value, "NAME", help).Repeatable();
  }
  void OneOf(const char* name, std::string& value, const std::vector<std::string>& words,
             const char* help) {
    line_.Text(name, value, help).Type(Joined(words, "|")).Among(words).Group(heading_);
  }
  CommandLine::Option Number(const char* name, uint64_t& value, const std::string& help) {
    return line_.Number(name, value, help).Group(heading_);
  }
  void Duration(const char* name, uint64_t& value, const char* help) {
    line_.Duration(name, value, help).Group(heading_);
  }
  void Bytes(const char* name, uint64_t& value, const char* help) {
    line_.Bytes(name, value, help).Group(heading_);
  }

 private:
  CommandLine& line_;
  const char* const heading_;
};

void AddWhatToSearch(CommandLine& line, SearchOptions& options) {
  Group search(line, "Search");
  for (const Axis& axis : Axes()) {
    search.Text(axis.option, options.*axis.value, "NAME", axis.help);
  }
  std::string bounds;
  for (const space::Value& unit : space::Units()) {
    bounds.append(unit.name).append("=N: ").append(unit.help).append("; ");
  }
  search.Text("--bound", options.bound, "BOUND", bounds + "or none (default)");
  search.Flag("--iterate", options.iterate,
              "With --bound depth=N: when that is through, 2N, 3N and so on, without an end; with "
              "the others the same as --order context-bounded");
  std::string functions = "What --order best-first prefers: ";
  for (const space::Value& each : space::PriorityFunctions()) {
    functions.append(each.name).append(" (").append(each.help).append("), ");
  }
  search.Text("--priority", options.priority, "NAME,...",
              functions + "or several, the first one decides (default mdpor,pb)");
  search.Names("--focus-function", options.focus_functions,
               "Look first where threads meet in this function (--priority method); repeatable");
  search.Names("--focus-variable", options.focus_variables,
               "Look first where threads meet at this global variable, or queue.head, a member of "
               "one (--priority var); repeatable");
  search.Bytes(
      "--memory", options.memory,
      "What --order best-first, random keep in memory of the work that is left: 500M, 2G "
      "(default 1G); beyond that it goes to disk, or with --reduction they go on depth first");
  search
      .Number(
          "--jobs", options.jobs,
          "Search with so many processes at the same time, from the beginning. Default: one for "
          "each processor, after the first second. Searches that cannot be divided have one")
      .Between(1, 1024);
  search.Number(
      "--depth", options.depth,
      "With --order pct: the bugs that it aims at need so many ordering constraints (default " +
          std::to_string(space::kDefaultDepth) + ")");
  search.Number("--seed", options.seed, "Of random schedules and of the program's own randomness");
  search.Flag("--exact", options.exact,
              "With --visited states: keep the states, and compare them word by word where their "
              "hashes are the same");
}

void AddLimits(Group& stop, SearchOptions& options) {
  stop.Number("--max-events", options.max_events,
              "Operations after which an execution is cut: told, no bug, and the search is not "
              "complete (default 1000000)");
  stop.Number("--idle-rounds", options.idle_rounds,
              "Rounds of a loop in which nothing that it reads has changed, after which it waits "
              "although it is in a new state each time, as one that counts; then the search is not "
              "complete (default 16)");
  stop.Duration(
      "--hang-after", options.hang_ms,
      "Processor time, or time asleep in a system call, after which an execution is cut, or is "
      "a hang if it is proved never to end (default 10s; 0: never)");
}

void AddWhenToStop(CommandLine& line, SearchOptions& options) {
  Group stop(line, "When to stop");
  stop.Number("--executions", options.executions, "Stop after N executions (0: no limit)");
  stop.Duration("--time", options.time_ms,
                "Stop after this long: 500ms, 60s, 5m, 2h (0: no limit)");
  stop.Flag("--keep-going", options.keep_going, "Do not stop at the first bug");
  AddLimits(stop, options);
  stop.Flag("--require-complete", options.require_complete,
            "Exit status 4 when the search ends before everything asked for is explored");
  stop.Text("--save", options.save, "FILE",
            "Save the search to FILE now and then and at its end, to go on with it later");
  stop.Duration(
      "--save-every", options.save_every_ms,
      "Save so often (default: at most every 30s, and less often where saving takes long)");
  stop.Text("--shard", options.shard, "K/N",
            "Explore one of N parts of the search: K/N; auto or auto/N: as the environment of "
            "the job says");
  stop.Text("--result", options.result, "FILE",
            "With --shard: write what was explored to FILE, for heddle merge");
  stop.Text("--resume", options.resume, "FILE",
            "Go on with the search in FILE; PROG and the options of the search are in there");
}

void AddChecks(CommandLine& line, SearchOptions& options) {
  Group checks(line, "Checks");
  checks.Flag("--no-races", options.no_races, "Do not look for data races");
  checks.Text("--suppressions", options.suppressions, "FILE",
              "Findings not to report, in the format of ThreadSanitizer, AddressSanitizer and "
              "LeakSanitizer");
  AddCheckOptions(line, options);
  checks.Flag("--verify-determinism", options.verify_determinism,
              "Run every schedule twice and compare");
  checks.Flag("--no-minimise", options.no_minimise,
              "Report the schedule as found, not the simplest that shows the bug");
  checks.Flag("--no-debug-info", options.no_debug_info,
              "Accept a program without debug information: no source lines in the report");
  checks.Flag("--uninstrumented", options.uninstrumented,
              "Accept a program that was not built with heddle-cc: only its synchronisation calls "
              "are explored");
}

void AddOutput(CommandLine& line, SearchOptions& options) {
  Group output(line, "Output");
  output.Text("--out", options.out, "DIR", "Directory for schedules (default heddle-out)");
  output.Text("--json", options.json, "FILE", "Write the result to FILE");
  output.OneOf(
      "--format", options.format, {"text", "gcc", "github"},
      "text: the report; gcc: a line `file:line:column: error: ...` for each bug and "
      "`note:` for its places; github: annotations of a workflow, and the report. Default: "
      "the report, and where that goes to no terminal the lines of gcc after it");
  line.Text("--at-check", options.at_check, "").Group("");
  line.Descriptor("--fields", options.fields, "").Group("");
  output.Flag(
      "--show-output", options.show_output,
      "Let the program print during the search: in every run of it but those that explain a bug");
  output.Flag("--full", options.full, "Show every step of a schedule, however long it is");
  output.Flag("--quiet", options.quiet, "Only a line for each bug and how to replay it");
  line.Color(options.color);
}

}  // namespace

void AddCheckOptions(CommandLine& line, SearchOptions& options) {
  Group checks(line, "Checks");
  checks.OneOf("--volatile", options.volatiles, {"plain", "atomic"},
               "What volatile accesses are: plain (default), or atomic (relaxed): they do not race "
               "and are scheduling points");
  checks.OneOf(
      "--release-sequences", options.release_sequences, {"auto", "c11", "c++20"},
      "Does a relaxed store continue the release sequences that its own thread heads? c11: yes; "
      "c++20: no; auto (default): as in the language that its source file is compiled as");
  checks.Flag(
      "--strict", options.strict,
      "Threads still running and objects not destroyed when the program ends, and loops that "
      "keep others out, are bugs");
  checks.Flag("--leaks", options.leaks,
              "Memory that nothing points to when the program ends with status 0 is a bug");
  checks.Flag("--uninitialised", options.uninitialised,
              "To read bytes of the heap that nobody has written is a bug");
  checks.Number("--fail-allocations", options.fail_allocations,
                "Any one of a thread's first N allocations may fail (default 0: none does)");
  checks.OneOf(
      "--reuse", options.reuse, {"now", "late"},
      "When is freed memory handed out again? late (default): not soon, so that late uses are "
      "found; now: the next time that the thread allocates as much, so that ABA is found");
  checks.Flag("--spurious-wakeups", options.spurious_wakeups,
              "Let condition waits wake up without a signal, as POSIX allows");
}

void AddSearchLimits(CommandLine& line, SearchOptions& options) {
  Group stop(line, "When to stop");
  AddLimits(stop, options);
}

void AddSearchOptions(CommandLine& line, SearchOptions& options) {
  AddWhatToSearch(line, options);
  AddWhenToStop(line, options);
  AddChecks(line, options);
  AddOutput(line, options);
}

std::optional<Error> RefuseUnknownValues(const SearchOptions& options) {
  for (const Axis& axis : Axes()) {
    const std::string& value = options.*axis.value;
    if (value.empty() || std::ranges::find(axis.values, value) != axis.values.end()) continue;
    return Error{axis.option + " " + value + ": no such value" + DidYouMean(value, axis.values) +
                 " (available: " + Joined(axis.values, ", ") + ")"};
  }
  return std::nullopt;
}

}  // namespace heddle::cli
