// Tells of a bug while the search that found it goes on: it is minimised, or --keep-going looks for
// others. What is told has its schedule file by then.
#pragma once

#include <cstdint>
#include <set>
#include <span>
#include <string>

#include "channel/layout.h"
#include "channel/settings.h"
#include "cli/record_schedules.h"
#include "report/symbolize.h"
#include "report/terminal.h"

namespace heddle::cli {

class BugsFound {
 public:
  // All live longer.
  // `messages`: of the bugs that were told, by several jobs of one search.
  BugsFound(ScheduleFolder& schedules, report::Symbolizer& symbolizer,
            std::set<std::string>& messages)
      : schedules_(schedules), symbolizer_(symbolizer), messages_(messages) {}

  // To be called now and then with what the channel holds. Answers what is to be printed. A bug is
  // told at the second look at the earliest, so a search that is over at once tells it once, at its
  // end. Of several that read the same, one is told.
  std::string Look(std::span<const std::byte> report, std::span<const channel::ThreadName> names,
                   const channel::Settings& settings, const report::Terminal& terminal);

 private:
  ScheduleFolder& schedules_;
  report::Symbolizer& symbolizer_;
  uint64_t bytes_ = 0;         // of the report, at the last look
  bool some_are_new_ = false;  // ... of its bugs
  std::set<uint32_t> seen_;    // by number
  std::set<uint32_t> told_;
  std::set<std::string>& messages_;
};

}  // namespace heddle::cli
