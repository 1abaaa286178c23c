// What threads share inside the C++ library, whose code heddle does not see.
//
// A promise that is set at the end of its thread (set_value_at_thread_exit): the library keeps it
// on a list, and stores there that it is ready. That store is made here first, by the same hook as
// any.
//
// What is set for the whole program (the handler of new, the default memory resource, the global
// locale): beside other threads that is no step, and no proof. Not the handler of terminate, whose
// name libheddle's own copy of the library takes.

#include <cstdint>

#include "runtime/export.h"
#include "runtime/hooks/cpp_library.h"
#include "runtime/prim/lifetime.h"
#include "runtime/primitives/atomic.h"
#include "runtime/runtime.h"

using namespace heddle::runtime;  // NOLINT: this file defines the C++ library's names

namespace {

// libstdc++'s, which its ABI fixes: std::__at_thread_exit_elt, then a weak_ptr<_State_baseV2>.
struct ReadyAtExit {
  ReadyAtExit* next;
  void (*run)(void*);
  struct State {
    void* vtable;
    void* result;
    unsigned status;  // _M_status, of a __atomic_futex_unsigned
  } * state;
  struct Counts {
    void* vtable;
    int uses;
    int weak_uses;
  } * counts;
};
constexpr unsigned kReady = 1;  // _Status::__ready; beside it is a bit for those that wait

[[HEDDLE_LASTS("the library's own, the same for all")]] void (*make_ready)(void*);

void MakeReadyVisibly(void* element) {
  auto& ready = *static_cast<ReadyAtExit*>(element);
  if (InExecution() && ready.counts != nullptr && ready.counts->uses != 0)
    AtomicFetch(Fetch::kOr, &ready.state->status, kReady, __ATOMIC_RELEASE, HEDDLE_CALLER);
  make_ready(element);
}

void NoteSet(const char* function) {
  if (InExecution() && g_state.several_threads) NoteIncomplete(Incomplete::kUnseenCode, function);
}

template <typename Function>
Function* Library(const char* name) {
  return reinterpret_cast<Function*>(FindInCppLibrary(name));
}

using Handler = void();

}  // namespace

extern "C" {

HEDDLE_EXPORT void heddle_set_at_thread_exit(ReadyAtExit* self)
    HEDDLE_SYMBOL("_ZNSt13__future_base13_State_baseV211_Make_ready6_M_setEv");
HEDDLE_EXPORT void heddle_set_at_thread_exit(ReadyAtExit* self) {
  Library<void(ReadyAtExit*)>("_ZNSt13__future_base13_State_baseV211_Make_ready6_M_setEv")(self);
  if (!InExecution()) return;
  make_ready = self->run;
  self->run = MakeReadyVisibly;
}

HEDDLE_EXPORT Handler* heddle_set_new_handler(Handler* handler)
    HEDDLE_SYMBOL("_ZSt15set_new_handlerPFvvE");
HEDDLE_EXPORT Handler* heddle_set_new_handler(Handler* handler) {
  NoteSet("std::set_new_handler");
  return Library<Handler*(Handler*)>("_ZSt15set_new_handlerPFvvE")(handler);
}

HEDDLE_EXPORT void* heddle_set_default_resource(void* resource)
    HEDDLE_SYMBOL("_ZNSt3pmr20set_default_resourceEPNS_15memory_resourceE");
HEDDLE_EXPORT void* heddle_set_default_resource(void* resource) {
  NoteSet("std::pmr::set_default_resource");
  return Library<void*(void*)>("_ZNSt3pmr20set_default_resourceEPNS_15memory_resourceE")(resource);
}

// The locale that was is returned in memory.
HEDDLE_EXPORT void* heddle_locale_global(void* before, const void* now)
    HEDDLE_SYMBOL("_ZNSt6locale6globalERKS_");
HEDDLE_EXPORT void* heddle_locale_global(void* before, const void* now) {
  NoteSet("std::locale::global");
  return Library<void*(void*, const void*)>("_ZNSt6locale6globalERKS_")(before, now);
}

}  // extern "C"
