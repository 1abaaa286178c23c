// heddle report: recorded results as text, JSON, HTML, SARIF or JUnit XML.
#include <unistd.h>

#include <filesystem>
#include <string_view>
#include <system_error>

#include "cli/command.h"
#include "cli/parse.h"
#include "report/html.h"
#include "report/json.h"
#include "report/junit.h"
#include "report/named_result.h"
#include "report/sarif.h"
#include "report/text.h"
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

base::Result<NamedResult> Read(const std::string& file) {
  base::Result<std::string> text = session::ReadWhole(file);
  if (!text.Ok()) return base::Error{text.Message()};
  base::Result<report::SearchResult> result = report::FromJson(*text, file);
  if (!result.Ok()) return base::Error{result.Message()};
  return NamedResult{file, std::move(*result)};
}

std::string Text(const std::vector<NamedResult>& results, const report::Terminal& terminal,
                 report::Steps steps) {
  std::string text;
  for (const NamedResult& named : results) {
    if (!text.empty()) text += "\n";
    if (results.size() > 1) text += terminal.Bold(named.name) + "\n";
    text += report::ResultText(named.result, terminal, steps);
  }
  return text;
}

std::string Json(const std::vector<NamedResult>& results) {
  if (results.size() == 1) return report::ToJson(results.front().result);
  std::string text;
  for (const NamedResult& named : results) {
    text += (text.empty() ? "" : ",\n") + report::ToJson(named.result);
  }
  return "[\n" + text + "]\n";
}

std::string Root(const ReportOptions& options) {
  std::error_code error;
  const std::filesystem::path root = options.root.empty() ? "." : options.root;
  const std::filesystem::path whole = std::filesystem::absolute(root, error);
  return (error ? root : whole).string();
}

std::string Document(const ReportOptions& options, const std::vector<NamedResult>& results) {
  if (options.format == "json") return Json(results);
  if (options.format == "html") return report::ToHtml(results);
  if (options.format == "sarif") return report::ToSarif(results, Root(options));
  if (options.format == "junit") return report::ToJunit(results);
  // A file is no terminal, whatever standard output is.
  const int descriptor = options.output.empty() ? STDOUT_FILENO : -1;
  return Text(results, report::Terminal::Of(descriptor, options.color),
              report::StepsOf(options.full));
}

// --html for --format html. Only one format can be asked for.
void AddFormat(CLI::App& app, std::string& format) {
  std::vector<CLI::Option*> options = {
      app.add_option("--format", format, "text (default), json, html, sarif or junit")
          ->check(CLI::IsMember({"text", "json", "html", "sarif", "junit"}))
          ->type_name("FORMAT")};
  for (const std::string name : {"html", "sarif", "junit"}) {
    CLI::Option* option = app.add_flag_callback(
        "--" + name, [&format, name] { format = name; }, "The same as --format " + name);
    for (CLI::Option* other : options) option->excludes(other);
    options.push_back(option);
  }
}

}  // namespace

int Report(const std::vector<std::string>& arguments) {
  CLI::App app(kAbout, "heddle report");
  SetUsage(app, kUsage);
  app.footer(
      "Exit status: 0, whatever was found; or 2 when a file cannot be read or the output not\n"
      "written.");
  ReportOptions options;
  app.add_option("FILE", options.files, "Results of heddle check --json")->required();
  AddFormat(app, options.format);
  app.add_option("-o,--output", options.output, "Write to FILE instead of standard output")
      ->type_name("FILE");
  app.add_option("--root", options.root,
                 "SARIF: name source files relative to DIR (default: the working directory)")
      ->type_name("DIR");
  app.add_flag("--full", options.full, "Text: show every step that the results hold");
  AddColor(app, options.color);
  if (auto status = Parse(app, arguments)) return *status;

  if (!options.output.empty()) {
    if (auto error = session::CheckWritable(options.output, options.files)) {
      return Fail(error->message);
    }
  }
  // All are read before anything is printed: half a report would pass for a whole one.
  std::vector<NamedResult> results;
  for (const std::string& file : options.files) {
    base::Result<NamedResult> result = Read(file);
    if (!result.Ok()) return Fail(result.Message());
    results.push_back(std::move(*result));
  }
  const std::string document = Document(options, results);
  if (options.output.empty()) return Print(document, 0);
  if (auto error = session::WriteWhole(options.output, document)) return Fail(error->message);
  return 0;
}

}  // namespace heddle::cli
