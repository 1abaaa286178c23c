#include "assembly/c11_stores.h"

#include <cctype>

namespace heddle::assembly {
namespace {

constexpr std::string_view kStores[] = {
    "__tsan_atomic8_store",  "__tsan_atomic16_store",  "__tsan_atomic32_store",
    "__tsan_atomic64_store", "__tsan_atomic128_store", "__atomic_store",
    "__atomic_store_1",      "__atomic_store_2",       "__atomic_store_4",
    "__atomic_store_8",      "__atomic_store_16"};

// `$` before a name makes it an immediate operand.
bool IsInName(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.';
}

struct Uses {
  bool referred = false;
  bool defined = false;  // the unit has a function of that name itself
};

Uses UsesOf(std::string_view name, std::string_view text) {
  Uses uses;
  for (size_t at = text.find(name); at != std::string_view::npos; at = text.find(name, at + 1)) {
    const size_t end = at + name.size();
    if ((at > 0 && IsInName(text[at - 1])) || (end < text.size() && IsInName(text[end]))) continue;
    const bool begins_line = at == 0 || text[at - 1] == '\n';
    if (begins_line && end < text.size() && text[end] == ':')
      uses.defined = true;
    else
      uses.referred = true;
  }
  return uses;
}

}  // namespace

std::string C11Stores(std::string_view text) {
  std::string directives;
  if (text.find("atomic") == std::string_view::npos) return directives;
  for (const std::string_view name : kStores) {
    const Uses uses = UsesOf(name, text);
    if (!uses.referred || uses.defined) continue;
    directives += "\n\t.set " + std::string(name) + ", heddle_c11" + std::string(name.substr(1));
  }
  return directives.empty() ? "" : directives + "\n";
}

}  // namespace heddle::assembly
