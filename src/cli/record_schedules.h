// A schedule file for every finding of a search.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "channel/layout.h"
#include "channel/settings.h"
#include "replay/schedule_file.h"
#include "report/records.h"
#include "report/search_result.h"
#include "session/inspect_elf.h"

namespace heddle::cli {

// The schedules of one search, all below one folder. A schedule of the same bug of the same program
// may be replaced, nothing else is.
class ScheduleFolder {
 public:
  // `program` lives longer.
  ScheduleFolder(const std::string& folder, const session::ProgramFile& program,
                 std::vector<std::string> arguments)
      : folder_(folder), program_(program), arguments_(std::move(arguments)) {}

  // Writes the schedule of the finding, which names its record, and enters its path. A bug that is
  // told again (channel::FindingRecord::number) keeps its file, with the later schedule. A file
  // that cannot be written costs a line on stderr.
  void Record(const report::Records& records, std::span<const channel::ThreadName> names,
              const channel::Settings& settings, report::Finding& finding);

 private:
  void Record(const report::RawFinding& raw, const report::Records& records,
              std::span<const channel::ThreadName> names, const channel::Settings& settings,
              report::Finding& finding);
  // `other`: the other schedule of the bug.
  std::string PathFor(uint32_t number, bool other, const replay::ScheduleFile& schedule);

  const std::string folder_;
  const session::ProgramFile& program_;
  const std::vector<std::string> arguments_;
  std::set<std::string> used_;
  std::map<std::pair<uint32_t, bool>, std::string> path_of_;  // by number, of the other one or not
};

}  // namespace heddle::cli
