#include "report/aside.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <initializer_list>
#include <map>
#include <set>
#include <string_view>
#include <utility>

namespace heddle::report {
namespace {

using channel::StepRecord;
using op::Family;
using op::Kind;

constexpr uint32_t kNotExecuted = channel::kStepBlocked | channel::kStepLeft | channel::kStepMade;
constexpr uint32_t kRace = channel::kStepRaceFirst | channel::kStepRaceSecond;
// A thread with such a step is one that the finding is about.
constexpr uint32_t kRoot = channel::kStepEnding | kRace | channel::kStepBlocked;
// Of a step that is never left out.
constexpr uint32_t kMarks = kWithStack | channel::kStepEarly | channel::kStepCompared;
constexpr size_t kNone = ~size_t{0};

Kind KindOf(const StepRecord& step) {
  return static_cast<Kind>(std::min(step.op_kind, static_cast<uint8_t>(Kind::kCount)));
}

template <typename T>
bool IsOneOf(T one, std::initializer_list<T> all) {
  return std::ranges::find(all, one) != all.end();
}

bool IsAccess(Kind kind) { return op::IsAtomic(kind) || op::IsPlain(kind); }

// What wakes a thread, or lets it go on, as an access would tell it something.
bool IsExchange(Kind kind) {
  if (kind >= Kind::kCount || op::Has(kind, op::kLocks)) return false;
  return IsOneOf(op::FamilyOf(kind),
                 {Family::kCondition, Family::kSemaphore, Family::kBarrier, Family::kFutex,
                  Family::kOnce, Family::kSignal, Family::kDescriptor, Family::kLibrary});
}

// It finds none, and its thread goes on.
bool IsIdleLook(const StepRecord& step) {
  return KindOf(step) == Kind::kSignalLook && step.value == 0;
}

bool Reads(const StepRecord& step) {
  const Kind kind = KindOf(step);
  if (IsIdleLook(step)) return false;
  if (IsAccess(kind)) return kind != Kind::kAtomicStore && kind != Kind::kPlainWrite;
  return IsExchange(kind);
}

bool Writes(const StepRecord& step) {
  const Kind kind = KindOf(step);
  if (IsIdleLook(step)) return false;
  if (IsAccess(kind))
    return kind != Kind::kAtomicLoad && kind != Kind::kPlainRead &&
           (step.flags & channel::kStepFailed) == 0;
  return IsExchange(kind);
}

bool Unlocks(const StepRecord& step, uint64_t mutex) {
  const Kind kind = KindOf(step);
  if (kind == Kind::kCondWait) return step.object2 == mutex;
  return step.object == mutex && IsOneOf(kind, {Kind::kMutexUnlock, Kind::kRwUnlock,
                                                Kind::kSpinUnlock, Kind::kStreamUnlock});
}

bool Locks(const StepRecord& step) {
  const Kind kind = KindOf(step);
  if (kind == Kind::kCondReacquire) return true;
  return kind < Kind::kCount && op::Has(kind, op::kLocks) && !Unlocks(step, step.object);
}

bool IsAnyOf(std::string_view function, std::initializer_list<const char*> parts) {
  return std::ranges::any_of(
      parts, [&](const char* part) { return function.find(part) != std::string_view::npos; });
}

class Library {
 public:
  explicit Library(const FindingContext& in) : in_(in) {
    for (const StepRecord& step : in.raw.steps) {
      if ((step.flags & kWithStack) != 0) about_.insert(step.object);
      if (LooksAtCount(step)) about_.insert(step.object);
    }
  }

  // Does the step look whether a static variable of a function is made already?
  bool IsGuard(const StepRecord& step) const {
    return KindOf(step) == Kind::kAtomicLoad && step.size == 1 && !about_.contains(step.object) &&
           in_.symbolizer.Global(in_.modules, step.object).name.starts_with("guard variable for ");
  }

