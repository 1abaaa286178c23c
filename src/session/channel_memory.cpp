#include "session/channel_memory.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "base/check.h"

namespace heddle::session {

base::Result<ChannelMemory> ChannelMemory::Create() {
  int descriptor = memfd_create("heddle", MFD_CLOEXEC);
  if (descriptor < 0) {
    return base::Error{std::string("cannot create shared memory (memfd_create): ") +
                       std::strerror(errno)};
  }
  base::Result<ChannelMemory> memory = CreateIn(descriptor);
  close(descriptor);
  return memory;
}

base::Result<ChannelMemory> ChannelMemory::CreateIn(int given) {
  const int descriptor = fcntl(given, F_DUPFD_CLOEXEC, 0);
  if (descriptor < 0)
    return base::Error{std::string("cannot use the shared memory: ") + std::strerror(errno)};
  // Sparse: a page exists once somebody writes to it.
  if (ftruncate(descriptor, static_cast<off_t>(channel::kTotalBytes)) != 0) {
    std::string why = std::strerror(errno);
    close(descriptor);
    return base::Error{"cannot size the shared memory: " + why +
                       " (is the file size limited? see ulimit -f)"};
  }
  void* base = mmap(nullptr, channel::kArenaAt, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE,
                    descriptor, 0);
  if (base == MAP_FAILED) {
    std::string why = std::strerror(errno);
    close(descriptor);
    return base::Error{"cannot map the shared memory: " + why +
                       " (is address space limited? see ulimit -v)"};
  }
  ChannelMemory memory(descriptor, base);
  memory.Header().magic = channel::kMagic;
  memory.Header().version = channel::kVersion;
  memory.Header().progress.bound = -1;
  memory.Header().progress.advised_bound = -1;
  memory.Header().progress.completed_bound = -1;
  return memory;
}

ChannelMemory::ChannelMemory(int descriptor, void* base) : descriptor_(descriptor), base_(base) {
  static uint64_t last = 0;
  number_ = ++last;
}

void ChannelMemory::DropArena() const {
  fallocate(descriptor_, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
            static_cast<off_t>(channel::kArenaAt), static_cast<off_t>(channel::kArenaBytes));
}

ChannelMemory::ChannelMemory(ChannelMemory&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)),
      base_(std::exchange(other.base_, nullptr)),
      number_(other.number_),
      names_(other.names_) {}

ChannelMemory::~ChannelMemory() {
  if (base_ != nullptr) munmap(base_, channel::kArenaAt);
  if (descriptor_ >= 0) close(descriptor_);
}

std::span<const std::byte> ChannelMemory::Report() const {
  uint64_t bytes = std::min(Header().report_bytes.load(), channel::kReportBytes);
  return {static_cast<const std::byte*>(base_) + channel::kReportAt, bytes};
}

void ChannelMemory::ShareNames(const NamesMemory& names) {
  names_ = &names;
  snprintf(Header().sharing.names_path, sizeof Header().sharing.names_path, "%s",
           names.Path().c_str());
}

void ChannelMemory::KeepNames() {
  const std::span<const channel::ThreadName> names = Names();
  std::byte* const at = static_cast<std::byte*>(base_) + channel::kNamesAt;
  if (names_ != nullptr)
    std::copy(names.begin(), names.end(), reinterpret_cast<channel::ThreadName*>(at));
  Header().name_count = static_cast<uint32_t>(names.size());
  Header().sharing.names_path[0] = '\0';
  names_ = nullptr;
}

