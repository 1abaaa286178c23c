// How often a piece of a search has cost a worker its life, whoever it was: a worker that begins
// with a piece leaves a mark beside where the result is to be, and takes it away when it ends in
// order. So a piece of which no worker comes back is reported in the end, and not run for ever.
//
//   PIECE.result.worker-HOST-PID     locked: its worker lives; not locked: it died
//
// The kernel takes the lock back when a worker dies, however that happens, and a file system on the
// network when it notices that its machine has. A mark gets its name when it is locked already.
// Where there are no locks, or no room for a mark, nobody is counted.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace heddle::session {

class WorkerMark {
 public:
  static constexpr uint32_t kMostDeaths = 3;

  // Of a worker that writes its result to `result`.
  explicit WorkerMark(std::string result);
  WorkerMark(const WorkerMark&) = delete;
  WorkerMark& operator=(const WorkerMark&) = delete;
  ~WorkerMark();

  // So many have died, this one left out.
  uint32_t Deaths() const { return static_cast<uint32_t>(dead_.size()); }
  // This one counts as dead: the piece has killed what it started.
  void Leave() { stays_ = true; }
  // The result is there: of the dead nothing needs to be known any more.
  void RemoveDead();

 private:
  void Make();
  void LookForDead();

  const std::string result_;
  std::string path_;  // empty: there is no mark
  int file_ = -1;
  bool stays_ = false;
  std::vector<std::string> dead_;
  std::vector<std::string> unnamed_;  // of workers that died before their mark had its name
};

}  // namespace heddle::session