  // One of kAsideBookkeeping, or 0.
  uint32_t BookkeepingOf(const StepRecord& step) const {
    const Kind kind = KindOf(step);
    if (about_.contains(step.object)) return 0;
    if (kind == Kind::kOnceBegin || kind == Kind::kOnceEnd) return kAsideCallOnce;
    if (!IsAccess(kind)) return 0;
    for (const Frame& frame : FramesOf(step)) {
      if (!frame.library) break;
      const std::string& function = frame.location.function;
      if (IsAnyOf(function,
                  {"_Sp_counted", "__shared_count", "__weak_count", "__shared_weak_count"}))
        return kAsideSharedPtr;
      if (IsAnyOf(function, {"__future_base", "__basic_future", "__assoc_sub_state"}))
        return kAsideFuture;
    }
    return 0;
  }

 private:
  // What the program learns of a count decides what it does.
  bool LooksAtCount(const StepRecord& step) const {
    if (!IsAccess(KindOf(step))) return false;
    bool looks = false;
    for (const Frame& frame : FramesOf(step)) {
      if (!frame.library) return looks;
      const std::string& function = frame.location.function;
      if (IsAnyOf(function, {"promise", "future"})) return false;  // as a part of its bookkeeping
      looks |= IsAnyOf(function, {"_M_add_ref_lock", "expired", "use_count", "::lock"});
    }
    return looks;
  }

  std::vector<Frame> FramesOf(const StepRecord& step) const {
    std::vector<Frame> all;
    for (uint32_t i = 0; i < step.frames && i < 4; ++i) {
      const std::vector<Frame>& frames = in_.Frames(step.pc[i]);
      all.insert(all.end(), frames.begin(), frames.end());
      if (!frames.empty() && !frames.back().library) break;
    }
    return all;
  }

  const FindingContext& in_;
  std::set<uint64_t> about_;
};

// What a step does to an object; a lock and its unlock are taken for accesses, too, as what is done
// under it may be plain accesses that are no steps.
struct Touch {
  uint64_t object = 0;  // 0: none
  bool reads = false, writes = false;
};

std::array<Touch, 2> TouchesOf(const StepRecord& step) {
  if ((step.flags & kNotExecuted) != 0) return {};
  if (KindOf(step) == Kind::kCondWait)
    return {Touch{step.object, true, true}, Touch{step.object2, false, true}};
  if (Locks(step)) return {Touch{step.object, true, (step.flags & channel::kStepFailed) == 0}, {}};
  if (Unlocks(step, step.object)) return {Touch{step.object, false, true}, {}};
  if (!Reads(step) && !Writes(step)) return {};
  return {Touch{step.object, Reads(step), Writes(step)}, {}};
}

class Influence {
 public:
  explicit Influence(std::span<const StepRecord> steps)
      : steps_(steps), matters_(steps.size()), near_(steps.size()) {
    Roots();
    Accesses();
  }

  std::vector<bool> Find() {
    do {
      for (size_t i = steps_.size(); i-- > 0;)
        if (IsInPast(i)) matters_[i] = Matters(i);
    } while (AddsWhoDidNot());
    for (size_t i = 0; i < steps_.size(); ++i)
      if (Locks(steps_[i]) && IsInPast(i)) Section(i);
    for (size_t i = 0; i < steps_.size(); ++i)
      if ((steps_[i].flags & kWithStack) != 0) matters_[i] = true;
    return std::move(matters_);
  }

 private:
  struct Neighbours {
    size_t writer = kNone;      // whose value it reads or overwrites
    size_t overwriter = kNone;  // by whom it is overwritten
    bool read_before = false;   // a read: its thread has read the same value before
    bool read_again = false;    // ... and reads it again
    bool others_have = false;   // a write: another thread has read what it overwrites
    bool over_others = false;   // a write: another thread has written what it overwrites
  };

  void Roots() {
    for (size_t i = 0; i < steps_.size(); ++i) {
      const StepRecord& step = steps_[i];
      if ((step.flags & kWithStack) != 0) marked_.insert(step.object);
      if ((step.flags & kRoot) != 0) roots_[step.thread] = i;
      if ((step.flags & channel::kStepBlocked) != 0) blocked_ = true;
      if ((step.flags & kRace) != 0) last_race_ = i;
      last_step_[step.thread] = i;
      if (KindOf(step) != Kind::kThreadCreate) continue;
      if (first_create_ == kNone) first_create_ = i;
      creations_[step.other] = i;
    }
    marked_.erase(0);
    if (roots_.empty())
      for (size_t i = 0; i < steps_.size(); ++i) roots_[steps_[i].thread] = i;
    for (const auto& [thread, last] : roots_) AddPast(last);
  }

