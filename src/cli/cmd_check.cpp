// heddle check: explore the interleavings of a program.
#include <fcntl.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <optional>
#include <system_error>

#include "cases/recognise.h"
#include "cli/check_cases.h"
#include "cli/command.h"
#include "cli/confirm_orders.h"
#include "cli/interrupt_noted.h"
#include "cli/output_format.h"
#include "cli/parse.h"
#include "cli/saving.h"
#include "cli/search_options.h"
#include "cli/search_run.h"
#include "cli/shard.h"
#include "cli/under_c11.h"
#include "cli/warn_of_build.h"
#include "report/fields.h"
#include "report/json.h"
#include "report/suppressions.h"
#include "report/verdict.h"
#include "session/files.h"
#include "session/focus.h"
#include "session/inspect_elf.h"
#include "session/spawn.h"

namespace heddle::cli {
namespace {

constexpr char kUsage[] = "heddle check [options] [--] PROG [ARGS...]";
constexpr char kAbout[] =
    "Explores the interleavings of PROG, a multithreaded program, and reports the bugs it meets "
    "with a\n"
    "schedule that shows each of them again. --each explores the cases of a test program one by "
    "one.";
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

// What most users need.
constexpr const char* kFirstOptions[] = {
    "--time",          "--bound",      "--jobs",
    "--seed",          "--keep-going", "--require-complete",
    "--save",          "--resume",     "--leaks",
    "--uninitialised", "--strict",     "--fail-allocations",
    "--suppressions",  "--out",        "--json",
    "--each",          "--case",
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

// The result, to heddle::Check. What cannot be written shows there as a result that is missing.
int HandOver(const report::SearchResult& result, const SearchOptions& options, int status) {
  const std::string fields = report::ToFields(result, Printed(result, options));
  return WriteFields(options.fields, fields, status);
}

// `text`: what is in the file.
base::Result<std::vector<report::Suppression>> ReadSuppressions(const std::string& file,
                                                                std::string* text) {
  if (file.empty()) return std::vector<report::Suppression>();
  base::Result<std::string> read = session::ReadWhole(file);
  if (!read.Ok()) return base::Error{read.Message()};
  *text = *read;
  return report::ParseSuppressions(*text, file);
}

// What is wrong with the places that the search is to write to, before it begins.
std::optional<base::Error> RefusePlaces(const SearchOptions& options,
                                        const SearchSubject& subject) {
  if (auto error = session::PrepareDirectory(options.out)) return error;
  const std::vector<std::string> inputs = {subject.program.path, options.suppressions,
                                           subject.library};
  if (auto error = RefuseSave(options, inputs)) return error;
  if (options.json.empty()) return std::nullopt;
  std::vector<std::string> kept = inputs;
  kept.insert(kept.end(), {options.save, options.resume});
  return session::CheckWritable(options.json, kept);
}

// Saving is for one search that somebody began on the command line.
std::optional<base::Error> RefuseSaving(const SearchOptions& options, const CaseOptions& cases) {
  if (options.save.empty() && options.resume.empty()) return std::nullopt;
  const std::string given = options.resume.empty() ? "--save" : "--resume";
  if (!options.resume.empty() && options.jobs != 0)
    return base::Error{
        "--resume goes on with as many jobs as the search was begun with: drop --jobs"};
  if (!options.at_check.empty() || options.fields >= 0)
    return base::Error{given + " is not for heddle::Check: its searches are part of a test"};
  if (cases.each)
    return base::Error{given + " is for one search, and --each makes one for each case: give " +
                       "--case NAME"};
  if (!options.resume.empty() && cases.name)
    return base::Error{"--resume goes on with the case that " + options.resume +
                       " was begun with: drop --case"};
  return std::nullopt;
}

// A shard is a part of one search.
std::optional<base::Error> RefuseSharding(const SearchOptions& options, const CaseOptions& cases) {
  if (options.shard.empty() && !options.result.empty())
    return base::Error{"--result is for --shard: --json writes what a whole search has found"};
  if (options.shard.empty()) return std::nullopt;
  if (!options.at_check.empty() || options.fields >= 0 || cases.each || cases.name)
    return base::Error{"--shard is for the search of a whole program"};
  if (!options.save.empty() || !options.resume.empty())
    return base::Error{
        "--shard goes with neither --save nor --resume: heddle split cuts a saved "
        "search"};
  return std::nullopt;
}

int Explore(const SearchOptions& options, const SearchSubject& subject,
            const std::vector<std::string>& command) {
  const InterruptNoted interrupt;
  SearchUnderC11 under_c11(options, subject);
  SearchRunner runner(options, subject);
  base::Result<report::SearchResult> result = runner.Run(command);
  if (!result.Ok()) return Fail(result.Message());
  if (auto error = under_c11.GoOn(command, *result)) return Fail(error->message);
  ConfirmOrders(options, subject, command, *result);
  result->test_case = subject.test_case;
  bool lost = false;
  if (!options.json.empty()) {
    if (auto error = session::WriteWhole(options.json, report::ToJson(*result))) {
      Fail(error->message);
      lost = true;
    }
  }
  lost |= runner.SaveIsLost() || under_c11.SaveIsLost();  // which a warning has said
  const int status = report::ExitStatus(*result, options.require_complete);
  if (options.fields >= 0) return HandOver(*result, options, lost ? kUsageError : status);
  const int printed = Print(Printed(*result, options), lost ? kUsageError : status);
  if (!lost && printed == status) {
    runner.ForgetSave();
    under_c11.ForgetSave();
  }
  return printed;
}

// As Explore, of a search that is in a file.
int GoOn(const SearchOptions& given, const CommandLine& line, std::vector<std::string> command) {
  base::Result<session::SavedImage> saved = session::SavedImage::Open(given.resume);
  if (!saved.Ok()) return Fail(saved.Message());
  base::Result<SearchOptions> options = OptionsOfSaved(*saved, line, given);
  if (!options.Ok()) return Fail(options.Message());
  const session::SavedSearch& search = saved->Description();
  if (search.together.jobs != 0 && options->executions != 0)
    return Fail("--executions counts those of one job, and " + given.resume +
                " is a search with several: drop it");
  base::Result<std::string> path =
      command.empty() ? search.program : session::FindProgram(command[0]);
  if (!path.Ok()) return Fail(path.Message());
  base::Result<std::string> library = session::FindRuntimeLibrary();
  if (!library.Ok()) return Fail(library.Message());
  if (auto error = RefuseOthers(*saved, command, *path, *library)) return Fail(error->message);
  base::Result<session::ProgramFile> program =
      session::InspectProgram(*path, options->no_debug_info);
  if (!program.Ok()) return Fail(program.Message());
  base::Result<std::vector<report::Suppression>> suppressions =
      report::ParseSuppressions(search.suppressions, search.suppressions_name);
  if (!suppressions.Ok()) return Fail(suppressions.Message());
  SearchSubject subject = {
      *program,       *library,           {}, *std::move(suppressions), {}, &*saved,
      search.options, search.suppressions};
  WarnOfBuild(*program);
  subject.asserts_told = true;
  OutputFolder folder(options->out);
  if (auto error = RefusePlaces(*options, subject)) return Fail(error->message);
  return Explore(*options, subject, search.command);
}

// What is to be left out of the report, and where to look first.
std::optional<base::Error> ReadFiles(const SearchOptions& options, SearchSubject& subject) {
  base::Result<std::vector<report::Suppression>> suppressions =
      ReadSuppressions(options.suppressions, &subject.suppressions_text);
  if (!suppressions.Ok()) return base::Error{suppressions.Message()};
  subject.suppressions = *std::move(suppressions);
  subject.settings.suppressions = !subject.suppressions.empty();
  base::Result<std::vector<channel::FocusRange>> focus =
      session::FindFocus(subject.program.path, options.focus_functions, options.focus_variables);
  if (!focus.Ok()) return base::Error{focus.Message()};
  subject.focus = *focus;
  return std::nullopt;
}

}  // namespace

int Check(const std::vector<std::string>& arguments) {
  CommandLine line(kAbout, "heddle check");
  line.SetUsage(kUsage, {std::begin(kFirstOptions), std::end(kFirstOptions)});
  line.SetFooter(kStatuses);
  SearchOptions options;
  CaseOptions cases;
  AddSearchOptions(line, options);
  AddCaseOptions(line, cases);
  std::vector<std::string> command;
  if (auto status = line.Parse(line.SplitProgram(arguments, command))) return *status;
  if (auto error = RefuseSaving(options, cases)) return Fail(error->message);
  if (auto error = RefuseSharding(options, cases)) return Fail(error->message);
  if (!options.resume.empty() && !cases.list) return GoOn(options, line, command);
  if (command.empty()) return Fail(std::string("which program? ") + kUsage);
  WarnOfOptions(line.OursAfterProgram(arguments, command));
  if (options.fields >= 0) {
    fcntl(options.fields, F_SETFD, FD_CLOEXEC);
    prctl(PR_SET_PDEATHSIG, SIGTERM);  // nobody is left to read it
  }

  base::Result<channel::Settings> settings = MakeSettings(options);
  if (!settings.Ok()) return Fail(settings.Message());
  base::Result<std::string> path = session::FindProgram(command[0]);
  if (!path.Ok()) return Fail(path.Message());
  base::Result<session::ProgramFile> program =
      session::InspectProgram(*path, options.no_debug_info || cases.list);
  if (!program.Ok()) return Fail(program.Message());
  base::Result<std::string> library = session::FindRuntimeLibrary();
  if (!library.Ok()) return Fail(library.Message());
  if (cases.list) return PrintCases(*program, *library, command);
  if (!program->instrumented && !options.uninstrumented) {
    return Fail(command[0] +
                " was not built with heddle-cc or heddle-c++, so its atomics and data races cannot "
                "be seen: build it with them, or give --uninstrumented to explore its "
                "synchronisation calls only");
  }
  SearchSubject subject;
  if (options.fields < 0) WarnOfBuild(*program);  // heddle::Check would say it again and again
  subject.asserts_told = options.fields < 0;
  subject.program = *program;
  subject.library = *library;
  subject.settings = *settings;
  subject.may_have_jobs = !cases.each;
  subject.test_case = cases.name.value_or("");
  // heddle::Check has the framework break, if the test has one.
  if (!options.at_check.empty()) ForgetShards();
  const bool in_test = !options.at_check.empty() && cases::Recognise(*program).Ok();
  subject.settings.test_breaks = cases.each || cases.name || in_test;
  if (options.at_check.empty() && !cases.each) subject.saved_options = OptionsOfSearch(line);
  if (auto error = ReadFiles(options, subject)) return Fail(error->message);
  OutputFolder folder(options.out);
  if (auto error = RefusePlaces(options, subject)) return Fail(error->message);
  if (!options.shard.empty()) return ExploreShard(options, subject, command);
  if (cases.each) return CheckEachCase(options, subject, command);
  if (!cases.name) return Explore(options, subject, command);
  base::Result<std::vector<std::string>> one =
      CommandOfCase(subject.program, subject.library, command, *cases.name);
  return one.Ok() ? Explore(options, subject, *one) : Fail(one.Message());
}

}  // namespace heddle::cli
