#include "search/sharing.h"

#include <string.h>
#include <sys/syscall.h>
#include <time.h>

#include <algorithm>
#include <utility>

#include "base/check.h"
#include "explore/branch.h"
#include "explore/spill_file.h"
#include "runtime/control.h"
#include "runtime/prim/monotonic_clock.h"
#include "runtime/prim/syscall.h"
#include "search/save.h"

namespace heddle::search {
namespace {

using channel::Stop;

void Rest() {
  const timespec moment = {0, 500'000};
  runtime::RawSyscall(SYS_nanosleep, reinterpret_cast<long>(&moment), 0);
}

constexpr size_t kLengthBytes = sizeof(uint64_t);

// Branches on their way into the file, a megabyte at a time.
class Outbox {
 public:
  explicit Outbox(const char* path) : file_(path) {}

  // False: the disk is full, and nothing of it counts.
  bool Add(const std::vector<uint8_t>& branch) {
    const uint64_t length = branch.size();
    const size_t before = buffer_.size();
    buffer_.resize(before + kLengthBytes + branch.size());
    memcpy(buffer_.data() + before, &length, kLengthBytes);
    std::copy(branch.begin(), branch.end(), buffer_.data() + before + kLengthBytes);
    constexpr size_t kEnough = 1u << 20;
    if (buffer_.size() < kEnough || Flush()) return true;
    buffer_.resize(before);
    return false;
  }
  bool Flush() {
    if (!file_.Write(channel::kBranchesOutAt + bytes_, buffer_.data(), buffer_.size()))
      return false;
    bytes_ += buffer_.size();
    buffer_.clear();
    return true;
  }
  uint64_t Bytes() const { return bytes_; }

 private:
  explore::SpillFile file_;
  std::vector<uint8_t> buffer_;
  uint64_t bytes_ = 0;  // in the file
};

}  // namespace

explore::Peers PeersOf(const channel::Header& header) {
  explore::Peers peers;
  peers.reads_stale = true;
  if (header.sharing.names_path[0] == '\0') return peers;
  peers.parts = true;
  peers.gate = explore::BoundGate(header.sharing.in_step);
  if (space::KeepsStates(PointOf(header.settings)))
    peers.shared = {runtime::StatesShared(), channel::kSharedStatesBytes};
  return peers;
}

Sharing::Sharing(State* state)
    : s_(*state),
      header_(runtime::ChannelHeader()),
      began_ns_(runtime::MonotonicNs()),
      began_executions_(header_.progress.executions.load()) {}

// As many executions as take longer than to hand a branch over and to begin with it.
uint64_t Sharing::WorthHandingOver() const {
  constexpr uint64_t kWorthNs = 5'000'000;
  const uint64_t passed_ns = runtime::MonotonicNs() - began_ns_;
  const uint64_t executions =
      std::max(header_.progress.executions.load(), began_executions_) - began_executions_;
  return kWorthNs * executions / std::max<uint64_t>(passed_ns, 1) + 1;
}

// Those that nobody has begun go first: they cost nothing. Each stays here until it is in the file.
void Sharing::Part(explore::Explorer& explorer) {
  channel::Sharing& sharing = header_.sharing;
  const uint32_t wished = sharing.wished.load();
  const bool all = wished == channel::kAllBranches;
  const uint64_t least = all ? 1 : WorthHandingOver();
  Outbox out(sharing.path);
  std::vector<std::vector<uint8_t>> unwritten;
  uint32_t parted = 0;
  while (parted < wished) {
    std::vector<uint8_t> bytes;
    if (!s_.waiting.empty()) {
      bytes = std::move(s_.waiting.back());
      s_.waiting.pop_back();
    } else if (const std::optional<explore::Branch> branch =
                   all ? explorer.Split() : explorer.SplitLarge(least)) {
      bytes = explore::Save(*branch);
    } else {
      break;
    }
    unwritten.push_back(std::move(bytes));
    const uint64_t before = out.Bytes();
    if (!out.Add(unwritten.back())) {
      s_.waiting.push_back(std::move(unwritten.back()));
      unwritten.pop_back();
      break;
    }
    ++parted;
    if (out.Bytes() != before) unwritten.clear();
  }
  if (!out.Flush()) {
    // The disk is full: what did not get there is explored here.
    parted -= std::min<uint32_t>(parted, static_cast<uint32_t>(unwritten.size()));
    for (std::vector<uint8_t>& bytes : unwritten) s_.waiting.push_back(std::move(bytes));
  }
  sharing.parted = parted;
  sharing.parted_bytes = out.Bytes();
  if (parted != 0) sharing.shared = 1;
  sharing.waiting.store(static_cast<uint32_t>(s_.waiting.size()));
  sharing.wished.store(0);
}

// Takes what was brought into State::waiting.
void Sharing::TakeIn() {
  channel::Sharing& sharing = header_.sharing;
  std::vector<uint8_t> bytes(sharing.brought_bytes);
  explore::SpillFile file(sharing.path);
  bool whole = file.Read(channel::kBranchesInAt, bytes.data(), bytes.size());
  size_t at = 0;
  const uint32_t count = sharing.brought.load();
  for (uint32_t i = 0; whole && i < count; ++i) {
    uint64_t length = 0;
    whole = bytes.size() - at >= kLengthBytes;
    if (!whole) break;
    memcpy(&length, bytes.data() + at, kLengthBytes);
    at += kLengthBytes;
    whole = bytes.size() - at >= length;
    if (!whole) break;
    const auto* const begin = bytes.data() + at;
    s_.waiting.emplace_back(begin, begin + length);
    at += length;
  }
  if (!whole) {
    s_.complete = false;
    s_.gap = claim::Incomplete::kUnreadable;
  }
  sharing.shared = 1;
  sharing.waiting.store(static_cast<uint32_t>(s_.waiting.size()));
  sharing.brought.store(0);
}

// Returns true if there is something within the bound that all go on to, if they do. In this order:
// who sees that the bound was raised sees a process that is idle no more, if it has something.
bool Sharing::RaiseBound(explore::Explorer& explorer) {
  channel::Sharing& sharing = header_.sharing;
  const uint32_t raises = sharing.raises.load();
  if (s_.raised == raises) return false;
  const bool goes_on = !s_.nothing_own && explorer.RaiseBound();
  s_.raised = raises;
  if (goes_on) sharing.idle.store(0);
  sharing.awaits.store(0);
  sharing.bound.store(explorer.CurrentBound());
  sharing.raised.store(raises);
  return goes_on;
}

std::optional<Stop> Sharing::AwaitBranch(explore::Explorer& explorer) {
  channel::Sharing& sharing = header_.sharing;
  if (!s_.nothing_own && explorer.ProvesAll()) {
    sharing.proves_all = 1;
    return Stop::kExhausted;
  }
  for (;;) {
    // Nothing is brought after the search is asked to end, or to stand still; what was brought
    // before is seen by whoever has seen that.
    const auto stop = static_cast<channel::StopRequest>(header_.stop_request.load());
    const bool stands = header_.save_wished.load() != 0;
    if (sharing.brought.load() != 0) TakeIn();
    switch (stop) {
      case channel::StopRequest::kNone:
        break;
      case channel::StopRequest::kInterrupted:
        return Stop::kInterrupted;
      case channel::StopRequest::kTime:
        return Stop::kTime;
    }
    if (!s_.waiting.empty()) break;
    if (stands) StandStill(header_, Stop::kNone);
    if (sharing.wished.load() != 0) {
      sharing.parted = 0;
      sharing.parted_bytes = 0;
      sharing.wished.store(0);
    }
    if (RaiseBound(explorer)) return std::nullopt;
    if (sharing.finish.load() != 0) {
      if (!s_.nothing_own) explorer.EndTogether();
      return Stop::kExhausted;
    }
    sharing.awaits.store(explorer.AwaitsBound() ? 1 : 0);
    sharing.bound.store(explorer.CurrentBound());
    sharing.leaves_out.store(!s_.complete || Gap(explorer) ? 1 : 0);
    sharing.idle.store(1);
    header_.progress.heartbeat.fetch_add(1);  // it does not hang
    Rest();
  }
  sharing.idle.store(0);
  return std::nullopt;
}

void Sharing::TakeNext(const explore::Entry& entry, void*& explorer) {
  if (s_.waiting.empty()) return;
  explore::SpillFile spill(header_.spill_path);
  const auto attach = [&] {
    return entry.Attach(explorer, header_.settings.seed,
                        header_.spill_path[0] != '\0' ? &spill : nullptr, {},
                        header_.settings.memory_limit, PeersOf(header_));
  };
  auto next = attach();
  const bool keeps = next->TakesMore();
  if (!keeps) {
    KeepNumbers(*next);
    next.reset();
    entry.free_state(explorer);
    explorer = entry.make_state();
    next = attach();
  }
  const bool had_nothing = std::exchange(s_.nothing_own, false);
  const std::optional<explore::Branch> branch = explore::LoadBranch(s_.waiting.back());
  s_.waiting.pop_back();
  header_.sharing.waiting.store(static_cast<uint32_t>(s_.waiting.size()));
  if (branch && next->Take(*branch)) return;
  s_.nothing_own = had_nothing || !keeps;
  s_.complete = false;
  s_.gap = claim::Incomplete::kUnreadable;
}

void Sharing::AwaitAlone() {
  channel::Sharing& sharing = header_.sharing;
  const uint32_t number = sharing.grown.load() + 1;
  sharing.grown.store(number);
  while (sharing.alone.load() != number && header_.stop_request.load() == 0) {
    header_.progress.heartbeat.fetch_add(1);
    Rest();
  }
  sharing.wished.store(0);
  sharing.brought.store(0);
  sharing.idle.store(0);
  sharing.waiting.store(0);
  sharing.awaits.store(0);
  sharing.raised.store(0);
  sharing.shared = 0;
  s_ = {};
}

// ---- numbers ----

void Sharing::KeepNumbers(const explore::Explorer& present) {
  if (s_.nothing_own) return;
  s_.complete = s_.complete && present.Complete();
  s_.ran_again = RanAgain(present);
  s_.peak_nodes = PeakNodes(present);
  s_.most_choices = MostChoices(present);
  s_.completed_bound = CompletedBound(present);
  s_.gap = Gap(present);
}

uint64_t Sharing::RanAgain(const explore::Explorer& present) const {
  return s_.ran_again + present.RanAgain();
}

uint64_t Sharing::PeakNodes(const explore::Explorer& present) const {
  return std::max(s_.peak_nodes, present.PeakNodes());
}

uint32_t Sharing::MostChoices(const explore::Explorer& present) const {
  return std::max(s_.most_choices, present.MostChoices());
}

// Who has a part only has completed nothing by itself.
int64_t Sharing::CompletedBound(const explore::Explorer& present) const {
  const bool has_part = header_.sharing.shared != 0 || s_.nothing_own;
  const int64_t completed = has_part ? present.CompletedBoundAlone() : present.CompletedBound();
  return std::max(s_.completed_bound, completed);
}

bool Sharing::Complete(const explore::Explorer& present) const {
  return s_.complete && s_.waiting.empty() && (s_.nothing_own || present.Complete());
}

std::optional<claim::Incomplete> Sharing::Gap(const explore::Explorer& present) const {
  return s_.gap ? s_.gap : present.Gap();
}

void Sharing::WriteGraphs(const explore::Coverage::State& coverage) {
  channel::Header& header = runtime::ChannelHeader();
  header.graphs = 0;
  if (header.sharing.graphs_path[0] == '\0') return;
  explore::SpillFile file(header.sharing.graphs_path);
  std::vector<channel::GraphRecord> some;
  constexpr size_t kEnough = 1u << 16;
  uint64_t written = 0;
  bool done = true;
  const auto flush = [&] {
    const size_t bytes = some.size() * sizeof some[0];
    done = done && file.Write(written * sizeof some[0], some.data(), bytes);
    written += some.size();
    some.clear();
  };
  for (const explore::Coverage::Table& table : coverage.tables) {
    for (size_t i = 0; i < table.keys.size(); ++i) {
      if (table.keys[i] == 0) continue;
      some.push_back({table.keys[i], table.least[i]});
      if (some.size() == kEnough) flush();
    }
  }
  flush();
  if (done) header.graphs = written;
}

}  // namespace heddle::search
