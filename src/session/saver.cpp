#include "session/saver.h"

#include <sys/personality.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <tuple>
#include <utility>

#include "report/records.h"
#include "session/digest.h"
#include "session/files.h"
#include "session/process_time.h"

namespace heddle::session {
namespace {

timespec Now() {
  timespec now = {};
  clock_gettime(CLOCK_REALTIME, &now);
  return now;
}

// Does the process lie where the next one will lie? Where the kernel does not tell, it does.
bool HasFixedAddresses(pid_t process) {
  const auto text = ReadWhole("/proc/" + std::to_string(process) + "/personality");
  if (!text.Ok()) return true;
  return (std::strtoul((*text).c_str(), nullptr, 16) & ADDR_NO_RANDOMIZE) != 0;
}

// "search.saved", "search-2.saved", "search-3.saved" ...
std::string NumberedName(const std::string& path, int number) {
  const std::filesystem::path whole(path);
  const std::string name = whole.stem().string() + "-" + std::to_string(number);
  return (whole.parent_path() / (name + whole.extension().string())).string();
}

// Without holes; -1 is none.
uint64_t MibUsedBy(std::span<const int> files) {
  uint64_t blocks = 0;
  for (const int file : files) {
    struct stat status;
    if (fstat(file, &status) == 0) blocks += static_cast<uint64_t>(status.st_blocks);
  }
  constexpr uint64_t kBlocksPerMib = (1 << 20) / 512;
  return blocks / kBlocksPerMib;
}

}  // namespace

Saver::Saver(SaveOptions options, SavedSearch search)
    : options_(std::move(options)),
      search_(std::move(search)),
      earlier_ms_(search_.elapsed_ms),
      earlier_peak_(search_.peak_memory_bytes),
      begun_s_(Now().tv_sec),
      begun_ns_(Now().tv_nsec),
      next_ms_(options_.every_ms != 0 ? options_.every_ms : kLongMs),
      exists_(options_.exists) {}

Saver::~Saver() = default;

bool Saver::SavesEnd(uint64_t run_ms) const {
  return !cannot_ && (!search_.automatic || exists_ || run_ms >= kLongMs);
}

bool Saver::IsDue(uint64_t run_ms) const { return !cannot_ && run_ms >= next_ms_; }

uint64_t Saver::EndTakesMs(uint64_t run_ms, std::span<const int> files) const {
  if (!SavesEnd(run_ms)) return 0;
  const uint64_t mib = MibUsedBy(files) + MibUsedBy(std::array{options_.spill});
  return static_cast<uint64_t>(ms_per_mib_ * static_cast<double>(mib));
}

void Saver::Fail(const std::string& why) {
  failed_ = true;
  if (why != warned_) options_.warn(why);
  warned_ = why;
}

// Nobody's file is replaced that this search has not written, but for one that was asked for.
void Saver::ChooseName() {
  if (exists_ || !search_.automatic) return;
  const std::string first = options_.path;
  std::error_code error;
  for (int number = 2;
       std::filesystem::exists(std::filesystem::symlink_status(options_.path, error)); ++number)
    options_.path = NumberedName(first, number);
}

// False: it cannot be saved.
bool Saver::BeginCopy(pid_t standing) {
  if (cannot_) return false;
  if (!HasFixedAddresses(standing)) {
    cannot_ = true;
    if (search_.automatic) return false;  // nobody asked for it
    Fail(
        "the search cannot be saved: address randomisation cannot be switched off here (a "
        "container that forbids personality?), so nobody could go on with it");
    return false;
  }
  copied_at_ms_ = NowMs();
  ChooseName();
  copied_ = std::make_unique<NewSave>(options_.path);
  return true;
}

void Saver::Copy(const ChannelMemory& memory, pid_t standing) {
  if (!BeginCopy(standing)) return;
  copied_mib_ = MibUsedBy(std::array{memory.Descriptor(), options_.spill});
  if (const auto error = copied_->Copy(memory, options_.spill)) {
    copied_.reset();
    Fail(error->message + "; the search goes on");
  }
}

void Saver::CopyAll(std::span<const Paused> jobs, const NamesMemory& names,
                    const std::deque<std::vector<std::byte>>& branches) {
  if (!BeginCopy(jobs.front().process)) return;
  uint32_t number = 0;
  copied_mib_ = MibUsedBy(std::array{names.Descriptor()});
  for (const Paused& job : jobs) {
    copied_mib_ += MibUsedBy(std::array{job.memory->Descriptor(), job.spill});
    copied_->Copy(*job.memory, job.spill, number++);
  }
  for (const std::vector<std::byte>& branch : branches) copied_->AddBranch(branch);
  if (const auto error = copied_->CopyNames(names)) {
    copied_.reset();
    Fail(error->message + "; the search goes on");
  }
}

// The files that are mapped, by what is in them. False, with a warning: one of them is not what the
// process has mapped.
bool Saver::KnowsFiles(const ChannelMemory& memory, SavedSearch& search) {
  const auto know = [&](const std::string& path) {
    const bool known =
        std::any_of(search.files.begin(), search.files.end(),
                    [&](const SavedSearch::File& file) { return file.path == path; });
    struct stat status;
    if (known || path.starts_with("/proc/") || stat(path.c_str(), &status) != 0 ||
        !S_ISREG(status.st_mode))
      return true;  // the kernel's own code is no file
    const base::Result<std::string> digest = DigestOfFile(path);
    const bool changed =
        std::tuple<int64_t, int64_t>(status.st_ctim.tv_sec, status.st_ctim.tv_nsec) >
        std::tuple<int64_t, int64_t>(begun_s_, begun_ns_);
    if (!digest.Ok() || changed) {
      cannot_ = true;
      Fail("the search cannot be saved: " +
           (digest.Ok() ? path + " was changed while it ran" : digest.Message()));
      return false;
    }
    search.files.push_back({*digest, path});
    return true;
  };
  if (!know(search.program)) return false;
  const report::Records records = report::ReadRecords(memory.Report());
  for (const std::vector<report::Module>& modules : records.modules)
    for (const report::Module& module : modules)
      if (!know(module.path)) return false;
  return true;
}

bool Saver::Write(const SavedSearch& search) {
  const bool replaces = exists_ || !search.automatic;
  const auto error = copied_->Finish(search, replaces);
  copied_.reset();
  if (!error) return true;
  Fail(error->message + "; the search goes on");
  return false;
}

void Saver::Finish(const ChannelMemory& memory, uint64_t run_ms, uint64_t peak_memory_bytes) {
  const Paused only = {&memory, options_.spill, 0};
  WriteCopied({&only, 1}, {}, memory.Header().rests_at == channel::Stop::kExhausted, run_ms,
              peak_memory_bytes);
  NoteCost(run_ms);
}

void Saver::FinishAll(std::span<const Paused> jobs, const SavedSearch::Together& together,
                      bool finished, uint64_t run_ms, uint64_t peak_memory_bytes) {
  WriteCopied(jobs, together, finished, run_ms, peak_memory_bytes);
  NoteCost(run_ms);
}

// Also when the next one is due.
void Saver::NoteCost(uint64_t run_ms) {
  const uint64_t cost_ms = NowMs() - copied_at_ms_;
  constexpr uint64_t kTellingMib = 16;
  if (copied_mib_ >= kTellingMib)
    ms_per_mib_ = static_cast<double>(cost_ms) / static_cast<double>(copied_mib_);
  const uint64_t apart_ms =
      options_.every_ms != 0 ? options_.every_ms : std::max(kLongMs, kShare * cost_ms);
  next_ms_ = run_ms + cost_ms + apart_ms;
}

void Saver::WriteCopied(std::span<const Paused> jobs, const SavedSearch::Together& together,
                        bool finished, uint64_t run_ms, uint64_t peak_memory_bytes) {
  if (copied_ == nullptr) return;
  SavedSearch search = search_;
  for (const Paused& job : jobs)
    if (!KnowsFiles(*job.memory, search)) return copied_.reset();
  search.elapsed_ms = earlier_ms_ + run_ms;
  search.peak_memory_bytes = std::max(earlier_peak_, peak_memory_bytes);
  search.together = together;
  search.executions = 0;
  for (const Paused& job : jobs.first(together.jobs != 0 ? together.jobs : jobs.size()))
    search.executions += job.memory->Header().progress.executions;
  search.finished = finished;
  if (suppression_uses) search.suppression_uses = suppression_uses();
  if (!Write(search)) return;
  search_ = std::move(search);
  exists_ = true;
  failed_ = false;
}

void Saver::RemoveIfOwn() {
  if (!exists_ || !search_.automatic) return;
  unlink(options_.path.c_str());
  exists_ = false;
}

}  // namespace heddle::session
