// operator new and delete, the program's and heddle's own: whose a call is tells where it returns
// to (own_code.h).
//
// heddle's have heddle's own heap, and nothing throws there: heddle without memory cannot go on.
//
// The program's go on to the C++ library's, which call malloc and free (hooks/heap.cpp). Only the
// family of the block is noted (world/allocate.h), unless the program brings one of these operators
// itself: then nobody knows which of them belong together.
#include <dlfcn.h>
#include <stdlib.h>

#include <new>
#include <type_traits>

#include "base/check.h"
#include "runtime/export.h"
#include "runtime/hooks/cpp_library.h"
#include "runtime/hooks/own_code.h"
#include "runtime/memory/own_heap.h"
#include "runtime/prim/lifetime.h"
#include "runtime/prim/real.h"
#include "runtime/runtime.h"
#include "runtime/world/allocate.h"

extern "C" {
// Where the operators lie; the linker defines both.
extern __attribute__((visibility("hidden"))) const char __start_heddle_operators[];
extern __attribute__((visibility("hidden"))) const char __stop_heddle_operators[];
}

namespace heddle::runtime {
namespace {

constexpr const char* kOperators[] = {
    "_Znwm",
    "_Znam",
    "_ZnwmSt11align_val_t",
    "_ZnamSt11align_val_t",
    "_ZnwmRKSt9nothrow_t",
    "_ZnamRKSt9nothrow_t",
    "_ZnwmSt11align_val_tRKSt9nothrow_t",
    "_ZnamSt11align_val_tRKSt9nothrow_t",
    "_ZdlPv",
    "_ZdaPv",
    "_ZdlPvm",
    "_ZdaPvm",
    "_ZdlPvSt11align_val_t",
    "_ZdaPvSt11align_val_t",
    "_ZdlPvmSt11align_val_t",
    "_ZdaPvmSt11align_val_t",
    "_ZdlPvRKSt9nothrow_t",
    "_ZdaPvRKSt9nothrow_t",
    "_ZdlPvSt11align_val_tRKSt9nothrow_t",
    "_ZdaPvSt11align_val_tRKSt9nothrow_t",
};

// Are all operators that the program calls ours?
bool AreOurs() {
  for (const char* name : kOperators)
    if (!IsOurs(reinterpret_cast<uintptr_t>(dlsym(RTLD_DEFAULT, name)))) return false;
  return true;
}

bool FamiliesAreKnown() {
  [[HEDDLE_LASTS("found once")]] static const bool known = AreOurs();
  return known;
}

// The C++ library's function of a name, looked up at the first call. Null: it is linked into the
// program, and ours took the function's place.
template <typename Function>
class Behind {
 public:
  constexpr explicit Behind(const char* name) : name(name) {}
  Function* Find() {
    if (function_ == nullptr) function_ = reinterpret_cast<Function*>(FindReal(name));
    return function_;
  }
  const char* const name;

 private:
  Function* function_ = nullptr;
};

size_t AlignmentIn(std::align_val_t alignment) { return static_cast<size_t>(alignment); }
size_t AlignmentIn(std::align_val_t alignment, const std::nothrow_t&) {
  return AlignmentIn(alignment);
}
size_t AlignmentIn(const std::nothrow_t&) { return 16; }
size_t AlignmentIn() { return 16; }

// In place of the C++ library's.
template <typename... Given>
void* Allocate(const char* name, size_t bytes, Given... given) {
  constexpr bool kThrows = !(std::is_same_v<Given, const std::nothrow_t&> || ...);
  void* payload = aligned_alloc(AlignmentIn(given...), bytes);
  if (payload == nullptr && kThrows) FindInCppLibrary(name);  // which says what is wrong
  return payload;
}

template <typename... Given>
[[gnu::always_inline]] inline void* New(Behind<void*(size_t, Given...)>& behind, HeapFamily family,
                                        size_t bytes, std::type_identity_t<Given>... given) {
  auto* const function = behind.Find();
  void* payload = function != nullptr ? function(bytes, given...)
                                      : Allocate<Given...>(behind.name, bytes, given...);
  if (FamiliesAreKnown()) NoteFamily(payload, family);
  return payload;
}

template <typename... Given>
[[gnu::always_inline]] inline void Delete(Behind<void(void*, Given...)>& behind, HeapFamily family,
                                          void* payload, uintptr_t caller,
                                          std::type_identity_t<Given>... given) {
  if (FamiliesAreKnown()) NoteDelete(payload, family, caller);
  if (auto* const function = behind.Find(); function != nullptr)
    function(payload, given...);
  else
    free(payload);
}

void* TakeOrEnd(size_t bytes, size_t alignment = 16) {
  void* payload = TakeOwn(bytes, alignment);
  HEDDLE_CHECK(payload != nullptr);
  return payload;
}

// The C++ library's operators end with jumps to each other, so they may return to ours.
bool IsOwnCall(uintptr_t caller) {
  return IsOurs(caller) &&
         caller - reinterpret_cast<uintptr_t>(__start_heddle_operators) >=
             static_cast<uintptr_t>(__stop_heddle_operators - __start_heddle_operators);
}

}  // namespace
}  // namespace heddle::runtime

