#include "generate.h"

#include <algorithm>
#include <random>

namespace heddle::oracle {
namespace {

class Generator {
 public:
  Generator(uint64_t seed, uint32_t only) : random_(seed * 2654435761u + 1), only_(only) {}

  Generated Program() {
    const unsigned themes = 1 + Below(3);
    while (Themes() < themes && Themes() < static_cast<unsigned>(__builtin_popcount(only_))) {
      const uint32_t theme = 1u << Below(static_cast<unsigned>(Theme::kCount));
      if ((only_ & theme) != 0) result_.themes |= theme;
    }
    SetUp();
    const unsigned threads = 2 + Below(3);  // main included
    result_.program.threads.resize(threads);
    // By whom each thread is created: mostly by main.
    creator_.assign(threads, 0);
    for (unsigned t = 2; t < threads; ++t)
      if (Below(5) == 0) creator_[t] = 1 + Below(t - 1);
    static constexpr unsigned kMost[] = {5, 4, 3};
    for (unsigned t = 1; t < threads; ++t) Body(t, 1 + Below(kMost[threads - 2]));
    Body(0, Below(kMost[threads - 2]));
    return std::move(result_);
  }

 private:
  unsigned Below(unsigned bound) { return static_cast<unsigned>(random_() % bound); }
  bool OneIn(unsigned n) { return Below(n) == 0; }
  uint8_t Register() { return static_cast<uint8_t>(Below(kRegisters)); }
  int Value() { return static_cast<int>(Below(3)); }
  bool Has(Theme theme) const { return result_.Has(theme); }
  unsigned Themes() const { return static_cast<unsigned>(__builtin_popcount(result_.themes)); }

  void Add(const Instruction& i) {
    if (code_->size() < kMostInstructions - 1) code_->push_back(i);
  }
  void Add(Code code, unsigned object = 0) {
    Add({.code = code, .object = static_cast<uint8_t>(object)});
  }
  uint8_t AddR(Code code, unsigned object = 0, unsigned object2 = 0) {
    const uint8_t reg = Register();
    Add({.code = code,
         .reg = reg,
         .object = static_cast<uint8_t>(object),
         .object2 = static_cast<uint8_t>(object2)});
    return reg;
  }

  void SetUp() {
    auto& program = result_.program;
    for (unsigned i = 0; i < kSemaphores; ++i) program.Semaphore(i) = static_cast<int>(Below(2));
    program.Barrier(0) = 2;
    if (!Has(Theme::kLife)) return;
    life_ = Below(5);
    int* const objects[] = {&program.Mutex(0), &program.Condition(0), &program.Semaphore(0),
                            &program.Barrier(0), &program.RwLock(0)};
    if (OneIn(2)) *objects[life_] = -1;
  }

  // ---- a thread ----

  void Body(unsigned t, unsigned fragments) {
    code_ = &result_.program.threads[t];
    self_ = t;
    const auto count = static_cast<unsigned>(creator_.size());
    std::vector<unsigned> children;
    for (unsigned c = 1; c < count; ++c)
      if (creator_[c] == t && c != t) children.push_back(c);
    for (const unsigned child : children) {
      if (fragments > 0 && OneIn(3)) Fragment(), --fragments;
      Add(Code::kCreate, child);
    }
    const bool joins_early = OneIn(5);
    if (joins_early) Joins(children);
    for (; fragments > 0; --fragments) Fragment();
    if (!joins_early) Joins(children);
    if (Has(Theme::kLife) && t == 0 && OneIn(2)) Destroy();
    if (Has(Theme::kVerdict) && OneIn(3)) Verdict();
    if (t == 0) {
      if (Has(Theme::kEnds) && OneIn(4)) Add(OneIn(2) ? Code::kThreadExit : Code::kExitNow);
    } else if (Has(Theme::kEnds) && OneIn(4)) {
      End();
    }
  }

