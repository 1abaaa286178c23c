// A schedule file for every finding of a search.
#pragma once

#include <span>
#include <string>

#include "channel/channel.h"
#include "report/records.h"
#include "report/search_result.h"
#include "session/inspect_elf.h"

namespace heddle::cli {

// Writes the schedules of `records` below `folder` and enters their paths into the findings of
// `result`, each of which names its record. A schedule of the same bug of the same program may be
// replaced, nothing else is. A file that cannot be written costs a line on stderr.
void RecordSchedules(const report::Records& records, std::span<const channel::ThreadName> names,
                     const channel::Settings& settings, const session::ProgramFile& program,
                     const std::string& folder, report::SearchResult& result);

}  // namespace heddle::cli
