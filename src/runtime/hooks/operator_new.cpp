// operator new and delete, the program's and heddle's own.
//
// heddle's have heddle's own heap, and nothing throws there: heddle without memory cannot go on. A
// delete is heddle's if the memory is. A new is if it comes from a call of libheddle's that names
// this function: what libheddle calls of the program, by its address, may end with a jump to it.
//
// The program's go on to the C++ library's, which call malloc and free (hooks/heap.cpp). Only the
// family of the block is noted (world/allocate.h), unless the program, or a library of it, brings
// one of these operators itself: then nobody knows which of them belong together.
#include "runtime/hooks/operator_new.h"

#include <dlfcn.h>
#include <link.h>
#include <stdlib.h>

#include <iterator>
#include <new>
#include <string_view>
#include <type_traits>

#include "base/check.h"
#include "runtime/export.h"
#include "runtime/hooks/cpp_library.h"
#include "runtime/hooks/own_code.h"
#include "runtime/memory/own_heap.h"
#include "runtime/prim/lifetime.h"
#include "runtime/prim/machine.h"
#include "runtime/prim/real.h"
#include "runtime/runtime.h"
#include "runtime/world/allocate.h"

extern "C" {
// Where the operators lie; the linker defines both.
extern __attribute__((visibility("hidden"))) const char __start_heddle_operators[];
extern __attribute__((visibility("hidden"))) const char __stop_heddle_operators[];
}

// Also in what is inlined into an operator.
#define CALLER HEDDLE_ACCESS_CALLER

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
constexpr size_t kCount = std::size(kOperators);

consteval size_t Named(std::string_view name) {
  size_t i = 0;
  while (kOperators[i] != name) ++i;
  return i;
}

// The C++ library's; null: it is linked into the program, where ours took their place, or not there
// yet.
[[HEDDLE_LASTS("found once")]] void* behind[kCount];
[[HEDDLE_LASTS("found once")]] bool families_are_known;
[[HEDDLE_LASTS("found once")]] bool are_found;

// Is this what the program calls? An executable that was not built to lie anywhere, and takes the
// address of a function, has an entry for it that stands for ours.
bool IsOursOrStandsForIt(const char* name) {
  void* address = dlsym(RTLD_DEFAULT, name);
  if (IsOwnCode(reinterpret_cast<uintptr_t>(address))) return true;
  Dl_info info;
  void* symbol = nullptr;
  return address != nullptr && dladdr1(address, &info, &symbol, RTLD_DL_SYMENT) != 0 &&
         symbol != nullptr && static_cast<const ElfW(Sym)*>(symbol)->st_shndx == SHN_UNDEF;
}

