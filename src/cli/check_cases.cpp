#include "cli/check_cases.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <optional>

#include "cases/framework.h"
#include "cases/recognise.h"
#include "cli/command.h"
#include "cli/interrupt_noted.h"
#include "cli/output_format.h"
#include "cli/under_c11.h"
#include "report/case_results.h"
#include "report/json.h"
#include "report/shell_word.h"
#include "report/terminal.h"
#include "report/visible.h"
#include "session/files.h"
#include "session/output_of.h"

namespace heddle::cli {
namespace {

// A list is printed at once, unless something before main waits or loops.
constexpr uint64_t kListLimitMs = 20'000;

struct CaseList {
  const cases::Framework* framework;
  std::vector<cases::Case> cases;
};

// Runs the program to ask it for its cases.
base::Result<CaseList> ListCases(const session::ProgramFile& program, const std::string& library,
                                 const std::vector<std::string>& command) {
  base::Result<const cases::Framework*> framework = cases::Recognise(program);
  if (!framework.Ok()) return base::Error{framework.Message()};
  const std::string why =
      "cannot list the cases of " + command[0] + " (" + std::string((*framework)->Name()) + "): ";
  session::Launch launch;
  launch.program = program.path;
  launch.arguments = (*framework)->ToList({command.begin() + 1, command.end()});
  launch.arguments.insert(launch.arguments.begin(), command[0]);
  launch.library = library;
  base::Result<session::ProgramOutput> output = session::OutputOf(launch, kListLimitMs);
  if (!output.Ok()) return base::Error{why + output.Message()};
  base::Result<std::vector<std::string>> names =
      (*framework)->ReadList({output->text, output->status, {command.begin() + 1, command.end()}});
  if (!names.Ok()) {
    std::string words;
    for (const std::string& word : launch.arguments) words += " " + report::ShellWord(word);
    return base::Error{why + names.Message() + "; see what this prints:" + words};
  }
  if (names->empty()) return base::Error{why + "it has none"};
  return CaseList{*framework, (*framework)->CasesOf(*names)};
}

std::vector<std::string> CommandOf(const cases::Framework& framework, const cases::Case& one,
                                   const std::vector<std::string>& command) {
  std::vector<std::string> all = framework.ToRun({command.begin() + 1, command.end()}, one);
  all.insert(all.begin(), command[0]);
  return all;
}

// What is to be said of a case that is not run alone.
void WarnOfOthers(const cases::Framework& framework, const cases::Case& one) {
  std::string others;
  for (const std::string& other : one.runs_too) others += (others.empty() ? "" : ", ") + other;
  if (!others.empty())
    Warn(std::string(framework.Name()) + " cannot run " + one.name + " without " + others);
}

// Lines for tools come after all cases.
std::string QuietTextOf(const report::CaseResult& one, const SearchOptions& options) {
  return IsForTools(options) ? "" : QuietText(one.result);
}

class Stopwatch {
 public:
  double Seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begun_).count();
  }

 private:
  const std::chrono::steady_clock::time_point begun_ = std::chrono::steady_clock::now();
};

}  // namespace

void AddCaseOptions(CommandLine& line, CaseOptions& options) {
  constexpr char kGroup[] = "Test cases";
  const CommandLine::Option each =
      line.Flag("--each", options.each,
                "Explore each test case of PROG by itself (GoogleTest, Catch2, doctest); "
                "--time and --executions hold for each of them")
          .Group(kGroup);
  const CommandLine::Option list =
      line.Flag("--list-cases", options.list,
                "Print the names of the test cases, one a line, and explore none")
          .Group(kGroup);
  const CommandLine::Option one =
      line.Text("--case", options.name, "Explore this test case of PROG only")
          .Type("NAME")
          .Group(kGroup);
  each.Excludes(list).Excludes(one);
  list.Excludes(one);
}

int PrintCases(const session::ProgramFile& program, const std::string& library,
               const std::vector<std::string>& command) {
  base::Result<CaseList> list = ListCases(program, library, command);
  if (!list.Ok()) return Fail(list.Message());
  const bool on_terminal = isatty(STDOUT_FILENO) != 0;  // which obeys control characters
  std::string text;
  for (const cases::Case& one : list->cases)
    text += (on_terminal ? report::VisibleLine(one.name) : one.name) + "\n";
  return Print(text, 0);
}

void ForgetShards() {
  unsetenv("GTEST_TOTAL_SHARDS");
  unsetenv("GTEST_SHARD_INDEX");
}

base::Result<std::vector<std::string>> CommandOfCase(const session::ProgramFile& program,
                                                     const std::string& library,
                                                     const std::vector<std::string>& command,
                                                     const std::string& name) {
  base::Result<CaseList> list = ListCases(program, library, command);
  if (!list.Ok()) return base::Error{list.Message()};
  const auto one = std::find_if(list->cases.begin(), list->cases.end(),
                                [&](const cases::Case& other) { return other.name == name; });
  if (one == list->cases.end())
    return base::Error{command[0] + " has no test case " +
                       (name.empty() ? "with an empty name" : name) +
                       " (heddle check --list-cases prints them)"};
  WarnOfOthers(*list->framework, *one);
  ForgetShards();
  return CommandOf(*list->framework, *one, command);
}

int CheckEachCase(const SearchOptions& options, const SearchSubject& subject,
                  const std::vector<std::string>& command) {
  const Stopwatch stopwatch;
  base::Result<CaseList> list = ListCases(subject.program, subject.library, command);
  if (!list.Ok()) return Fail(list.Message());
  report::CaseResults results;
  results.heddle_version = HEDDLE_VERSION;
  results.program = subject.program.absolute;
  results.arguments.assign(command.begin() + 1, command.end());
  results.framework = list->framework->Name();
  const report::Terminal terminal = report::Terminal::Of(STDOUT_FILENO, options.color);
  const InterruptNoted interrupt;
  ForgetShards();
  SearchRunner runner(options, subject);
  bool stopped = false;
  int status = 0;
  for (const cases::Case& one : list->cases) {
    if (stopped || InterruptNoted::Came()) {
      results.not_begun.push_back(one.name);
      continue;
    }
    WarnOfOthers(*list->framework, one);
    const std::vector<std::string> of_case = CommandOf(*list->framework, one, command);
    SearchUnderC11 under_c11(options, subject);
    base::Result<report::SearchResult> result = runner.Run(of_case);
    if (!result.Ok()) return Fail(one.name + ": " + result.Message());
    if (auto error = under_c11.GoOn(of_case, *result))
      return Fail(one.name + ": " + error->message);
    stopped = result->stop == channel::Stop::kInterrupted;
    results.cases.push_back({one.name, std::move(*result)});
    const report::CaseResult& last = results.cases.back();
    const std::string text =
        options.quiet ? QuietTextOf(last, options) : report::CaseLine(last, terminal);
    if (const int printed = Print(text, 0); printed != 0) status = printed;
  }
  results.elapsed_s = stopwatch.Seconds();
  if (!options.json.empty()) {
    if (auto error = session::WriteWhole(options.json, report::ToJson(results)))
      status = Fail(error->message);
  }
  if (status == 0) status = report::ExitStatus(results, options.require_complete);
  return Print(PrintedOfCases(results, options), status);
}

}  // namespace heddle::cli