  void Joins(const std::vector<unsigned>& children) {
    for (const unsigned child : children) {
      const bool odd = Has(Theme::kJoins) || (Has(Theme::kRobust) && OneIn(3));
      switch (odd ? Below(7) : Has(Theme::kEnds) && OneIn(3) ? 5 : 0) {
        default:
          AddR(Code::kJoin, child);
          break;
        case 1:
        case 2: {  // and if that failed, some other way, or not at all
          const uint8_t reg = AddR(OneIn(2) ? Code::kTryJoin : Code::kTimedJoin, child);
          if (OneIn(3)) break;
          Add({.code = Code::kSkipIf, .reg = reg, .value = 0, .value2 = 1});
          Add({.code = Code::kJoin, .object = static_cast<uint8_t>(child)});
          break;
        }
        case 3: {
          const uint8_t reg = AddR(Code::kTryJoin, child);
          Add({.code = Code::kSkipIf, .reg = reg, .value = 0, .value2 = 1});
          Add({.code = OneIn(2) ? Code::kTryJoin : Code::kTimedJoin,
               .object = static_cast<uint8_t>(child)});
          break;
        }
        case 4:
          Add(Code::kDetach, child);
          break;
        case 5:
          if (OneIn(2)) Add(Code::kDetach, child);
          break;  // left alone
      }
    }
  }

  // ---- fragments ----

  void Fragment() {
    std::vector<Theme> drawn;
    for (unsigned i = 0; i < static_cast<unsigned>(Theme::kCount); ++i)
      if (Has(static_cast<Theme>(i))) drawn.push_back(static_cast<Theme>(i));
    if (drawn.empty() || OneIn(5)) return Access();
    switch (drawn[Below(static_cast<unsigned>(drawn.size()))]) {
      case Theme::kMixedAtomics:
      case Theme::kCount:
        return Access();
      case Theme::kMutex:
        return MutexFragment(Below(2));
      case Theme::kCondition:
      case Theme::kTwoMutexes:
        return ConditionFragment();
      case Theme::kSemaphore:
        return SemaphoreFragment(Below(kSemaphores));
      case Theme::kBarrier:
        if (OneIn(2)) Access();
        AddR(Code::kBarrierWait);
        return;
      case Theme::kRwLock:
        return RwLockFragment();
      case Theme::kOnce:
        return Add(Code::kOnce);
      case Theme::kRobust:
        return RobustFragment();
      case Theme::kLife:
        return LifeFragment();
      case Theme::kJoins:
        return Access();
      case Theme::kChoice:
        return ChoiceFragment();
      case Theme::kDone:
        return DoneFragment();
      case Theme::kVerdict:
        Access();
        return Verdict();
      case Theme::kEnds:
        Access();
        if (OneIn(4)) End();
        return;
      case Theme::kPlain:
        return PlainFragment();
    }
  }

  // An atomic access.
  void Access() {
    uint8_t at = 0;
    uint8_t size = 4;
    if (Has(Theme::kMixedAtomics)) {
      static constexpr uint8_t kSizes[] = {1, 1, 2, 2, 4, 4, 8, 8, 16};
      size = kSizes[Below(std::size(kSizes))];
      const unsigned places = 16 / size;
      at = static_cast<uint8_t>(Below(std::min(places, 8u)) * size);
      if (OneIn(2)) at = static_cast<uint8_t>(at % 8 / size * size);  // rather the first word
      if (size < 16 && OneIn(6)) at = static_cast<uint8_t>(Below(17 - size));
    } else if (OneIn(3)) {
      at = 8;
    }
    Instruction i{.code = Code::kLoad, .reg = Register(), .object = at, .object2 = size};
    switch (Below(7)) {
      case 0:
      case 1:
        break;
      case 2:
        i.code = Code::kStore;
        i.reg = kDiscard;
        i.value = 1 + Value();
        break;
      case 3:
        i.code = Code::kExchange;
        i.value = Value();
        break;
      case 4:
        i.code = Code::kFetchAdd;
        i.value = 1;
        break;
      case 5:
        i.code = Code::kCompareExchange;
        i.value = OneIn(2) ? 0 : Value();
        i.value2 = Value();
        break;
      default:
        if (size == 16) break;
        Add(i);
        if (OneIn(2)) Access();
        i.code = Code::kCompareExchangeLoaded;
        i.value2 = Value();
        break;
    }
    Add(i);
  }

  // One access or none, or with the theme another fragment.
  void Inside() {
    if (OneIn(3)) return;
    if (Has(Theme::kPlain) && OneIn(2)) return Plain();
    Access();
  }

