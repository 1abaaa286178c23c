// Memory is given back by operator delete, but with another alignment or size than operator new was given.
// compilers: gcc clang   opt: -O0 -O2   std: c++20
// heddle: check -- aligned_by_plain
// expect: verdict=bug kind=alloc-dealloc-mismatch location=@plain message~"is given back by operator delete, but comes from operator new with alignment 64, allocated by main" executions=1
// heddle: check -- plain_by_aligned
// expect: verdict=bug kind=alloc-dealloc-mismatch location=@aligned message~"is given back by operator delete with alignment 64, but comes from operator new, allocated by main" executions=1
// heddle: check -- other_alignment
// expect: verdict=bug kind=alloc-dealloc-mismatch location=@aligned message~"is given back by operator delete with alignment 64, but comes from operator new with alignment 32, allocated by main" executions=1
// heddle: check -- array_by_plain
// expect: verdict=bug kind=alloc-dealloc-mismatch location=@plain_array message~"is given back by operator delete[], but comes from operator new[] with alignment 128, allocated by main" executions=1
// heddle: check -- fewer
// expect: verdict=bug kind=alloc-dealloc-mismatch location=@sized message~"is given back by operator delete as 24 bytes, but is of 40, and comes from operator new, allocated by main" executions=1
// heddle: check -- more
// expect: verdict=bug kind=alloc-dealloc-mismatch location=@sized message~"is given back by operator delete as 24 bytes, but is of 23, and comes from operator new, allocated by main" executions=1
// heddle: check -- fewer_aligned
// expect: verdict=bug kind=alloc-dealloc-mismatch location=@sized_aligned message~"is given back by operator delete as 24 bytes, but is of 128, and comes from operator new, allocated by main" executions=1
// heddle: check -- large
// expect: verdict=bug kind=alloc-dealloc-mismatch location=@sized message~"is given back by operator delete as 24 bytes, but is of 2097152, and comes from operator new, allocated by main" executions=1
// heddle: check -- allocator
// expect: verdict=bug kind=alloc-dealloc-mismatch executions=1
// heddle: check -- base
// expect: verdict=bug kind=alloc-dealloc-mismatch executions=1
// Two threads: the one that takes the block out of its place knows only what it puts there itself.
// heddle: check -- threads
// expect: verdict=bug kind=alloc-dealloc-mismatch preemptions=0 message~", allocated by T"
// traces: 2 enumerated --keep-going -- threads
#include <string.h>

#include <memory>
#include <new>

#include "run_threads.h"

// Clang has these only by an option.
void operator delete(void*, size_t) noexcept;
void operator delete(void*, size_t, std::align_val_t) noexcept;

struct Small {
  long a[3];
};
struct Large : Small {
  long b[2];
};

static constexpr std::align_val_t kWide{64};
static void* volatile kept;  // so that the compiler does not know what is given back
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void Plain() { ::operator delete(kept); }                    // @plain
static void PlainArray() { ::operator delete[](kept); }             // @plain_array
static void Aligned() { ::operator delete(kept, kWide); }           // @aligned
static void Sized() { ::operator delete(kept, sizeof(Small)); }     // @sized
static void SizedAligned() { ::operator delete(kept, 24, kWide); }  // @sized_aligned

static void* PutSmall(void* arg) {
  pthread_mutex_lock(&mutex);
  if (kept != nullptr) Sized();
  kept = ::operator new(sizeof(Small));
  pthread_mutex_unlock(&mutex);
  return arg;
}

static void* PutLarge(void* arg) {
  pthread_mutex_lock(&mutex);
  if (kept != nullptr) ::operator delete(kept, sizeof(Large));
  kept = ::operator new(sizeof(Large));
  pthread_mutex_unlock(&mutex);
  return arg;
}

int main(int argc, char** argv) {
  const auto is = [&](const char* name) { return argc == 2 && strcmp(argv[1], name) == 0; };
  if (is("aligned_by_plain")) kept = ::operator new(8, kWide), Plain();
  if (is("plain_by_aligned")) kept = ::operator new(8), Aligned();
  if (is("other_alignment")) kept = ::operator new(8, std::align_val_t(32)), Aligned();
  if (is("array_by_plain")) kept = ::operator new[](8, std::align_val_t(128)), PlainArray();
  if (is("fewer")) kept = ::operator new(sizeof(Large)), Sized();
  if (is("more")) kept = ::operator new(23), Sized();
  if (is("fewer_aligned")) kept = ::operator new(100, kWide), SizedAligned();
  if (is("large")) kept = ::operator new(2 << 20), Sized();
  if (is("allocator")) {  // of five
    kept = std::allocator<int>().allocate(5);
#ifdef __cpp_sized_deallocation
    std::allocator<int>().deallocate((int*)kept, 3);
#else
    Sized();
#endif
  }
  if (is("base")) {  // without a virtual destructor
    kept = new Large;
#ifdef __cpp_sized_deallocation
    delete (Small*)kept;
#else
    Sized();
#endif
  }
  if (is("threads")) {
    const Body bodies[] = {PutSmall, PutLarge};
    RunThreads(2, bodies);
    ::operator delete(kept);
  }
}
