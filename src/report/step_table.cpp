#include "report/step_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "channel/records.h"
#include "report/fitted_text.h"
#include "report/step_rows.h"
#include "report/wording.h"

namespace heddle::report {
namespace {

constexpr size_t kMaxColumns = 6;  // more threads: only those that matter have one
constexpr size_t kMaxRows = 60;    // longer tables are shortened to ...
constexpr size_t kFirstRows = 10;  // ... this beginning,
constexpr size_t kLastRows = 25;   // this end,
constexpr size_t kAroundRows = 4;  // and this much around every marked row
constexpr size_t kFewRows = 12;    // so many are shown with those that have no influence
constexpr size_t kMaxGutter = 26;
constexpr size_t kLeastText = 50;  // for the text of the rightmost column
constexpr size_t kWidestColumn = 30;
constexpr size_t kLeastRoom = 20;  // the same, where threads are many: else the table is a list
constexpr int kNarrow = 60;        // columns of a terminal below which the table is a list

std::string Joined(const std::vector<std::string>& texts) {
  std::string all;
  for (const std::string& text : texts) all += (all.empty() ? "" : ", ") + text;
  return all;
}

// The source line; where there is none, or one like "}" (where a lock_guard unlocks), what is done.
std::string RowText(const Row& row) {
  if (!row.source.empty()) return row.source;
  // Where the program ends by itself, its caller is heddle.
  const bool unplaced = row.location.file.empty() && !row.location.function.empty() &&
                        !row.location.function.starts_with("heddle::");
  const std::string texts = Joined(row.texts);
  return unplaced ? texts + " in " + row.location.function : texts;
}

// What is done, beside the source line; with everything told, also in which wrapper.
std::string DoesText(const Row& row, Steps steps) {
  std::string does = row.source.empty() ? "" : Joined(row.texts);
  if (steps != Steps::kAll || row.within.file.empty()) return does;
  return does + (does.empty() ? "[" : " [") + PlaceText(row.within) + "]";
}

std::string GutterOf(const Row& row) {
  if (row.location.file.empty()) return "";
  const std::string line = ":" + std::to_string(row.location.line);
  const std::string file = std::filesystem::path(row.location.file).filename().string();
  return FitName(file, kMaxGutter - line.size()) + line;
}

std::string Padded(std::string text, size_t width) {
  if (text.size() < width) text.resize(width, ' ');
  return text;
}

// In the order of first appearance, main first.
std::vector<std::string> ColumnsOf(const std::vector<Row>& rows, Steps steps) {
  std::vector<std::string> all;
  std::vector<std::string> marked;
  auto add = [](std::vector<std::string>& list, const std::string& thread) {
    if (thread.empty() || std::find(list.begin(), list.end(), thread) != list.end()) return;
    if (thread == "main") {
      list.insert(list.begin(), thread);
    } else {
      list.push_back(thread);
    }
  };
  for (const Row& row : rows) {
    add(all, row.thread);
    if ((row.flags & kMarked) != 0) add(marked, row.thread);
    add(marked, row.preempted);
  }
  if (steps == Steps::kAll) return all;
  if (all.size() <= kMaxColumns || marked.empty()) {
    if (all.size() > kMaxColumns) all.resize(kMaxColumns);
    return all;
  }
  if (marked.size() > kMaxColumns) marked.resize(kMaxColumns);
  return marked;
}

std::vector<bool> RowsToShow(const std::vector<Row>& rows,
                             const std::vector<std::string>& columns) {
  std::vector<bool> show(rows.size(), rows.size() <= kMaxRows);
  for (size_t i = 0; i < rows.size(); ++i) {
    if (i < kFirstRows || i + kLastRows >= rows.size()) show[i] = true;
    if ((rows[i].flags & channel::kStepReadFrom) != 0) show[i] = true;
    if ((rows[i].flags & kMarked) == 0) continue;
    size_t end = std::min(rows.size(), i + kAroundRows + 1);
    for (size_t j = i - std::min(i, kAroundRows); j < end; ++j) show[j] = true;
  }
  for (size_t i = 0; i < rows.size(); ++i) {
    if (std::find(columns.begin(), columns.end(), rows[i].thread) == columns.end()) show[i] = false;
  }
  return show;
}

class Table {
 public:
  Table(const std::vector<Row>& rows, const Terminal& terminal, Steps steps)
      : rows_(rows), terminal_(terminal), steps_(steps), columns_(ColumnsOf(rows, steps)) {
    show_ =
        steps == Steps::kAll ? std::vector<bool>(rows.size(), true) : RowsToShow(rows, columns_);
    for (size_t i = 0; i < rows.size(); ++i) {
      if (show_[i]) gutter_ = std::max(gutter_, std::min(GutterOf(rows[i]).size(), kMaxGutter));
    }
    gutter_ += 4;
    size_t width = static_cast<size_t>(terminal.Width());
    size_t spare = width > gutter_ + kLeastText ? width - gutter_ - kLeastText : 0;
    step_ = columns_.size() > 1 ? std::min(kWidestColumn, spare / (columns_.size() - 1)) : 0;
    step_ = std::max<size_t>(step_, 7);  // "T1.12" and two spaces
  }

