// What a supervisor shares with a search that explores a part of another one (channel::Sharing):
// branches on their way, what the numbers of threads and objects mean, and the graphs that were
// seen.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "channel/channel.h"

namespace heddle::session {

// As the explorer wrote it (explore/branch.h).
using BranchBytes = std::string;

class SharedFiles {
 public:
  static base::Result<SharedFiles> Create();
  SharedFiles(SharedFiles&& other) noexcept;
  SharedFiles& operator=(SharedFiles&&) = delete;
  ~SharedFiles();

  // Names the files to the program's process, before it starts.
  void Offer(channel::Sharing& sharing) const;

  // `objects`: runtime::ObjectName, one after the other.
  void SetNames(std::span<const channel::ThreadName> threads, const std::string& objects);
  std::vector<channel::ThreadName> Threads() const;
  std::string Objects() const;

  // What the process has parted with. REQUIRES: it has set `wished` back.
  std::vector<BranchBytes> Parted(const channel::Sharing& sharing) const;
  // False: there was no room.
  bool Bring(std::span<const BranchBytes> branches, channel::Sharing& sharing);

  std::vector<channel::GraphRecord> Graphs(const channel::Header& header) const;

  static constexpr size_t kObjectBytes = 16;

 private:
  SharedFiles() = default;
  std::string Read(int file, uint64_t at, uint64_t bytes) const;

  int branches_ = -1;
  int names_ = -1;
  int graphs_ = -1;
};

}  // namespace heddle::session