bool ChannelMemory::CopyStanding(const ChannelMemory& standing) {
  std::vector<std::byte> part(size_t{1} << 20);
  const auto copy = [&](uint64_t at, uint64_t bytes) {
    while (bytes > 0) {
      const size_t wanted = std::min<uint64_t>(bytes, part.size());
      const ssize_t got = pread(standing.descriptor_, part.data(), wanted, static_cast<off_t>(at));
      if (got <= 0 ||
          pwrite(descriptor_, part.data(), static_cast<size_t>(got), static_cast<off_t>(at)) != got)
        return false;
      at += static_cast<uint64_t>(got);
      bytes -= static_cast<uint64_t>(got);
    }
    return true;
  };
  const channel::Header& from = standing.Header();
  bool done = copy(0, sizeof from) && copy(channel::kReportAt, standing.Report().size());
  for (const channel::UsedMemory& used : from.used) done = done && copy(used.at, used.bytes);
  channel::Header& header = Header();
  header.origin = channel::Origin::kResumed;
  header.phase = static_cast<uint32_t>(channel::Phase::kStarting);
  header.stop_request = header.question = header.answer = 0;
  header.in_flight = header.runner = 0;
  header.death_status = 0;
  header.restarts = header.hang_kill = header.stop_kill = 0;
  header.save_wished = header.save_at_end = header.at_rest = header.go_on = 0;
  return done;
}

NamesMemory::NamesMemory() {
  if (ftruncate(file_.Descriptor(), static_cast<off_t>(channel::kSharedNamesBytes)) != 0) return;
  void* const at = mmap(nullptr, channel::kSharedObjectsAt, PROT_READ | PROT_WRITE,
                        MAP_SHARED | MAP_NORESERVE, file_.Descriptor(), 0);
  if (at != MAP_FAILED) base_ = at;
}

NamesMemory::~NamesMemory() {
  if (base_ != nullptr) munmap(base_, channel::kSharedObjectsAt);
}

std::span<const channel::ThreadName> NamesMemory::Threads() const {
  const auto* const shared = static_cast<const channel::SharedNames*>(base_);
  const uint32_t count = std::min(shared->threads.load(), channel::kMaxNames);
  const auto* const at = static_cast<const std::byte*>(base_) + channel::kSharedThreadsAt;
  return {reinterpret_cast<const channel::ThreadName*>(at), count};
}

std::span<const channel::ThreadName> ChannelMemory::Names() const {
  if (names_ != nullptr) return names_->Threads();
  uint32_t count = std::min(Header().name_count.load(), channel::kMaxNames);
  const std::byte* at = static_cast<const std::byte*>(base_) + channel::kNamesAt;
  return {reinterpret_cast<const channel::ThreadName*>(at), count};
}

void ChannelMemory::SetPlan(std::span<const uint32_t> options,
                            std::span<const channel::ThreadName> names,
                            std::span<const std::string> places) {
  HEDDLE_CHECK(options.size() <= kMaxOptions);
  HEDDLE_CHECK(names.size() <= channel::kMaxNames);
  std::byte* bytes = static_cast<std::byte*>(base_);
  std::copy(options.begin(), options.end(), reinterpret_cast<uint32_t*>(bytes + channel::kPlanAt));
  std::copy(names.begin(), names.end(),
            reinterpret_cast<channel::ThreadName*>(bytes + channel::kNamesAt));
  char* const first = reinterpret_cast<char*>(bytes + channel::kPlanAt) + options.size_bytes();
  char* end = first;
  for (const std::string& place : places) {
    HEDDLE_CHECK(static_cast<uint64_t>(end - first) + place.size() + 1 <= kMaxPlacesBytes);
    end = std::copy(place.c_str(), place.c_str() + place.size() + 1, end);
  }
  Header().settings.places_bytes = static_cast<uint32_t>(end - first);
  Header().settings.plan_length = static_cast<uint32_t>(options.size());
  // The threads have these numbers, in whichever order they are created.
  Header().settings.name_count = static_cast<uint32_t>(names.size());
  Header().name_count = Header().settings.name_count;
}

void ChannelMemory::SetOrders(std::span<const channel::OrderOverride> orders) {
  HEDDLE_CHECK(orders.size() <= channel::kMaxOrderOverrides);
  std::byte* const at = static_cast<std::byte*>(base_) + channel::kOrdersAt;
  std::copy(orders.begin(), orders.end(), reinterpret_cast<channel::OrderOverride*>(at));
  Header().settings.order_overrides = static_cast<uint32_t>(orders.size());
}

}  // namespace heddle::session