using namespace heddle::runtime;  // NOLINT: this file defines the C++ library's names
using std::align_val_t;
using Nothrow = const std::nothrow_t&;

// Never inlined, so that it is known where they return to; tools/check_own_calls looks whether a
// hook ends with a jump to one.
#define HEDDLE_OPERATOR HEDDLE_EXPORT __attribute__((noinline, section("heddle_operators")))
#define CALLER HEDDLE_ACCESS_CALLER

HEDDLE_OPERATOR void* operator new(size_t n) {
  [[HEDDLE_LASTS("found once")]] static Behind<void*(size_t)> behind("_Znwm");
  return IsOwnCall(CALLER) ? TakeOrEnd(n) : New(behind, HeapFamily::kNew, n);
}
HEDDLE_OPERATOR void* operator new[](size_t n) {
  [[HEDDLE_LASTS("found once")]] static Behind<void*(size_t)> behind("_Znam");
  return IsOwnCall(CALLER) ? TakeOrEnd(n) : New(behind, HeapFamily::kNewArray, n);
}
HEDDLE_OPERATOR void* operator new(size_t n, align_val_t a) {
  [[HEDDLE_LASTS("found once")]] static Behind<void*(size_t, align_val_t)> behind(
      "_ZnwmSt11align_val_t");
  return IsOwnCall(CALLER) ? TakeOrEnd(n, AlignmentIn(a)) : New(behind, HeapFamily::kNew, n, a);
}
HEDDLE_OPERATOR void* operator new[](size_t n, align_val_t a) {
  [[HEDDLE_LASTS("found once")]] static Behind<void*(size_t, align_val_t)> behind(
      "_ZnamSt11align_val_t");
  return IsOwnCall(CALLER) ? TakeOrEnd(n, AlignmentIn(a))
                           : New(behind, HeapFamily::kNewArray, n, a);
}
HEDDLE_OPERATOR void* operator new(size_t n, Nothrow nothrow) noexcept {
  [[HEDDLE_LASTS("found once")]] static Behind<void*(size_t, Nothrow)> behind(
      "_ZnwmRKSt9nothrow_t");
  return IsOwnCall(CALLER) ? TakeOwn(n) : New(behind, HeapFamily::kNew, n, nothrow);
}
HEDDLE_OPERATOR void* operator new[](size_t n, Nothrow nothrow) noexcept {
  [[HEDDLE_LASTS("found once")]] static Behind<void*(size_t, Nothrow)> behind(
      "_ZnamRKSt9nothrow_t");
  return IsOwnCall(CALLER) ? TakeOwn(n) : New(behind, HeapFamily::kNewArray, n, nothrow);
}
HEDDLE_OPERATOR void* operator new(size_t n, align_val_t a, Nothrow nothrow) noexcept {
  [[HEDDLE_LASTS("found once")]] static Behind<void*(size_t, align_val_t, Nothrow)> behind(
      "_ZnwmSt11align_val_tRKSt9nothrow_t");
  return IsOwnCall(CALLER) ? TakeOwn(n, AlignmentIn(a))
                           : New(behind, HeapFamily::kNew, n, a, nothrow);
}
HEDDLE_OPERATOR void* operator new[](size_t n, align_val_t a, Nothrow nothrow) noexcept {
  [[HEDDLE_LASTS("found once")]] static Behind<void*(size_t, align_val_t, Nothrow)> behind(
      "_ZnamSt11align_val_tRKSt9nothrow_t");
  return IsOwnCall(CALLER) ? TakeOwn(n, AlignmentIn(a))
                           : New(behind, HeapFamily::kNewArray, n, a, nothrow);
}

