#include "report/case_results.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <utility>

#include "report/text.h"
#include "report/verdict.h"
#include "report/visible.h"
#include "report/wording.h"

namespace heddle::report {
namespace {

// How grave an exit status is.
int Gravity(int status) {
  switch (status) {
    case 3:
      return 3;
    case 1:
      return 2;
    case 4:
      return 1;
    default:
      return 0;
  }
}

std::string VerdictText(const SearchResult& result, const Terminal& terminal) {
  std::string name = fmt::format("{:<12}", VerdictName(result.verdict));
  switch (result.verdict) {
    case Verdict::kClean:
      return terminal.Green(name);
    case Verdict::kIncomplete:
      return terminal.Yellow(name);
    case Verdict::kBug:
    case Verdict::kUncontrolled:
      return terminal.Red(name);
  }
  return name;
}

// Most cases of a program have the same ones: each is told once, with the number of cases.
std::string NotesText(const CaseResults& results, const Terminal& terminal) {
  std::vector<Note> notes;
  std::map<std::string, size_t> cases;  // by text
  for (const CaseResult& one : results.cases) {
    for (const Note& note : one.result.notes) {
      if (note.kind == "info") continue;
      if (cases[note.text]++ == 0) notes.push_back(note);
    }
  }
  std::string text;
  for (const Note& note : notes) {
    text += "  " + terminal.Yellow(NoteHead(note) + ": ") + note.text;
    if (results.cases.size() > 1) text += " (" + Counted(cases[note.text], "case") + ")";
    text += "\n";
  }
  return text;
}

// "3 clean, 1 with bugs, 1 incomplete"
std::string VerdictsText(const CaseTotals& totals) {
  std::string text;
  for (const auto& [count, what] :
       {std::pair(totals.clean, "clean"), std::pair(totals.bug, "with bugs"),
        std::pair(totals.incomplete, "incomplete"),
        std::pair(totals.uncontrolled, "out of control")}) {
    if (count != 0) text += (text.empty() ? "" : ", ") + Grouped(count) + " " + what;
  }
  return text;
}

}  // namespace

CaseTotals TotalsOf(const CaseResults& results) {
  CaseTotals totals;
  for (const auto& [name, result] : results.cases) {
    switch (result.verdict) {
      case Verdict::kClean:
        ++totals.clean;
        break;
      case Verdict::kBug:
        ++totals.bug;
        break;
      case Verdict::kIncomplete:
        ++totals.incomplete;
        break;
      case Verdict::kUncontrolled:
        ++totals.uncontrolled;
        break;
    }
    totals.findings += result.findings.size();
    totals.executions += result.executions;
  }
  return totals;
}

int ExitStatus(const CaseResults& results, bool require_complete) {
  int gravest = require_complete && !results.not_begun.empty() ? 4 : 0;
  for (const CaseResult& one : results.cases) {
    const int status = ExitStatus(one.result, require_complete);
    if (Gravity(status) > Gravity(gravest)) gravest = status;
  }
  return gravest;
}

std::string CaseLine(const CaseResult& one, const Terminal& terminal) {
  const SearchResult& result = one.result;
  return "  " + VerdictText(result, terminal) +
         fmt::format("{:>20}, {:<12}  {:>8.2f} s  ", Counted(result.executions, "execution"),
                     result.complete ? "complete" : "not complete", result.elapsed_s) +
         Visible(one.name) + "\n";
}

namespace {

// The line of totals, and what is to be said of several cases.
std::string TotalsText(const CaseResults& results, const Terminal& terminal) {
  const CaseTotals totals = TotalsOf(results);
  std::string text = "heddle: " + Counted(results.cases.size(), "case") + " of " +
                     std::filesystem::path(results.program).filename().string() + " (" +
                     results.framework + ")";
  if (!results.cases.empty()) text += ": " + VerdictsText(totals);
  text += "; " + Counted(totals.findings, "bug") + " in " +
          Counted(totals.executions, "execution") + fmt::format(", {:.2f} s", results.elapsed_s);
  if (!results.not_begun.empty())
    text += "; interrupted, " + Counted(results.not_begun.size(), "case") + " not begun";
  return text + "\n" + NotesText(results, terminal);
}

std::string NotBegunText(const CaseResults& results, const Terminal& terminal) {
  std::string text;
  for (const std::string& name : results.not_begun)
    text += "  " + terminal.Yellow(fmt::format("{:<12}", "not begun")) + Visible(name) + "\n";
  return text;
}

}  // namespace

std::string CasesSummary(const CaseResults& results, const Terminal& terminal, Steps steps) {
  std::string text = NotBegunText(results, terminal) + "\n";
  for (const auto& [name, result] : results.cases) {
    if (result.findings.empty()) continue;
    text += terminal.Bold(Visible(name)) + "\n";
    for (const Finding& finding : result.findings) text += FindingText(finding, terminal, steps);
  }
  return text + TotalsText(results, terminal);
}

std::string CasesConclusion(const CaseResults& results, const Terminal& terminal) {
  return NotBegunText(results, terminal) + TotalsText(results, terminal);
}

std::string CasesText(const CaseResults& results, const Terminal& terminal, Steps steps) {
  std::string text;
  for (const CaseResult& one : results.cases) text += CaseLine(one, terminal);
  return text + CasesSummary(results, terminal, steps);
}

std::vector<NamedResult> NamedResults(const std::string& file, const CaseResults& results) {
  std::vector<NamedResult> named;
  for (const auto& [name, result] : results.cases) named.push_back({file, result, name});
  return named;
}

}  // namespace heddle::report
