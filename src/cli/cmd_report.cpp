// heddle report: recorded results as text, JSON, HTML, SARIF, JUnit XML, or a picture of what they
// covered.
#include <unistd.h>

#include <filesystem>
#include <string_view>
#include <system_error>
#include <variant>

#include "cli/command.h"
#include "cli/parse.h"
#include "report/case_results.h"
#include "report/coverage_curves.h"
#include "report/coverage_svg.h"
#include "report/html.h"
#include "report/json.h"
#include "report/junit.h"
#include "report/named_result.h"
#include "report/sarif.h"
#include "report/text.h"
#include "report/tool_lines.h"
#include "session/files.h"

namespace heddle::cli {
namespace {

using report::NamedResult;

constexpr char kUsage[] = "heddle report [options] FILE...";
constexpr char kAbout[] =
    "Shows results that `heddle check --json` wrote, for people and for tools.";

struct ReportOptions {
  std::vector<std::string> files;
  std::string format = "text";
  bool full = false;
  std::string output;  // empty: standard output
  std::string root;    // empty: the working directory
  report::ColorChoice color = report::ColorChoice::kAuto;
};

struct NamedFile {
  std::string name;
  report::ResultFile content;
};

base::Result<NamedFile> Read(const std::string& file) {
  base::Result<std::string> text = session::ReadWhole(file);
  if (!text.Ok()) return base::Error{text.Message()};
  base::Result<report::ResultFile> content = report::FromJson(*text, file);
  if (!content.Ok()) return base::Error{content.Message()};
  return NamedFile{file, std::move(*content)};
}

std::string TextOf(const report::ResultFile& content, const report::Terminal& terminal,
                   report::Steps steps) {
  if (const auto* cases = std::get_if<report::CaseResults>(&content))
    return report::CasesText(*cases, terminal, steps);
  return report::ResultText(std::get<report::SearchResult>(content), terminal, steps);
}

std::string Text(const std::vector<NamedFile>& files, const report::Terminal& terminal,
                 report::Steps steps) {
  std::string text;
  for (const NamedFile& file : files) {
    if (!text.empty()) text += "\n";
    if (files.size() > 1) text += terminal.Bold(file.name) + "\n";
    text += TextOf(file.content, terminal, steps);
  }
  return text;
}

std::string Json(const std::vector<NamedFile>& files) {
  const auto json = [](const NamedFile& file) {
    return std::visit([](const auto& content) { return report::ToJson(content); }, file.content);
  };
  if (files.size() == 1) return json(files.front());
  std::string text;
  for (const NamedFile& file : files) text += (text.empty() ? "" : ",\n") + json(file);
  return "[\n" + text + "]\n";
}

// The other formats take the cases of a test program for so many results.
std::vector<NamedResult> ResultsOf(const std::vector<NamedFile>& files) {
  std::vector<NamedResult> results;
  for (const NamedFile& file : files) {
    if (const auto* cases = std::get_if<report::CaseResults>(&file.content)) {
      for (NamedResult& named : report::NamedResults(file.name, *cases))
        results.push_back(std::move(named));
    } else {
      const auto& result = std::get<report::SearchResult>(file.content);
      results.push_back({file.name, result, result.test_case});
    }
  }
  return results;
}

std::string Root(const ReportOptions& options) {
  std::error_code error;
  const std::filesystem::path root = options.root.empty() ? "." : options.root;
  const std::filesystem::path whole = std::filesystem::absolute(root, error);
  return (error ? root : whole).string();
}

base::Result<std::string> Coverage(const std::vector<NamedFile>& files) {
  const base::Result<report::CoverageCurves> curves = report::CoverageCurvesOf(ResultsOf(files));
  if (!curves) return base::Error{curves.Message()};
  return report::ToSvg(*curves);
}

std::string ToolLines(const ReportOptions& options, const std::vector<NamedFile>& files) {
  std::string text;
  for (const NamedResult& named : ResultsOf(files))
    text += options.format == "gcc"
                ? report::GccLines(named.result, named.test_case)
                : report::GithubLines(named.result, Root(options), false, named.test_case);
  return text;
}

base::Result<std::string> Document(const ReportOptions& options,
                                   const std::vector<NamedFile>& files) {
  if (options.format == "json") return Json(files);
  if (options.format == "html") return report::ToHtml(ResultsOf(files));
  if (options.format == "sarif") return report::ToSarif(ResultsOf(files), Root(options));
  if (options.format == "junit") return report::ToJunit(ResultsOf(files));
  if (options.format == "coverage") return Coverage(files);
  if (options.format == "gcc" || options.format == "github") return ToolLines(options, files);
  // A file is no terminal, whatever standard output is.
  const int descriptor = options.output.empty() ? STDOUT_FILENO : -1;
  return Text(files, report::Terminal::Of(descriptor, options.color),
              report::StepsOf(options.full));
}

struct ShortFormat {
  const char* name;
  const char* help;
};
constexpr ShortFormat kShortFormats[] = {
    {"html", "The same as --format html"},
    {"sarif", "The same as --format sarif"},
    {"junit", "The same as --format junit"},
    {"coverage",
     "Draw how much each search covered, by preemptions and over executions, as an SVG picture "
     "(the same as --format coverage)"},
};

// --html for --format html. Only one format can be asked for.
void AddFormat(CommandLine& line, std::string& format) {
  std::vector<CommandLine::Option> options = {
      line.Text("--format", format,
                "text (default), json, html, sarif, junit, coverage, gcc or github")
          .Among({"text", "json", "html", "sarif", "junit", "coverage", "gcc", "github"})
          .Type("FORMAT")};
  for (const ShortFormat& known : kShortFormats) {
    const CommandLine::Option option = line.Flag(
        std::string("--") + known.name, [&format, &known] { format = known.name; }, known.help);
    for (const CommandLine::Option& other : options) option.Excludes(other);
    options.push_back(option);
  }
}

}  // namespace

int Report(const std::vector<std::string>& arguments) {
  CommandLine line(kAbout, "heddle report");
  line.SetUsage(kUsage);
  line.SetFooter(
      "Exit status: 0, whatever was found; or 2 when a file cannot be read or the output not\n"
      "written.");
  ReportOptions options;
  line.Text("FILE", options.files, "Results of heddle check --json").Required();
  AddFormat(line, options.format);
  line.Text("-o,--output", options.output, "Write to FILE instead of standard output").Type("FILE");
  line.Text("--root", options.root,
            "SARIF and github: name source files relative to DIR (default: the working directory)")
      .Type("DIR");
  line.Flag("--full", options.full, "Text: show every step that the results hold");
  line.Color(options.color);
  if (auto status = line.Parse(arguments)) return *status;

  if (!options.output.empty()) {
    if (auto error = session::CheckWritable(options.output, options.files)) {
      return Fail(error->message);
    }
  }
  // All are read before anything is printed: half a report would pass for a whole one.
  std::vector<NamedFile> files;
  for (const std::string& name : options.files) {
    base::Result<NamedFile> file = Read(name);
    if (!file.Ok()) return Fail(file.Message());
    files.push_back(std::move(*file));
  }
  const base::Result<std::string> document = Document(options, files);
  if (!document) return Fail(document.Message());
  if (options.output.empty()) return Print(*document, 0);
  if (auto error = session::WriteWhole(options.output, *document)) return Fail(error->message);
  return 0;
}

}  // namespace heddle::cli
