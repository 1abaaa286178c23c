// The sizes and alignments that compilers and libraries give to operator delete are those that operator new was given.
// heddle: check --leaks
// expect: verdict=clean complete=true executions=1
// compilers: gcc clang   opt: -O0 -O2   std: c++20
#include <stdlib.h>

#include <algorithm>
#include <deque>
#include <functional>
#include <future>
#include <list>
#include <map>
#include <memory>
#include <memory_resource>
#include <new>
#include <numeric>
#include <sstream>
#include <string>
#include <unordered_map>
#include <vector>

struct alignas(128) Wide {
  ~Wide() { bytes[0] = 0; }
  volatile char bytes[128] = {};
};
struct Base {
  virtual ~Base() = default;
  long a = 1;
};
struct Derived : Base {
  long b[5] = {};
};
struct WideDerived : Base {
  Wide wide;
};
struct Second {
  virtual ~Second() = default;
  long c = 2;
};
struct Both : Base, Second {
  long d[3] = {};
};
struct Empty {};
// Operators of its own, with something in front of the object.
struct Own {
  static void* operator new(size_t size) { return (char*)::operator new(size + 32) + 32; }
  static void operator delete(void* p) { ::operator delete((char*)p - 32); }
  static void* operator new[](size_t size) { return malloc(size); }
  static void operator delete[](void* p) { free(p); }
  virtual ~Own() = default;
  long e = 3;
};
struct OwnDerived : Own {
  static void* operator new(size_t size) { return malloc(size); }
  static void operator delete(void* p, size_t size) { size == sizeof(OwnDerived) ? free(p) : abort(); }
  long f[7] = {};
};
struct Aligned16 {
  alignas(16) char bytes[48];
};

template <typename T>
static T* Keep(T* p) {
  T* volatile kept = p;
  return kept;
}

static void Forms() {
  delete Keep(new Wide);
  delete[] Keep(new Wide[3]);
  delete Keep<Base>(new Derived);
  delete Keep<Base>(new WideDerived);
  delete Keep<Second>(new Both);
  delete Keep(new Empty);
  delete[] Keep(new Empty[0]);
  delete[] Keep(new Derived[0]);
  delete[] Keep(new Derived[4]);
  delete[] Keep(new Aligned16[2]);
  delete Keep<Own>(new Own);
  delete Keep<Own>(new OwnDerived);
  delete[] Keep(new Own[2]);
  free(Keep(aligned_alloc(64, 128)));
  void* aligned = nullptr;
  if (posix_memalign(&aligned, 64, 100) == 0) free(Keep(aligned));
  const std::align_val_t one{1};
  ::operator delete(Keep(::operator new(0)));
  ::operator delete(Keep(::operator new(5, one)), one);
#ifdef __cpp_sized_deallocation
  const std::align_val_t wide{64};
  ::operator delete(Keep(::operator new(0)), size_t{0});
  ::operator delete(Keep(::operator new(0, wide)), 0, wide);
  ::operator delete(Keep(::operator new(65, wide)), 65, wide);
  ::operator delete[](Keep(::operator new[](65, wide)), 65, wide);
  ::operator delete(Keep(::operator new(2 << 20)), 2 << 20);
  ::operator delete(Keep(::operator new(5, one)), 5, one);
#endif
}

static void Containers() {
  std::vector<Wide> wide(3);
  wide.emplace_back();
  std::vector<bool> bits(100);
  bits.resize(1000);
  std::deque<int> queue;
  for (int i = 0; i < 300; ++i) queue.push_back(i);
  std::list<Wide> list(2);
  std::map<int, std::string> map;
  std::unordered_map<int, std::string> table;
  for (int i = 0; i < 40; ++i) map[i] = table[i] = std::string(size_t(i), 'a');
  std::string text(3, 'a');
  for (int i = 0; i < 8; ++i) text += text;
  text.shrink_to_fit();
  const auto shared = std::make_shared<WideDerived>();
  const std::shared_ptr<Base> other(new Both);
  const std::function<long()> function = [a = shared->a, b = other, c = text] { return a + b->a; };
  std::stable_sort(queue.begin(), queue.end(), std::greater<>());
  std::ostringstream stream;
  stream << text << function();
  std::promise<std::string> promise;
  promise.set_value(stream.str());
  promise.get_future().get();
}

static void Resources() {
  std::pmr::monotonic_buffer_resource arena;
  std::pmr::unsynchronized_pool_resource pool(&arena);
  std::pmr::synchronized_pool_resource shared_pool;
  for (std::pmr::memory_resource* resource :
       {std::pmr::new_delete_resource(), (std::pmr::memory_resource*)&arena,
        (std::pmr::memory_resource*)&pool, (std::pmr::memory_resource*)&shared_pool}) {
    for (const size_t alignment : {1, 2, 8, 16, 64, 4096})
      for (const size_t bytes : {1, 7, 64, 100, 5000, 100000})
        resource->deallocate(Keep(resource->allocate(bytes, alignment)), bytes, alignment);
    std::pmr::vector<std::pmr::string> texts(resource);
    for (int i = 0; i < 20; ++i) texts.emplace_back(size_t(i) * 5, 'a');
    std::pmr::map<int, Wide> map(resource);
    for (int i = 0; i < 5; ++i) map[i];
  }
  pool.release();
  arena.release();
}

int main() {
  Forms();
  Containers();
  Resources();
}