  // A call that answers 0 if it got what has to be given back.
  void Guarded(Code code, unsigned object, const Instruction& give) {
    const uint8_t reg = AddR(code, object);
    const size_t at = code_->size();
    Add({.code = Code::kSkipUnless, .reg = reg, .value = 0, .value2 = 0});
    Inside();
    Add(give);
    (*code_)[at].value2 = static_cast<int>(code_->size() - at - 1);
  }

  void MutexFragment(unsigned mutex) {
    const Instruction unlock{.code = Code::kUnlock, .object = static_cast<uint8_t>(mutex)};
    switch (Below(5)) {
      case 0:
        return Guarded(Code::kTryLock, mutex, unlock);
      case 1:
        return Guarded(Code::kTimedLock, mutex, unlock);
      default:
        Add(Code::kLock, mutex);
        Inside();
        if (OneIn(5)) {  // nested, in either order
          Add(Code::kLock, 1 - mutex);
          Inside();
          Add(Code::kUnlock, 1 - mutex);
        }
        return Add(unlock);
    }
  }

  void ConditionFragment() {
    const unsigned condition = OneIn(4) ? 1 : 0;
    const unsigned mutex = Has(Theme::kTwoMutexes) && OneIn(3) ? 1 : 0;
    const bool protects = !OneIn(3);
    switch (Below(5)) {
      case 0:
      case 1: {
        Add(Code::kLock, mutex);
        if (OneIn(2)) {  // if, not while: it ends
          const uint8_t reg = AddR(Code::kLoad, 0, 4);
          Add({.code = Code::kSkipUnless, .reg = reg, .value = 0, .value2 = 1});
        }
        AddR(OneIn(2) ? Code::kCondWait : Code::kCondTimedWait, condition, mutex);
        Inside();
        return Add(Code::kUnlock, mutex);
      }
      default:
        if (protects) Add(Code::kLock, mutex);
        if (OneIn(2)) Access();
        Add(OneIn(3) ? Code::kCondBroadcast : Code::kCondSignal, condition);
        if (protects) Add(Code::kUnlock, mutex);
        return;
    }
  }

  void SemaphoreFragment(unsigned semaphore) {
    switch (Below(6)) {
      case 0:
      case 1:
        Add(Code::kSemPost, semaphore);
        return;
      case 2:
        AddR(Code::kSemTryWait, semaphore);
        return;
      case 3:
        AddR(Code::kSemTimedWait, semaphore);
        return;
      case 4:
        AddR(Code::kSemValue, semaphore);
        return;
      default:
        AddR(Code::kSemWait, semaphore);
        return;
    }
  }

  void RwLockFragment() {
    const Instruction unlock{.code = Code::kRwUnlock};
    switch (Below(8)) {
      case 0:
        return Guarded(Code::kTryReadLock, 0, unlock);
      case 1:
        return Guarded(Code::kTryWriteLock, 0, unlock);
      case 2:
        return Guarded(Code::kTimedReadLock, 0, unlock);
      case 3:
        return Guarded(Code::kTimedWriteLock, 0, unlock);
      case 4:
      case 5:
        return Guarded(Code::kReadLock, 0, unlock);
      default:
        return Guarded(Code::kWriteLock, 0, unlock);
    }
  }

  void RobustFragment() {
    static constexpr Code kWays[] = {Code::kLock, Code::kTryLock, Code::kTimedLock};
    AddR(kWays[Below(3)], kRobust);
    Inside();
    if (OneIn(3)) AddR(Code::kConsistent, kRobust);
    if (!OneIn(3)) AddR(Code::kUnlock, kRobust);  // else the thread may end with it
  }

  void UseOfLife() {
    switch (life_) {
      case 0:
        return MutexFragment(0);
      case 1:
        return ConditionFragment();
      case 2:
        return SemaphoreFragment(0);
      case 3:
        AddR(Code::kBarrierWait);
        return;
      default:
        return RwLockFragment();
    }
  }

  void Destroy() {
    static constexpr Code kDestroys[] = {Code::kMutexDestroy, Code::kCondDestroy, Code::kSemDestroy,
                                         Code::kBarrierDestroy, Code::kRwDestroy};
    Add(kDestroys[life_]);
  }

