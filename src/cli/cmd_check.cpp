// heddle check: explore the interleavings of a program.
#include <fcntl.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <system_error>

#include "cli/command.h"
#include "cli/module_notes.h"
#include "cli/parse.h"
#include "cli/record_schedules.h"
#include "cli/search_options.h"
#include "report/assemble.h"
#include "report/fields.h"
#include "report/json.h"
#include "report/progress_line.h"
#include "report/shell_word.h"
#include "report/suppressions.h"
#include "report/symbolize.h"
#include "report/text.h"
#include "report/verdict.h"
#include "report/visible.h"
#include "report/wording.h"
#include "session/files.h"
#include "session/inspect_elf.h"
#include "session/session.h"

namespace heddle::cli {
namespace {

constexpr char kUsage[] = "heddle check [options] [--] PROG [ARGS...]";
constexpr char kAbout[] =
    "Explores the interleavings of PROG, a multithreaded program, and reports the bugs it meets "
    "with a\n"
    "schedule that shows each of them again.";
constexpr char kStatuses[] =
    "Exit status: 0 nothing found, 1 bug found, 2 bad option or program or output not written,\n"
    "3 the program could not be kept under control, 4 search not complete (with\n"
    "--require-complete).";

// The directory for schedules, made before the search so that a problem shows at once, and removed
// after it when nothing was put in.
class OutputFolder {
 public:
  explicit OutputFolder(const std::string& path)
      : path_(path), existed_(std::filesystem::exists(path, ignored_)) {}
  OutputFolder(const OutputFolder&) = delete;
  OutputFolder& operator=(const OutputFolder&) = delete;
  ~OutputFolder() {
    if (!existed_) rmdir(path_.c_str());  // fails when it holds something, as it should
  }

