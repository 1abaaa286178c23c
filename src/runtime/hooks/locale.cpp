// What loads locales: see world/locales.h.

#include <locale.h>

#include "runtime/export.h"
#include "runtime/hooks/own_code.h"
#include "runtime/prim/lifetime.h"
#include "runtime/prim/real.h"
#include "runtime/primitives/plain.h"
#include "runtime/runtime.h"
#include "runtime/world/locales.h"

using namespace heddle::runtime;  // NOLINT: this file defines libc's names in terms of ours

// What setlocale changes, and where localeconv answers, which are not for several threads at once
// (static_data.cpp).
[[HEDDLE_OF_EXECUTION]] static char locale_of_process;
[[HEDDLE_OF_EXECUTION]] static char numbers_of_locale;

extern "C" {

HEDDLE_EXPORT char* setlocale(int category, const char* name) noexcept {
  const uintptr_t pc = HEDDLE_ACCESS_CALLER;
  if (IsSeen(pc)) PlainRange(&locale_of_process, 1, name != nullptr, pc);
  if (InExecution()) UseLocale(name);
  return Real<&setlocale>("setlocale")(category, name);
}

HEDDLE_EXPORT lconv* localeconv() noexcept {
  const uintptr_t pc = HEDDLE_ACCESS_CALLER;
  if (IsSeen(pc)) PlainRange(&numbers_of_locale, 1, true, pc);
  return Real<&localeconv>("localeconv")();
}

HEDDLE_EXPORT locale_t newlocale(int mask, const char* name, locale_t base) noexcept {
  if (InExecution()) UseLocale(name);
  return Real<&newlocale>("newlocale")(mask, name, base);
}

// The C++ library's.
locale_t __newlocale(int mask, const char* name, locale_t base) noexcept;
HEDDLE_EXPORT locale_t __newlocale(int mask, const char* name, locale_t base) noexcept {
  return newlocale(mask, name, base);
}

}  // extern "C"
