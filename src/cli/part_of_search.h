// A search of which a part is explored here and the rest elsewhere: the supervisor's side of
// search/sharing.h, as the subcommands for pieces have it (pieces.h).
#pragma once

#include <optional>

#include "base/result.h"
#include "channel/channel.h"
#include "session/channel_memory.h"
#include "session/session.h"

namespace heddle::cli {

class PartOfSearch {
 public:
  virtual ~PartOfSearch() = default;
  // Before the program's process starts; the settings are in the channel, and what was saved.
  virtual std::optional<base::Error> Prepare(session::ChannelMemory& memory) = 0;
  // Every few milliseconds.
  virtual void Look(channel::Header& header) = 0;
  // After the last process.
  virtual void Conclude(session::ChannelMemory& memory, const session::SessionEnd& end) = 0;
};

}  // namespace heddle::cli
