// Failing allocations as C++ and the rest of malloc's family see them: each is handled.
// heddle: check
// expect: verdict=clean complete=true executions=1 outcomes=none
// heddle: check --fail-allocations 4
// expect: verdict=clean complete=true executions=5 "outcomes=aligned,new,none,nothrow,realloc"
// heddle: check --fail-allocations 2
// expect: verdict=clean complete=true executions=3 outcomes=new,none,nothrow
// heddle: check --fail-allocations 4 --visited states
// expect: verdict=clean complete=true "outcomes=aligned,new,none,nothrow,realloc"
// Derived: none of four fails, or one of them. What comes after the failed one is not made, and the exception's own
// memory is not asked to fail: at most one does.
// traces: 5 enumerated --fail-allocations 4
// compilers: gcc clang
#include <heddle.h>
#include <stdlib.h>

#include <new>

static void* volatile kept;

static const char* Run() {
  try {
    kept = ::operator new(8);
  } catch (const std::bad_alloc&) {
    return "new";
  }
  void* first = kept;
  kept = ::operator new(8, std::nothrow);
  if (kept == nullptr) {
    ::operator delete(first);
    return "nothrow";
  }
  ::operator delete(kept);
  ::operator delete(first);
  void* memory = nullptr;
  if (posix_memalign(&memory, 64, 64) != 0) return "aligned";
  kept = realloc(memory, 128);
  if (kept == nullptr) {
    free(memory);  // still there
    return "realloc";
  }
  free(kept);
  return "none";
}

int main() { heddle_outcome("%s", Run()); }
