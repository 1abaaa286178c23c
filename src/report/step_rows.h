// The rows of a table of steps: the consecutive steps of one thread at one line of the source.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "channel/records.h"
#include "report/search_result.h"

namespace heddle::report {

// A step with such a flag is one that the reader came for.
inline constexpr uint32_t kMarked = channel::kStepPreempts | channel::kStepRaceFirst |
                                    channel::kStepRaceSecond | channel::kStepBlocked |
                                    channel::kStepEnding | channel::kStepLeft | channel::kStepMade |
                                    channel::kStepEarly;

// Consecutive steps of one thread at one source line.
struct Row {
  std::string thread;
  std::string preempted;  // the thread that was preempted before this row, or empty
  Location location;
  Location within;  // as in Step
  std::string source;
  std::string does;                // the operations and their objects, without values
  std::vector<std::string> texts;  // of the steps, each once
  std::vector<std::string> after;  // ... and of those behind the one that the note is about
  std::string note;                // why the row is marked
  uint32_t flags = 0;
  uint64_t steps = 0;
  uint64_t omitted_before = 0;
  // The rows from this many before on, this one included, are a round; it was made so many times.
  size_t round = 0;
  uint64_t rounds = 1;
};

// `shown`: of each step, whether it is in a row. `brief`: long names are cut. `orders`: also those
// that are seq_cst.
std::vector<Row> RowsOf(const std::vector<Step>& steps, const std::vector<bool>& shown, bool brief,
                        bool orders);

// ", held by T2", ", which it holds itself"; empty where nobody is known to hold what the step
// waits for.
std::string HolderText(const Step& step);

// The rounds of a thread's loop that are like the one before are told by their number.
std::vector<Row> WithoutRounds(std::vector<Row> rows);

}  // namespace heddle::report
