#include "runtime/prim/start_code.h"

#include <string.h>

#include <cstddef>

namespace heddle::runtime {
namespace {

bool BeginsWith(const unsigned char* code, const unsigned char* bytes, size_t count) {
  return memcmp(code, bytes, count) == 0;
}

const unsigned char* BehindEndbr64(const unsigned char* code) {
  static const unsigned char kEndbr64[] = {0xf3, 0x0f, 0x1e, 0xfa};
  return BeginsWith(code, kEndbr64, sizeof kEndbr64) ? code + sizeof kEndbr64 : code;
}

}  // namespace

// __do_global_dtors_aux: [endbr64] cmpb $0, completed(%rip); jne.
bool IsCompilersDestructor(const unsigned char* code) {
  static const unsigned char kCompare[] = {0x80, 0x3d};
  code = BehindEndbr64(code);
  return BeginsWith(code, kCompare, sizeof kCompare) && code[6] == 0 && code[7] == 0x75;
}

// [endbr64] sub $8, %rsp; add $8, %rsp; ret.
bool IsEmptyFini(const unsigned char* code) {
  static const unsigned char kNothing[] = {0x48, 0x83, 0xec, 0x08, 0x48, 0x83, 0xc4, 0x08, 0xc3};
  return BeginsWith(BehindEndbr64(code), kNothing, sizeof kNothing);
}

}  // namespace heddle::runtime
