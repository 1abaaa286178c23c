// heddle replay: run one recorded schedule again.
#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "cli/command.h"
#include "cli/module_notes.h"
#include "cli/parse.h"
#include "plan/schedule_file.h"
#include "report/assemble.h"
#include "report/json.h"
#include "report/text.h"
#include "report/verdict.h"
#include "session/files.h"
#include "session/inspect_elf.h"
#include "session/newer_sources.h"
#include "session/session.h"

namespace heddle::cli {
namespace {

constexpr char kUsage[] = "heddle replay [options] FILE.heddle";
constexpr char kAbout[] =
    "Runs the schedule in FILE again: the program's own output, then the steps and the bug.";
constexpr char kStatuses[] =
    "Exit status: 1 the recorded bug shows again, 2 bad option, file or program or output not "
    "written,\n"
    "3 the schedule could not be followed or did not show the bug.";

struct ReplayOptions {
  std::string file;
  std::string program;  // instead of the recorded path
  std::string json;
  bool gdb = false;
  bool quiet = false;
  bool full = false;
  report::ColorChoice color = report::ColorChoice::kAuto;
};

channel::Settings SettingsOf(const plan::ScheduleFile& schedule, bool debugger) {
  channel::Settings settings = {};
  settings.mode = channel::Mode::kReplay;
  settings.rewind = schedule.rewind == "fork" ? channel::Rewind::kFork : channel::Rewind::kMemory;
  settings.points = space::PointsOf(schedule.points).value_or(space::Points::kSync);
  settings.timeouts =
      schedule.timeouts == "last" ? channel::Timeouts::kLast : channel::Timeouts::kAny;
  settings.seed = schedule.seed;
  settings.bound = {};
  settings.max_executions = 1;
  settings.max_events = schedule.max_events;
  settings.hang_ms = debugger ? 0 : schedule.hang_ms;
  settings.spurious_wakeups = schedule.spurious_wakeups;
  settings.strict = schedule.strict;
  settings.show_output = 1;
  settings.report_races = schedule.races;
  settings.thread_ends = schedule.thread_ends;
  settings.thread_joins = schedule.thread_joins;
  settings.volatile_atomic = schedule.volatile_atomic;
  settings.release_sequences = channel::ReleaseSequencesOf(schedule.release_sequences);
  settings.expected = std::strtoull(schedule.identity.c_str(), nullptr, 16);
  return settings;
}

std::optional<base::Error> SetPlan(const plan::ScheduleFile& schedule, const std::string& file,
                                   session::ChannelMemory& memory) {
  base::Result<std::vector<plan::ThreadPath>> paths = plan::ParsePaths(schedule.threads);
  if (!paths.Ok()) return base::Error{file + ": " + paths.Message()};
  size_t bytes = 0;
  for (const std::string& place : schedule.visible) bytes += place.size() + 1;
  if (schedule.choices.size() > session::ChannelMemory::kMaxOptions ||
      paths->size() > channel::kMaxNames || bytes > session::ChannelMemory::kMaxPlacesBytes) {
    return base::Error{file + " is longer than this heddle can replay"};
  }
  std::vector<channel::ThreadName> names;
  for (const plan::ThreadPath& path : *paths) names.push_back({path.parent, path.child});
  memory.SetPlan(schedule.choices, names, schedule.visible);
  return std::nullopt;
}

std::string ShellQuoted(const std::string& text) {
  std::string quoted = "'";
  for (char c : text) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

// Becomes gdb. The variables are set by a wrapper around the program, so that neither gdb nor the
// shell that it starts programs with is taken over; the channel's descriptor is inherited all the
// way.
int BecomeDebugger(const std::string& program, const std::vector<std::string>& command,
                   const std::string& library, int channel) {
  fcntl(channel, F_SETFD, 0);
  std::string variables = std::string(channel::kChannelVariable) + "=" + std::to_string(channel) +
                          " " + ShellQuoted("LD_PRELOAD=" + session::PreloadValue(library));
  // The runtime notices by page faults what the program writes, so gdb must not stop at them.
  std::string quiet = " nostop noprint pass";
  std::string hang_signal = "SIG" + std::to_string(channel::kHangSignal);
  std::vector<std::string> strings = {"gdb", "-q"};
  for (const std::string& command_line :
       {"set exec-wrapper env " + variables, "handle SIGSEGV" + quiet,
        "handle " + hang_signal + quiet}) {
    strings.insert(strings.end(), {"-ex", command_line});
  }
  strings.insert(strings.end(), {"--args", program});
  strings.insert(strings.end(), command.begin() + 1, command.end());
  std::vector<char*> pointers;
  for (std::string& text : strings) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  execvp("gdb", pointers.data());
  return Fail(std::string("cannot start gdb: ") + std::strerror(errno) + " (is it installed?)");
}

// One line: the steps of the replay would be shown beside lines that are not those that run.
void WarnOfNewerSources(const std::string& program) {
  const std::optional<session::NewerSources> newer = session::FindNewerSources(program);
  if (!newer) return;
  std::string files = newer->newest;
  if (newer->others != 0) {
    files += " and " + std::to_string(newer->others) + (newer->others == 1 ? " other" : " others");
  }
  Warn(files + " changed after " + program +
       " was built, so the lines shown may not be those that run; build it again and run `heddle "
       "check`");
}

// What the replay showed, compared with what was recorded. Answers the exit status.
int Compare(const plan::ScheduleFile& schedule, const report::SearchResult& result,
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
        "program";
    for (const report::Note& note : result.notes) {
      if (note.kind != "info") sentence += "; " + note.text;
    }
  } else {
    sentence =
        "the schedule was followed, but the recorded " + schedule.kind +
        " did not show: the program depends on something outside (input, files, environment?)";
  }
  return kUncontrolled;
}

int Run(const ReplayOptions& options, const plan::ScheduleFile& schedule,
        const session::ProgramFile& program, const std::string& library,
        session::ChannelMemory& memory) {
  session::SessionOptions session;
  session.launch.program = program.path;
  session.launch.arguments = schedule.arguments;
  session.launch.arguments.insert(session.launch.arguments.begin(), program.path);
  session.launch.library = library;
  session.launch.show_output = true;
  session.launch.foreground = true;
  session.hang_ms = schedule.hang_ms;
  session::SessionEnd end = session::RunSession(session, memory);
  if (end.kind == session::SessionEndKind::kSetUpError) return Fail(end.message);
  if (end.kind == session::SessionEndKind::kKilled) return Fail("interrupted"), kUncontrolled;

  report::RunFacts facts;
  facts.program = program.absolute;
  facts.arguments = schedule.arguments;
  facts.instrumented = program.instrumented;
  facts.elapsed_s = end.elapsed_s;
  facts.peak_memory_bytes = end.peak_memory_bytes;
  facts.all_steps = options.full;
  if (end.kind != session::SessionEndKind::kFinished) {
    facts.out_of_control = true;
    facts.notes.push_back({"warning", end.message});
  }
  report::Records records = report::ReadRecords(memory.Report());
  AddModuleNotes(records, facts);
  report::SearchResult result = report::Assemble(memory.Header(), records, memory.Names(), facts);
  for (report::Finding& finding : result.findings) finding.schedule = options.file;
  bool lost = false;
  if (!options.json.empty()) {
    if (auto error = session::WriteWhole(options.json, report::ToJson(result))) {
      Fail(error->message);
      lost = true;
    }
  }

  std::string sentence;
  int status = Compare(schedule, result, sentence);
  report::Terminal terminal = report::Terminal::Of(STDOUT_FILENO, options.color);
  std::string text = "heddle: " + sentence + "\n";
  if (!options.quiet) {
    for (report::Finding& finding : result.findings) {
      finding.schedule.clear();  // the line to paste is the one that brought us here
      text = report::FindingText(finding, terminal, report::StepsOf(options.full)) + text;
    }
  }
  return Print(text, lost ? kUsageError : status);
}

}  // namespace

int Replay(const std::vector<std::string>& arguments) {
  CLI::App app(kAbout, "heddle replay");
  SetUsage(app, kUsage);
  app.footer(kStatuses);
  ReplayOptions options;
  app.add_option("FILE", options.file, "A schedule that heddle check recorded")->required();
  app.add_flag("--gdb", options.gdb, "Start the program under gdb with the schedule; then: run");
  app.add_option("--program", options.program, "Where the program is now (default: where it was)")
      ->type_name("PATH");
  app.add_option("--json", options.json, "Write the result to FILE")->type_name("FILE");
  app.add_flag("--full", options.full, "Show every step of the schedule, however long it is");
  app.add_flag("--quiet", options.quiet, "Only the program's output and one line");
  AddColor(app, options.color);
  if (auto status = Parse(app, arguments)) return *status;

  base::Result<std::string> text = session::ReadWhole(options.file);
  if (!text.Ok()) return Fail(text.Message());
  base::Result<plan::ScheduleFile> schedule = plan::ParseSchedule(*text, options.file);
  if (!schedule.Ok()) return Fail(schedule.Message());
  std::string path = options.program.empty() ? schedule->program : options.program;
  base::Result<session::ProgramFile> program = session::InspectProgram(path, true);
  if (!program.Ok()) return Fail(program.Message());
  if (program->build_id != schedule->build_id) {
    return Fail(options.file + " was recorded with another build of " + path +
                ": run `heddle check` again");
  }
  WarnOfNewerSources(path);
  base::Result<std::string> library = session::FindRuntimeLibrary();
  if (!library.Ok()) return Fail(library.Message());
  if (!options.json.empty()) {
    const std::string inputs[] = {options.file, path, *library};
    if (auto error = session::CheckWritable(options.json, inputs)) return Fail(error->message);
  }
  base::Result<session::ChannelMemory> memory = session::ChannelMemory::Create();
  if (!memory.Ok()) return Fail(memory.Message());
  memory->Header().settings = SettingsOf(*schedule, options.gdb);
  if (auto error = SetPlan(*schedule, options.file, *memory)) return Fail(error->message);

  if (options.gdb) {
    std::vector<std::string> command = schedule->arguments;
    command.insert(command.begin(), program->path);
    return BecomeDebugger(program->path, command, *library, memory->Descriptor());
  }
  return Run(options, *schedule, *program, *library, *memory);
}

}  // namespace heddle::cli
