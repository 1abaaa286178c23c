// Running a part of a search, for the subcommands split and work: what is said to the program's
// process while it runs (search/sharing.h), and what is kept of it afterwards.
//
//   work    brings all branches of a piece at once; when the slice is over, takes back what is left
//   split   takes all branches of a search; then brings one at a time, lets it run one execution,
//           and takes what became of it, until there are enough
//
// What sleeps in a branch was decided when it was made (explore/por/split.cpp), so it does not
// matter who explores which, nor in which order.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "cli/part_of_search.h"
#include "session/piece.h"
#include "session/shared_files.h"

namespace heddle::cli {

// What the two have in common.
class SharedSearch : public PartOfSearch {
 public:
  explicit SharedSearch(session::SharedFiles files) : files_(std::move(files)) {}

  void Look(channel::Header& header) final;
  void Conclude(session::ChannelMemory& memory, const session::SessionEnd& end) final;

  // After the run.
  bool Grew() const { return grew_; }  // more became visible
  const session::SessionEnd& End() const { return end_; }
  bool KilledFromOutside() const { return killed_outside_; }
  const std::deque<session::BranchBytes>& Left() const { return left_; }
  const std::vector<channel::GraphRecord>& Graphs() const { return graphs_; }
  // Of `piece`: what was learnt of the program, as it is known by now.
  virtual void FillIn(session::Piece& piece) const;

 protected:
  // The process has nothing to do. False: it is to end.
  virtual bool Idle(channel::Header& header) = 0;
  virtual void Busy(channel::Header&) {}
  // More became visible, and the search begins again. False: it is to end.
  virtual bool Grown(channel::Header&) { return false; }
  // Takes up what the process has parted with since it was asked last, if it has.
  void TakeParted(channel::Sharing& sharing);
  void Ask(channel::Sharing& sharing);
  static bool IsRequested(const channel::Sharing& sharing);

  session::SharedFiles files_;
  std::deque<session::BranchBytes> left_;

 private:
  bool asked_ = false;
  bool grew_ = false;
  bool killed_outside_ = false;
  session::SessionEnd end_;
  std::vector<channel::GraphRecord> graphs_;
  uint64_t layout_ = 0;
  bool thread_ends_ = false, thread_joins_ = false, joint_cycles_ = false, frame_ends_ = false;
  uint64_t signals_ = 0;
};

class SlicedSearch final : public SharedSearch {
 public:
  // `piece` lives longer. A slice ends after so long, or so many executions; 0: it does not.
  SlicedSearch(session::SharedFiles files, const session::Piece& piece, uint64_t slice_ms,
               uint64_t executions)
      : SharedSearch(std::move(files)),
        piece_(piece),
        slice_ms_(slice_ms),
        executions_(executions) {}

  std::optional<base::Error> Prepare(session::ChannelMemory& memory) override;

 private:
  bool Idle(channel::Header& header) override;
  void Busy(channel::Header& header) override;

  const session::Piece& piece_;
  const uint64_t slice_ms_;
  const uint64_t executions_;
  uint64_t begun_ms_ = 0;  // 0: the program has not reached main
};

class CutSearch final : public SharedSearch {
 public:
  // Cuts until there are `wanted` branches, or so many executions were run. `begins`: it is a
  // search that nobody has begun, which is cut after its first execution; then it is cut at the
  // same place every time.
  CutSearch(session::SharedFiles files, uint64_t wanted, uint64_t most_executions,
            bool begins = false)
      : SharedSearch(std::move(files)),
        wanted_(wanted),
        most_executions_(most_executions),
        begins_(begins) {}

  // REQUIRES: a saved search is in the channel, unless it begins.
  std::optional<base::Error> Prepare(session::ChannelMemory& memory) override;
  void FillIn(session::Piece& piece) const override;

 private:
  bool Idle(channel::Header& header) override;
  bool Grown(channel::Header& header) override;

  const uint64_t wanted_;
  const uint64_t most_executions_;
  const bool begins_;
  uint64_t cuts_ = 0;
  channel::Settings settings_ = {};
  std::vector<channel::FocusRange> focus_;
};

}  // namespace heddle::cli