// The shared C++ library, for dlsym; null: there is none.
void* CppLibrary() {
  const void* within = FindReal("__cxa_begin_catch");
  Dl_info info;
  if (within == nullptr || dladdr(within, &info) == 0) return nullptr;
  return Real<&dlopen>("dlopen")(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
}

// Does the program call ours, and is behind them what the C++ library has? By look-ups in that,
// because to ask of each address whose it is (dladdr) takes 12 us, at every start.
bool FindFamilies() {
  void* library = CppLibrary();
  for (size_t i = 0; i < kCount; ++i) {
    void* const its = library != nullptr ? dlsym(library, kOperators[i]) : nullptr;
    if (!IsOursOrStandsForIt(kOperators[i]) || behind[i] != its) return false;
  }
  return true;
}

template <typename T>
using Passed = std::conditional_t<std::is_same_v<T, std::nothrow_t>, const std::nothrow_t&, T>;

size_t AlignmentIn(std::align_val_t alignment) { return static_cast<size_t>(alignment); }
size_t AlignmentIn(std::align_val_t alignment, const std::nothrow_t&) {
  return AlignmentIn(alignment);
}
size_t AlignmentIn(const std::nothrow_t&) { return 0; }
size_t AlignmentIn() { return 0; }
size_t AlignmentIn(size_t) { return 0; }
size_t AlignmentIn(size_t, std::align_val_t alignment) { return AlignmentIn(alignment); }

size_t SizeIn() { return kUnsaid; }
template <typename... More>
size_t SizeIn(size_t bytes, const More&...) {
  return bytes;
}
template <typename... More>
size_t SizeIn(const std::nothrow_t&, const More&...) {
  return kUnsaid;
}
template <typename... More>
size_t SizeIn(std::align_val_t, const More&...) {
  return kUnsaid;
}

// In place of the C++ library's, which is asked where it must throw.
template <size_t kIndex, typename... Given>
void* AllocateWithout(size_t bytes, Passed<Given>... given) {
  constexpr bool kThrows = !(std::is_same_v<Given, std::nothrow_t> || ...);
  const size_t alignment = AlignmentIn(given...);
  void* payload = alignment != 0 ? aligned_alloc(alignment, bytes) : malloc(bytes);
  if (payload != nullptr || !kThrows) return payload;
  using Function = void*(size_t, Passed<Given>...);
  return reinterpret_cast<Function*>(FindInCppLibrary(kOperators[kIndex]))(bytes, given...);
}

template <size_t kIndex, typename... Given>
[[gnu::always_inline]] inline void* New(HeapFamily family, size_t bytes, Passed<Given>... given) {
  if (__builtin_expect(!are_found, 0)) FindOperators();
  using Function = void*(size_t, Passed<Given>...);
  auto* const function = reinterpret_cast<Function*>(behind[kIndex]);
  void* payload = function != nullptr ? function(bytes, given...)
                                      : AllocateWithout<kIndex, Given...>(bytes, given...);
  if (families_are_known) NoteFamily(payload, WithAlignment(family, AlignmentIn(given...)), CALLER);
  return payload;
}

template <size_t kIndex, typename... Given>
[[gnu::always_inline]] inline void Delete(HeapFamily family, void* payload, uintptr_t caller,
                                          Passed<Given>... given) {
  if (__builtin_expect(!are_found, 0)) FindOperators();
  using Function = void(void*, Passed<Given>...);
  auto* const function = reinterpret_cast<Function*>(behind[kIndex]);
  if (families_are_known)
    NoteDelete(payload, WithAlignment(family, AlignmentIn(given...)), SizeIn(given...), caller);
  if (function != nullptr)
    function(payload, given...);
  else
    free(payload);
}

void* TakeOrEnd(size_t bytes, size_t alignment = 16) {
  void* payload = TakeOwn(bytes, alignment);
  HEDDLE_CHECK(payload != nullptr);
  return payload;
}

bool IsOwnCall(uintptr_t caller) {
  if (!IsOwnCode(caller)) return false;
  const uintptr_t begin = reinterpret_cast<uintptr_t>(__start_heddle_operators);
  const uintptr_t end = reinterpret_cast<uintptr_t>(__stop_heddle_operators);
  return DirectlyCalled(caller) - begin < end - begin;
}

bool IsOwnDelete(const void* payload) { return payload == nullptr || IsOwnMemory(payload); }

}  // namespace

void FindOperators() {
  if (are_found) return;
  for (size_t i = 0; i < kCount; ++i) behind[i] = FindReal(kOperators[i]);
  families_are_known = FindFamilies();
  are_found = true;
}

}  // namespace heddle::runtime

using namespace heddle::runtime;  // NOLINT: this file defines the C++ library's names
using std::align_val_t;
using std::nothrow_t;

// Never inlined, so that it is known where they return to; tools/check_own_calls looks whether
// anything of libheddle's ends with a jump to a new.
#define HEDDLE_OPERATOR HEDDLE_EXPORT __attribute__((noinline, section("heddle_operators")))

HEDDLE_OPERATOR void* operator new(size_t n) {
  return IsOwnCall(CALLER) ? TakeOrEnd(n) : New<Named("_Znwm")>(HeapFamily::kNew, n);
}
HEDDLE_OPERATOR void* operator new[](size_t n) {
  return IsOwnCall(CALLER) ? TakeOrEnd(n) : New<Named("_Znam")>(HeapFamily::kNewArray, n);
}
HEDDLE_OPERATOR void* operator new(size_t n, align_val_t a) {
  return IsOwnCall(CALLER)
             ? TakeOrEnd(n, AlignmentIn(a))
             : New<Named("_ZnwmSt11align_val_t"), align_val_t>(HeapFamily::kNew, n, a);
}
HEDDLE_OPERATOR void* operator new[](size_t n, align_val_t a) {
  return IsOwnCall(CALLER)
             ? TakeOrEnd(n, AlignmentIn(a))
             : New<Named("_ZnamSt11align_val_t"), align_val_t>(HeapFamily::kNewArray, n, a);
}
HEDDLE_OPERATOR void* operator new(size_t n, const nothrow_t& t) noexcept {
  return IsOwnCall(CALLER) ? TakeOwn(n)
                           : New<Named("_ZnwmRKSt9nothrow_t"), nothrow_t>(HeapFamily::kNew, n, t);
}
HEDDLE_OPERATOR void* operator new[](size_t n, const nothrow_t& t) noexcept {
  return IsOwnCall(CALLER)
             ? TakeOwn(n)
             : New<Named("_ZnamRKSt9nothrow_t"), nothrow_t>(HeapFamily::kNewArray, n, t);
}
HEDDLE_OPERATOR void* operator new(size_t n, align_val_t a, const nothrow_t& t) noexcept {
  return IsOwnCall(CALLER)
             ? TakeOwn(n, AlignmentIn(a))
             : New<Named("_ZnwmSt11align_val_tRKSt9nothrow_t"), align_val_t, nothrow_t>(
                   HeapFamily::kNew, n, a, t);
}
HEDDLE_OPERATOR void* operator new[](size_t n, align_val_t a, const nothrow_t& t) noexcept {
  return IsOwnCall(CALLER)
             ? TakeOwn(n, AlignmentIn(a))
             : New<Named("_ZnamSt11align_val_tRKSt9nothrow_t"), align_val_t, nothrow_t>(
                   HeapFamily::kNewArray, n, a, t);
}

