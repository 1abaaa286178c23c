// From the channel to a SearchResult: names for addresses, source lines for pcs, words for numbers.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "channel/channel.h"
#include "report/raced.h"
#include "report/records.h"
#include "report/search_result.h"
#include "report/symbolize.h"

namespace heddle::report {

// What the supervisor knows and the channel does not.
struct RunFacts {
  std::string program;
  std::vector<std::string> arguments;
  bool instrumented = false;
  std::string preset;
  double elapsed_s = 0;
  uint64_t peak_memory_bytes = 0;
  bool out_of_control = false;     // the process kept dying
  bool frameworks_unseen = false;  // code of a test framework in it was not instrumented
  bool all_steps = false;          // those in the middle of a long schedule, too
  std::vector<Library> not_rebuilt;
  std::vector<Note> notes;  // in front of the program's own
};

// `names` are the entries at kNamesAt. The findings of the answer are in the order of
// `records.findings`, of which each names its own (Finding::record): races that are the same for
// the reader are one finding. What `symbolizer` has read of files serves the next result, too.
SearchResult Assemble(const channel::Header& header, const Records& records,
                      std::span<const channel::ThreadName> names, const RunFacts& facts,
                      Symbolizer& symbolizer);

// One of the findings of `records`, in words.
Finding TellFinding(const RawFinding& raw, const Records& records,
                    std::span<const channel::ThreadName> names, Symbolizer& symbolizer);

const char* TimeoutsName(channel::Timeouts timeouts);

}  // namespace heddle::report
