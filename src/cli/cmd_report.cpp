// heddle report: recorded results as text, or as one JSON document.
#include <unistd.h>

#include "cli/command.h"
#include "cli/parse.h"
#include "report/json.h"
#include "report/text.h"
#include "session/files.h"

namespace heddle::cli {
namespace {

constexpr char kUsage[] = "heddle report [options] FILE...";
constexpr char kAbout[] = "Prints results that `heddle check --json` wrote.";

struct ReportOptions {
  std::vector<std::string> files;
  std::string format = "text";
  bool full = false;
  report::ColorChoice color = report::ColorChoice::kAuto;
};

base::Result<report::SearchResult> Read(const std::string& file) {
  base::Result<std::string> text = session::ReadWhole(file);
  if (!text.Ok()) return base::Error{text.Message()};
  return report::FromJson(*text, file);
}

}  // namespace

int Report(const std::vector<std::string>& arguments) {
  CLI::App app(kAbout, "heddle report");
  SetUsage(app, kUsage);
  app.footer("Exit status: 0, or 2 when a file cannot be read or the output not written.");
  ReportOptions options;
  app.add_option("FILE", options.files, "Results of heddle check --json")->required();
  app.add_option("--format", options.format, "text (default) or json")
      ->check(CLI::IsMember({"text", "json"}))
      ->type_name("FORMAT");
  app.add_flag("--full", options.full, "Show every step that the results hold");
  AddColor(app, options.color);
  if (auto status = Parse(app, arguments)) return *status;

  // All are read before anything is printed: half a report would pass for a whole one.
  std::vector<report::SearchResult> results;
  for (const std::string& file : options.files) {
    base::Result<report::SearchResult> result = Read(file);
    if (!result.Ok()) return Fail(result.Message());
    results.push_back(std::move(*result));
  }
  report::Terminal terminal = report::Terminal::Of(STDOUT_FILENO, options.color);
  bool json = options.format == "json";
  std::string text;
  for (size_t i = 0; i < results.size(); ++i) {
    if (json) {
      text += (i == 0 ? "" : ",\n") + report::ToJson(results[i]);
    } else {
      if (results.size() > 1) text += terminal.Bold(options.files[i]) + "\n";
      text += report::ResultText(results[i], terminal, report::StepsOf(options.full)) +
              (i + 1 < results.size() ? "\n" : "");
    }
  }
  return Print(json && results.size() > 1 ? "[\n" + text + "]\n" : text, 0);
}

}  // namespace heddle::cli
