// heddle replay: run one recorded schedule again.
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>
#include <algorithm>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "cli/check_cases.h"
#include "cli/command.h"
#include "cli/debugger.h"
#include "cli/did_you_mean.h"
#include "cli/module_notes.h"
#include "cli/parse.h"
#include "cli/warn_of_build.h"
#include "replay/schedule_file.h"
#include "replay/schedule_line.h"
#include "report/assemble.h"
#include "report/fields.h"
#include "report/json.h"
#include "report/kind_help.h"
#include "report/symbolize.h"
#include "report/text.h"
#include "report/verdict.h"
#include "report/visible.h"
#include "session/call_places.h"
#include "session/files.h"
#include "session/inspect_elf.h"
#include "session/session.h"
#include "session/spawn.h"

namespace heddle::cli {
namespace {

constexpr char kUsage[] = "heddle replay [options] FILE.heddle | --schedule LINE [--] COMMAND...";
constexpr char kAbout[] =
    "Runs the schedule in FILE again: the program's own output, then the steps and the bug.";
constexpr char kStatuses[] =
    "Exit status: 1 the recorded bug shows again, 2 bad option, file or program or output not "
    "written,\n"
    "3 the schedule could not be followed or did not show the bug. With --schedule: 0 the line "
    "fits and\n"
    "shows no bug, 1 it shows a bug, 2 also: it does not fit the program.";

struct ReplayOptions {
  std::string file;
  std::string line;      // --schedule: in place of the file
  std::string at_check;  // of heddle::Replay, as of SearchOptions
  int fields = -1;
  std::string program;  // instead of the recorded path
  std::string json;
  std::string debugger;        // --gdb: the debugger; empty: none
  std::string debugger_files;  // --debugger-files: descriptors of the channel and of the steps
  bool kernel_threads = false;
  bool quiet = false;
  bool full = false;
  report::ColorChoice color = report::ColorChoice::kAuto;
};

channel::Settings SettingsOf(const replay::ScheduleFile& schedule) {
  channel::Settings settings = {};
  settings.mode = channel::Mode::kReplay;
  settings.rewind = channel::RewindOf(schedule.rewind);
  settings.maps_memory = channel::RewindsByFork(settings.rewind);  // most likely why
  settings.points = space::PointsOf(schedule.points).value_or(space::Points::kSync);
  settings.timeouts =
      schedule.timeouts == "last" ? channel::Timeouts::kLast : channel::Timeouts::kAny;
  settings.seed = schedule.seed;
  settings.bound = {};
  settings.max_executions = 1;
  settings.max_events = schedule.max_events;
  settings.hang_ms = schedule.hang_ms;
  settings.idle_rounds = schedule.idle_rounds;
  settings.leaks = schedule.leaks;
  settings.uninitialised = schedule.uninitialised;
  settings.fail_allocations = schedule.fail_allocations;
  settings.reuse_now = schedule.reuse_now;
  settings.spurious_wakeups = schedule.spurious_wakeups;
  settings.strict = schedule.strict;
  settings.show_output = 1;
  settings.report_races = schedule.races;
  const bool items = schedule.visited == "items";
  if (items) settings.order = channel::Order::kContextBounded;
  settings.visited = items ? space::Visited::kStates
                           : space::VisitedOf(schedule.visited).value_or(space::Visited::kNone);
  settings.thread_ends = schedule.thread_ends;
  settings.joint_cycles = schedule.joint_cycles;
  settings.thread_joins = schedule.thread_joins;
  settings.frame_ends = schedule.frame_ends;
  settings.signals = schedule.signals;
  settings.volatile_atomic = schedule.volatile_atomic;
  settings.memory_model =
      space::MemoryModelOf(schedule.memory_model).value_or(space::MemoryModel::kSc);
  if (schedule.reads_from) settings.reduction = space::Reduction::kReadsFrom;
  settings.test_breaks = schedule.test_breaks;
  settings.release_sequences = channel::ReleaseSequencesOf(schedule.release_sequences);
  static_assert(replay::kLongestCheckCall < channel::kMaxCheckCall, "a zero stands at its end");
  schedule.at_check.copy(settings.at_check, sizeof settings.at_check - 1);
  settings.end_at = {schedule.end_moment, schedule.is_other ? 1u : 0u};
  settings.expected = std::strtoull(schedule.identity.c_str(), nullptr, 16);
  return settings;
}

std::optional<base::Error> SetPlan(const replay::ScheduleFile& schedule, const std::string& file,
                                   session::ChannelMemory& memory) {
  base::Result<std::vector<replay::ThreadPath>> paths = replay::ParsePaths(schedule.threads);
  if (!paths.Ok()) return base::Error{file + ": " + paths.Message()};
  size_t bytes = 0;
  for (const std::string& place : schedule.visible) bytes += place.size() + 1;
  if (schedule.choices.size() > session::ChannelMemory::kMaxOptions ||
      paths->size() > channel::kMaxNames || bytes > session::ChannelMemory::kMaxPlacesBytes) {
    return base::Error{file + " is longer than this heddle can replay"};
  }
  std::vector<channel::ThreadName> names;
  for (const replay::ThreadPath& path : *paths) names.push_back({path.parent, path.child});
  memory.SetPlan(schedule.choices, names, schedule.visible);
  return std::nullopt;
}

// What the replay met that says why.
std::string Reasons(const report::SearchResult& result) {
  std::string reasons;
  for (const report::Note& note : result.notes)
    if (note.kind != "info") reasons += "; " + note.text;
  return reasons;
}

// What the replay showed, compared with what was recorded. Answers the exit status.
int Compare(const replay::ScheduleFile& schedule, const report::SearchResult& result,
            std::string& sentence) {
  const report::Finding* same_kind = nullptr;
  for (const report::Finding& finding : result.findings) {
    if (finding.identity == schedule.identity) same_kind = &finding;
    if (same_kind == nullptr && finding.kind == schedule.kind) same_kind = &finding;
  }
  if (same_kind != nullptr) {
    sentence = "the recorded bug shows again";
    return 1;
  }
  if (!result.findings.empty()) {
    sentence =
        "another bug showed than the recorded " + schedule.kind + ": " + result.findings[0].message;
  } else if (result.verdict == report::Verdict::kUncontrolled) {
    sentence =
        "the schedule could not be followed: something that heddle does not control influences the "
        "program" +
        Reasons(result);
  } else {
    sentence = "the schedule was followed, but the recorded " + schedule.kind +
               " did not show: the program depends on something outside" + Reasons(result);
  }
  return kUncontrolled;
}

// Why the line does not fit the program that was run with it; nothing: it does. A bug of its kind
// is what it was recorded for, however much of it is left.
std::optional<std::string> Misfit(const replay::ScheduleFile& line, const channel::Summary& summary,
                                  const report::SearchResult& result) {
  const uint64_t planned = line.choices.size(), made = summary.choices_made;
  const auto at = [&](uint64_t index) {
    return "at choice " + std::to_string(index + 1) + " of " + std::to_string(planned) + " (" +
           replay::ChoiceWord(line, index) + ") ";
  };
  const bool shown = std::ranges::any_of(
      result.findings, [&](const report::Finding& one) { return one.kind == line.kind; });
  const auto other_kind = [&] {
    const bool option = (line.choices[summary.other_kind] & replay::kOptionTaken) != 0;
    return at(summary.other_kind) + "the program chooses " +
           (option ? "a thread, not an option" : "an option, not a thread");
  };
  if (summary.stop == channel::Stop::kUncontrolled)
    return summary.other_kind < made
               ? other_kind()
               : (made < planned ? at(made) : "") + "it cannot be followed" + Reasons(result);
  if (shown) return std::nullopt;
  if (summary.stop == channel::Stop::kNone) return "the program's process ended under it";
  if (summary.other_kind < planned) return other_kind();
  if (made > planned)
    return "after its last choice, number " + std::to_string(planned) +
           ", the program has to choose again";
  if (made < planned) return at(made) + "the program has ended, or loops";
  return std::nullopt;
}

// As Compare, of a line.
int CompareLine(const replay::ScheduleFile& line, const report::SearchResult& result,
                std::string& sentence) {
  if (result.findings.empty()) {
    sentence = "the schedule line fits, and no bug shows";
    return 0;
  }
  const bool same = std::ranges::any_of(
      result.findings, [&](const report::Finding& one) { return one.kind == line.kind; });
  sentence = same ? "the bug of the schedule line shows"
                  : "another bug shows than the " + line.kind + " of the schedule line";
  return 1;
}

// What there is to replay.
struct Subject {
  const replay::ScheduleFile& schedule;
  const session::ProgramFile& program;
  const std::string& library;
};

// The replay, up to its result; an exit status if it came to none. `quietly`: as in a search, the
// program's output is not shown and it has no input.
base::Result<report::SearchResult> RunReplay(const ReplayOptions& options, const Subject& subject,
                                             session::ChannelMemory& memory, bool quietly,
                                             int& status) {
  status = kUsageError;
  session::SessionOptions session;
  session.launch.program = subject.program.path;
  session.launch.arguments = subject.schedule.arguments;
  session.launch.arguments.insert(session.launch.arguments.begin(), subject.program.path);
  session.launch.library = subject.library;
  session.launch.show_output = !quietly;
  session.launch.foreground = !quietly;
  session.hang_ms = subject.schedule.hang_ms;
  session::SessionEnd end = session::RunSession(session, memory);
  if (end.kind == session::SessionEndKind::kSetUpError) return base::Error{end.message};
  if (end.kind == session::SessionEndKind::kKilled) {
    status = kUncontrolled;
    return base::Error{"interrupted"};
  }
  report::RunFacts facts;
  facts.program = subject.program.absolute;
  facts.arguments = subject.schedule.arguments;
  facts.instrumented = subject.program.instrumented;
  facts.elapsed_s = end.elapsed_s;
  facts.peak_memory_bytes = end.peak_memory_bytes;
  facts.all_steps = options.full;
  if (end.kind != session::SessionEndKind::kFinished) {
    facts.out_of_control = true;
    facts.notes.push_back({"warning", end.message});
  }
  report::Records records = report::ReadRecords(memory.Report());
  ModuleNotes().AddTo(records, facts);
  report::Symbolizer symbolizer;
  report::SearchResult result =
      report::Assemble(memory.Header(), records, memory.Names(), facts, symbolizer);
  for (report::Finding& finding : result.findings) {
    finding.schedule = options.file;
    // What a test framework said of the assertion is in the output, which is not kept aside here.
    if (finding.identity == subject.schedule.identity && subject.schedule.test_breaks)
      finding.message = subject.schedule.message;
  }
  const auto is_recorded = [&](const report::Finding& finding) {
    return finding.identity == subject.schedule.identity;
  };
  // That a bug did not show in an execution that was ended on its way says nothing of the schedule.
  if (memory.Header().stop_request != 0 && std::ranges::none_of(result.findings, is_recorded)) {
    status = kUncontrolled;
    return base::Error{"interrupted"};
  }
  return result;
}

// The text of a replay; its findings lead to where it came from no more.
std::string ReplayText(const ReplayOptions& options, report::SearchResult& result,
                       const std::string& sentence) {
  report::Terminal terminal = report::Terminal::Of(STDOUT_FILENO, options.color);
  std::string text = "heddle: " + report::VisibleLine(sentence) + "\n";
  if (options.quiet) return text;
  for (report::Finding& finding : result.findings) {
    finding.schedule.clear();  // the line to paste is the one that brought us here
    text = report::FindingText(finding, terminal, report::StepsOf(options.full)) + text;
  }
  return text;
}

// The verdict of heddle::Replay.
int HandOver(const ReplayOptions& options, report::SearchResult& result,
             const std::string& sentence, int status) {
  result.verdict = status == 0 ? report::Verdict::kClean : report::Verdict::kBug;
  result.guarantee = sentence;
  const std::string text = ReplayText(options, result, sentence);
  return WriteFields(options.fields, report::ToFields(result, text), status);
}

int Run(const ReplayOptions& options, const Subject& subject, session::ChannelMemory& memory) {
  int status;
  const bool in_test = options.fields >= 0;
  base::Result<report::SearchResult> run = RunReplay(options, subject, memory, in_test, status);
  if (!run.Ok()) return Fail(run.Message()), status;
  report::SearchResult& result = *run;
  const bool by_line = !options.line.empty();
  if (by_line) {
    if (const auto why = Misfit(subject.schedule, memory.Header().summary, result))
      return Fail("the schedule line does not fit " + subject.program.path + ": " + *why +
                  "; if the program was changed in what it synchronises, `heddle check` it again "
                  "and take the new line");
  }
  bool lost = false;
  if (!options.json.empty()) {
    if (auto error = session::WriteWhole(options.json, report::ToJson(result))) {
      Fail(error->message);
      lost = true;
    }
  }

  std::string sentence;
  status = (by_line ? CompareLine : Compare)(subject.schedule, result, sentence);
  if (in_test) return HandOver(options, result, sentence, status);
  return Print(ReplayText(options, result, sentence), lost ? kUsageError : status);
}

// The descriptors of --debugger-files, or new ones.
struct DebuggerFiles {
  int channel = -1;
  int steps = -1;

