// What both sides read and write at the begin of the channel (layout.h): the settings, the
// progress, and the questions, wishes and answers that go to and fro while the search runs.
#pragma once

#include <atomic>
#include <cstdint>

#include "channel/layout.h"
#include "channel/progress.h"
#include "channel/settings.h"
#include "channel/sharing.h"

namespace heddle::channel {

// What of the channel a saved search consists of (docs/saved-search.md), besides what the
// supervisor knows itself: its header, the names and the report.
struct UsedMemory {
  uint64_t at;  // in the channel
  uint64_t bytes;
};
inline constexpr uint32_t kUsedParts = 3;

// Where the search came from.
enum class Origin : uint32_t {
  kNew,
  kResumed,  // the channel was filled from a saved search, and nobody has gone on with it yet
  kGoesOn,   // likewise, and somebody has
};

struct Header {
  uint32_t magic;
  uint32_t version;
  Settings settings;
  std::atomic<uint32_t> phase;  // Phase
  // Supervisor -> program: end the search now (StopRequest). Never taken back. Polled also by what
  // computes for long between two executions (explore/stop_token.h).
  std::atomic<uint32_t> stop_request;
  Progress progress;
  Summary summary;
  std::atomic<uint64_t> report_bytes;  // valid bytes at kReportAt
  std::atomic<uint64_t> report_lost;   // records that did not fit any more
  std::atomic<uint32_t> name_count;    // valid entries at kNamesAt, if they are there
  // The program's process counts `question` up and waits until `answer` is the same; the supervisor
  // has looked at the last finding of purpose kQuestion by then.
  std::atomic<uint32_t> question;
  std::atomic<uint32_t> answer;
  uint32_t answer_suppressed;
  // What is in flight; for the next process when this one dies.
  std::atomic<uint32_t> in_flight;  // an execution is running
  std::atomic<uint32_t> runner;     // in this process; 0: in the one that searches
  int32_t death_status;             // supervisor -> next process: wait status of the one that died
  uint32_t restarts;                // how many processes came before this one
  uint32_t hang_kill;               // supervisor -> next process: it was killed because it hung
  uint32_t stop_kill;   // supervisor -> next process: ... because it did not answer a stop request
  char spill_path[64];  // an unlinked file of the supervisor's for what the search cannot keep in
                        // memory, as /proc/PID/fd/N; empty: none
  Finder finder;        // of what is being explained
  // Of the priority functions method and var (settings.priorities).
  uint32_t focus_count;
  FocusRange focus[kMaxFocusRanges];
  // Saving the search. The program's process stands still between two executions when the
  // supervisor wishes it, and at the end of the search if that is to be saved: it fills in what
  // follows, counts `at_rest` up and waits until `go_on` is the same.
  std::atomic<uint32_t> save_wished;
  std::atomic<uint32_t> save_at_end;
  std::atomic<uint32_t> at_rest;
  std::atomic<uint32_t> go_on;
  Stop rests_at;  // the end of the search; kNone: it goes on
  UsedMemory used[kUsedParts];
  Origin origin;
  Sharing sharing;
  uint64_t graphs;  // so many GraphRecord are in Sharing::graphs_path
  // Where the program is, as a hash: an object's address is its name. Filled in by the first
  // process, or by a supervisor that knows where it was; then it has to be the same.
  uint64_t layout;
  // Why this program cannot be brought under control; phase stays kStarting.
  char set_up_error[512];
};

static_assert(sizeof(Header) <= kNamesAt);

}  // namespace heddle::channel