HEDDLE_OPERATOR void operator delete(void* p) noexcept {
  IsOwnDelete(p) ? GiveBackOwn(p) : Delete<Named("_ZdlPv")>(HeapFamily::kNew, p, CALLER);
}
HEDDLE_OPERATOR void operator delete[](void* p) noexcept {
  IsOwnDelete(p) ? GiveBackOwn(p) : Delete<Named("_ZdaPv")>(HeapFamily::kNewArray, p, CALLER);
}
HEDDLE_OPERATOR void operator delete(void* p, size_t n) noexcept {
  IsOwnDelete(p) ? GiveBackOwn(p)
                 : Delete<Named("_ZdlPvm"), size_t>(HeapFamily::kNew, p, CALLER, n);
}
HEDDLE_OPERATOR void operator delete[](void* p, size_t n) noexcept {
  IsOwnDelete(p) ? GiveBackOwn(p)
                 : Delete<Named("_ZdaPvm"), size_t>(HeapFamily::kNewArray, p, CALLER, n);
}
HEDDLE_OPERATOR void operator delete(void* p, align_val_t a) noexcept {
  IsOwnDelete(p)
      ? GiveBackOwn(p)
      : Delete<Named("_ZdlPvSt11align_val_t"), align_val_t>(HeapFamily::kNew, p, CALLER, a);
}
HEDDLE_OPERATOR void operator delete[](void* p, align_val_t a) noexcept {
  IsOwnDelete(p)
      ? GiveBackOwn(p)
      : Delete<Named("_ZdaPvSt11align_val_t"), align_val_t>(HeapFamily::kNewArray, p, CALLER, a);
}
HEDDLE_OPERATOR void operator delete(void* p, size_t n, align_val_t a) noexcept {
  IsOwnDelete(p) ? GiveBackOwn(p)
                 : Delete<Named("_ZdlPvmSt11align_val_t"), size_t, align_val_t>(HeapFamily::kNew, p,
                                                                                CALLER, n, a);
}
HEDDLE_OPERATOR void operator delete[](void* p, size_t n, align_val_t a) noexcept {
  IsOwnDelete(p) ? GiveBackOwn(p)
                 : Delete<Named("_ZdaPvmSt11align_val_t"), size_t, align_val_t>(
                       HeapFamily::kNewArray, p, CALLER, n, a);
}
HEDDLE_OPERATOR void operator delete(void* p, const nothrow_t& t) noexcept {
  IsOwnDelete(p) ? GiveBackOwn(p)
                 : Delete<Named("_ZdlPvRKSt9nothrow_t"), nothrow_t>(HeapFamily::kNew, p, CALLER, t);
}
HEDDLE_OPERATOR void operator delete[](void* p, const nothrow_t& t) noexcept {
  IsOwnDelete(p)
      ? GiveBackOwn(p)
      : Delete<Named("_ZdaPvRKSt9nothrow_t"), nothrow_t>(HeapFamily::kNewArray, p, CALLER, t);
}
HEDDLE_OPERATOR void operator delete(void* p, align_val_t a, const nothrow_t& t) noexcept {
  IsOwnDelete(p) ? GiveBackOwn(p)
                 : Delete<Named("_ZdlPvSt11align_val_tRKSt9nothrow_t"), align_val_t, nothrow_t>(
                       HeapFamily::kNew, p, CALLER, a, t);
}
HEDDLE_OPERATOR void operator delete[](void* p, align_val_t a, const nothrow_t& t) noexcept {
  IsOwnDelete(p) ? GiveBackOwn(p)
                 : Delete<Named("_ZdaPvSt11align_val_tRKSt9nothrow_t"), align_val_t, nothrow_t>(
                       HeapFamily::kNewArray, p, CALLER, a, t);
}