  void Accesses() {
    struct Location {
      size_t writer = kNone;
      std::map<uint32_t, std::pair<size_t, size_t>> last_reads;  // of this value, by thread
    };
    std::map<uint64_t, Location> locations;
    for (size_t i = 0; i < steps_.size(); ++i) {
      const std::array<Touch, 2> touches = TouchesOf(steps_[i]);
      if (Locks(steps_[i])) lockers_[steps_[i].object].insert(steps_[i].thread);
      for (size_t k = 0; k < touches.size(); ++k) {
        if (touches[k].object == 0) continue;
        last_touch_[{steps_[i].thread, touches[k].object}] = i;
        Location& at = locations[touches[k].object];
        Neighbours& own = near_[i][k];
        own.writer = at.writer;
        own.over_others = touches[k].writes && IsOthers(i, at.writer);
        if (touches[k].reads) {
          const auto [last, fresh] = at.last_reads.try_emplace(steps_[i].thread, i, k);
          own.read_before = !fresh;
          if (!fresh && !touches[k].writes) Near(last->second).read_again = true;
          last->second = {i, k};
        }
        if (!touches[k].writes) continue;
        for (const auto& [thread, read] : at.last_reads) {
          if (thread != steps_[i].thread) own.others_have = true;
          if (read.first != i) Near(read).overwriter = i;
        }
        if (first_create_ != kNone && i > first_create_) changing_.insert(touches[k].object);
        last_write_[touches[k].object] = i;
        at = {i, {}};
        if (touches[k].reads) at.last_reads[steps_[i].thread] = {i, k};
      }
    }
  }

  Neighbours& Near(std::pair<size_t, size_t> touch) { return near_[touch.first][touch.second]; }

  bool IsInPast(size_t i) const {
    const auto end = past_.find(steps_[i].thread);
    return end != past_.end() && i <= end->second;
  }

  void AddPast(size_t i) {
    const auto [end, fresh] = past_.try_emplace(steps_[i].thread, i);
    end->second = std::max(end->second, i);
    const auto creation = creations_.find(steps_[i].thread);
    if (fresh && creation != creations_.end()) AddPast(creation->second);
  }

  bool IsShared(uint64_t mutex) const {
    const auto lockers = lockers_.find(mutex);
    return lockers != lockers_.end() && lockers->second.size() > 1;
  }

  bool IsOthers(size_t i, size_t other) const {
    return other != kNone && steps_[other].thread != steps_[i].thread;
  }

  bool Matters(size_t i) {
    const StepRecord& step = steps_[i];
    const Kind kind = KindOf(step);
    if (kind >= Kind::kCount) return false;
    if (kind == Kind::kCondReacquire) Woken(i);
    bool matters = (step.flags & (channel::kStepEarly | channel::kStepTimedOut)) != 0 ||
                   kind == Kind::kCondReacquire || used_.contains(i);
    const std::array<Touch, 2> touches = TouchesOf(step);
    for (size_t k = 0; k < touches.size(); ++k)
      if (touches[k].object != 0 && TouchMatters(i, touches[k], near_[i][k])) matters = true;
    if (kind == Kind::kThreadCreate) return past_.contains(step.other);
    if (IsOneOf(kind, {Kind::kThreadJoin, Kind::kThreadTimedJoin, Kind::kThreadTryJoin}))
      return roots_.contains(step.thread) && past_.contains(step.other);
    if (op::FamilyOf(kind) == Family::kObject) return marked_.contains(step.object);
    if (kind == Kind::kSignalLook) return !IsIdleLook(step);  // a handler runs
    return matters || IsOneOf(kind, {Kind::kChoose, Kind::kAtomicFence, Kind::kAtomicBegin,
                                     Kind::kAtomicEnd, Kind::kFork, Kind::kProcessWait});
  }

