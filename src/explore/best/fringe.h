// The fringe of a best-first search: what was discovered and is still to be run, best first.
//
// Source: GAMBIT (PPoPP'10), sections 3.3 and 5.4. "Organized as a set of bins of equal priority,
// where each bin is a stack", so that the search is depth first among equals, which keeps few
// executions open. And section 3.3: "writing the lowest priority nodes to disk is a simple
// addition", because nobody touches them until they are run.
//
// When the bins use more than their memory, the worst half of them goes to disk in segments; a
// segment comes back when the bins hold nothing that is as good as the best of it. So what is run
// is always of the best priority that there is. Among equals those that were on disk come last, the
// oldest of them first by segments.
//
//   bins        0: ##########   1: ####      2: ##   ...      in memory
//   segments    2: ####  3: ######      2: ###  4: #####      on disk, each with its best priority
//
// A small number is a good priority. Plain data: part of a State that outlives the process
// (explorer.h). The Spill is code, so it is passed in.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "explore/execution_tree.h"
#include "explore/spill.h"

namespace heddle::explore {

class Fringe {
 public:
  // What is still to be run: another option at a choice point of an execution. A search with a
  // reduction needs the number of its branch only.
  struct Entry {
    ExecutionTree::Id execution = ExecutionTree::kNone;
    uint32_t choice = 0;
    uint32_t option = 0;

    friend bool operator==(const Entry&, const Entry&) = default;
  };

  // `spill_at`: offset in the spill of the first byte that is the fringe's. `memory_limit` in
  // bytes: of what stays in memory when there is a spill.
  explicit Fringe(uint64_t spill_at) : spill_at_(spill_at) {}

  // `spill` may be null: then everything stays in memory.
  void Push(uint64_t priority, const Entry& entry, uint64_t memory_limit, Spill* spill);
  // The last one pushed of the best priority; nothing if there is none.
  std::optional<Entry> Pop(Spill* spill);
  // The first one pushed of the worst priority of those in memory, for somebody else to run.
  std::optional<Entry> PopWorst(Spill* spill);

  uint64_t Count() const { return in_memory_ + on_disk_; }
  uint64_t MemoryBytes() const { return in_memory_ * sizeof(Entry) + bins_.size() * kBytesOfBin; }
  uint64_t SpilledBytes() const { return slots_ * uint64_t{sizeof(Spilled) * kSegmentEntries}; }
  // Something could not be read back; it is gone.
  bool Lost() const { return lost_; }

 private:
  struct Spilled {
    uint64_t priority;
    Entry entry;
    uint32_t unused = 0;
  };
  static_assert(sizeof(Spilled) == 24);
  struct Segment {
    uint64_t best;
    uint32_t entries;
    uint64_t slot;  // where, in units of kSegmentEntries
  };

  static constexpr uint32_t kSegmentEntries = 4096;
  static constexpr uint64_t kBytesOfBin = 96;  // a node of the map, and a block of the heap

  uint64_t PlaceOf(uint64_t slot) const {
    return spill_at_ + slot * kSegmentEntries * sizeof(Spilled);
  }
  void SpillWorst(Spill* spill);
  bool WriteSegment(std::vector<Spilled>& entries, Spill* spill);
  void LoadBest(Spill* spill);

  uint64_t spill_at_;
  std::map<uint64_t, std::vector<Entry>> bins_;  // none of them is empty
  uint64_t in_memory_ = 0;
  uint64_t on_disk_ = 0;
  std::multimap<uint64_t, Segment> segments_;  // by `best`
  std::vector<uint64_t> free_slots_;
  uint64_t slots_ = 0;
  bool disk_is_full_ = false;
  bool lost_ = false;
};

}  // namespace heddle::explore
