#include "cli/output_format.h"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <optional>
#include <random>
#include <string_view>
#include <system_error>

#include "cli/search_run.h"
#include "report/terminal.h"
#include "report/text.h"
#include "report/tool_lines.h"

namespace heddle::cli {
namespace {

report::Terminal TerminalOf(const SearchOptions& options) {
  return report::Terminal::Of(STDOUT_FILENO, options.color);
}

enum class Format { kText, kGcc, kGithub, kTextAndGcc };

// Of the words of --format; nothing: it is none of them.
std::optional<Format> FormatOf(std::string_view word) {
  if (word == "text") return Format::kText;
  if (word == "gcc") return Format::kGcc;
  if (word == "github") return Format::kGithub;
  return std::nullopt;
}

Format FormatOf(const SearchOptions& options) {
  const char* const by_environment = std::getenv("HEDDLE_FORMAT");
  std::optional<Format> format = FormatOf(options.format);
  if (!format && by_environment != nullptr) format = FormatOf(by_environment);
  if (format) return *format;
  return isatty(STDOUT_FILENO) == 0 && !options.quiet ? Format::kTextAndGcc : Format::kText;
}

// GitHub names files relative to its checkout of the repository.
std::string GithubRoot() {
  const char* workspace = std::getenv("GITHUB_WORKSPACE");
  if (workspace != nullptr && *workspace != '\0') return workspace;
  std::error_code error;
  return std::filesystem::current_path(error).string();
}

// The runner of a workflow looks for commands in every line. In the report are texts of the
// program's, and none of them may be one: it cannot know the word that ends this.
std::string WithoutCommands(const std::string& text) {
  std::random_device random;
  std::string word = "heddle";
  for (int i = 0; i < 4; ++i) word += std::to_string(random());
  return "::stop-commands::" + word + "\n" + text + "::" + word + "::\n";
}

}  // namespace

bool IsForTools(const SearchOptions& options) {
  const Format format = FormatOf(options);
  return format == Format::kGcc || format == Format::kGithub;
}

std::string Printed(const report::SearchResult& result, const SearchOptions& options) {
  const report::Terminal terminal = TerminalOf(options);
  const auto text = [&] {
    return report::ResultText(result, terminal, report::StepsOf(options.full));
  };
  switch (FormatOf(options)) {
    case Format::kGcc:
      return report::GccLines(result) +
             (options.quiet
                  ? ""
                  : report::ConclusionText(result, terminal, report::StepsOf(options.full)));
    case Format::kGithub:
      return report::GithubLines(result, GithubRoot(), options.require_complete) +
             (options.quiet ? "" : WithoutCommands(text()));
    case Format::kTextAndGcc: {
      const std::string lines = report::GccLines(result);
      return text() + (lines.empty() ? "" : "\n") + lines;
    }
    case Format::kText:
      break;
  }
  return options.quiet ? QuietText(result) : text();
}

std::string PrintedOfCases(const report::CaseResults& results, const SearchOptions& options) {
  const report::Terminal terminal = TerminalOf(options);
  const Format format = FormatOf(options);
  std::string lines;
  for (const auto& [name, result] : results.cases) {
    if (format == Format::kGcc || format == Format::kTextAndGcc)
      lines += report::GccLines(result, name);
    if (format == Format::kGithub)
      lines += report::GithubLines(result, GithubRoot(), options.require_complete, name);
  }
  if (options.quiet) return lines;
  if (format == Format::kGcc) return lines + report::CasesConclusion(results, terminal);
  const std::string text = report::CasesSummary(results, terminal, report::StepsOf(options.full));
  if (format == Format::kGithub) return lines + WithoutCommands(text);
  return text + (lines.empty() ? "" : "\n" + lines);
}

}  // namespace heddle::cli
