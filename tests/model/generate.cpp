#include "generate.h"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <random>

namespace heddle::litmus {
namespace {

// Of standard distributions each library makes another sequence.
class Random {
 public:
  explicit Random(uint64_t seed) : engine_(seed) {}
  int Below(int end) { return static_cast<int>(engine_() % static_cast<uint64_t>(end)); }
  bool Percent(int percent) { return Below(100) < percent; }
  template <class T>
  T Of(std::initializer_list<T> choices) {
    return choices.begin()[Below(static_cast<int>(choices.size()))];
  }
  int Weighted(const std::array<int, 3>& weights) {
    int at = Below(weights[0] + weights[1] + weights[2]);
    int choice = 0;
    while (at >= weights[choice]) at -= weights[choice++];
    return choice;
  }

 private:
  std::mt19937_64 engine_;
};

bool Reads(Kind kind) {
  return kind == Kind::kLoad || kind == Kind::kExchange || kind == Kind::kFetchAdd ||
         kind == Kind::kCompareExchange;
}
bool Writes(Kind kind) { return Reads(kind) ? kind != Kind::kLoad : kind == Kind::kStore; }

bool HasResult(const Instruction& instruction) {
  return Reads(instruction.kind) || (instruction.kind == Kind::kUse && Tries(instruction.use));
}

class Generator {
 public:
  Generator(uint64_t seed, const Limits& limits) : random_(seed), limits_(limits) {}

  Program Generate() {
    ChooseOrders();
    switch (random_.Below(10)) {
      case 0:
      case 1:
      case 2:
      case 3:
        MakeRing();
        break;
      case 4:
      case 5:
      case 6:
        MakeMessage();
        break;
      case 7:
        MakeChain();
        break;
      default:
        MakeAny();
        break;
    }
    for (int more = random_.Below(4); more > 0; --more) Insert();
    if (random_.Percent(25)) InsertCondition();
    return Finish();
  }

  Program GenerateWithObjects() {
    ChooseOrders();
    usual_use_orders_ = random_.Percent(70);
    MakeObjects();
    for (int more = random_.Below(3); more > 0; --more) Insert();
    if (random_.Percent(15)) InsertCondition();
    return Finish();
  }

 private:
  void ChooseOrders() {
    // Relaxed, acquire or release, seq_cst.
    orders_ = random_.Of<std::array<int, 3>>(
        {{1, 1, 1}, {1, 1, 4}, {0, 1, 3}, {1, 0, 2}, {1, 4, 1}, {1, 2, 0}, {1, 0, 0}, {0, 0, 1}});
    fence_percent_ = random_.Of({0, 15, 50});
    update_percent_ = random_.Of({0, 10, 30});
    same_values_ = random_.Percent(30);
    if (random_.Percent(20)) plain_location_ = 0;
  }

  Program Finish() {
    Shrink();
    NumberRegisters();
    for (int l = 0; l < program_.locations; ++l) program_.observed_locations.push_back(l);
    return program_;
  }

  Order LoadOrder() {
    constexpr std::array choices = {Order::kRelaxed, Order::kAcquire, Order::kSeqCst};
    return choices[random_.Weighted(orders_)];
  }
  Order StoreOrder() {
    constexpr std::array choices = {Order::kRelaxed, Order::kRelease, Order::kSeqCst};
    return choices[random_.Weighted(orders_)];
  }
  Order UpdateOrder() {
    switch (random_.Weighted(orders_)) {
      case 0:
        return Order::kRelaxed;
      case 1:
        return random_.Of({Order::kAcquire, Order::kRelease, Order::kAcqRel});
      default:
        return Order::kSeqCst;
    }
  }

  Instruction Fence() {
    Instruction fence;
    fence.kind = Kind::kFence;
    fence.order =
        random_.Percent(50)
            ? Order::kSeqCst
            : random_.Of({Order::kAcquire, Order::kRelease, Order::kAcqRel, Order::kSeqCst});
    return fence;
  }

  // Small, so that compare-exchanges and conditions meet it; mostly another one at each store.
  int NewValue() { return same_values_ ? 1 + random_.Below(2) : 1 + stores_++ % 6; }

