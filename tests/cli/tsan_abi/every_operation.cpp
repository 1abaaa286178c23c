// What C++ adds to every_operation.c: the standard atomics, virtual tables, exceptions, threads
// that contend for real. The output must be the same whether or not it was compiled with
// -fsanitize=thread. Used by tests/cli/test_tsan_abi.sh.
#include <atomic>
#include <cstdio>
#include <cstring>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace {

template <typename T>
void Atomics(const char* name) {
  std::atomic<T> cell{T(1)};
  cell.store(T(2), std::memory_order_relaxed);
  cell = T(3);
  T sum = cell.load(std::memory_order_acquire) + cell;
  sum += cell.exchange(T(40), std::memory_order_acq_rel);
  T expected = T(41);
  sum += T(cell.compare_exchange_strong(expected, T(5)));
  sum += T(cell.compare_exchange_strong(expected, T(50), std::memory_order_release,
                                        std::memory_order_relaxed));
  while (!cell.compare_exchange_weak(expected, T(expected + 2))) {
  }
  if constexpr (std::is_integral_v<T>) {
    sum += cell.fetch_add(3) + cell.fetch_sub(1, std::memory_order_relaxed) + cell.fetch_or(8);
    sum += cell.fetch_and(T(0x7f)) + cell.fetch_xor(1);
    sum += ++cell;
    sum += cell--;
  }
  std::printf("%s %lld\n", name, static_cast<long long>(sum));
}

struct Base {
  virtual ~Base() { ++ended; }
  virtual int Value() const { return 1; }
  static int ended;
};
int Base::ended;
struct Derived : Base {
  explicit Derived(int value) : value(value) {}
  ~Derived() override { ended += 10; }
  int Value() const override { return value; }
  int value;
};

int Thrower(int depth) {
  if (depth == 0) throw std::runtime_error("from below");
  std::string local(static_cast<size_t>(depth), 'x');
  return Thrower(depth - 1) + static_cast<int>(local.size());
}

struct Pair {
  void* first;
  unsigned long second;
  bool operator==(const Pair&) const = default;
};

// Threads that really run at the same time: without heddle, atomics must be atomic.
void Contend() {
  constexpr int kThreads = 4;
  constexpr int kRounds = 20000;
  alignas(16) static unsigned __int128 wide;
  static std::atomic<uint8_t> narrow;
  static std::atomic<uint64_t> word;
  static int guarded;
  std::mutex mutex;
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i)
    threads.emplace_back([&] {
      for (int round = 0; round < kRounds; ++round) {
        __atomic_fetch_add(&wide, ((static_cast<unsigned __int128>(1)) << 64) + 1,
                           __ATOMIC_SEQ_CST);
        narrow.fetch_add(1);
        word.fetch_xor(static_cast<uint64_t>(round));
        std::lock_guard<std::mutex> lock(mutex);
        ++guarded;
      }
    });
  for (std::thread& thread : threads) thread.join();
  std::printf("contended %llu %llu %d %llu %d\n", static_cast<unsigned long long>(wide >> 64),
              static_cast<unsigned long long>(wide), narrow.load(),
              static_cast<unsigned long long>(word.load()), guarded);
}

}  // namespace

int main() {
  Atomics<char>("char");
  Atomics<short>("short");
  Atomics<int>("int");
  Atomics<long>("long");
  Atomics<unsigned long long>("unsigned long long");
  Atomics<double>("double");
  std::atomic<bool> flag{false};
  std::printf("bool %d\n", flag.exchange(true) + 2 * flag.load());

  std::atomic<Pair> pair{Pair{nullptr, 1}};
  Pair seen = pair.load();
  std::printf("pair %d", pair.compare_exchange_strong(seen, Pair{&seen, 2}));
  std::printf(" %lu\n", pair.load().second);

  std::unique_ptr<Base> objects[] = {std::make_unique<Base>(), std::make_unique<Derived>(7)};
  int values = 0;
  for (auto& object : objects) values += object->Value();
  for (auto& object : objects) object.reset();
  std::printf("virtual %d %d\n", values, Base::ended);

  try {
    Thrower(20);
  } catch (const std::exception& error) {
    std::printf("caught %s\n", error.what());
  }

  auto shared = std::make_shared<std::vector<std::string>>(
      100, "a string that is too long for the small buffer");
  std::weak_ptr<std::vector<std::string>> weak = shared;
  auto copy = *shared;
  shared.reset();
  std::printf("shared %zu %d\n", copy.size() + copy[99].size(), weak.expired());
  std::atomic_thread_fence(std::memory_order_acq_rel);
  std::atomic_signal_fence(std::memory_order_acq_rel);
  Contend();
}
