#include "report/progress_line.h"

#include <fmt/format.h>
#include <unistd.h>

#include "report/terminal.h"
#include "report/wording.h"

namespace heddle::report {
namespace {

void WriteError(const std::string& text) {
  // A progress line that cannot be written is no reason to stop.
  [[maybe_unused]] ssize_t written = write(STDERR_FILENO, text.data(), text.size());
}

}  // namespace

std::string ProgressText(const channel::Header& header, double elapsed_s, uint64_t others) {
  const channel::Progress& progress = header.progress;
  uint64_t executions = progress.executions + others;
  double rate = elapsed_s > 0 ? static_cast<double>(executions) / elapsed_s : 0;
  std::string text = fmt::format("{}  {}/s", Counted(executions, "execution"),
                                 Grouped(static_cast<uint64_t>(rate)));
  int64_t bound = progress.bound;
  if (bound >= 0) text += fmt::format("  bound {}", bound);
  text += "  " + Counted(progress.findings, "finding");
  if (header.phase == static_cast<uint32_t>(channel::Phase::kExplaining)) text += "  explaining";
  if (header.stop_request != 0) text += "  stopping";
  text += fmt::format("  {:.0f} s", elapsed_s);
  // Last: a narrow terminal has no room for it.
  const Estimate all = EstimateOf(progress.estimate);
  if (const std::string estimate = EstimateText(all); !estimate.empty()) {
    text += "  of about " + estimate;
    const double left = SecondsLeft(all.executions, static_cast<double>(executions), elapsed_s);
    if (left > 0) text += ", " + DurationText(left) + " left";
  }
  return text;
}

void ProgressLine::Show(const channel::Header& header, double elapsed_s, uint64_t others) {
  if (!enabled_) return;
  std::string line = "heddle: " + ProgressText(header, elapsed_s, others);
  // One that runs on into the next line of the terminal is not erased by the one that follows.
  const auto room = static_cast<size_t>(Terminal::Of(STDERR_FILENO, ColorChoice::kNever).Width());
  if (line.size() >= room) line.resize(room - 1);
  WriteError("\r\033[K" + line);
  shown_ = true;
}

void ProgressLine::Interject(const std::string& text) {
  Clear();
  WriteError(text);
}

void ProgressLine::Clear() {
  if (shown_) WriteError("\r\033[K");
  shown_ = false;
}

}  // namespace heddle::report