  Instruction Access(Kind kind, int location) {
    Instruction access;
    access.kind = kind;
    access.location = location;
    const bool plain = (kind == Kind::kLoad || kind == Kind::kStore) &&
                       (location == plain_location_ ? random_.Percent(90) : random_.Percent(1));
    switch (kind) {
      case Kind::kLoad:
        access.order = plain ? Order::kPlain : LoadOrder();
        break;
      case Kind::kStore:
        access.order = plain ? Order::kPlain : StoreOrder();
        access.value.constant = NewValue();
        break;
      case Kind::kFetchAdd:
        access.order = UpdateOrder();
        access.value.constant = 1 + random_.Below(2);
        break;
      case Kind::kCompareExchange:
        access.failure = LoadOrder();
        access.expected.constant = random_.Percent(60) ? 0 : random_.Below(3);
        [[fallthrough]];
      case Kind::kExchange:
        access.order = UpdateOrder();
        access.value.constant = NewValue();
        break;
      case Kind::kFence:
      case Kind::kUse:
      case Kind::kSkipIf:
        break;
    }
    return access;
  }

  Kind Update() { return random_.Of({Kind::kExchange, Kind::kFetchAdd, Kind::kCompareExchange}); }
  Kind ReadKind() { return random_.Percent(update_percent_) ? Update() : Kind::kLoad; }
  Kind WriteKind() { return random_.Percent(update_percent_) ? Update() : Kind::kStore; }
  Kind AnyKind() { return random_.Percent(50) ? ReadKind() : WriteKind(); }

  // What takes and what gives back, of each kind of object.
  struct Pair {
    Use take, attempt, give;
  };
  enum class ObjectKind { kMutex, kRwLock, kSemaphore };
  Pair PairOf(int object) {
    switch (object_kinds_[object]) {
      case ObjectKind::kMutex:
        return {Use::kLock, Use::kTryLock, Use::kUnlock};
      case ObjectKind::kRwLock:
        return {random_.Percent(50) ? Use::kReadLock : Use::kWriteLock, Use::kTryReadLock,
                Use::kRwUnlock};
      case ObjectKind::kSemaphore:
        break;
    }
    return {Use::kWait, Use::kTryWait, Use::kPost};
  }

  Instruction UseOf(Use use, int object) {
    Instruction made;
    made.kind = Kind::kUse;
    made.use = use;
    made.location = object;
    const bool gives = use == Use::kUnlock || use == Use::kRwUnlock || use == Use::kPost;
    made.order = gives ? Order::kRelease : Order::kAcquire;
    if (usual_use_orders_) return made;
    made.order = random_.Of({Order::kRelaxed, Order::kAcquire, Order::kRelease, Order::kAcqRel});
    if (Tries(use)) made.failure = random_.Of({Order::kRelaxed, Order::kAcquire});
    return made;
  }

  void MakeObjects() {
    const int threads = random_.Of({2, 2, 3, 3, 4});
    program_.locations = random_.Of({1, 1, 2});
    program_.threads.resize(threads);
    for (int objects = random_.Of({1, 1, 2}); objects > 0; --objects) {
      object_kinds_.push_back(
          random_.Of({ObjectKind::kMutex, ObjectKind::kRwLock, ObjectKind::kSemaphore}));
      const bool semaphore = object_kinds_.back() == ObjectKind::kSemaphore;
      program_.objects.push_back(semaphore ? random_.Of({0, 1, 1, 2}) : random_.Percent(5) ? 1 : 0);
    }
    for (Thread& thread : program_.threads)
      for (int parts = threads == 2 ? random_.Of({1, 2, 3}) : random_.Of({1, 1, 2}); parts > 0;
           --parts)
        MakePart(thread);
  }

  int AnyObject() { return random_.Below(static_cast<int>(program_.objects.size())); }

  void SomeAccesses(Thread& thread, int most) {
    for (int i = random_.Below(most + 1); i > 0; --i) {
      MaybeFence(thread);
      thread.push_back(Access(AnyKind(), random_.Below(program_.locations)));
    }
  }

  void MakePart(Thread& thread) {
    const int object = AnyObject();
    const Pair pair = PairOf(object);
    const int choice = random_.Below(100);
    if (choice < 40) {  // a critical section, perhaps around another
      thread.push_back(UseOf(pair.take, object));
      const int inner = AnyObject();
      const Pair inner_pair = PairOf(inner);
      const bool nested = inner != object && random_.Percent(40);
      if (nested) thread.push_back(UseOf(inner_pair.take, inner));
      SomeAccesses(thread, 2);
      if (nested) thread.push_back(UseOf(inner_pair.give, inner));
      if (random_.Percent(85)) thread.push_back(UseOf(pair.give, object));
    } else if (choice < 60) {  // if it can be had
      thread.push_back(UseOf(pair.attempt, object));
      Instruction skip;
      skip.kind = Kind::kSkipIf;
      skip.condition = Result(thread, static_cast<int>(thread.size()) - 1);
      thread.push_back(skip);
      const size_t begin = thread.size();
      SomeAccesses(thread, 1);
      thread.push_back(UseOf(pair.give, object));
      thread[begin - 1].skip = static_cast<int>(thread.size() - begin);
    } else if (choice < 85) {
      thread.push_back(UseOf(random_.Of({pair.take, pair.attempt, pair.give}), object));
    } else {
      SomeAccesses(thread, 1);
    }
  }