 private:
  std::error_code ignored_;
  std::string path_;
  bool existed_;
};

// `heddle check prog --bound preemptions=2` explores without a bound, and nothing else says so.
void WarnOfOptions(const std::vector<std::string>& ours) {
  if (ours.empty()) return;
  std::string names;
  for (const std::string& name : ours) names += (names.empty() ? "" : ", ") + name;
  const bool one = ours.size() == 1;
  Warn(names + " after the program's name " + (one ? "is" : "are") +
       " passed to the program; put " + (one ? "it" : "them") +
       " before (or -- before the program, if that is meant)");
}

std::string QuietText(const report::SearchResult& result) {
  std::string text;
  for (const report::Finding& finding : result.findings) {
    const report::Headline headline = report::HeadlineOf(finding);
    text += "heddle: " + report::VisibleLine(headline.kind + headline.rest);
    text += finding.schedule.empty()
                ? "\n"
                : " -- heddle replay " + report::ShellWord(finding.schedule) + "\n";
  }
  return text;
}

// The result, to heddle::Check. What cannot be written shows there as a result that is missing.
int HandOver(const report::SearchResult& result, const report::Terminal& terminal,
             const SearchOptions& options, int status) {
  const std::string fields =
      report::ToFields(result, report::ResultText(result, terminal, report::StepsOf(options.full)));
  size_t written = 0;
  for (ssize_t more = 1; more > 0 && written < fields.size();
       written += static_cast<size_t>(more)) {
    more = write(options.fields, fields.data() + written, fields.size() - written);
    if (more < 0) return Fail(std::string("cannot hand over the result: ") + std::strerror(errno));
  }
  return status;
}

report::RunFacts FactsOf(const session::ProgramFile& program,
                         const std::vector<std::string>& command, const SearchOptions& options,
                         const session::SessionEnd& end) {
  report::RunFacts facts;
  facts.program = program.absolute;
  facts.arguments.assign(command.begin() + 1, command.end());
  facts.instrumented = program.instrumented;
  facts.preset = options.preset;
  facts.elapsed_s = end.elapsed_s;
  facts.peak_memory_bytes = end.peak_memory_bytes;
  if (!program.instrumented) {
    facts.notes.push_back(
        {"forbids", command[0] + " was not built with heddle-cc or heddle-c++: only its "
                                 "synchronisation calls are seen, no atomics and no data races"});
  }
  if (end.kind == session::SessionEndKind::kGaveUp ||
      end.kind == session::SessionEndKind::kInternal) {
    facts.out_of_control = true;
    facts.notes.push_back({"warning", end.message});
  }
  if (end.kind == session::SessionEndKind::kKilled) {
    facts.notes.push_back({"warning",
                           "interrupted twice: the search was ended before it could tell "
                           "its graphs, outcomes and nodes, which are missing here"});
  }
  return facts;
}

void AddUnused(const std::vector<report::Suppression>& suppressions, const std::string& file,
               report::RunFacts& facts) {
  for (const report::Suppression& one : suppressions) {
    if (one.uses != 0) continue;
    facts.notes.push_back({"info", "suppression " + one.type + ":" + one.pattern + " (" + file +
                                       ":" + std::to_string(one.line) + ") was not used"});
  }
}

base::Result<std::vector<report::Suppression>> ReadSuppressions(const std::string& file) {
  if (file.empty()) return std::vector<report::Suppression>();
  base::Result<std::string> text = session::ReadWhole(file);
  if (!text.Ok()) return base::Error{text.Message()};
  return report::ParseSuppressions(*text, file);
}

int Explore(const SearchOptions& options, const channel::Settings& settings,
            const std::vector<std::string>& command, const session::ProgramFile& program,
            std::vector<report::Suppression> suppressions, const std::string& library,
            session::ChannelMemory& memory) {
  OutputFolder folder(options.out);
  if (auto error = session::PrepareDirectory(options.out)) return Fail(error->message);
  if (!options.json.empty()) {
    const std::string inputs[] = {program.path, options.suppressions, library};
    if (auto error = session::CheckWritable(options.json, inputs)) return Fail(error->message);
  }

  memory.Header().settings = settings;
  session::UnlinkedFile spill(options.out);
  snprintf(memory.Header().spill_path, sizeof memory.Header().spill_path, "%s",
           spill.Path().c_str());
  report::ProgressLine progress(!options.quiet && report::Terminal::RewritesLines(STDERR_FILENO));
  session::SessionOptions session;
  session.launch.program = program.path;
  session.launch.arguments = command;
  session.launch.library = library;
  session.launch.show_output = options.show_output;
  session.hang_ms = options.hang_ms;
  session.on_tick = [&](const channel::Header& header, double elapsed_s) {
    progress.Show(header, elapsed_s);
  };
  report::Symbolizer symbolizer;
  if (!suppressions.empty()) {
    session.is_suppressed = [&](std::span<const std::byte> bytes) {
      report::Records records = report::ReadRecords(bytes);
      return records.question &&
             report::IsSuppressed(suppressions, report::TellFinding(*records.question, records,
                                                                    memory.Names(), symbolizer));
    };
  }
  session::SessionEnd end = session::RunSession(session, memory);
  progress.Clear();
  if (end.kind == session::SessionEndKind::kSetUpError) return Fail(end.message);
  if (end.kind == session::SessionEndKind::kKilled) {
    memory.Header().summary.stop = channel::Stop::kInterrupted;
  }

  report::Records records = report::ReadRecords(memory.Report());
  report::RunFacts facts = FactsOf(program, command, options, end);
  facts.all_steps = options.full;
  AddUnused(suppressions, options.suppressions, facts);
  AddModuleNotes(records, facts);
  report::SearchResult result = report::Assemble(memory.Header(), records, memory.Names(), facts);
  RecordSchedules(records, memory.Names(), memory.Header().settings, program, options.out, result);
  bool lost = false;
  if (!options.json.empty()) {
    if (auto error = session::WriteWhole(options.json, report::ToJson(result))) {
      Fail(error->message);
      lost = true;
    }
  }
  report::Terminal terminal = report::Terminal::Of(STDOUT_FILENO, options.color);
  const int status = report::ExitStatus(result, options.require_complete);
  if (options.fields >= 0) return HandOver(result, terminal, options, lost ? kUsageError : status);
  return Print(options.quiet ? QuietText(result)
                             : report::ResultText(result, terminal, report::StepsOf(options.full)),
               lost ? kUsageError : status);
}

}  // namespace

int Check(const std::vector<std::string>& arguments) {
  CLI::App app(kAbout, "heddle check");
  SetUsage(app, kUsage);
  app.footer(kStatuses);
  SearchOptions options;
  AddSearchOptions(app, options);
  std::vector<std::string> command;
  if (auto status = Parse(app, SplitProgram(app, arguments, command))) return *status;
  if (command.empty()) return Fail(std::string("which program? ") + kUsage);
  WarnOfOptions(OursAfterProgram(app, arguments, command));
  if (options.fields >= 0) {
    fcntl(options.fields, F_SETFD, FD_CLOEXEC);
    prctl(PR_SET_PDEATHSIG, SIGTERM);  // nobody is left to read it
  }

  base::Result<channel::Settings> settings = MakeSettings(options);
  if (!settings.Ok()) return Fail(settings.Message());
  base::Result<std::string> path = session::FindProgram(command[0]);
  if (!path.Ok()) return Fail(path.Message());
  base::Result<session::ProgramFile> program =
      session::InspectProgram(*path, options.no_debug_info);
  if (!program.Ok()) return Fail(program.Message());
  if (!program->instrumented && !options.uninstrumented) {
    return Fail(command[0] +
                " was not built with heddle-cc or heddle-c++, so its atomics and data races cannot "
                "be seen: build it with them, or give --uninstrumented to explore its "
                "synchronisation calls only");
  }
  base::Result<std::vector<report::Suppression>> suppressions =
      ReadSuppressions(options.suppressions);
  if (!suppressions.Ok()) return Fail(suppressions.Message());
  settings->suppressions = !suppressions->empty();
  base::Result<std::string> library = session::FindRuntimeLibrary();
  if (!library.Ok()) return Fail(library.Message());
  base::Result<session::ChannelMemory> memory = session::ChannelMemory::Create();
  if (!memory.Ok()) return Fail(memory.Message());
  return Explore(options, *settings, command, *program, *std::move(suppressions), *library,
                 *memory);
}

}  // namespace heddle::cli
