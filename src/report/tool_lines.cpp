#include "report/tool_lines.h"

#include <filesystem>
#include <string_view>
#include <utility>
#include <vector>

#include "report/finding_places.h"
#include "report/shell_word.h"
#include "report/text.h"
#include "report/verdict.h"
#include "report/visible.h"
#include "report/visible_result.h"
#include "report/wording.h"

namespace heddle::report {
namespace {

// Something to be said of a line of the program.
struct Remark {
  Location at;
  std::string text;
};

// What is to be said of a finding, which is visible by now: first what it is.
std::vector<Remark> RemarksOf(const Finding& finding, const SearchResult& result,
                              const std::string& test_case) {
  const Location primary = PrimaryPlace(finding, result);
  std::string message = Headlined(finding);
  if (!test_case.empty()) message = VisibleLine(test_case) + ": " + message;
  std::vector<Remark> remarks = {{primary, message}};
  for (const Step& step : finding.steps)
    if ((step.flags & kPlaces) != 0 && !step.location.file.empty())
      remarks.push_back({step.location, StackTitle(step)});
  for (const Block& block : finding.blocks)
    if (!block.location.file.empty())
      remarks.push_back({block.location, block.name + " was allocated" +
                                             (block.thread.empty() ? "" : " by " + block.thread)});
  for (const std::string& more : {RacesText(finding), CutShortText(finding)})
    if (!more.empty()) remarks.push_back({primary, more});
  if (!finding.schedule.empty())
    remarks.push_back({primary, "replay: heddle replay " + ShellWord(finding.schedule)});
  if (!finding.schedule.empty() && !finding.line.empty())
    remarks.push_back({primary, "schedule: " + QuotedShellWord(finding.line)});
  return remarks;
}

bool IsCertain(const Finding& finding) {
  return finding.may_be_ordered_by.empty() && !finding.not_reproduced;
}

// A line has a column wherever debug information has none: editors' patterns ask for it.
std::string GccPlace(const Location& at) {
  return VisibleLine(at.file) + ":" + std::to_string(at.line == 0 ? 1 : at.line) + ":" +
         std::to_string(at.column == 0 ? 1 : at.column) + ": ";
}

std::string Replaced(std::string_view text,
                     std::initializer_list<std::pair<char, const char*>> escapes) {
  std::string escaped;
  for (const char c : text) {
    const char* instead = nullptr;
    for (const auto& [what, by] : escapes)
      if (c == what) instead = by;
    if (instead != nullptr)
      escaped += instead;
    else
      escaped += c;
  }
  return escaped;
}

// docs.github.com does not tell these rules; actions/toolkit, packages/core/src/command.ts, does.
std::string Data(std::string_view text) {
  return Replaced(text, {{'%', "%25"}, {'\r', "%0D"}, {'\n', "%0A"}});
}

std::string Property(std::string_view text) {
  return Replaced(text, {{'%', "%25"}, {'\r', "%0D"}, {'\n', "%0A"}, {':', "%3A"}, {',', "%2C"}});
}

std::string Below(const std::string& file, const std::string& root) {
  const std::filesystem::path path = std::filesystem::path(file).lexically_normal();
  const std::filesystem::path relative = path.lexically_relative(root);
  return relative.empty() || relative.string().starts_with("..") ? path.string()
                                                                 : relative.string();
}

}  // namespace

std::string GccLines(const Finding& told, const SearchResult& result,
                     const std::string& test_case) {
  const Finding finding = VisibleFinding(told);
  std::string text;
  const char* severity = IsCertain(finding) ? "error: " : "warning: ";
  for (const Remark& remark : RemarksOf(finding, result, test_case))
    text += GccPlace(remark.at) + std::exchange(severity, "note: ") + remark.text + "\n";
  return text;
}

std::string GccLines(const SearchResult& result, const std::string& test_case) {
  std::string text;
  for (const Finding& finding : result.findings) text += GccLines(finding, result, test_case);
  return text;
}

std::string GithubLines(const Finding& told, const SearchResult& result, const std::string& root,
                        const std::string& test_case) {
  const Finding finding = VisibleFinding(told);
  const std::vector<Remark> remarks = RemarksOf(finding, result, test_case);
  const Location& at = remarks.front().at;
  std::string text = IsCertain(finding) ? "::error " : "::warning ";
  text += "file=" + Property(VisibleLine(Below(at.file, root)));
  text += ",line=" + std::to_string(at.line == 0 ? 1 : at.line);
  if (at.column != 0) text += ",col=" + std::to_string(at.column);
  text += ",title=" + Property("heddle: " + std::string(KindTitle(finding.kind)));
  std::string message;
  for (const Remark& remark : remarks) {
    const bool elsewhere = !message.empty() && remark.text != remarks.front().text &&
                           !remark.text.starts_with("replay: ") &&
                           !remark.text.starts_with("schedule: ");
    message += message.empty() ? "" : "\n";
    if (elsewhere)
      message +=
          VisibleLine(Below(remark.at.file, root)) + ":" + std::to_string(remark.at.line) + ": ";
    message += remark.text;
  }
  return text + "::" + Data(message) + "\n";
}

std::string GithubLines(const SearchResult& result, const std::string& root, bool require_complete,
                        const std::string& test_case) {
  std::string text;
  for (const Finding& finding : result.findings)
    text += GithubLines(finding, result, root, test_case);
  if (!text.empty() || ExitStatus(result, require_complete) == 0) return text;
  const std::string what = test_case.empty() ? result.program : test_case;
  return "::error title=heddle::" + Data(VisibleLine(what + ": " + VerdictSentence(result))) + "\n";
}

}  // namespace heddle::report