  void MaybeFence(Thread& thread) {
    if (random_.Percent(fence_percent_)) thread.push_back(Fence());
  }

  // Store buffering, load buffering, 2+2W, WRC, RWC, IRIW and what has no name.
  void MakeRing() {
    const int threads = random_.Of({2, 2, 3, 3, 4});
    program_.locations = random_.Percent(70) ? std::min(threads, 3) : 2;
    program_.threads.resize(threads);
    const bool store_buffering = random_.Percent(30);
    for (int t = 0; t < threads; ++t) {
      // At each corner two accesses meet, of which one writes.
      const int location = t % program_.locations;
      const bool write_first = !store_buffering && random_.Percent(50);
      const bool write_second = !write_first || random_.Percent(30);
      Thread& ends = program_.threads[t];
      MaybeFence(ends);
      ends.push_back(Access(write_first ? WriteKind() : ReadKind(), location));
      Thread& begins = program_.threads[(t + 1) % threads];
      begins.insert(begins.begin(), Access(write_second ? WriteKind() : ReadKind(), location));
    }
  }

  // What is behind a flag, which others pass on.
  void MakeMessage() {
    const int threads = random_.Of({2, 3, 3, 4});
    program_.locations = random_.Percent(70) ? 2 : 3;
    program_.threads.resize(threads);
    const int data = 0;
    Thread& writer = program_.threads[0];
    writer.push_back(Access(Kind::kStore, data));
    MaybeFence(writer);
    writer.push_back(Access(WriteKind(), 1));
    if (random_.Percent(40)) writer.push_back(Access(WriteKind(), 1));
    if (random_.Percent(20)) writer.push_back(Access(WriteKind(), 1));
    for (int t = 1; t + 1 < threads; ++t) {
      Thread& thread = program_.threads[t];
      if (random_.Percent(60)) {
        thread.push_back(Access(Update(), 1));
      } else {
        thread.push_back(Access(Kind::kLoad, 1));
        MaybeFence(thread);
        thread.push_back(Access(WriteKind(), program_.locations - 1));
      }
    }
    Thread& reader = program_.threads[threads - 1];
    reader.push_back(Access(ReadKind(), program_.locations - 1));
    MaybeFence(reader);
    if (random_.Percent(30)) {
      Instruction skip;
      skip.kind = Kind::kSkipIf;
      skip.condition = Result(reader, 0);
      skip.skip = 1;
      reader.push_back(skip);
    }
    reader.push_back(Access(random_.Percent(80) ? Kind::kLoad : WriteKind(), data));
  }

  void MakeChain() {
    const int threads = random_.Of({2, 3, 4});
    program_.locations = random_.Of({1, 2});
    program_.threads.resize(threads);
    for (Thread& thread : program_.threads)
      for (int i = random_.Of({1, 1, 2}); i > 0; --i) {
        const Kind kind = random_.Percent(60) ? Update() : AnyKind();
        thread.push_back(Access(kind, random_.Below(program_.locations)));
      }
  }

  void MakeAny() {
    const int threads = random_.Of({2, 2, 3, 3, 4});
    program_.locations = random_.Of({1, 2, 2, 3});
    program_.threads.resize(threads);
    for (Thread& thread : program_.threads)
      for (int i = 1 + random_.Below(threads == 2 ? 4 : 2); i > 0; --i) {
        MaybeFence(thread);
        thread.push_back(Access(AnyKind(), random_.Below(program_.locations)));
      }
  }