  std::string Print() {
    const size_t last = gutter_ + step_ * (columns_.empty() ? 0 : columns_.size() - 1);
    const auto width = static_cast<size_t>(terminal_.Width());
    const bool narrow = terminal_.Width() < kNarrow || width < last + kLeastRoom;
    if (!narrow) Heading();
    uint64_t hidden = 0;
    std::set<std::string> hidden_threads;
    for (size_t i = 0; i < rows_.size(); ++i) {
      hidden += rows_[i].omitted_before;
      if (!show_[i]) {
        hidden += rows_[i].steps;
        hidden_threads.insert(rows_[i].thread);
        continue;
      }
      if (hidden != 0) Gap(std::exchange(hidden, 0), std::exchange(hidden_threads, {}));
      narrow ? List(rows_[i]) : Print(rows_[i]);
    }
    if (hidden != 0) Gap(hidden, hidden_threads);
    return std::move(text_);
  }

 private:
  void Heading() {
    std::string line(gutter_, ' ');
    for (const std::string& thread : columns_) line += Padded(thread, step_);
    line.resize(line.find_last_not_of(' ') + 1);
    text_ += terminal_.Bold(line) + "\n";
  }

  size_t ColumnOf(const std::string& thread) const {
    auto at = std::find(columns_.begin(), columns_.end(), thread);
    return gutter_ + step_ * static_cast<size_t>(at - columns_.begin());
  }

  size_t Room(size_t column) const {
    size_t width = static_cast<size_t>(terminal_.Width());
    return width > column + 16 ? width - column : 16;
  }

  void Gap(uint64_t steps, const std::set<std::string>& threads) {
    std::string of;
    if (threads.size() <= kMaxColumns) {
      for (const std::string& thread : threads) of += (of.empty() ? " of " : ", ") + thread;
    }
    text_ += terminal_.Dim("  ... " + Counted(steps, "step") + of + " ...") + "\n";
  }

  void Print(const Row& row) {
    if (!row.preempted.empty()) {
      text_ +=
          std::string(ColumnOf(row.preempted), ' ') + terminal_.Yellow("-- preempted --") + "\n";
    }
    size_t column = ColumnOf(row.thread);
    std::string text = FitSource(RowText(row), Room(column));
    bool marked = (row.flags & (kMarked & ~channel::kStepPreempts)) != 0;
    std::string gutter = Padded("  " + GutterOf(row), gutter_);
    text_ += terminal_.Dim(gutter) + std::string(column - gutter_, ' ') +
             (marked ? terminal_.Bold(text) : text);
    size_t used = Width(text);
    if (const std::string does = DoesText(row, steps_); !does.empty()) {
      constexpr size_t kBetween = 4;  // columns of "  | "
      if (used + kBetween + does.size() <= Room(column)) {
        text_ += "  " + terminal_.Cyan("| " + does);
        used += kBetween + does.size();
      } else {
        const bool in_one = row.texts.empty() || does.size() + 2 <= Room(column);
        for (const std::string& line : in_one ? std::vector<std::string>{does} : row.texts)
          used = OnItsOwnLine("| ", line, column, &Terminal::Cyan);
      }
    }
    if (!row.note.empty()) {
      std::string note = "<- " + row.note;
      if (used + 2 + note.size() <= Room(column)) {
        text_ += "  " + terminal_.Red(note);
      } else {
        OnItsOwnLine("^ ", row.note, column, &Terminal::Red);
      }
    }
    for (const std::string& line : row.after) OnItsOwnLine("| ", line, column, &Terminal::Cyan);
    text_ += "\n";
    if (row.rounds > 1) Rounds(row, column);
  }

  void List(const Row& row) {
    if (!row.preempted.empty())
      text_ += "  " + terminal_.Yellow("-- " + row.preempted + " preempted --") + "\n";
    text_ += "  " + terminal_.Bold(row.thread) + " " + terminal_.Dim(GutterOf(row)) + "\n";
    const bool marked = (row.flags & (kMarked & ~channel::kStepPreempts)) != 0;
    Listed(RowText(row), marked ? &Terminal::Bold : nullptr);
    if (!row.source.empty())
      for (const std::string& does : row.texts) Listed("| " + does, &Terminal::Cyan);
    if (!row.note.empty()) Listed("^ " + row.note, &Terminal::Red);
    for (const std::string& does : row.after) Listed("| " + does, &Terminal::Cyan);
    if (row.rounds > 1) Rounds(row, kListed);
  }

  void Listed(const std::string& text, std::string (Terminal::*color)(const std::string&) const) {
    const auto width = static_cast<size_t>(terminal_.Width());
    for (const std::string& line : Wrapped(text, width - kListed))
      text_ += std::string(kListed, ' ') + (color ? (terminal_.*color)(line) : line) + "\n";
  }