  void LifeFragment() {
    static constexpr Code kInits[] = {Code::kMutexInit, Code::kCondInit, Code::kSemInit,
                                      Code::kBarrierInit, Code::kRwInit};
    switch (Below(6)) {
      case 0:
      case 1:
        Add({.code = kInits[life_],
             .value = life_ == 3 ? 1 + static_cast<int>(Below(2)) : Value()});
        return;
      case 2:
        return Destroy();
      default:
        return UseOfLife();
    }
  }

  void ChoiceFragment() {
    const uint8_t reg = Register();
    Add({.code = Code::kChoose, .reg = reg, .value = 2 + static_cast<int>(Below(2))});
    const size_t at = code_->size();
    Add({.code = Code::kSkipUnless, .reg = reg, .value = 1, .value2 = 0});
    switch (Below(5)) {
      case 0:
        if (Has(Theme::kEnds)) {
          End();
          break;
        }
        [[fallthrough]];
      case 1:
        if (Has(Theme::kLife)) {
          Destroy();
          break;
        }
        [[fallthrough]];
      case 2:
        if (self_ != 0) {
          Add(Code::kThreadExit);
          break;
        }
        [[fallthrough]];
      default:
        Access();
    }
    (*code_)[at].value2 = static_cast<int>(code_->size() - at - 1);
    if (OneIn(3)) Access();
  }

  void DoneFragment() {
    if (OneIn(4)) {  // something that can be interrupted stands before it
      Add(Code::kHook);
      return Add(Code::kDone);
    }
    Add(Code::kAtomicBegin);
    if (OneIn(2)) Access();
    switch (Below(6)) {
      case 0:
        AddR(OneIn(2) ? Code::kSemWait : Code::kSemTimedWait, 1);
        break;
      case 1:
        MutexFragment(0);
        break;
      case 2:
      case 3:
        Fragment();  // of any theme: another section, too
        break;
      default:
        Access();
        break;
    }
    if (OneIn(2)) Access();
    Add(Code::kAtomicEnd);
  }

  void Verdict() {
    Instruction i{.code = Code::kAssertNot, .reg = Register(), .value = 1 + Value()};
    switch (Below(4)) {
      case 0:
        i.code = Code::kAssertEqual;
        i.value = Value();
        break;
      case 1:
        i.code = Code::kAssume;
        i.value = Value();
        break;
      default:
        break;
    }
    Add(i);
  }

  void End() {
    switch (Below(6)) {
      case 0:
        return Add(Code::kExitNow);
      case 1:
        return Add(Code::kAbort);
      case 2:
        return Add({.code = Code::kExit, .value = 3});
      case 3:
        return Add(Code::kThreadExit);
      default:
        return Add(Code::kExit);
    }
  }

  void Plain() {
    static constexpr uint8_t kSizes[] = {1, 1, 2, 4, 8};
    const uint8_t size = kSizes[Below(std::size(kSizes))];
    const auto at = static_cast<uint8_t>(Below(8 / size) * size);
    if (OneIn(2))
      Add({.code = Code::kPlainLoad, .reg = Register(), .object = at, .object2 = size});
    else
      Add({.code = Code::kPlainStore, .object = at, .object2 = size, .value = 1 + Value()});
  }

  void PlainFragment() {
    if (OneIn(4)) return Plain();
    Add(Code::kLock, 0);
    Plain();
    if (OneIn(2)) Plain();
    Add(Code::kUnlock, 0);
  }

  std::mt19937_64 random_;
  const uint32_t only_;
  Generated result_;
  std::vector<unsigned> creator_;
  std::vector<Instruction>* code_ = nullptr;
  unsigned self_ = 0;
  unsigned life_ = 0;
};

}  // namespace

const char* NameOf(Theme theme) {
  static constexpr const char* kNames[] = {"mixed-atomics", "mutex",   "condition", "two-mutexes",
                                           "semaphore",     "barrier", "rwlock",    "once",
                                           "robust",        "life",    "joins",     "choice",
                                           "done",          "verdict", "ends",      "plain"};
  return kNames[static_cast<unsigned>(theme)];
}

Generated Generate(uint64_t seed, uint32_t only) { return Generator(seed, only).Program(); }

}  // namespace heddle::oracle
