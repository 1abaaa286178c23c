// SHA-256, by which a saved search knows its files again.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <span>
#include <string>

#include "base/result.h"

struct evp_md_ctx_st;

namespace heddle::session {

class Digest {
 public:
  static constexpr size_t kBytes = 32;

  Digest();
  Digest(const Digest&) = delete;
  Digest& operator=(const Digest&) = delete;
  ~Digest();

  void Add(const void* bytes, size_t size);
  // Of all that was added. REQUIRES: called once, as the last.
  std::array<unsigned char, kBytes> Finish();

 private:
  evp_md_ctx_st* const context_;
};

// In hexadecimal digits.
std::string HexOf(std::span<const std::byte> bytes);

// Likewise, of the whole file.
base::Result<std::string> DigestOfFile(const std::string& path);

}  // namespace heddle::session