  // In its thread's column, in as many lines as it takes: this is what the reader came for, and in
  // another column it would be taken for another thread's. Returns how far the last line reaches
  // behind the column's begin.
  size_t OnItsOwnLine(const std::string& mark, const std::string& text, size_t column,
                      std::string (Terminal::*color)(const std::string&) const) {
    const bool fits = mark.size() + Width(text) <= Room(column);
    std::string begin = mark;
    size_t used = 0;
    for (std::string line : Wrapped(text, Room(column) - (fits ? 2 : 4))) {
      line.resize(line.find_last_not_of(' ') + 1);
      text_ += "\n" + std::string(column, ' ') + (terminal_.*color)(begin + line);
      used = begin.size() + Width(line);
      begin = mark == "| " ? "|   " : "    ";
    }
    return used;
  }

  void Rounds(const Row& row, size_t column) {
    const std::string what = row.round == 1 ? "this" : Counted(row.round, "row");
    const std::string text = fmt::format("... {}, {} times in all ...", what, Grouped(row.rounds));
    text_ += std::string(column, ' ') + terminal_.Dim(text) + "\n";
  }

  static constexpr size_t kListed = 4;  // columns before the lines of a list

  const std::vector<Row>& rows_;
  const Terminal& terminal_;
  const Steps steps_;
  std::vector<std::string> columns_;
  std::vector<bool> show_;
  size_t gutter_ = 0;  // width of the file:line column
  size_t step_ = 0;    // from one thread's column to the next
  std::string text_;
};

// "14 steps left out: 9 of shared_ptr copies, 5 without influence on the bug (--full has all)"
std::string LeftOutText(const std::vector<Step>& steps, const std::vector<bool>& shown) {
  constexpr std::pair<uint32_t, const char*> kWhy[] = {
      {kAsideSharedPtr, "of shared_ptr copies"},
      {kAsideCallOnce, "of call_once"},
      {kAsideFuture, "of futures"},
      {kAsideNoInfluence, "without influence on the bug"}};
  uint64_t all = 0, kinds = 0;
  std::string text;
  for (const auto& [flag, why] : kWhy) {
    uint64_t count = 0;
    for (size_t i = 0; i < steps.size(); ++i) count += !shown[i] && (steps[i].flags & flag) != 0;
    if (count != 0) text += (text.empty() ? "" : ", ") + Grouped(count) + " " + why;
    all += count;
    kinds += count != 0;
  }
  if (kinds == 1)
    return "left out: " + Counted(all, "step") + text.substr(text.find(' ')) + " (--full has all)";
  return all == 0 ? "" : Counted(all, "step") + " left out: " + text + " (--full has all)";
}

// What nobody needs, however few the steps are: what comes behind the second access of a race, and
// looks for a signal that find none.
void LeaveOutNeedless(const std::vector<Step>& steps, std::vector<bool>& shown) {
  constexpr uint32_t kRace = channel::kStepRaceFirst | channel::kStepRaceSecond;
  size_t end = 0;
  for (size_t i = 0; i < steps.size(); ++i)
    if ((steps[i].flags & kMarked & ~channel::kStepPreempts) != 0)
      end = (steps[i].flags & kRace) != 0 ? i + 1 : steps.size();
  for (size_t i = 0; i < steps.size(); ++i) {
    if ((steps[i].flags & kAsideNoInfluence) == 0) continue;
    const bool is_look = steps[i].operation == op::Info(op::Kind::kSignalLook).name;
    if ((end != 0 && i >= end) || is_look) shown[i] = false;
  }
}

}  // namespace

std::vector<bool> ShownSteps(const Finding& finding, Steps steps) {
  const auto without = [&](uint32_t left_out) {
    std::vector<bool> shown;
    for (const Step& step : finding.steps) shown.push_back((step.flags & left_out) == 0);
    return shown;
  };
  if (steps == Steps::kAll) return without(0);
  std::vector<bool> few = without(kAsideBookkeeping);
  LeaveOutNeedless(finding.steps, few);
  if (RowsOf(finding.steps, few, true, false).size() <= kFewRows) return few;
  return without(kAsideBookkeeping | kAsideNoInfluence);
}

std::string StepTable(const Finding& finding, const Terminal& terminal, Steps steps) {
  const std::vector<bool> shown = ShownSteps(finding, steps);
  std::vector<Row> rows =
      RowsOf(finding.steps, shown, steps == Steps::kBrief, !finding.weak.empty());
  if (rows.empty()) return "";
  if (steps == Steps::kBrief) rows = WithoutRounds(std::move(rows));
  std::string text = Table(rows, terminal, steps).Print();
  if (const std::string left_out = LeftOutText(finding.steps, shown); !left_out.empty())
    for (const std::string& line :
         Wrapped(left_out, static_cast<size_t>(std::max(terminal.Width(), 20)) - 2))
      text += terminal.Dim("  " + line) + "\n";
  return text;
}

}  // namespace heddle::report
