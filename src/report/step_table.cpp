#include "report/step_table.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <set>
#include <utility>
#include <vector>

#include "channel/channel.h"
#include "report/wording.h"

namespace heddle::report {
namespace {

constexpr size_t kMaxColumns = 6;  // more threads: only those that matter have one
constexpr size_t kMaxRows = 60;    // longer tables are shortened to ...
constexpr size_t kFirstRows = 10;  // ... this beginning,
constexpr size_t kLastRows = 25;   // this end,
constexpr size_t kAroundRows = 4;  // and this much around every marked row
constexpr size_t kMaxGutter = 26;
constexpr size_t kLeastText = 50;  // for the text of the rightmost column
constexpr size_t kWidestColumn = 30;

constexpr uint32_t kMarked = channel::kStepPreempts | channel::kStepRaceFirst |
                             channel::kStepRaceSecond | channel::kStepBlocked |
                             channel::kStepEnding | channel::kStepLeft | channel::kStepMade |
                             channel::kStepEarly;

// Consecutive steps of one thread at one source line.
struct Row {
  std::string thread;
  std::string preempted;  // the thread that was preempted before this row, or empty
  Location location;
  std::string source;
  std::vector<std::string> texts;  // of the steps, each once
  std::string note;                // why the row is marked
  uint32_t flags = 0;
  uint64_t steps = 0;
  uint64_t omitted_before = 0;
};

std::string NoteFor(const Step& step) {
  if ((step.flags & channel::kStepBlocked) != 0) {
    if (step.object.empty()) return "waits";
    return "waits for " + step.object + (step.owner.empty() ? "" : ", held by " + step.owner);
  }
  if ((step.flags & channel::kStepRaceFirst) != 0) return "first access: " + step.text;
  if ((step.flags & channel::kStepRaceSecond) != 0) return "second access: " + step.text;
  if ((step.flags & channel::kStepEarly) != 0) return "times out early";
  if ((step.flags & channel::kStepTimedOut) != 0) return "times out";
  if ((step.flags & channel::kStepFailed) != 0) return "fails";
  if ((step.flags & channel::kStepLeft) != 0) return "killed here";
  if ((step.flags & channel::kStepMade) != 0) return "initialised here";
  if ((step.flags & channel::kStepEnding) != 0) return "here";
  return "";
}

bool SameRow(const Row& row, const Step& step) {
  constexpr uint32_t kNotExecuted = channel::kStepBlocked | channel::kStepLeft;
  bool standing = ((row.flags | step.flags) & kNotExecuted) != 0;
  bool two_accesses =
      (row.flags & channel::kStepRaceFirst) != 0 && (step.flags & channel::kStepRaceSecond) != 0;
  return row.thread == step.thread && !standing && !two_accesses && step.omitted_before == 0 &&
         !step.location.file.empty() && row.location.file == step.location.file &&
         row.location.line == step.location.line;
}

std::vector<Row> RowsOf(const std::vector<Step>& steps) {
  std::vector<Row> rows;
  for (const Step& step : steps) {
    if (rows.empty() || !SameRow(rows.back(), step)) {
      Row row;
      row.thread = step.thread;
      if ((step.flags & channel::kStepPreempts) != 0 && !rows.empty()) {
        row.preempted = rows.back().thread;
      }
      row.location = step.location;
      row.source = step.source;
      row.omitted_before = step.omitted_before;
      rows.push_back(std::move(row));
    }
    Row& row = rows.back();
    row.flags |= step.flags;
    row.steps += 1;
    if (std::find(row.texts.begin(), row.texts.end(), step.text) == row.texts.end()) {
      row.texts.push_back(step.text);
    }
    std::string note = NoteFor(step);
    if (!note.empty()) row.note += (row.note.empty() ? "" : "; ") + note;
  }
  return rows;
}

std::string Joined(const std::vector<std::string>& texts) {
  std::string all;
  for (const std::string& text : texts) all += (all.empty() ? "" : ", ") + text;
  return all;
}

// A line like "}" (where a lock_guard unlocks) says nothing without the operation.
std::string RowText(const Row& row) {
  size_t letters = static_cast<size_t>(std::count_if(
      row.source.begin(), row.source.end(), [](unsigned char c) { return std::isalnum(c) != 0; }));
  if (row.source.empty()) {
    bool unplaced = row.location.file.empty() && !row.location.function.empty();
    return Joined(row.texts) + (unplaced ? " in " + row.location.function : "");
  }
  return letters < 2 ? row.source + "   // " + Joined(row.texts) : row.source;
}

std::string GutterOf(const Row& row) {
  if (row.location.file.empty()) return "";
  return std::filesystem::path(row.location.file).filename().string() + ":" +
         std::to_string(row.location.line);
}

// At most `width` columns of `text`, cut between UTF-8 characters.
std::string Fit(const std::string& text, size_t width) {
  size_t columns = 0;
  size_t cut = 0;  // where the text ends when "..." must follow
  for (size_t i = 0; i < text.size(); ++i) {
    if ((static_cast<unsigned char>(text[i]) & 0xc0) == 0x80) continue;
    if (columns + 3 <= width) cut = i;
    if (++columns > width) return text.substr(0, cut) + "...";
  }
  return text;
}

std::string Padded(std::string text, size_t width) {
  if (text.size() < width) text.resize(width, ' ');
  return text;
}

// In the order of first appearance, main first.
std::vector<std::string> ColumnsOf(const std::vector<Row>& rows) {
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
  Table(const std::vector<Row>& rows, const Terminal& terminal)
      : rows_(rows), terminal_(terminal), columns_(ColumnsOf(rows)) {
    show_ = RowsToShow(rows, columns_);
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
    Heading();
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
      Print(rows_[i]);
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
    std::string text = Fit(RowText(row), Room(column));
    bool marked = (row.flags & (kMarked & ~channel::kStepPreempts)) != 0;
    std::string gutter = Padded("  " + Fit(GutterOf(row), kMaxGutter), gutter_);
    text_ += terminal_.Dim(gutter) + std::string(column - gutter_, ' ') +
             (marked ? terminal_.Bold(text) : text);
    if (!row.note.empty()) {
      std::string note = "<- " + row.note;
      if (text.size() + 2 + note.size() <= Room(column)) {
        text_ += "  " + terminal_.Red(note);
      } else {
        // On a line of its own, moved left as far as it takes: this is what the reader came for.
        note = "^ " + row.note;
        size_t width = static_cast<size_t>(terminal_.Width());
        size_t at = std::clamp(width - std::min(width, note.size()), gutter_, column);
        text_ += "\n" + std::string(at, ' ') + terminal_.Red(Fit(note, Room(at)));
      }
    }
    text_ += "\n";
  }

  const std::vector<Row>& rows_;
  const Terminal& terminal_;
  std::vector<std::string> columns_;
  std::vector<bool> show_;
  size_t gutter_ = 0;  // width of the file:line column
  size_t step_ = 0;    // from one thread's column to the next
  std::string text_;
};

}  // namespace

std::string StepTable(const Finding& finding, const Terminal& terminal) {
  std::vector<Row> rows = RowsOf(finding.steps);
  if (rows.empty()) return "";
  return Table(rows, terminal).Print();
}

}  // namespace heddle::report
