#include "report/wording.h"

#include <cstddef>
#include <cstring>
#include <filesystem>

namespace heddle::report {
namespace {

using channel::BugKind;
using op::Kind;

struct KindWords {
  BugKind kind;
  const char* name;
  const char* title;
};

constexpr KindWords kKinds[] = {
    {BugKind::kDataRace, "data-race", "data race"},
    {BugKind::kDeadlock, "deadlock", "deadlock"},
    {BugKind::kLivelock, "livelock", "livelock"},
    {BugKind::kAssertion, "assertion", "failed assertion"},
    {BugKind::kAbort, "abort", "abort"},
    {BugKind::kCrash, "crash", "crash"},
    {BugKind::kUncaughtException, "uncaught-exception", "uncaught exception"},
    {BugKind::kExitStatus, "exit-status", "nonzero exit status"},
    {BugKind::kMisuse, "misuse", "misuse of a primitive"},
    {BugKind::kUseAfterFree, "use-after-free", "use after free"},
    {BugKind::kDoubleFree, "double-free", "double free"},
    {BugKind::kLeak, "leak", "memory leak"},
    {BugKind::kInvariant, "invariant", "violated invariant"},
    {BugKind::kHang, "hang", "hang"},
};

}  // namespace

std::string Grouped(uint64_t number) {
  std::string digits = std::to_string(number);
  for (size_t at = digits.size(); at > 3;) {
    at -= 3;
    digits.insert(at, ",");
  }
  return digits;
}

std::string Counted(uint64_t number, const std::string& noun) {
  return Grouped(number) + " " + noun + (number == 1 ? "" : "s");
}

std::string Cost(uint32_t preemptions, uint32_t early_timeouts) {
  const std::string text = Counted(preemptions, "preemption");
  return early_timeouts == 0 ? text : text + ", " + Counted(early_timeouts, "early timeout");
}

const char* KindName(BugKind kind) {
  for (const KindWords& words : kKinds) {
    if (words.kind == kind) return words.name;
  }
  return "unknown";
}

const char* KindTitle(const std::string& kind) {
  for (const KindWords& words : kKinds) {
    if (kind == words.name) return words.title;
  }
  return "bug";
}

ObjectKind ObjectKindOf(Kind kind) {
  if (kind >= Kind::kCount) return {nullptr, 0};
  const op::FamilyInfo& family = op::Info(op::FamilyOf(kind));
  if (family.letter == 0) return {nullptr, 0};
  return {family.noun, family.letter};
}

std::string StepText(Kind kind, const std::string& name, const std::string& other_thread) {
  if (kind >= Kind::kCount) return "does something this heddle does not know";
  std::string text = op::Info(kind).text;
  const char* const noun = ObjectKindOf(kind).noun;
  if (noun == nullptr) {
    return other_thread.empty() ? text : text + " " + other_thread;
  }
  if (name.empty() || name == noun) return text;  // "locks mutex", of a mutex called mutex
  // "locks mutex with a time limit": the name belongs behind the noun.
  size_t at = text.find(noun);
  if (at == std::string::npos) return text + " " + name;
  return text.insert(at + std::strlen(noun), " " + name);
}

std::string RacesText(const Finding& finding) {
  return finding.races < 2
             ? ""
             : "the same race from " + Counted(finding.races, "pair") + " of instructions";
}

std::string PlaceText(const Location& place) {
  return std::filesystem::path(place.file).filename().string() + ":" + std::to_string(place.line);
}

std::string WithValues(std::string text, Kind kind, bool failed, const AccessValues& values) {
  const std::string& before = values.expected.empty() ? values.read : values.expected;
  if (kind == Kind::kAtomicCompareExchange && failed) {
    text += ": fails";
    if (!values.read.empty()) text += ", it is " + values.read;
    if (!values.read.empty() && !values.expected.empty()) text += ", not " + values.expected;
    return text;
  }
  if (!before.empty() && !values.written.empty())
    return text + ": " + before + " -> " + values.written;
  const std::string& only = before.empty() ? values.written : before;
  return only.empty() ? text : text + ": " + only;
}

std::string TextAndRemark(const Step& step) {
  return step.remark.empty() ? step.text : step.text + " (" + step.remark + ")";
}

std::string ValueText(uint64_t value, unsigned size) {
  if (size == 0 || size >= 8) return std::to_string(static_cast<int64_t>(value));
  unsigned unused = 64 - 8 * size;
  return std::to_string(static_cast<int64_t>(value << unused) >> unused);
}

}  // namespace heddle::report
