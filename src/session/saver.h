// When a search is saved, and where. The session asks; saved_search.h writes.
//
// A save costs the search the time in which its process stands still and the supervisor looks
// elsewhere. So the next one comes at the earliest when fifty times that has passed, and half a
// minute: together less than 2 %.
//
// Saving is an addition: when it fails (a full disk), the search goes on, a warning says so, and
// the save before stays as it is.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "session/channel_memory.h"
#include "session/saved_search.h"

namespace heddle::session {

struct SaveOptions {
  // The file that was asked for; of an automatic save, the name to begin with: another one is taken
  // when something is there.
  std::string path;
  bool exists = false;    // there is a save of this search already
  uint64_t every_ms = 0;  // 0: as often as costs little
  int spill = -1;
  std::function<void(const std::string&)> warn;
};

class Saver {
 public:
  static constexpr uint64_t kLongMs = 30'000;  // a search of so long saves itself
  static constexpr uint64_t kShare = 50;

  // `search`: what does not change while it runs; automatic, or asked for.
  Saver(SaveOptions options, SavedSearch search);
  Saver(const Saver&) = delete;
  Saver& operator=(const Saver&) = delete;
  ~Saver();

  // `run_ms`: how long this run has taken. Is the search to be saved at its end? Now?
  bool SavesEnd(uint64_t run_ms) const;
  bool IsDue(uint64_t run_ms) const;
  // How long it probably takes to save what is in these files at the end.
  uint64_t EndTakesMs(uint64_t run_ms, std::span<const int> files) const;
  // While the process `standing` stands still; then, while it goes on already.
  void Copy(const ChannelMemory& memory, pid_t standing);
  void Finish(const ChannelMemory& memory, uint64_t run_ms, uint64_t peak_memory_bytes);

  // The same of several jobs, of which all stand still.
  struct Paused {
    const ChannelMemory* memory;
    int spill;
    pid_t process;  // 0: there is none, only its findings
  };
  void CopyAll(std::span<const Paused> jobs, const NamesMemory& names,
               const std::deque<std::vector<std::byte>>& branches);
  void FinishAll(std::span<const Paused> jobs, const SavedSearch::Together& together, bool finished,
                 uint64_t run_ms, uint64_t peak_memory_bytes);

  // The uses of suppressions are counted elsewhere.
  std::function<std::vector<uint64_t>()> suppression_uses;

  // The last save; empty: there is none.
  std::string Path() const { return exists_ ? options_.path : ""; }
  const SavedSearch& Last() const { return search_; }
  uint64_t EarlierMs() const { return earlier_ms_; }
  uint64_t EarlierPeak() const { return earlier_peak_; }
  // It was tried last, and could not be written.
  bool LastFailed() const { return failed_; }
  // The file is of no use any more: the search is finished, its report written.
  void RemoveIfOwn();

 private:
  void Fail(const std::string& why);
  bool KnowsFiles(const ChannelMemory& memory, SavedSearch& search);
  bool Write(const SavedSearch& search);
  void ChooseName();
  bool BeginCopy(pid_t standing);
  void WriteCopied(std::span<const Paused> jobs, const SavedSearch::Together& together,
                   bool finished, uint64_t run_ms, uint64_t peak_memory_bytes);
  void NoteCost(uint64_t run_ms);

  SaveOptions options_;
  SavedSearch search_;
  const uint64_t earlier_ms_;
  const uint64_t earlier_peak_;
  const int64_t begun_s_;
  const int64_t begun_ns_;
  std::unique_ptr<NewSave> copied_;
  uint64_t copied_at_ms_ = 0;
  uint64_t copied_mib_ = 0;
  double ms_per_mib_ = 1;  // of the last save; before it, on a machine of 2023 with a local disk
  uint64_t next_ms_;
  bool exists_;
  bool cannot_ = false;  // whatever happens
  bool failed_ = false;
  std::string warned_;
};

}  // namespace heddle::session