  static std::optional<DebuggerFiles> Of(const std::string& option) {
    DebuggerFiles files;
    if (option.empty()) {
      files.channel = memfd_create("heddle", MFD_CLOEXEC);
      files.steps = memfd_create("heddle-steps", MFD_CLOEXEC);
    } else if (std::sscanf(option.c_str(), "%d,%d", &files.channel, &files.steps) != 2) {
      return std::nullopt;
    }
    if (files.channel < 0 || files.steps < 0) return std::nullopt;
    return files;
  }
};

// --gdb: replays as ever, to know the steps and to be sure that the bug shows; then writes what the
// debugger needs, and becomes it.
int RunUnderDebugger(const ReplayOptions& options, const Subject& subject,
                     session::ChannelMemory& memory) {
  base::Result<std::string> script = FindDebuggerScript();
  if (!script.Ok()) return Fail(script.Message());
  const std::optional<DebuggerFiles> files = DebuggerFiles::Of(options.debugger_files);
  if (!files) return Fail("cannot create shared memory for the debugger");
  int status;
  base::Result<report::SearchResult> run = RunReplay(options, subject, memory, true, status);
  if (!run.Ok()) return Fail(run.Message()), status;
  std::string sentence;
  status = Compare(subject.schedule, *run, sentence);
  if (status != 1) return Fail(sentence), status;
  const report::Finding* shown = &run->findings.front();
  for (const report::Finding& finding : run->findings)
    if (finding.identity == subject.schedule.identity) shown = &finding;

  base::Result<session::ChannelMemory> channel = session::ChannelMemory::CreateIn(files->channel);
  if (!channel.Ok()) return Fail(channel.Message());
  channel->Header().settings = SettingsOf(subject.schedule);
  channel->Header().settings.rewind =
      memory.Header().settings.rewind;     // the replay may have seen why
  channel->Header().settings.hang_ms = 0;  // who debugs takes their time
  channel->Header().settings.debugger = 1;
  if (auto error = SetPlan(subject.schedule, options.file, *channel)) return Fail(error->message);
  const std::string steps = DebuggerSteps(*shown, options.file, subject.program.absolute,
                                          subject.schedule, subject.library);
  if (write(files->steps, steps.data(), steps.size()) != static_cast<ssize_t>(steps.size()))
    return Fail(std::string("cannot write the steps for the debugger: ") + std::strerror(errno));
  if (!options.debugger_files.empty()) return 0;
  return BecomeDebugger(options.debugger, *script, files->channel, files->steps);
}

// Of a schedule line, which somebody may have typed.
std::optional<base::Error> RefuseUnknownKind(const std::string& kind) {
  std::vector<std::string> kinds;
  for (const report::KindHelp& help : report::AllKindHelp()) kinds.emplace_back(help.kind);
  if (std::ranges::find(kinds, kind) != kinds.end()) return std::nullopt;
  std::string all;
  for (const std::string& one : kinds) all += (all.empty() ? "" : ", ") + one;
  return base::Error{"the schedule line begins with \"" + kind +
                     "\", which is no kind of bug (there are " + all + ")" +
                     DidYouMean(kind, kinds)};
}

// From the file, or from the line with the program that it is for.
base::Result<replay::ScheduleFile> ReadSchedule(const ReplayOptions& options,
                                                const std::vector<std::string>& command) {
  if (options.line.empty()) {
    base::Result<std::string> text = session::ReadWhole(options.file);
    if (!text.Ok()) return base::Error{text.Message()};
    return replay::ParseSchedule(*text, options.file);
  }
  base::Result<replay::ScheduleFile> schedule = replay::ParseLine(options.line);
  if (!schedule.Ok()) return schedule;
  if (auto error = RefuseUnknownKind(schedule->kind)) return *error;
  if (command.empty())
    return base::Error{std::string("which program? heddle replay --schedule LINE PROG [ARGS...]")};
  base::Result<std::string> path = session::FindProgram(command[0]);
  if (!path.Ok()) return base::Error{path.Message()};
  schedule->program = *path;
  schedule->arguments.assign(command.begin() + 1, command.end());
  schedule->at_check = options.at_check;
  return schedule;
}

// What the line names, in the program as it is now.
std::optional<base::Error> FindPlaces(const std::string& program, replay::ScheduleFile& schedule) {
  for (std::string& place : schedule.visible) {
    const std::optional<std::string> now = session::PlaceNamed(program, place);
    if (!now)
      return base::Error{"the schedule line does not fit " + program + ": it names " + place +
                         ", a place in the code that is not there; `heddle check` it again and "
                         "take the new line"};
    place = *now;
  }
  return std::nullopt;
}

bool HasLine(const std::vector<std::string>& arguments) {
  return std::ranges::any_of(arguments, [](const std::string& word) {
    return word == "--schedule" || word.starts_with("--schedule=");
  });
}

void AddReplayOptions(CommandLine& line, ReplayOptions& options, bool by_line) {
  const CommandLine::Option file =
      line.Text("FILE", options.file, "A schedule that heddle check recorded");
  if (!by_line) file.Required();
  const CommandLine::Option schedule =
      line.Text("--schedule", options.line,
                "The schedule as the line that a report has, in place of FILE; of any build "
                "of PROG that comes to the same choices")
          .Type("LINE")
          .Excludes(file);
  line.Text("--at-check", options.at_check, "").Group("");  // of heddle::Replay
  line.Descriptor("--fields", options.fields, "").Group("");
  const char* const chosen = std::getenv("HEDDLE_GDB");
  line.Flag(std::string("--gdb{") + (chosen != nullptr && *chosen != '\0' ? chosen : "gdb") + "}",
            options.debugger,
            "Under gdb, or --gdb=PATH: stops where it fails, with every thread of the program");
  line.Text("--debugger-files", options.debugger_files, "").Group("");  // of heddle's script
  line.Flag("--kernel-threads", options.kernel_threads, "").Group("");  // of heddle's tests
  line.Text("--program", options.program, "Where the program is now (default: where it was)")
      .Type("PATH")
      .Excludes(schedule);
  line.Text("--json", options.json, "Write the result to FILE").Type("FILE");
  line.Flag("--full", options.full, "Show every step of the schedule, however long it is");
  line.Flag("--quiet", options.quiet, "Only the program's output and one line");
  line.Color(options.color);
}

}  // namespace

int Replay(const std::vector<std::string>& arguments) {
  CommandLine line(kAbout, "heddle replay");
  line.SetUsage(kUsage);
  line.SetFooter(kStatuses);
  ReplayOptions options;
  const bool by_line = HasLine(arguments);
  std::vector<std::string> command;
  AddReplayOptions(line, options, by_line);
  const std::vector<std::string> ours = by_line ? line.SplitProgram(arguments, command) : arguments;
  if (auto status = line.Parse(ours)) return *status;
  const bool debugs = !options.debugger.empty() || !options.debugger_files.empty();
  if (by_line && options.line.empty()) return Fail("--schedule: empty value");
  if (by_line && debugs)
    return Fail("--gdb takes the schedule's file: the debugger has to know the build");
  if (options.fields >= 0) fcntl(options.fields, F_SETFD, FD_CLOEXEC);

  base::Result<replay::ScheduleFile> schedule = ReadSchedule(options, command);
  if (!schedule.Ok()) return Fail(schedule.Message());
  std::string path = options.program.empty() ? schedule->program : options.program;
  base::Result<session::ProgramFile> program = session::InspectProgram(path, true);
  if (!program.Ok()) return Fail(program.Message());
  if (!options.line.empty()) {
    schedule->build_id = program->build_id;
    if (auto error = FindPlaces(path, *schedule)) return Fail(error->message);
  }
  if (program->build_id != schedule->build_id) {
    return Fail(options.file + " was recorded with another build of " + path +
                ": run `heddle check` again, or replay its line (--schedule), if its report has "
                "one");
  }
  if (options.fields < 0) WarnOfNewerSources(path, "build it again and run `heddle check`");
  base::Result<std::string> library = session::FindRuntimeLibrary();
  if (!library.Ok()) return Fail(library.Message());
  if (!options.json.empty()) {
    const std::string inputs[] = {options.file, path, *library};
    if (auto error = session::CheckWritable(options.json, inputs)) return Fail(error->message);
  }
  base::Result<session::ChannelMemory> memory = session::ChannelMemory::Create();
  if (!memory.Ok()) return Fail(memory.Message());
  memory->Header().settings = SettingsOf(*schedule);
  memory->Header().settings.debugger = options.kernel_threads;
  if (auto error = SetPlan(*schedule, options.file, *memory)) return Fail(error->message);

  if (schedule->test_breaks) ForgetShards();
  const Subject subject = {*schedule, *program, *library};
  return (debugs ? RunUnderDebugger : Run)(options, subject, *memory);
}

}  // namespace heddle::cli
