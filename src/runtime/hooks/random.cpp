// Randomness. One line a symbol; world/random.h has what they do. Programs read the random devices
// through files: see hooks/open.cpp.

#include <errno.h>
#include <stdlib.h>
#include <sys/auxv.h>
#include <sys/random.h>
#include <unistd.h>

#include "runtime/export.h"
#include "runtime/hooks/cpp_library.h"
#include "runtime/hooks/operands.h"
#include "runtime/prim/real.h"
#include "runtime/runtime.h"
#include "runtime/world/random.h"

using namespace heddle::runtime;  // NOLINT: this file defines libc's names in terms of ours

extern "C" {

HEDDLE_EXPORT ssize_t getrandom(void* buffer, size_t bytes, unsigned flags) {
  if (!RandomnessIsOurs()) return Real<&getrandom>("getrandom")(buffer, bytes, flags);
  SeeBytesWritten(buffer, bytes, HEDDLE_ACCESS_CALLER);
  FillRandom(buffer, bytes);
  return static_cast<ssize_t>(bytes);
}

HEDDLE_EXPORT int getentropy(void* buffer, size_t bytes) {
  if (!RandomnessIsOurs()) return Real<&getentropy>("getentropy")(buffer, bytes);
  if (bytes > 256) {
    errno = EIO;
    return -1;
  }
  SeeBytesWritten(buffer, bytes, HEDDLE_ACCESS_CALLER);
  FillRandom(buffer, bytes);
  return 0;
}

// In glibc since 2.36, in libbsd before.
uint32_t arc4random() noexcept;
HEDDLE_EXPORT uint32_t arc4random() noexcept {
  if (!RandomnessIsOurs()) return Real<&arc4random>("arc4random")();
  return static_cast<uint32_t>(NextRandom64() >> 32);
}

void arc4random_buf(void* buffer, size_t bytes) noexcept;
HEDDLE_EXPORT void arc4random_buf(void* buffer, size_t bytes) noexcept {
  if (!RandomnessIsOurs()) return Real<&arc4random_buf>("arc4random_buf")(buffer, bytes);
  SeeBytesWritten(buffer, bytes, HEDDLE_ACCESS_CALLER);
  FillRandom(buffer, bytes);
}

uint32_t arc4random_uniform(uint32_t bound) noexcept;
HEDDLE_EXPORT uint32_t arc4random_uniform(uint32_t bound) noexcept {
  if (!RandomnessIsOurs()) return Real<&arc4random_uniform>("arc4random_uniform")(bound);
  return static_cast<uint32_t>((NextRandom64() >> 32) * bound >> 32);
}

// The kernel gives every process sixteen random bytes.
HEDDLE_EXPORT unsigned long getauxval(unsigned long type) noexcept {
  static const unsigned char kBytes[16] = {0x68, 0x65, 0x64, 0x64, 0x6c, 0x65, 0x31, 0x41,
                                           0x59, 0x26, 0x53, 0x58, 0x97, 0x93, 0x23, 0x84};
  if (type == AT_RANDOM && RandomnessIsOurs()) return reinterpret_cast<unsigned long>(kBytes);
  return Real<&getauxval>("getauxval")(type);
}

// std::random_device, which asks the processor where it can.
HEDDLE_EXPORT unsigned heddle_random_device_getval(void* self)
    HEDDLE_SYMBOL("_ZNSt13random_device9_M_getvalEv");
HEDDLE_EXPORT unsigned heddle_random_device_getval(void* self) {
  if (RandomnessIsOurs()) return static_cast<unsigned>(NextRandom64() >> 32);
  return reinterpret_cast<unsigned (*)(void*)>(
      FindInCppLibrary("_ZNSt13random_device9_M_getvalEv"))(self);
}

HEDDLE_EXPORT void heddle_random_device_init(void* self, const void* token) HEDDLE_SYMBOL(
    "_ZNSt13random_device7_M_initERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE");
HEDDLE_EXPORT void heddle_random_device_init(void* self, const void* token) {
  if (RandomnessIsOurs()) return;
  reinterpret_cast<void (*)(void*, const void*)>(FindInCppLibrary(
      "_ZNSt13random_device7_M_initERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE"))(
      self, token);
}

HEDDLE_EXPORT void heddle_random_device_fini(void* self)
    HEDDLE_SYMBOL("_ZNSt13random_device7_M_finiEv");
HEDDLE_EXPORT void heddle_random_device_fini(void* self) {
  if (RandomnessIsOurs()) return;
  reinterpret_cast<void (*)(void*)>(FindInCppLibrary("_ZNSt13random_device7_M_finiEv"))(self);
}

}  // extern "C"
