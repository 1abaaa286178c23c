// One of the sessions that search together (pool.h): its memory, its process, and the branches on
// the way to it and from it.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "session/channel_memory.h"
#include "session/files.h"
#include "session/pool.h"
#include "session/session.h"

namespace heddle::session {

class Job {
 public:
  Job(ChannelMemory memory, const PoolOptions& options)
      : memory_(std::make_unique<ChannelMemory>(std::move(memory))),
        spill_(options.folder),
        options_(options.session) {
    options_.on_tick = nullptr;
    options_.saver = nullptr;
    options_.is_suppressed = nullptr;
    if (options.is_suppressed) {
      options_.is_suppressed = [&asked = options.is_suppressed, this](std::span<const std::byte>) {
        return asked(*memory_);
      };
    }
  }

  ChannelMemory& Memory() { return *memory_; }
  channel::Header& Header() { return memory_->Header(); }
  channel::Sharing& Shared() { return Header().sharing; }
  Session& Process() { return *session_; }
  bool IsOver() const { return session_->IsOver(); }
  std::unique_ptr<ChannelMemory> TakeMemory() { return std::move(memory_); }

  void Begin(const WaitedSignals& signals) {
    Copy(spill_.Path(), Header().spill_path);
    Copy(branches_.Path(), Shared().path);
    Copy(graphs_.Path(), Shared().graphs_path);
    session_ = std::make_unique<Session>(options_, *memory_, signals);
    session_->Begin();
  }

  bool Searches() {
    return !IsOver() && Header().phase == static_cast<uint32_t>(channel::Phase::kSearching) &&
           Header().stop_request == 0;
  }
  // In this order: what was brought is among those that wait before it is no more there, and then
  // the process is idle no more.
  bool IsIdle() {
    return Shared().raised == Shared().raises && Shared().brought == 0 && Shared().waiting == 0 &&
           Shared().idle != 0 && Header().sharing.renews == 0;
  }

  // The branches that the process has parted with. Nothing: they cannot be read.
  std::optional<std::vector<std::vector<std::byte>>> Parted() {
    std::vector<std::byte> bytes(Shared().parted_bytes);
    if (!branches_.Read(channel::kBranchesOutAt, bytes)) return std::nullopt;
    std::vector<std::vector<std::byte>> parted;
    for (size_t at = 0; parted.size() < Shared().parted;) {
      uint64_t length = 0;
      if (bytes.size() - at < kLengthBytes) return std::nullopt;
      std::memcpy(&length, bytes.data() + at, kLengthBytes);
      at += kLengthBytes;
      if (bytes.size() - at < length) return std::nullopt;
      const auto* const begin = bytes.data() + at;
      parted.emplace_back(begin, begin + length);
      at += length;
    }
    return parted;
  }

  int SpillDescriptor() const { return spill_.Descriptor(); }
  // It stands still between two executions, or at its end (Header::rests_at), until it is let go.
  bool Rests() { return !IsOver() && Header().at_rest.load() != Header().go_on.load(); }
  bool RestsAtEnd() { return Rests() && Header().rests_at != channel::Stop::kNone; }
  void LetGo() { Header().go_on.store(Header().at_rest.load()); }
  // It has a part of the search; not, as long as it has not begun to search.
  bool HasPart() { return Shared().renews == 0; }

  // From now on others have parts of what it would go on with.
  void EndsWhenKilled() { options_.ends_when_killed = true; }

  // False: nothing was brought.
  bool Bring(std::span<const std::vector<std::byte>> branches) {
    std::vector<std::byte> bytes;
    for (const std::vector<std::byte>& branch : branches) {
      const uint64_t length = branch.size();
      const auto* const head = reinterpret_cast<const std::byte*>(&length);
      bytes.insert(bytes.end(), head, head + kLengthBytes);
      bytes.insert(bytes.end(), branch.begin(), branch.end());
    }
    if (!branches_.Write(channel::kBranchesInAt, bytes)) return false;
    Shared().brought_bytes = bytes.size();
    Shared().idle = 0;
    Shared().brought = static_cast<uint32_t>(branches.size());
    return true;
  }

  void TellGraphs(PoolJob& end) {
    const channel::Header& header = Header();
    end.graphs.resize(header.graphs);
    end.graphs_known = header.phase == static_cast<uint32_t>(channel::Phase::kFinished) &&
                       header.graphs == header.summary.happens_before &&
                       header.summary.coverage_overflow == 0 &&
                       graphs_.Read(0, std::as_writable_bytes(std::span(end.graphs)));
    if (!end.graphs_known) end.graphs.clear();
  }

 private:
  static constexpr size_t kLengthBytes = sizeof(uint64_t);

  template <size_t kSize>
  static void Copy(const std::string& path, char (&to)[kSize]) {
    snprintf(to, kSize, "%s", path.c_str());
  }

  std::unique_ptr<ChannelMemory> memory_;
  UnlinkedFile spill_;
  MemoryFile branches_, graphs_;
  SessionOptions options_;
  std::unique_ptr<Session> session_;
};

}  // namespace heddle::session
