// Numbers that a caller may set, for campaigns.
#pragma once

#include <cstdint>
#include <cstdlib>

namespace heddle::agree {

inline uint64_t FromEnvironment(const char* name, uint64_t otherwise) {
  const char* text = std::getenv(name);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

}  // namespace heddle::agree
