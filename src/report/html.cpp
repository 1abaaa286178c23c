#include "report/html.h"

#include <fmt/format.h>

#include <algorithm>

#include "report/html_parts.h"
#include "report/kind_help.h"
#include "report/shell_word.h"
#include "report/terminal.h"
#include "report/text.h"
#include "report/verdict.h"
#include "report/visible.h"
#include "report/weak_search.h"
#include "report/weak_words.h"
#include "report/wording.h"

namespace heddle::report {
namespace {

constexpr int kTextWidth = 100;
constexpr size_t kMaxOutcomes = 200;
constexpr size_t kLongMessage = 500;
constexpr size_t kMaxName = 200;  // of a program and its arguments, in a heading

std::string TitleOf(const std::string& kind) { return Capitalised(KindTitle(kind)); }

// The verdict has a sign and words, not only a colour.
std::string BadgeOf(const SearchResult& result) {
  const char* sign = result.verdict == Verdict::kBug     ? "✗"
                     : result.verdict == Verdict::kClean ? "✓"
                                                         : "!";
  return fmt::format(
      "<span class=\"verdict {}\"><span class=\"sign\" aria-hidden=\"true\">{}</span> {}</span>",
      VerdictName(result.verdict), sign, Escaped(VerdictSentence(result)));
}

std::string PlaceOf(const Location& location) {
  if (location.file.empty()) return "<code>" + Escaped(location.function) + "</code>";
  std::string place = location.file + ":" + std::to_string(location.line);
  std::string html = "<code>" + Escaped(place) + "</code>";
  if (!location.function.empty()) html += " in <code>" + Escaped(location.function) + "</code>";
  return html;
}

std::string Fact(const std::string& name, const std::string& html) {
  return "<div><dt>" + Escaped(name) + "</dt><dd>" + html + "</dd></div>\n";
}

// One with a line for itself: what is long.
std::string LongFact(const std::string& name, const std::string& html) {
  return "<div class=\"long\"><dt>" + Escaped(name) + "</dt><dd>" + html + "</dd></div>\n";
}

std::string FactsOf(const Finding& finding) {
  std::string facts;
  if (!finding.thread.empty()) facts += Fact("Thread", Escaped(finding.thread));
  facts += Fact("Preemptions",
                Grouped(finding.preemptions) + (finding.fewer_may_do ? " (fewer may do)" : ""));
  if (finding.early_timeouts != 0) {
    facts += Fact("Time limits that pass early", Grouped(finding.early_timeouts));
  }
  facts += Fact("Execution", Grouped(finding.execution));
  if (!finding.identity.empty()) {
    facts += Fact("Identity", "<code>" + Escaped(finding.identity) + "</code>");
  }
  if (const std::string races = RacesText(finding); !races.empty())
    facts += LongFact("Counted", Escaped(races));
  std::string places;
  for (const Location& location : finding.locations) {
    const std::string place = "<li>" + PlaceOf(location) + "</li>";
    if (places.find(place) == std::string::npos) places += place;
  }
  if (!places.empty()) facts += LongFact("Places", "<ul class=\"places\">" + places + "</ul>");
  if (!finding.schedule.empty()) {
    facts += LongFact("Replay",
                      "<code>heddle replay " + Escaped(ShellWord(finding.schedule)) + "</code>");
  }
  if (!finding.line.empty())
    facts += LongFact("Schedule", "<code>" + Escaped(QuotedShellWord(finding.line)) + "</code>");
  return "<dl class=\"facts\">\n" + facts + "</dl>\n";
}

std::string Warning(const std::string& text) {
  return "<p class=\"note warning\"><strong>But:</strong> " + Escaped(text) + "</p>\n";
}

std::string HelpOf(const Finding& finding) {
  const KindHelp& help = KindHelpOf(finding.kind);
  return fmt::format(
      "<details class=\"help\"><summary>What is this?</summary><p>{}</p><p>{}</p></details>\n",
      Escaped(std::string(help.what)), Escaped(std::string(help.remedy)));
}

// The heading and the text below it: "Data race on x" and "T1 writes", "Assertion `x' failed" and
// nothing. A heading that would be long has the kind alone.
std::pair<std::string, std::string> HeadingOf(const Finding& finding) {
  constexpr size_t kMostHeading = 120;
  const Headline headline = HeadlineOf(finding);
  const bool race = finding.kind == KindName(channel::BugKind::kDataRace);
  const size_t colon = race ? headline.rest.find(": ") : std::string::npos;
  const std::string first = headline.kind + headline.rest.substr(0, colon);
  if (headline.rest.starts_with(": ") || first.size() > kMostHeading)
    return {TitleOf(finding.kind), finding.message};
  return {Capitalised(first), colon == std::string::npos ? "" : headline.rest.substr(colon + 2)};
}

std::string WeakOf(const Finding& finding, const std::string& id) {
  std::string html;
  for (const WeakExecution& weak : finding.weak) {
    html += "<h4>Weak memory</h4>\n<p>" + Escaped(Capitalised(MachinesText(weak))) + ".</p>\n";
    if (weak.sequential) continue;
    html += "<p>" + Escaped(Capitalised(kNotSequential)) + ":</p>\n<ol class=\"cycle\">\n";
    for (const std::string& line : CycleText(weak)) html += "<li>" + Escaped(line) + "</li>\n";
    html += "</ol>\n";
    std::string sets;
    for (size_t i = 0; i < weak.forbidden_by.size(); ++i) {
      sets += "<li>" + Escaped(ChangesText(weak.forbidden_by[i]));
      if (const std::string confirmed = ConfirmedText(weak, i); !confirmed.empty())
        sets += " (" + Escaped(confirmed) + ")";
      sets += "</li>\n";
    }
    if (!sets.empty()) html += "<p>It is forbidden by one of:</p>\n<ul>\n" + sets + "</ul>\n";
    if (const std::string untried = UntriedText(weak); !untried.empty())
      html += "<p>" + Escaped(Capitalised(untried)) + ".</p>\n";
    html += "<div class=\"scroll\" tabindex=\"0\" aria-label=\"Execution graph\">" +
            GraphSvg(weak, id + "-graph") + "</div>\n";
  }
  return html;
}

// The other schedule of a bug that takes two.
std::string OtherOf(const Finding& other, const std::string& id) {
  std::string html = "<h4>The other order</h4>\n";
  if (!other.message.empty()) html += "<p class=\"message\">" + Escaped(other.message) + "</p>\n";
  std::string facts = Fact("Preemptions", Grouped(other.preemptions));
  if (!other.schedule.empty())
    facts +=
        LongFact("Replay", "<code>heddle replay " + Escaped(ShellWord(other.schedule)) + "</code>");
  html += "<dl class=\"facts\">\n" + facts + "</dl>\n";
  if (other.steps.empty()) return html;
  return html + "<div class=\"schedule\" data-finding=\"" + id + "\"></div>\n";
}

std::string FindingOf(const Finding& finding, const std::string& id) {
  const auto [heading, message] = HeadingOf(finding);
  std::string html = fmt::format(
      "<article class=\"finding\" id=\"{0}\" aria-labelledby=\"{0}-title\">\n"
      "<h3 id=\"{0}-title\">{1}</h3>\n",
      id, Escaped(heading));
  // A long one scrolls, also by keyboard.
  if (!message.empty())
    html += fmt::format("<p class=\"message\"{}>{}</p>\n",
                        message.size() > kLongMessage ? " tabindex=\"0\"" : "", Escaped(message));
  if (!finding.output.empty())
    html += fmt::format("<pre class=\"output\" tabindex=\"0\">{}</pre>\n", Escaped(finding.output));
  if (const std::string cut_short = CutShortText(finding); !cut_short.empty())
    html += Warning(cut_short);
  if (finding.not_reproduced) {
    html += Warning(kNotReproduced);
  }
  if (!finding.may_be_ordered_by.empty()) {
    html += Warning(LikelyText(finding));
  }
  html += FactsOf(finding) + HelpOf(finding);
  if (finding.steps.empty()) {
    html += "<p class=\"none\">No schedule of this finding was recorded.</p>\n";
  } else {
    html += fmt::format(
        "<div class=\"schedule\" data-finding=\"{}\"></div>\n<noscript><pre>{}</pre></noscript>\n",
        id, Escaped(FindingText(finding, Terminal(kTextWidth, false))));
  }
  html += WeakOf(finding, id);
  for (const Finding& other : finding.other) html += OtherOf(other, OtherId(id));
  return html + "</article>\n";
}

std::string NotesOf(const SearchResult& result) {
  std::string html;
  for (const Note& note : result.notes) {
    html += fmt::format("<li class=\"note {}\"><strong>{}:</strong> {}</li>\n", Escaped(note.kind),
                        Capitalised(NoteHead(note)), Escaped(note.text));
  }
  return html.empty() ? "" : "<ul class=\"notes\">\n" + html + "</ul>\n";
}

std::string NumbersOf(const SearchResult& result) {
  const auto named = [](const std::string& name) { return name.empty() ? "none" : Escaped(name); };
  std::string facts = Fact("Executions", Grouped(result.executions));
  if (result.weak_memory.search)
    facts += Fact("Under C11's memory model", Grouped(result.weak_memory.search->executions));
  facts += Fact("Time", fmt::format("{:.2f} s", result.elapsed_s));
  if (result.redundant != 0) facts += Fact("Redundant", Grouped(result.redundant));
  facts += Fact("Operations", Grouped(result.events));
  facts += Fact("Threads", Grouped(result.threads));
  facts += Fact("Order", named(result.order));
  if (!result.priority.empty()) facts += Fact("Priority", Escaped(result.priority));
  facts += Fact("Reduction", named(result.reduction));
  if (const std::string graphs = GraphsText(result); !graphs.empty())
    facts += LongFact("Told apart", graphs);
  if (!result.heddle_version.empty()) facts += Fact("heddle", Escaped(result.heddle_version));
  return "<dl class=\"facts\">\n" + facts + "</dl>\n";
}

std::string OutcomesOf(const SearchResult& result) {
  if (result.outcomes.empty()) return "";
  using Entry = std::pair<std::string, Label>;
  std::vector<Entry> entries(result.outcomes.begin(), result.outcomes.end());
  std::ranges::stable_sort(entries, std::ranges::greater(),
                           [](const Entry& entry) { return entry.second.count; });
  std::string rows;
  for (size_t i = 0; i < entries.size() && i < kMaxOutcomes; ++i) {
    const auto& [label, outcome] = entries[i];
    rows += fmt::format("<tr><td class=\"count\">{}</td><td>{}</td><td>{}</td></tr>\n",
                        Grouped(outcome.count), Escaped(label), CostOf(outcome));
  }
  std::string more;
  if (entries.size() > kMaxOutcomes) {
    more = "<p>" + Counted(entries.size() - kMaxOutcomes, "outcome") + " more</p>\n";
  }
  return "<h4>Outcomes</h4>\n<div class=\"scroll\"><table "
         "class=\"listing\"><thead><tr><th class=\"count\">Count</th><th>Outcome</th>"
         "<th>Needs</th></tr></thead><tbody>\n" +
         rows + "</tbody></table></div>\n" + more;
}

std::string WeakPairsOf(const SearchResult& result) {
  if (!LeavesWeakMemoryUnseen(result)) return "";
  std::string items;
  const auto access = [](const Step& step) {
    return PlaceOf(step.location) + " (" + Escaped(step.thread + " " + step.text) + ")";
  };
  for (const WeakPair& pair : result.weak_memory.pairs) {
    items += "<li>" + access(pair.first) + " and " + access(pair.second) + "</li>\n";
  }
  return "<h4>Weak memory</h4>\n<p>C11 allows these accesses to be reordered; that was not tried "
         "(--memory-model c11 does).</p>\n<ul>\n" +
         items + "</ul>\n";
}

std::string ResultOf(const NamedResult& named, size_t number) {
  const SearchResult& result = named.result;
  std::string html = fmt::format(
      "<section class=\"result\" id=\"r{}\">\n<h2><code>{}</code> {}</h2>\n<p "
      "class=\"guarantee\">{}</p>\n",
      number, Escaped(Shortened(ProgramLine(named), kMaxName)), BadgeOf(result),
      Escaped(result.guarantee));
  for (size_t i = 0; i < result.findings.size(); ++i) {
    html += FindingOf(result.findings[i], FindingId(number, i + 1));
  }
  html += "<h3>What was explored</h3>\n" + NotesOf(result) + NumbersOf(result);
  return html + WeakPairsOf(result) + OutcomesOf(result) + "</section>\n";
}

enum class Of { kPrograms, kTestCases, kBoth };

Of WhatOf(const std::vector<NamedResult>& results) {
  const auto cases = static_cast<size_t>(std::ranges::count_if(
      results, [](const NamedResult& named) { return !named.test_case.empty(); }));
  return cases == 0 ? Of::kPrograms : cases == results.size() ? Of::kTestCases : Of::kBoth;
}

std::string IndexOf(const std::vector<NamedResult>& results) {
  if (results.size() < 2) return "";
  std::string rows;
  for (size_t i = 0; i < results.size(); ++i) {
    std::string findings;
    for (size_t j = 0; j < results[i].result.findings.size(); ++j) {
      findings += fmt::format("<li><a href=\"#{}\">{}</a></li>", FindingId(i + 1, j + 1),
                              Escaped(TitleOf(results[i].result.findings[j].kind)));
    }
    rows += fmt::format(
        "<tr><td><a href=\"#r{}\"><code>{}</code></a><div class=\"from\">{}</div></td><td>{}<ul "
        "class=\"places\">{}</ul></td></tr>\n",
        i + 1, Escaped(Shortened(ProgramLine(results[i]), kMaxName)), Escaped(results[i].name),
        BadgeOf(results[i].result), findings);
  }
  const Of of = WhatOf(results);
  const char* head = of == Of::kPrograms    ? "Program"
                     : of == Of::kTestCases ? "Test case"
                                            : "Program or test case";
  return fmt::format(
             "<nav aria-label=\"Results\"><div class=\"scroll\"><table class=\"listing\">"
             "<thead><tr><th>{}</th><th>Result</th></tr></thead><tbody>\n",
             head) +
         rows + "</tbody></table></div></nav>\n";
}

// What the window is called; the heading of a page with one result leaves to that what it says.
std::string TitleOf(const std::vector<NamedResult>& results) {
  if (results.size() == 1) {
    return Shortened(ProgramLine(results.front()), kMaxName) + ": " +
           VerdictSentence(results.front().result);
  }
  const auto bugs = std::ranges::count(
      results, Verdict::kBug, [](const NamedResult& named) { return named.result.verdict; });
  const Of of = WhatOf(results);
  const char* all = of == Of::kPrograms    ? "programs"
                    : of == Of::kTestCases ? "test cases"
                                           : "programs and test cases";
  return fmt::format("{} of {} {} have bugs", bugs, results.size(), all);
}

}  // namespace

std::string ToHtml(const std::vector<NamedResult>& results) {
  std::string body;
  for (size_t i = 0; i < results.size(); ++i) body += ResultOf(results[i], i + 1);
  std::string html =
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
      "'unsafe-inline'; script-src 'unsafe-inline'; base-uri 'none'; form-action 'none'\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta name=\"color-scheme\" content=\"light dark\">\n<title>";
  html += Escaped(TitleOf(results)) + " - heddle</title>\n<style>\n";
  html += PageStyle();
  html += "</style>\n</head>\n<body>\n<header><h1>heddle report" +
          (results.size() == 1 ? "" : ": " + Escaped(TitleOf(results))) +
          "</h1></header>\n<main>\n" + IndexOf(results) + body +
          "</main>\n<script type=\"application/json\" id=\"heddle-data\">" + PageData(results) +
          "</script>\n<script>\n";
  html += PageScript();
  return html + "</script>\n</body>\n</html>\n";
}

}  // namespace heddle::report
