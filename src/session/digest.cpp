#include "session/digest.h"

#include <fcntl.h>
#include <openssl/evp.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <vector>

#include "base/check.h"

namespace heddle::session {

Digest::Digest() : context_(EVP_MD_CTX_new()) {
  HEDDLE_CHECK(context_ != nullptr);
  HEDDLE_CHECK(EVP_DigestInit_ex(context_, EVP_sha256(), nullptr) == 1);
}

Digest::~Digest() { EVP_MD_CTX_free(context_); }

void Digest::Add(const void* bytes, size_t size) {
  HEDDLE_CHECK(EVP_DigestUpdate(context_, bytes, size) == 1);
}

std::array<unsigned char, Digest::kBytes> Digest::Finish() {
  std::array<unsigned char, kBytes> digest;
  HEDDLE_CHECK(EVP_DigestFinal_ex(context_, digest.data(), nullptr) == 1);
  return digest;
}

std::string HexOf(std::span<const std::byte> bytes) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  for (const std::byte byte : bytes) {
    text += kDigits[std::to_integer<unsigned>(byte) >> 4];
    text += kDigits[std::to_integer<unsigned>(byte) & 15];
  }
  return text;
}

base::Result<std::string> DigestOfFile(const std::string& path) {
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return base::Error{"cannot read " + path + ": " + std::strerror(errno)};
  Digest digest;
  std::vector<char> part(size_t{1} << 20);
  ssize_t got;
  while ((got = read(file, part.data(), part.size())) != 0) {
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) break;
    digest.Add(part.data(), static_cast<size_t>(got));
  }
  const int error = got < 0 ? errno : 0;
  close(file);
  if (error != 0) return base::Error{"cannot read " + path + ": " + std::strerror(error)};
  const auto finished = digest.Finish();
  return HexOf(std::as_bytes(std::span(finished)));
}

}  // namespace heddle::session
