#include "runtime/world/locales.h"

#include <locale.h>
#include <stdlib.h>
#include <string.h>

#include <string_view>

#include "base/hash.h"
#include "runtime/prim/lifetime.h"
#include "runtime/world/processes.h"

namespace heddle::runtime {
namespace {

struct Category {
  int mask;
  const char* variable;
};
constexpr Category kCategories[] = {
    {LC_CTYPE_MASK, "LC_CTYPE"},
    {LC_NUMERIC_MASK, "LC_NUMERIC"},
    {LC_TIME_MASK, "LC_TIME"},
    {LC_COLLATE_MASK, "LC_COLLATE"},
    {LC_MONETARY_MASK, "LC_MONETARY"},
    {LC_MESSAGES_MASK, "LC_MESSAGES"},
    {LC_PAPER_MASK, "LC_PAPER"},
    {LC_NAME_MASK, "LC_NAME"},
    {LC_ADDRESS_MASK, "LC_ADDRESS"},
    {LC_TELEPHONE_MASK, "LC_TELEPHONE"},
    {LC_MEASUREMENT_MASK, "LC_MEASUREMENT"},
    {LC_IDENTIFICATION_MASK, "LC_IDENTIFICATION"},
};

[[HEDDLE_LASTS("found once")]] uint64_t first_environment;
// The locale of all categories; empty: they have not one.
[[HEDDLE_LASTS("found once")]] std::string_view first_name;

std::string_view Value(const char* variable) {
  const char* value = getenv(variable);
  return value != nullptr ? value : "";
}

// In the order of setlocale(3).
std::string_view NameOf(const Category& category) {
  for (const char* variable : {"LC_ALL", category.variable, "LANG"})
    if (const std::string_view value = Value(variable); !value.empty()) return value;
  return "C";
}

uint64_t HashEnvironment() {
  const auto put = [](uint64_t hash, std::string_view text) {
    return base::Fold(hash, base::HashBytes(text.data(), text.size()));
  };
  uint64_t hash = put(0, Value("LOCPATH"));
  for (const Category& category : kCategories) hash = put(hash, NameOf(category));
  return hash;
}

bool IsLoaded(std::string_view name) {
  return name == "C" || name == "POSIX" || (!name.empty() && name == first_name);
}

// "C", or "LC_CTYPE=C.UTF-8;LC_NUMERIC=C;..."
bool AreLoaded(std::string_view names) {
  while (true) {
    const size_t end = names.find(';');
    const std::string_view one = names.substr(0, end);
    if (!IsLoaded(one.substr(one.find('=') + 1))) return false;
    if (end == names.npos) return true;
    names.remove_prefix(end + 1);
  }
}

}  // namespace

void InitLocales() {
  first_environment = HashEnvironment();
  first_name = NameOf(kCategories[0]);
  for (const Category& category : kCategories) {
    newlocale(category.mask, "", nullptr);  // never freed; one that does not exist maps nothing
    if (NameOf(category) != first_name) first_name = "";
  }
}

void UseLocale(const char* name) {
  if (name == nullptr) return;
  const bool loaded = *name == '\0' ? HashEnvironment() == first_environment : AreLoaded(name);
  if (!loaded) NeedOwnProcess("a locale that is not the environment's");
}

}  // namespace heddle::runtime
