// One line on a terminal that is rewritten in place while a search runs; nothing anywhere else.
#pragma once

#include <string>

#include "channel/channel.h"

namespace heddle::report {

// "12,345 executions  310,000/s  bound 2  1 finding  4 s"
// `others`: executions of other jobs.
std::string ProgressText(const channel::Header& header, double elapsed_s, uint64_t others = 0);

class ProgressLine {
 public:
  explicit ProgressLine(bool enabled) : enabled_(enabled) {}
  ~ProgressLine() { Clear(); }
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  void Show(const channel::Header& header, double elapsed_s, uint64_t others = 0);
  void Clear();
  // Writes `text`, whole lines, to stderr, whether the line is enabled or not.
  void Interject(const std::string& text);

 private:
  bool enabled_;
  bool shown_ = false;
};

}  // namespace heddle::report