  bool TouchMatters(size_t i, const Touch& touch, const Neighbours& own) {
    const bool is_marked = marked_.contains(touch.object);
    if (!changing_.contains(touch.object) && !is_marked) return false;
    bool matters = false;
    if (touch.reads) {
      if (IsOthers(i, own.writer)) {
        used_.insert(own.writer);
        AddPast(own.writer);
        matters = !own.read_before;
      }
      // What it goes by in the end is its own, in place of another one's.
      if (last_touch_[{steps_[i].thread, touch.object}] == i && OverwritesOthers(own.writer, touch))
        used_.insert(own.writer);
      // What the thread knows is soon no longer true.
      if (IsOthers(i, own.overwriter) && matters_[own.overwriter] && !own.read_again)
        matters = true;
    }
    if (touch.writes && own.others_have) matters = true;
    return matters || (touch.writes && is_marked && last_write_[touch.object] == i);
  }

  bool OverwritesOthers(size_t writer, const Touch& touch) const {
    if (writer == kNone) return false;
    const std::array<Touch, 2> touches = TouchesOf(steps_[writer]);
    for (size_t k = 0; k < touches.size(); ++k)
      if (touches[k].object == touch.object && near_[writer][k].over_others) return true;
    return false;
  }

  // What a thread has not done has influence, too, and leaves nothing that others read:
  //
  //   T1: if (closed) return;        main: joins T1, T2
  //       records++;                       assert(records == 1)
  //   T2: closed = true; ... closed = false
  //
  // So the past of a thread that was joined, or that has ended while others wait, belongs to it if
  // what it has read is of the past, or overwritten there; or anybody's, if nobody else is in it.
  // Returns true if there is more of it.
  bool AddsWhoDidNot() {
    if (last_race_ != kNone) return false;
    std::set<uint32_t> ended;
    for (const StepRecord& step : steps_)
      if (blocked_ && step.thread != op::kNoThread) ended.insert(step.thread);
    for (size_t i = 0; i < steps_.size(); ++i)
      if (KindOf(steps_[i]) == Kind::kThreadJoin && roots_.contains(steps_[i].thread) &&
          IsInPast(i))
        ended.insert(steps_[i].other);
    std::set<size_t> adds;
    const bool has_others = past_.size() > roots_.size();
    for (size_t i = 0; i < steps_.size(); ++i) {
      const uint32_t thread = steps_[i].thread;
      if (past_.contains(thread) || !ended.contains(thread)) continue;
      const auto counts = [&](size_t other) {
        return IsOthers(i, other) && (IsInPast(other) || !has_others);
      };
      if (!GoesBy(i, counts)) continue;
      adds.insert(last_step_[thread]);
      // The reader is to see that what it has read was so for a moment.
      for (const Neighbours& own : near_[i])
        if (IsOthers(i, own.overwriter) && ended.contains(steps_[own.overwriter].thread))
          adds.insert(own.overwriter);
    }
    for (const size_t last : adds) AddPast(last);
    return !adds.empty();
  }

  // Has the step read, other than by locking, what a write that counts has written or soon
  // overwrites?
  template <typename Counts>
  bool GoesBy(size_t i, const Counts& counts) const {
    if (!Reads(steps_[i])) return false;
    const std::array<Touch, 2> touches = TouchesOf(steps_[i]);
    for (size_t k = 0; k < touches.size(); ++k)
      if (touches[k].reads && changing_.contains(touches[k].object) &&
          (counts(near_[i][k].writer) || counts(near_[i][k].overwriter)))
        return true;
    return false;
  }

  // Its thread has waited on a condition variable: the last signal of another one has ended that.
  void Woken(size_t i) {
    size_t wait = i;
    while (wait-- > 0)
      if (steps_[wait].thread == steps_[i].thread && KindOf(steps_[wait]) == Kind::kCondWait) break;
    if (wait == kNone) return;
    used_.insert(wait);
    for (size_t j = i; j-- > wait + 1;) {
      if (!IsOneOf(KindOf(steps_[j]), {Kind::kCondSignal, Kind::kCondBroadcast}) ||
          steps_[j].object != steps_[wait].object)
        continue;
      used_.insert(j);
      AddPast(j);
      return;
    }
  }

