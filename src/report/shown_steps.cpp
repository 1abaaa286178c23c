#include "report/shown_steps.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <string>

namespace heddle::report {
namespace {

constexpr uint32_t kMarked =
    kWithStack | channel::kStepPreempts | channel::kStepEarly | channel::kStepCompared;

// An execution may have a million steps; the result keeps its begin, its end, and what is around
// marked steps.
constexpr size_t kKeepFirst = 200;
constexpr size_t kKeepLast = 400;
constexpr size_t kKeepAround = 12;

// libstdc++'s or libc++'s.
bool IsThreadHeader(const std::string& file) {
  for (const char* name : {"/bits/std_thread.h", "/thread", "/__thread/thread.h"})
    if (file.ends_with(name)) return true;
  return false;
}

// What std::thread keeps of a thread to start: a copy of what it is to call.
bool IsThreadsOwn(const FindingContext& in, const HeapBlock& block) {
  for (uint32_t i = 0; i < block.record.frames; ++i)
    for (const Frame& frame : in.Frames(block.record.pc[i]))
      if (IsLibrarySource(frame.location.file) && IsThreadHeader(frame.location.file)) return true;
  return false;
}

// A plain access by code of a library, which the reader does not know, and that the finding is
// not about.
bool BelongsToLibrary(const FindingContext& in, const channel::StepRecord& step) {
  const auto kind = static_cast<op::Kind>(step.op_kind);
  if (kind != op::Kind::kPlainRead && kind != op::Kind::kPlainWrite) return false;
  if ((step.flags & (kWithStack | channel::kStepPreempts | channel::kStepCompared)) != 0)
    return false;
  if (step.frames == 0) return true;
  const HeapBlock* block = in.objects.BlockAt(step.object, step.number);
  if (block != nullptr && IsThreadsOwn(in, *block)) return true;
  return in.Frames(step.pc[0]).front().library;
}

// What is thrown passes a pthread_once of the unwinder's, in libgcc: no step that the program's
// source has, and no other thread waits for it.
bool BelongsToUnwinder(const FindingContext& in, const channel::StepRecord& step) {
  const auto kind = static_cast<op::Kind>(step.op_kind);
  if (kind != op::Kind::kOnceBegin && kind != op::Kind::kOnceEnd) return false;
  if (in.all_steps || step.frames == 0 || (step.flags & kWithStack) != 0) return false;
  const Frame& caller = in.Frames(step.pc[0]).front();
  return std::filesystem::path(caller.module).filename().string().starts_with("libgcc_s.so");
}

// A step of a test framework's own, unless the finding is about the same object. They are left to
// those who want to see every step.
bool IsFrameworks(const FindingContext& in, const channel::StepRecord& step) {
  if (in.all_steps || (step.flags & (kWithStack | channel::kStepPreempts)) != 0) return false;
  const auto about = [&](const channel::StepRecord& other) {
    return (other.flags & kWithStack) != 0 && other.object != 0 && other.object == step.object;
  };
  for (uint32_t i = 0; i < step.frames; ++i) {
    for (const Frame& frame : in.Frames(step.pc[i])) {
      if (IsTestFramework(frame.location.function))
        return std::none_of(in.raw.steps.begin(), in.raw.steps.end(), about);
      if (!frame.library) return false;
    }
  }
  return false;
}

}  // namespace

bool IsForeign(const FindingContext& in, size_t at) {
  const channel::StepRecord& step = in.raw.steps[at];
  return BelongsToLibrary(in, step) || BelongsToUnwinder(in, step) || IsFrameworks(in, step);
}

std::vector<bool> StepsToKeep(const FindingContext& in) {
  const std::vector<channel::StepRecord>& steps = in.raw.steps;
  std::vector<bool> keep(steps.size(), in.all_steps || steps.size() <= kKeepFirst + kKeepLast);
  if (!keep.empty() && keep[0]) return keep;
  for (size_t i = 0; i < steps.size(); ++i) {
    if (i < kKeepFirst || i + kKeepLast >= steps.size()) keep[i] = true;
    if ((steps[i].flags & kMarked) == 0) continue;
    size_t end = std::min(steps.size(), i + kKeepAround + 1);
    for (size_t j = i - std::min(i, kKeepAround); j < end; ++j) keep[j] = true;
  }
  return keep;
}

std::vector<bool> ReadFrom(const std::vector<channel::StepRecord>& steps) {
  constexpr int kLastReads = 8;  // of each thread
  std::vector<bool> read_from(steps.size());
  std::map<uint32_t, int> left;  // by thread
  for (const channel::StepRecord& step : steps)
    if ((step.flags & kWithStack) != 0) left[step.thread] = kLastReads;
  std::map<uint64_t, bool> wanted;  // by address
  for (size_t i = steps.size(); i-- > 0;) {
    const channel::StepRecord& step = steps[i];
    if ((step.facts & channel::kFactWritten) != 0 && wanted[step.object]) {
      read_from[i] = true;
      wanted[step.object] = false;
    }
    const auto thread = left.find(step.thread);
    if ((step.facts & channel::kFactRead) == 0 || thread == left.end() || thread->second == 0)
      continue;
    --thread->second;
    wanted[step.object] = true;
  }
  return read_from;
}

}  // namespace heddle::report