HEDDLE_OPERATOR void operator delete(void* p) noexcept {
  [[HEDDLE_LASTS("found once")]] static Behind<void(void*)> behind("_ZdlPv");
  IsOwnCall(CALLER) ? GiveBackOwn(p) : Delete(behind, HeapFamily::kNew, p, CALLER);
}
HEDDLE_OPERATOR void operator delete[](void* p) noexcept {
  [[HEDDLE_LASTS("found once")]] static Behind<void(void*)> behind("_ZdaPv");
  IsOwnCall(CALLER) ? GiveBackOwn(p) : Delete(behind, HeapFamily::kNewArray, p, CALLER);
}
HEDDLE_OPERATOR void operator delete(void* p, size_t n) noexcept {
  [[HEDDLE_LASTS("found once")]] static Behind<void(void*, size_t)> behind("_ZdlPvm");
  IsOwnCall(CALLER) ? GiveBackOwn(p) : Delete(behind, HeapFamily::kNew, p, CALLER, n);
}
HEDDLE_OPERATOR void operator delete[](void* p, size_t n) noexcept {
  [[HEDDLE_LASTS("found once")]] static Behind<void(void*, size_t)> behind("_ZdaPvm");
  IsOwnCall(CALLER) ? GiveBackOwn(p) : Delete(behind, HeapFamily::kNewArray, p, CALLER, n);
}
HEDDLE_OPERATOR void operator delete(void* p, align_val_t a) noexcept {
  [[HEDDLE_LASTS("found once")]] static Behind<void(void*, align_val_t)> behind(
      "_ZdlPvSt11align_val_t");
  IsOwnCall(CALLER) ? GiveBackOwn(p) : Delete(behind, HeapFamily::kNew, p, CALLER, a);
}
HEDDLE_OPERATOR void operator delete[](void* p, align_val_t a) noexcept {
  [[HEDDLE_LASTS("found once")]] static Behind<void(void*, align_val_t)> behind(
      "_ZdaPvSt11align_val_t");
  IsOwnCall(CALLER) ? GiveBackOwn(p) : Delete(behind, HeapFamily::kNewArray, p, CALLER, a);
}
HEDDLE_OPERATOR void operator delete(void* p, size_t n, align_val_t a) noexcept {
  [[HEDDLE_LASTS("found once")]] static Behind<void(void*, size_t, align_val_t)> behind(
      "_ZdlPvmSt11align_val_t");
  IsOwnCall(CALLER) ? GiveBackOwn(p) : Delete(behind, HeapFamily::kNew, p, CALLER, n, a);
}
HEDDLE_OPERATOR void operator delete[](void* p, size_t n, align_val_t a) noexcept {
  [[HEDDLE_LASTS("found once")]] static Behind<void(void*, size_t, align_val_t)> behind(
      "_ZdaPvmSt11align_val_t");
  IsOwnCall(CALLER) ? GiveBackOwn(p) : Delete(behind, HeapFamily::kNewArray, p, CALLER, n, a);
}
HEDDLE_OPERATOR void operator delete(void* p, Nothrow nothrow) noexcept {
  [[HEDDLE_LASTS("found once")]] static Behind<void(void*, Nothrow)> behind("_ZdlPvRKSt9nothrow_t");
  IsOwnCall(CALLER) ? GiveBackOwn(p) : Delete(behind, HeapFamily::kNew, p, CALLER, nothrow);
}
HEDDLE_OPERATOR void operator delete[](void* p, Nothrow nothrow) noexcept {
  [[HEDDLE_LASTS("found once")]] static Behind<void(void*, Nothrow)> behind("_ZdaPvRKSt9nothrow_t");
  IsOwnCall(CALLER) ? GiveBackOwn(p) : Delete(behind, HeapFamily::kNewArray, p, CALLER, nothrow);
}
HEDDLE_OPERATOR void operator delete(void* p, align_val_t a, Nothrow nothrow) noexcept {
  [[HEDDLE_LASTS("found once")]] static Behind<void(void*, align_val_t, Nothrow)> behind(
      "_ZdlPvSt11align_val_tRKSt9nothrow_t");
  IsOwnCall(CALLER) ? GiveBackOwn(p) : Delete(behind, HeapFamily::kNew, p, CALLER, a, nothrow);
}
HEDDLE_OPERATOR void operator delete[](void* p, align_val_t a, Nothrow nothrow) noexcept {
  [[HEDDLE_LASTS("found once")]] static Behind<void(void*, align_val_t, Nothrow)> behind(
      "_ZdaPvSt11align_val_tRKSt9nothrow_t");
  IsOwnCall(CALLER) ? GiveBackOwn(p) : Delete(behind, HeapFamily::kNewArray, p, CALLER, a, nothrow);
}
