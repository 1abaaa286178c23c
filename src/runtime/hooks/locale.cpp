// What loads locales: see world/locales.h.

#include <locale.h>

#include "runtime/export.h"
#include "runtime/prim/real.h"
#include "runtime/runtime.h"
#include "runtime/world/locales.h"

using namespace heddle::runtime;  // NOLINT: this file defines libc's names in terms of ours

extern "C" {

HEDDLE_EXPORT char* setlocale(int category, const char* name) noexcept {
  if (InExecution()) UseLocale(name);
  return Real<&setlocale>("setlocale")(category, name);
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
