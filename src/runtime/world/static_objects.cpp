#include "runtime/world/static_objects.h"

#include <dlfcn.h>

#include <string_view>

#include "check/data_race.h"
#include "check/shadow.h"
#include "runtime/prim/lifetime.h"
#include "runtime/prim/page.h"
#include "runtime/prim/symbol_size.h"
#include "runtime/runtime.h"
#include "runtime/world/allocate.h"
#include "runtime/world/decide_control.h"
#include "runtime/world/own_code.h"
#include "runtime/world/termination.h"

namespace heddle::runtime {
namespace {

struct StaticObject {
  void (*destructor)(void*);
  void* object;
  uintptr_t begin, end;  // what was given back
  StaticObject* next;
};

// Sizes that have been looked up.
struct KnownSize {
  uintptr_t object;
  size_t size;
};
constexpr size_t kKnownSizes = 64;
[[HEDDLE_LASTS("read off a file")]] KnownSize known_sizes[kKnownSizes];

size_t SizeOf(const void* object) {
  const auto address = reinterpret_cast<uintptr_t>(object);
  KnownSize& known = known_sizes[address / 8 % kKnownSizes];
  if (known.object != address) known = {address, SizeOfVariable(address)};
  return known.size;
}

// Those that were given back in this execution, the last one first.
[[HEDDLE_OF_EXECUTION]] StaticObject* destroyed = nullptr;

void Destroy(void* argument) {
  auto& entry = *static_cast<StaticObject*>(argument);
  entry.destructor(entry.object);
  if (!InExecution() || !IsExiting()) return;
  const auto object = reinterpret_cast<uintptr_t>(entry.object);
  // Whole granules: what shares one with it is another object.
  const uintptr_t begin = RoundUp(object, check::kGranule);
  const uintptr_t end = RoundDown(object + SizeOf(entry.object), check::kGranule);
  if (end <= begin) return;
  entry.begin = begin;
  entry.end = end;
  entry.next = destroyed;
  destroyed = &entry;
  // The place is the destructor's begin, as a call there would return to it.
  GiveBack(reinterpret_cast<void*>(begin), end - begin,
           reinterpret_cast<uintptr_t>(entry.destructor) + 1, check::GivenBack::kDestroyed);
}

// By dladdr: dlsym would take the text of the program's last dlerror.
bool IsOfIostream(void (*destructor)(void*)) {
  constexpr std::string_view kEither = "_ZNSt8ios_base4InitD";  // of its two destructors
  Dl_info info;
  return dladdr(reinterpret_cast<void*>(destructor), &info) != 0 && info.dli_sname != nullptr &&
         std::string_view(info.dli_sname).starts_with(kEither);
}

// Does nobody access it in a way that is seen? The system's libraries have such objects, and every
// file with <iostream> has one. Those of functions are asked for in each execution: that takes
// long.
bool IsUnseen(void (*destructor)(void*), const void* object) {
  if (InExecution()) return false;
  return IsSystemCode(reinterpret_cast<uintptr_t>(object)) || IsOfIostream(destructor);
}

}  // namespace

void ForgetClosedObjects() {
  for (StaticObject** link = &destroyed; *link != nullptr;) {
    StaticObject& entry = **link;
    if (IsInModule(entry.begin)) {
      link = &entry.next;
    } else {
      check::ForgetRange(entry.begin, entry.end - entry.begin);
      *link = entry.next;
    }
  }
}

int RegisterDestructor(void (*destructor)(void*), void* object, void* module,
                       RegisterExit register_exit) {
  // Those of libraries come first, and nothing is decided for them: what is registered before
  // LeaveAtExit (decide_control.cpp) need not run in every execution.
  const bool ordinary = g_decided && !Controlled();
  if (object == nullptr || ordinary || IsUnseen(destructor, object) || !HeapIsOurs())
    return register_exit(destructor, object, module);
  auto* entry = InExecution() ? static_cast<StaticObject*>(g_state.bump.Take(sizeof(StaticObject)))
                              : new StaticObject;
  *entry = {destructor, object, 0, 0, nullptr};
  g_state.memory_ends = true;
  return register_exit(Destroy, entry, module);
}

}  // namespace heddle::runtime