  // A lock is shown with its unlock, or neither is. A lock alone would read as if its thread locked
  // twice, or still held what it gave up long ago; so what has no unlock behind it is held. To say
  // at each row what its thread holds would take more words, and is for the reader to compare.
  // Where nothing is shown in between, the two are one row (step_rows.h).
  void Section(size_t lock) {
    const StepRecord& step = steps_[lock];
    if ((step.flags & channel::kStepFailed) != 0) return;  // it holds nothing
    bool full = matters_[lock];
    size_t end = lock + 1;
    for (; end < steps_.size(); ++end) {
      if (steps_[end].thread != step.thread) continue;
      if (Unlocks(steps_[end], step.object)) break;
      // An access that stands there without the lock would look unprotected.
      full = full || (matters_[end] && IsAccess(KindOf(steps_[end])) && IsShared(step.object));
    }
    const bool is_held = end == steps_.size();
    if (is_held && blocked_) full = true;
    if (!is_held && matters_[end]) full = true;
    matters_[lock] = full;
    if (is_held || KindOf(steps_[end]) == Kind::kCondWait) return;
    matters_[end] = full && end < last_race_;
  }

  const std::span<const StepRecord> steps_;
  std::vector<bool> matters_;
  std::vector<std::array<Neighbours, 2>> near_;  // of the touches of each step
  std::map<uint32_t, size_t> roots_, past_;      // by thread: its last step that may matter
  std::map<uint32_t, size_t> creations_;         // by thread
  std::map<uint32_t, size_t> last_step_;         // by thread
  std::map<uint64_t, size_t> last_write_;        // by object
  std::map<std::pair<uint32_t, uint64_t>, size_t> last_touch_;  // by thread and object
  std::map<uint64_t, std::set<uint32_t>> lockers_;              // by object
  std::set<uint64_t> marked_;                                   // objects that marked steps are on
  std::set<uint64_t> changing_;  // ... that are written while there are several threads
  std::set<size_t> used_;        // writes whose value another thread reads
  bool blocked_ = false;
  size_t first_create_ = kNone;
  size_t last_race_ = kNone;  // behind all steps, if it is none
};

// What one thread tells another by a future, or by having been first in call_once, is no
// bookkeeping.
void KeepWhatIsTold(const std::vector<StepRecord>& steps, std::vector<uint32_t>& aside) {
  std::map<uint64_t, size_t> last_write;  // by object
  for (size_t i = 0; i < steps.size(); ++i) {
    if ((aside[i] & (kAsideFuture | kAsideCallOnce)) == 0) continue;
    const auto write = last_write.find(steps[i].object);
    if (Reads(steps[i]) && write != last_write.end() &&
        steps[write->second].thread != steps[i].thread)
      aside[i] = aside[write->second] = 0;
    if (Writes(steps[i])) last_write[steps[i].object] = i;
  }
}

}  // namespace

std::vector<bool> StepsThatMatter(std::span<const StepRecord> steps) {
  return Influence(steps).Find();
}

std::vector<uint32_t> StepsAside(const FindingContext& in) {
  const std::vector<StepRecord>& steps = in.raw.steps;
  std::vector<uint32_t> aside(steps.size());
  if (in.all_steps) return aside;
  const Library library(in);
  const std::vector<bool> matters = StepsThatMatter(steps);
  for (size_t i = 0; i < steps.size(); ++i) {
    if ((steps[i].flags & kMarks) != 0) continue;
    aside[i] = library.BookkeepingOf(steps[i]);
    if (aside[i] == 0 && !matters[i]) aside[i] = kAsideNoInfluence;
  }
  KeepWhatIsTold(steps, aside);
  for (size_t i = 0; i < steps.size(); ++i)
    if (aside[i] == kAsideNoInfluence || (aside[i] == 0 && (steps[i].flags & kMarks) == 0))
      if (library.IsGuard(steps[i])) aside[i] = kAsideCallOnce;
  return aside;
}

}  // namespace heddle::report
