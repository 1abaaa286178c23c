#include "session/digest.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <openssl/evp.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "base/check.h"

namespace heddle::session {
namespace {

// Most runs take no digest, and to relocate libcrypto takes longer than all else that heddle does
// before main (0.6 ms). So it is not linked, but opened by the first digest. It is a dependency of
// the package all the same (cmake/Package.cmake).
#define HEDDLE_TEXT(x) #x
#define HEDDLE_TEXT_OF(x) HEDDLE_TEXT(x)
constexpr char kLibrary[] = "libcrypto.so." HEDDLE_TEXT_OF(OPENSSL_SHLIB_VERSION);

struct Crypto {
  decltype(&EVP_MD_CTX_new) create;
  decltype(&EVP_MD_CTX_free) free;
  decltype(&EVP_sha256) sha256;
  decltype(&EVP_DigestInit_ex) begin;
  decltype(&EVP_DigestUpdate) add;
  decltype(&EVP_DigestFinal_ex) finish;
};

template <typename Function>
void Find(void* library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(dlsym(library, name));
  HEDDLE_CHECK(function != nullptr);
}

Crypto OpenCrypto() {
  void* const library = dlopen(kLibrary, RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    std::fprintf(stderr, "heddle: saved searches need %s: %s\n", kLibrary, dlerror());
    std::exit(2);
  }
  Crypto crypto;
  Find(library, "EVP_MD_CTX_new", crypto.create);
  Find(library, "EVP_MD_CTX_free", crypto.free);
  Find(library, "EVP_sha256", crypto.sha256);
  Find(library, "EVP_DigestInit_ex", crypto.begin);
  Find(library, "EVP_DigestUpdate", crypto.add);
  Find(library, "EVP_DigestFinal_ex", crypto.finish);
  return crypto;
}

const Crypto& TheCrypto() {
  static const Crypto crypto = OpenCrypto();
  return crypto;
}

}  // namespace

Digest::Digest() : context_(TheCrypto().create()) {
  HEDDLE_CHECK(context_ != nullptr);
  HEDDLE_CHECK(TheCrypto().begin(context_, TheCrypto().sha256(), nullptr) == 1);
}

Digest::~Digest() { TheCrypto().free(context_); }

void Digest::Add(const void* bytes, size_t size) {
  HEDDLE_CHECK(TheCrypto().add(context_, bytes, size) == 1);
}

std::array<unsigned char, Digest::kBytes> Digest::Finish() {
  std::array<unsigned char, kBytes> digest;
  HEDDLE_CHECK(TheCrypto().finish(context_, digest.data(), nullptr) == 1);
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
