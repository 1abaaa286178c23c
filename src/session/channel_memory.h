// The supervisor's end of the channel (channel/layout.h): the memfd and its mapping up to
// kArenaAt.
//
// The memory outlives the processes that write to it: a session passes the same descriptor to every
// process it starts. Whoever reads the report area must expect a writer that died in the middle of
// a record.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "base/result.h"
#include "channel/channel.h"
#include "channel/orders.h"
#include "session/files.h"

namespace heddle::session {

// The names that several channels share (channel::SharedNames).
class NamesMemory {
 public:
  NamesMemory();
  NamesMemory(const NamesMemory&) = delete;
  NamesMemory& operator=(const NamesMemory&) = delete;
  ~NamesMemory();

  bool IsThere() const { return base_ != nullptr; }
  std::string Path() const { return file_.Path(); }
  int Descriptor() const { return file_.Descriptor(); }
  std::span<const channel::ThreadName> Threads() const;

 private:
  MemoryFile file_;
  void* base_ = nullptr;  // up to the names of objects, which nobody here asks for
};

class ChannelMemory {
 public:
  // A fresh channel: zeroed, magic and version set.
  static base::Result<ChannelMemory> Create();
  // The same in a memfd that somebody else made, and keeps: the descriptor stays open.
  static base::Result<ChannelMemory> CreateIn(int descriptor);

  ChannelMemory(ChannelMemory&& other) noexcept;
  ChannelMemory& operator=(ChannelMemory&&) = delete;
  ~ChannelMemory();

  // From now on the names are those; they live longer.
  void ShareNames(const NamesMemory& names);
  // And from now on they are here, as they are now.
  void KeepNames();
  // Takes over all that a process needs to go on where the one that stands still is
  // (channel::Header::used), as after its death. False: there is no room.
  bool CopyStanding(const ChannelMemory& standing);

  // Gives the memory of heddle's heap back: no process will go on here.
  void DropArena() const;
  // Another one for each channel of this process.
  uint64_t Number() const { return number_; }

  int Descriptor() const { return descriptor_; }
  channel::Header& Header() { return *static_cast<channel::Header*>(base_); }
  const channel::Header& Header() const { return *static_cast<const channel::Header*>(base_); }

  // The records written so far; never more than the area holds, whatever the header says.
  std::span<const std::byte> Report() const;
  std::span<const channel::ThreadName> Names() const;

  // Replay: the schedule to follow and the threads its numbers name; fills in the counts in the
  // settings. `places`: what was visible beside the usual. REQUIRES: options.size() <= kMaxOptions,
  // names.size() <= channel::kMaxNames, the places and their ends take at most kMaxPlacesBytes.
  void SetPlan(std::span<const uint32_t> options, std::span<const channel::ThreadName> names,
               std::span<const std::string> places);
  // What runs with other memory orders than the program says. REQUIRES: at most kMaxOrderOverrides.
  void SetOrders(std::span<const channel::OrderOverride> orders);
  static constexpr uint64_t kMaxPlacesBytes = 1 << 20;
  static constexpr uint64_t kMaxOptions =
      (channel::kOrdersAt - channel::kPlanAt - kMaxPlacesBytes) / sizeof(uint32_t);

 private:
  ChannelMemory(int descriptor, void* base);

  int descriptor_;
  void* base_;
  uint64_t number_;
  const NamesMemory* names_ = nullptr;  // null: they are here
};

}  // namespace heddle::session
