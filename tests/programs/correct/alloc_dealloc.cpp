// All forms of operator new and delete, each pair as it belongs together.
// heddle: check
// expect: verdict=clean complete=true executions=1
// compilers: gcc clang   opt: -O0 -O2
#include <stdlib.h>
#include <string.h>

#include <memory>
#include <new>
#include <string>
#include <vector>

#include "run_threads.h"

struct alignas(64) Wide {
  char bytes[64];
};
struct Counted {
  ~Counted() { n = 0; }
  volatile int n = 1;
};
struct Base {
  virtual ~Base() = default;
};
struct Derived : Base {
  std::string text = "which is longer than what a string holds in itself";
};

static std::string early = "which is longer than what a string holds in itself";
static int* early_array = new int[4];
template <typename T>
static T* Keep(T* p) {
  T* volatile kept = p;
  return kept;
}

static void All() {
  delete Keep(new int(1));
  delete[] Keep(new int[3]);
  delete[] Keep(new Counted[3]);  // with a count in front
  delete Keep(new Wide);
  delete[] Keep(new Wide[2]);
  delete Keep<Base>(new Derived);
  ::operator delete(Keep(::operator new(8, std::nothrow)));
  ::operator delete[](Keep(::operator new[](8, std::nothrow)));
  ::operator delete(Keep(::operator new(8)), std::nothrow);
  ::operator delete[](Keep(::operator new[](8)), std::nothrow);
  const std::align_val_t wide{128};
  ::operator delete(Keep(::operator new(8, wide)), wide);
  ::operator delete[](Keep(::operator new[](8, wide)), wide);
  ::operator delete(Keep(::operator new(8, wide, std::nothrow)), wide, std::nothrow);
  ::operator delete[](Keep(::operator new[](8, wide, std::nothrow)), wide, std::nothrow);
#ifdef __cpp_sized_deallocation
  ::operator delete(Keep(::operator new(8)), 8);
  ::operator delete[](Keep(::operator new[](8)), 8);
#endif
  delete Keep<int>(nullptr);
  delete[] Keep<int>(nullptr);
  free(Keep(malloc(8)));
  free(Keep(strdup("text")));
  free(realloc(Keep(malloc(8)), 80));
  delete[] Keep(new char[2 << 20]);
  std::vector<std::string> texts(3, early);
  texts.push_back(early + early);
  const auto shared = std::make_shared<std::vector<int>>(40);
  const std::unique_ptr<int[]> owned(new int[3]);
  std::unique_ptr<char, void (*)(void*)> from_c(strdup("text"), free);
  ::new (Keep(owned.get())) int(1);  // no allocation
  early.clear();
  early.shrink_to_fit();
  delete[] early_array;
}

// What libheddle calls of the program ends with a jump to operator delete.
static void* AtEnd(void* arg) {
  pthread_key_t key;
  pthread_key_create(&key, ::operator delete);
  pthread_setspecific(key, ::operator new(8));
  return arg;
}

int main() {
  try {
    All();
    RunSame(1, AtEnd);
  } catch (const std::bad_alloc&) {
  }
}
