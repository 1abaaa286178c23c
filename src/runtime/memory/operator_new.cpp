// operator new and delete inside libheddle: heddle's own heap. The version script keeps them from
// the program, whose own operator new goes to malloc. Nothing here throws: heddle without memory
// cannot go on.
#include <new>

#include "base/check.h"
#include "runtime/memory/own_heap.h"

namespace {

void* TakeOrEnd(std::size_t bytes, std::size_t alignment) {
  void* payload = heddle::runtime::TakeOwn(bytes, alignment);
  HEDDLE_CHECK(payload != nullptr);
  return payload;
}

std::size_t Bytes(std::align_val_t alignment) { return static_cast<std::size_t>(alignment); }

}  // namespace

using heddle::runtime::GiveBackOwn;
using heddle::runtime::TakeOwn;

void* operator new(std::size_t n) { return TakeOrEnd(n, 16); }
void* operator new[](std::size_t n) { return TakeOrEnd(n, 16); }
void* operator new(std::size_t n, std::align_val_t a) { return TakeOrEnd(n, Bytes(a)); }
void* operator new[](std::size_t n, std::align_val_t a) { return TakeOrEnd(n, Bytes(a)); }
void* operator new(std::size_t n, const std::nothrow_t&) noexcept { return TakeOwn(n); }
void* operator new[](std::size_t n, const std::nothrow_t&) noexcept { return TakeOwn(n); }
void* operator new(std::size_t n, std::align_val_t a, const std::nothrow_t&) noexcept {
  return TakeOwn(n, Bytes(a));
}
void* operator new[](std::size_t n, std::align_val_t a, const std::nothrow_t&) noexcept {
  return TakeOwn(n, Bytes(a));
}

void operator delete(void* p) noexcept { GiveBackOwn(p); }
void operator delete[](void* p) noexcept { GiveBackOwn(p); }
void operator delete(void* p, std::size_t) noexcept { GiveBackOwn(p); }
void operator delete[](void* p, std::size_t) noexcept { GiveBackOwn(p); }
void operator delete(void* p, std::align_val_t) noexcept { GiveBackOwn(p); }
void operator delete[](void* p, std::align_val_t) noexcept { GiveBackOwn(p); }
void operator delete(void* p, std::size_t, std::align_val_t) noexcept { GiveBackOwn(p); }
void operator delete[](void* p, std::size_t, std::align_val_t) noexcept { GiveBackOwn(p); }
void operator delete(void* p, const std::nothrow_t&) noexcept { GiveBackOwn(p); }
void operator delete[](void* p, const std::nothrow_t&) noexcept { GiveBackOwn(p); }
void operator delete(void* p, std::align_val_t, const std::nothrow_t&) noexcept { GiveBackOwn(p); }
void operator delete[](void* p, std::align_val_t, const std::nothrow_t&) noexcept {
  GiveBackOwn(p);
}
