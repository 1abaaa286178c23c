#include "report/step_rows.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "op/operation.h"
#include "report/fitted_text.h"
#include "report/wording.h"

namespace heddle::report {
namespace {

constexpr size_t kLongestName = 44;   // of an object, unless everything is to be told
constexpr size_t kLongestRound = 12;  // rows of a loop's round that is told once
constexpr size_t kLeastRounds = 3;

// Of a read-write lock: what it is to be locked for.
std::string Purpose(const Step& step) {
  for (const char* purpose : {" for reading", " for writing"})
    if (step.text.find(purpose) != std::string::npos) return purpose;
  return "";
}

std::string NoteFor(const Step& step) {
  if ((step.flags & channel::kStepBlocked) != 0) {
    if (step.remark == kGoesRound) return step.remark;
    if (step.object.empty()) return "waits";
    return "waits for " + step.object + Purpose(step) + HolderText(step);
  }
  if (IsMarkedFree(step)) return step.text;
  if (MayComeTooLate(step)) return step.text + "; " + step.remark;
  if ((step.flags & channel::kStepRaceFirst) != 0) return "first access: " + step.text;
  if ((step.flags & channel::kStepRaceSecond) != 0) return "second access: " + step.text;
  if ((step.flags & channel::kStepLeft) != 0) return "killed here";
  if ((step.flags & channel::kStepMade) != 0) return "made here";
  if ((step.flags & channel::kStepEnding) != 0) return "here";
  return step.remark;
}

// What the step does, with a long name of its object cut short.
std::string BriefText(const Step& step) {
  std::string text = step.text;
  // `object` has a noun of some words before the name, which is in the text.
  for (std::string_view name = step.object; name.size() > kLongestName;) {
    const size_t at = text.find(name);
    const size_t space = name.find(' ');
    if (at != std::string::npos)
      return text.replace(at, name.size(), FitName(std::string(name), kLongestName));
    if (space == std::string_view::npos) break;
    name.remove_prefix(space + 1);
  }
  return text;
}

// Is what the step does told by the note, or is it no operation of the program?
bool IsToldByNote(const Step& step) {
  return (step.flags & (channel::kStepBlocked | channel::kStepRaceFirst | channel::kStepRaceSecond |
                        channel::kStepEnding | channel::kStepMade)) != 0;
}

// How it went, where that is not what its text says.
std::string OutcomeOf(const Step& step) {
  if (IsToldByNote(step)) return "";
  if ((step.flags & channel::kStepEarly) != 0) return "times out early";
  if ((step.flags & channel::kStepTimedOut) != 0) return "times out";
  if ((step.flags & channel::kStepFailed) != 0 && step.text.find("fails") == std::string::npos)
    return "fails";
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

std::string Does(const Step& step) { return step.operation + " " + step.object + ";"; }

bool IsIn(const Row& row, const std::string& text) {
  return std::ranges::find(row.texts, text) != row.texts.end() ||
         std::ranges::find(row.after, text) != row.after.end();
}

// Is the step that the thread ends the program what its bug does, which the next one tells?
bool IsEndOf(const std::vector<Step>& steps, size_t at) {
  if (steps[at].operation != op::Info(op::Kind::kProgramExit).name || at + 1 == steps.size())
    return false;
  const Step& next = steps[at + 1];
  return (next.flags & channel::kStepEnding) != 0 && next.thread == steps[at].thread &&
         next.text != EndingText(channel::BugKind::kExitStatus);
}

// The next round of a loop: the same operation with another value.
bool IsAnotherRound(const Row& row, const Step& step) {
  return !step.object.empty() && row.does.find(Does(step)) != std::string::npos &&
         !IsIn(row, step.text) && !IsToldByNote(step);
}

bool IsSameInLoop(const Row& a, const Row& b) {
  return a.thread == b.thread && a.does == b.does && a.location.file == b.location.file &&
         a.location.line == b.location.line && ((a.flags | b.flags) & kMarked) == 0 &&
         b.omitted_before == 0;
}

// How often the `length` rows from `begin` on are made one after the other.
uint64_t RoundsFrom(const std::vector<Row>& rows, size_t begin, size_t length) {
  uint64_t rounds = 1;
  for (size_t at = begin + length; at + length <= rows.size(); at += length, ++rounds)
    for (size_t i = 0; i < length; ++i)
      if (rows[at + i].thread != rows[begin].thread || !IsSameInLoop(rows[begin + i], rows[at + i]))
        return rounds;
  return rounds;
}

// Does the source say all that the step's text does? It is one call then, of one object, which it
// calls by the name that the step has: `pthread_mutex_lock(&mutex);` locks mutex.
bool SourceSaysIt(const Step& step) {
  constexpr std::pair<std::string_view, std::string_view> kCalls[] = {
      {"locks", "pthread_mutex_lock"},
      {"unlocks", "pthread_mutex_unlock"},
      {"signals", "pthread_cond_signal"},
      {"broadcasts", "pthread_cond_broadcast"},
      {"posts", "sem_post"},
      {"waits for", "sem_wait"},
      {"locks", "lock"},
      {"unlocks", "unlock"},
      {"signals", "notify_one"},
      {"broadcasts", "notify_all"}};
  const size_t space = step.object.rfind(' ');
  const std::string name = space == std::string::npos ? step.object : step.object.substr(space + 1);
  if (name.empty()) return false;
  std::string source = step.source.substr(0, step.source.find(" //"));
  source.resize(source.find_last_not_of(' ') + 1);
  return std::ranges::any_of(kCalls, [&](const auto& call) {
    const auto& [verb, function] = call;
    if (step.text != std::string(verb) + " " + step.object) return false;
    const std::string called(function);
    return source == called + "(&" + name + ");" || source == called + "(" + name + ");" ||
           source == name + "." + called + "();" || source == name + "->" + called + "();";
  });
}

bool Unlocks(const Step& step) {
  constexpr op::Kind kUnlocks[] = {op::Kind::kMutexUnlock, op::Kind::kRwUnlock,
                                   op::Kind::kSpinUnlock, op::Kind::kStreamUnlock};
  return std::ranges::any_of(kUnlocks,
                             [&](op::Kind kind) { return step.operation == op::Info(kind).name; });
}

// Does the step give back what the one shown before it has locked, at another line?
bool EndsEmptySection(const Step& lock, const Step& step) {
  return Unlocks(step) && !Unlocks(lock) && !step.object.empty() && lock.object == step.object &&
         lock.thread == step.thread && ((lock.flags & ~channel::kStepPreempts) & kMarked) == 0 &&
         (step.flags & kMarked) == 0 && step.omitted_before == 0 && !lock.location.file.empty() &&
         !step.location.file.empty();
}

// "unlocks it at line 27": in the row of the lock.
std::string UnlockText(const Step& lock, const Step& unlock) {
  const bool same_file = lock.location.file == unlock.location.file;
  return "unlocks it at " +
         (same_file ? "line " + std::to_string(unlock.location.line) : PlaceText(unlock.location));
}

}  // namespace

std::string HolderText(const Step& step) {
  if (step.owner.empty()) return "";
  return step.owner == step.thread ? ", which it holds itself" : ", held by " + step.owner;
}

std::vector<Row> RowsOf(const std::vector<Step>& steps, const std::vector<bool>& shown, bool brief,
                        bool orders) {
  std::vector<Row> rows;
  uint64_t omitted = 0;        // before steps that are not shown
  std::string preempted;       // by a step that is not shown, the last one of its thread
  const Step* last = nullptr;  // that is shown
  for (size_t i = 0; i < steps.size(); ++i) {
    Step step = steps[i];
    const std::string before = i == 0 ? "" : steps[i - 1].thread;
    if ((step.flags & channel::kStepPreempts) != 0)
      preempted = before;
    else if (before != step.thread)
      preempted.clear();
    omitted += step.omitted_before;
    if (!shown[i]) continue;
    const Step* const before_it = std::exchange(last, &steps[i]);
    step.omitted_before = std::exchange(omitted, 0);
    if (brief) step.text = BriefText(step);
    const bool is_said = brief && SourceSaysIt(step);
    step.text = TextAndOrder(step, orders);
    // Beside its own text: a row's note stands behind all that is done on the line.
    if (const std::string outcome = OutcomeOf(step); !outcome.empty()) step.text += ": " + outcome;
    if (brief && !rows.empty() && !SameRow(rows.back(), step) &&
        EndsEmptySection(*before_it, step) && rows.back().note.empty()) {
      if (const std::string unlocks = UnlockText(*before_it, step); !IsIn(rows.back(), unlocks))
        rows.back().texts.push_back(unlocks);
      rows.back().steps += 1;
      rows.back().does += Does(step);
      continue;
    }
    if (rows.empty() || !SameRow(rows.back(), step) ||
        (!is_said && IsAnotherRound(rows.back(), step))) {
      Row row;
      row.thread = step.thread;
      // Another one's step may be left out in between: then the thread only goes on.
      if (!preempted.empty() && !rows.empty() && rows.back().thread == preempted &&
          preempted != step.thread) {
        row.preempted = preempted;
      }
      preempted.clear();
      row.location = step.location;
      row.within = step.within;
      row.source = step.source;
      row.omitted_before = step.omitted_before;
      rows.push_back(std::move(row));
    }
    Row& row = rows.back();
    row.flags |= step.flags;
    row.steps += 1;
    row.does += Does(step);
    const bool placeless_end =
        (step.flags & channel::kStepEnding) != 0 && step.location.file.empty();
    if ((!IsToldByNote(step) || placeless_end) && (!is_said || step.text != steps[i].text) &&
        !IsIn(row, step.text) && !IsEndOf(steps, i))
      (row.note.empty() ? row.texts : row.after).push_back(step.text);
    std::string note = NoteFor(step);
    if (!note.empty()) row.note += (row.note.empty() ? "" : "; ") + note;
  }
  return rows;
}

std::vector<Row> WithoutRounds(std::vector<Row> rows) {
  std::vector<Row> kept;
  for (size_t at = 0; at < rows.size();) {
    size_t length = 1;
    uint64_t rounds = 1;
    for (size_t i = 1; i <= kLongestRound && at + i * kLeastRounds <= rows.size(); ++i) {
      const uint64_t made = RoundsFrom(rows, at, i);
      if (made >= kLeastRounds && made * i > rounds * length) length = i, rounds = made;
    }
    for (size_t i = 0; i < length; ++i) kept.push_back(std::move(rows[at + i]));
    if (rounds > 1) {
      kept.back().round = length;
      kept.back().rounds = rounds;
    }
    at += length * rounds;
  }
  return kept;
}

}  // namespace heddle::report
