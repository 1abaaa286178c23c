// One race or leak, told once. The search finds a data race for each pair of instructions; a
// compiler makes several instructions of one line (`count++` reads and writes, a loop is unrolled,
// a function inlined twice). Who reads the report wants to know of one bug: of two lines and a
// variable. So it is with the instructions that call what allocated a block.
#pragma once

#include <string>
#include <vector>

#include "report/search_result.h"

namespace heddle::report {

struct ToldFinding {
  Finding finding;
  // By step: the frames of the program's own code, innermost first; a few are enough.
  std::vector<std::vector<Frame>> own;
  std::vector<uint64_t> numbers;  // by step: channel::StepRecord
  // Of a race: what the two accesses touch, whichever element of an array it is. Empty: not known.
  std::string raced;
};

// "queue.slots[3].next", "Node#2.next" and "x[12]" as "queue.slots.next", "Node.next" and "x": what
// the elements of an array, and the blocks of a type, have in common.
std::string WithoutIndices(const std::string& name);

// Races between the same two source lines on the same variable become one, the first of them;
// the others are counted in its `races`. So do leaks whose stacks are the same line by line. All
// else stays as it is and in its order.
std::vector<Finding> MergeRaces(std::vector<ToldFinding> told);

}  // namespace heddle::report
