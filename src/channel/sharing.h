// Several processes that explore one search: branches handed over between each of them and the
// supervisor, and what all of them know by the same number.
#pragma once

#include <atomic>
#include <cstdint>

#include "channel/layout.h"

namespace heddle::channel {

// Searching together (search/sharing.h). What one side sets for the other to see is atomic; the
// rest belongs to the side that has not set it.
struct Sharing {
  // The process parts with branches, and when it has nothing left it waits for more.
  uint32_t on;
  // It explores nothing but what it is brought.
  uint32_t waits_first;
  // It goes on with the memory of a search that stood still, of which it keeps nothing but what was
  // learnt of the program: names, what is visible, findings. Set back by the first process.
  uint32_t renews;
  // Of branches as bytes, each behind its length (search/sharing.h): at kBranchesOutAt those that
  // the process has parted with, at kBranchesInAt those that it is brought. As /proc/PID/fd/N.
  char path[64];
  // Of what the numbers of threads and objects mean, for all that search together (SharedNames);
  // empty: in the channel itself.
  char names_path[64];
  // Where the process writes the graphs that it has seen, at the end; empty: nowhere.
  char graphs_path[64];
  // Supervisor -> process: to part with so many, kAllBranches: as many as there are. The process
  // sets it back to 0 when `parted` of them, in `parted_bytes`, are in the file.
  std::atomic<uint32_t> wished;
  // Supervisor -> process: counted down before each execution; at 0 the process parts with all
  // branches, as if they were wished for. So a search is cut at the same place every time.
  std::atomic<uint32_t> wishes_in;
  uint32_t parted;
  uint64_t parted_bytes;
  // Supervisor -> process: so many are in the file, in `brought_bytes`. Set back to 0 when they are
  // taken.
  std::atomic<uint32_t> brought;
  uint64_t brought_bytes;
  // The process has nothing left, and waits until it is brought some, or told to finish.
  std::atomic<uint32_t> idle;
  std::atomic<uint32_t> finish;
  std::atomic<uint32_t> waiting;  // branches that it has taken and not begun
  // Supervisor -> process: bounds are explored in turn by all together, so the process does not go
  // on to the next one by itself. It may do so each time that `raises` has grown; `raised` says
  // that it has. While it is idle: is there more with the next bound (`awaits`), the present one,
  // and whether something was left out within those so far (`leaves_out`).
  std::atomic<uint32_t> in_step;
  std::atomic<uint32_t> raises;
  std::atomic<uint32_t> raised;
  std::atomic<uint32_t> awaits;
  std::atomic<uint32_t> leaves_out;
  std::atomic<int64_t> bound;
  // Supervisor -> process: somebody has left something out within the bounds so far.
  std::atomic<uint32_t> unsure;
  // More became visible: what others explore is of no use any more. It waits until it is alone
  // (`alone` is as large), and then begins again from the beginning.
  std::atomic<uint32_t> grown;
  std::atomic<uint32_t> alone;
  // One of its searches, which it has not shared, has shown that there is nothing else
  // (--order escalating).
  uint32_t proves_all;
  uint32_t shared;  // it has parted with branches, or has taken some
  // An execution wrote to a file: two processes might meet there.
  uint32_t writes_files;
};
inline constexpr uint32_t kAllBranches = 0xffffffffu;
inline constexpr uint64_t kBranchesOutAt = 0;
inline constexpr uint64_t kBranchesInAt = 1ull << 40;

// One graph (Sharing::graphs_path): its hash, and the least preemptions and early timeouts seen.
struct GraphRecord {
  uint64_t hash;
  uint64_t least;
};

// Names of the threads and objects of the program in the order of their numbers, for all processes
// that search together. A number that one of them gives is known to all. And of a search that keeps
// a table of states, that (explore/hb/shared_states.h).
//
//   0                       SharedNames
//   kSharedThreadsAt        ThreadName[]
//   kSharedObjectsAt        runtime::ObjectName[]
//   kSharedStatesAt         explore::SharedStates
struct SharedNames {
  std::atomic<uint32_t> threads;
  uint32_t objects;              // changed by atomic operations only
  std::atomic<uint32_t> holder;  // process that is about to give a number; 0: none
};
inline constexpr uint64_t kSharedThreadsAt = kNamesAt;
inline constexpr uint64_t kSharedObjectsAt = kPlanAt;
inline constexpr uint64_t kSharedObjectsBytes = 1ull << 30;
inline constexpr uint64_t kSharedStatesAt = kSharedObjectsAt + kSharedObjectsBytes;
inline constexpr uint64_t kSharedStatesBytes = 4ull << 30;
inline constexpr uint64_t kSharedNamesBytes = kSharedStatesAt + kSharedStatesBytes;  // sparse

}  // namespace heddle::channel
