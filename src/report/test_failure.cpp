#include "report/test_failure.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <vector>

#include "base/trimmed.h"
#include "channel/records.h"

namespace heddle::report {
namespace {

using base::Trimmed;

// The first line of a block: its place, and what follows the word that says that it failed.
struct Head {
  std::string_view file;
  uint32_t line = 0;
  std::string_view rest;
};

std::optional<Head> HeadOf(std::string_view line) {
  if (line == "unknown file: Failure") return Head{};  // an exception, of GoogleTest's
  for (const std::string_view mark : {": Failure", ": FAILED:", ": ERROR: ", ": FATAL ERROR: "}) {
    const size_t at = line.find(mark);
    if (at == std::string_view::npos) continue;
    const std::string_view place = line.substr(0, at);
    const size_t colon = place.rfind(':');
    if (colon == std::string_view::npos || colon == 0) continue;
    Head head = {place.substr(0, colon), 0, Trimmed(line.substr(at + mark.size()))};
    const char* end = place.data() + place.size();
    const auto parsed = std::from_chars(place.data() + colon + 1, end, head.line);
    if (parsed.ec == std::errc() && parsed.ptr == end) return head;
  }
  return std::nullopt;
}

// A rule across the page is no part of what failed.
bool IsRule(std::string_view line) {
  constexpr size_t kShortest = 20;
  return line.size() >= kShortest &&
         (line.find_first_not_of(line.front()) == std::string_view::npos) &&
         std::string_view("=-.~").find(line.front()) != std::string_view::npos;
}

std::string FileName(const std::string& path) {
  return std::filesystem::path(path).filename().string();
}

// The frame of `step` in the file of `failure`, or null.
const Frame* FrameOf(const Step& step, const TestFailure& failure) {
  for (const Frame& frame : step.stack)
    if (!frame.library && FileName(frame.location.file) == FileName(failure.file)) return &frame;
  return nullptr;
}

}  // namespace

std::optional<TestFailure> LastTestFailure(std::string_view output) {
  std::optional<TestFailure> last;
  bool open = false;
  while (!output.empty()) {
    const size_t end = output.find('\n');
    const std::string_view line = output.substr(0, end);
    output.remove_prefix(end == std::string_view::npos ? output.size() : end + 1);
    if (const std::optional<Head> head = HeadOf(line)) {
      last = {std::string(head->file), head->line, std::string(head->rest), std::string(line)};
      open = true;
      continue;
    }
    if (!open || IsRule(line)) {
      open = false;
      continue;
    }
    last->text += "\n" + std::string(line);
    const std::string_view told = Trimmed(line);
    if (told.empty()) continue;
    if (!last->message.empty()) last->message += last->message.ends_with(':') ? " " : "; ";
    last->message += told;
  }
  if (last) last->text = std::string(Trimmed(last->text));
  return last;
}

void TellTestFailure(const std::string& output, Finding& finding) {
  const std::optional<TestFailure> failure = LastTestFailure(output);
  if (!failure) return;
  finding.output = failure->text;
  if (!failure->message.empty()) finding.message = failure->message;
  for (Step& step : finding.steps) {
    if ((step.flags & channel::kStepEnding) == 0) continue;
    const Frame* frame = FrameOf(step, *failure);
    if (frame == nullptr && !step.location.file.empty()) continue;
    step.location.file = frame != nullptr ? frame->location.file : failure->file;
    if (frame != nullptr) step.location.function = frame->location.function;
    step.location.line = failure->line;
    finding.locations = {step.location};
  }
}

}  // namespace heddle::report