  void Insert() {
    Thread& thread = program_.threads[random_.Below(static_cast<int>(program_.threads.size()))];
    const int at = random_.Below(static_cast<int>(thread.size()) + 1);
    // A condition keeps what it skips, and may skip this instead.
    if (random_.Percent(fence_percent_)) {
      thread.insert(thread.begin() + at, Fence());
      return;
    }
    Instruction access = Access(AnyKind(), random_.Below(program_.locations));
    if (access.kind == Kind::kStore && random_.Percent(30)) {
      access.value.reg = ReadBefore(thread, at);
      if (access.value.reg != kNoRegister) access.value.constant = random_.Below(2);
    }
    if (access.kind == Kind::kCompareExchange && random_.Percent(30)) {
      access.expected.reg = ReadBefore(thread, at);
      if (access.expected.reg != kNoRegister) access.expected.constant = 0;
    }
    thread.insert(thread.begin() + at, access);
  }

  void InsertCondition() {
    Thread& thread = program_.threads[random_.Below(static_cast<int>(program_.threads.size()))];
    const int at = random_.Below(static_cast<int>(thread.size()) + 1);
    Instruction skip;
    skip.kind = Kind::kSkipIf;
    skip.condition = ReadBefore(thread, at);
    if (skip.condition == kNoRegister) return;
    skip.equals = random_.Percent(70) ? 0 : 1 + random_.Below(2);
    skip.skip = 1 + random_.Below(2);
    thread.insert(thread.begin() + at, skip);
  }

  // Registers have numbers of their own until the program is complete.
  int Result(Thread& thread, int instruction) {
    if (thread[instruction].result == kNoRegister) thread[instruction].result = 1000 + results_++;
    return thread[instruction].result;
  }

  int ReadBefore(Thread& thread, int end) {
    for (int i = end; i-- > 0;)
      if (HasResult(thread[i])) return Result(thread, i);
    return kNoRegister;
  }

  int Events() const {
    int events = 0;
    for (const Thread& thread : program_.threads)
      for (const Instruction& instruction : thread) events += instruction.kind != Kind::kSkipIf;
    return events;
  }

  // Takes from the end of the longest thread until brute force can do it.
  void Shrink() {
    while (Events() > limits_.events || Graphs(program_) > limits_.graphs) {
      Thread& longest =
          *std::max_element(program_.threads.begin(), program_.threads.end(),
                            [](const Thread& a, const Thread& b) { return a.size() < b.size(); });
      if (longest.size() > 1)
        longest.pop_back();
      else
        program_.threads.pop_back();
    }
    for (Thread& thread : program_.threads)
      while (!thread.empty() && thread.back().kind == Kind::kSkipIf) thread.pop_back();
    std::erase_if(program_.threads, [](const Thread& thread) { return thread.empty(); });
  }

  void NumberRegisters() {
    for (Thread& thread : program_.threads) {
      for (Instruction& instruction : thread) {
        if (!HasResult(instruction)) continue;
        const int old = instruction.result;
        instruction.result = program_.registers++;
        if (old == kNoRegister) continue;
        for (Instruction& other : thread)
          for (int* reg : {&other.value.reg, &other.expected.reg, &other.condition})
            if (*reg == old) *reg = instruction.result;
      }
    }
  }

  Random random_;
  const Limits limits_;
  Program program_;
  std::array<int, 3> orders_ = {};
  int fence_percent_ = 0;
  int update_percent_ = 0;
  bool same_values_ = false;
  int plain_location_ = -1;
  bool usual_use_orders_ = true;
  std::vector<ObjectKind> object_kinds_;
  int stores_ = 0;
  int results_ = 0;
};

}  // namespace

Program GenerateProgram(uint64_t seed, const Limits& limits) {
  return Generator(seed, limits).Generate();
}

Program GenerateProgramWithObjects(uint64_t seed, const Limits& limits) {
  return Generator(seed, limits).GenerateWithObjects();
}

double Graphs(const Program& program) {
  double graphs = 1;
  for (size_t object = 0; object < program.objects.size(); ++object) {
    int uses = 0;
    for (const Thread& thread : program.threads) {
      int of_thread = 0;
      for (const Instruction& instruction : thread)
        if (instruction.kind == Kind::kUse && instruction.location == static_cast<int>(object))
          graphs = graphs * ++uses / ++of_thread;
    }
  }
  for (int location = 0; location < program.locations; ++location) {
    int writes = 0;
    int reads = 0;
    for (const Thread& thread : program.threads)
      for (const Instruction& instruction : thread) {
        if (instruction.kind == Kind::kUse || instruction.location != location) continue;
        reads += Reads(instruction.kind);
        writes += Writes(instruction.kind);
      }
    for (int i = 2; i <= writes; ++i) graphs *= i;
    for (int i = 0; i < reads; ++i) graphs *= writes + 1;
  }
  return graphs;
}

}  // namespace heddle::litmus
