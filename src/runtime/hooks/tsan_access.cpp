// The ThreadSanitizer interface, plain accesses: what GCC 12 and Clang 14 call before each one when
// they compile with -fsanitize=thread. One line a symbol; primitives/plain.h has what they do.
//
//   __tsan_read<N>, __tsan_write<N>   both
//   __tsan_unaligned_*                Clang; GCC calls the range functions
//   __tsan_volatile_*                 both, with the option tsan-distinguish-volatile=1
//   __tsan_read_write<N>              Clang, with -mllvm -tsan-compound-read-before-write=1
//   *_range                           GCC, for structures and everything unaligned
//   *_pc                              libraries that announce accesses of others

#include "runtime/export.h"
#include "runtime/fibers/focus.h"
#include "runtime/primitives/plain.h"

using namespace heddle::runtime;  // NOLINT: defines the interface's names in terms of ours

// The two directions of one access; the `pc` variant names the code on whose behalf it is made.
#define READ_HOOK(name, size) \
  HEDDLE_EXPORT void name(void* address) { Plain(address, size, false, HEDDLE_ACCESS_CALLER); }
#define WRITE_HOOK(name, size) \
  HEDDLE_EXPORT void name(void* address) { Plain(address, size, true, HEDDLE_ACCESS_CALLER); }
#define READ_PC_HOOK(name, size) \
  HEDDLE_EXPORT void name(void* address, void* pc) { Plain(address, size, false, CallerPc(pc)); }
#define WRITE_PC_HOOK(name, size) \
  HEDDLE_EXPORT void name(void* address, void* pc) { Plain(address, size, true, CallerPc(pc)); }

#define VOLATILE_HOOK(name, size, write) \
  HEDDLE_EXPORT void name(void* address) { Volatile(address, size, write, HEDDLE_ACCESS_CALLER); }

namespace {

void ReadWrite(void* address, unsigned size, uintptr_t pc) {
  Plain(address, size, false, pc);
  Plain(address, size, true, pc);
}

}  // namespace

#define READ_WRITE_HOOK(name, size) \
  HEDDLE_EXPORT void name(void* address) { ReadWrite(address, size, HEDDLE_ACCESS_CALLER); }

extern "C" {

READ_HOOK(__tsan_read1, 1)
READ_HOOK(__tsan_read2, 2)
READ_HOOK(__tsan_read4, 4)
READ_HOOK(__tsan_read8, 8)
READ_HOOK(__tsan_read16, 16)
WRITE_HOOK(__tsan_write1, 1)
WRITE_HOOK(__tsan_write2, 2)
WRITE_HOOK(__tsan_write4, 4)
WRITE_HOOK(__tsan_write8, 8)
WRITE_HOOK(__tsan_write16, 16)

READ_HOOK(__tsan_unaligned_read2, 2)
READ_HOOK(__tsan_unaligned_read4, 4)
READ_HOOK(__tsan_unaligned_read8, 8)
READ_HOOK(__tsan_unaligned_read16, 16)
WRITE_HOOK(__tsan_unaligned_write2, 2)
WRITE_HOOK(__tsan_unaligned_write4, 4)
WRITE_HOOK(__tsan_unaligned_write8, 8)
WRITE_HOOK(__tsan_unaligned_write16, 16)

VOLATILE_HOOK(__tsan_volatile_read1, 1, false)
VOLATILE_HOOK(__tsan_volatile_read2, 2, false)
VOLATILE_HOOK(__tsan_volatile_read4, 4, false)
VOLATILE_HOOK(__tsan_volatile_read8, 8, false)
VOLATILE_HOOK(__tsan_volatile_read16, 16, false)
VOLATILE_HOOK(__tsan_volatile_write1, 1, true)
VOLATILE_HOOK(__tsan_volatile_write2, 2, true)
VOLATILE_HOOK(__tsan_volatile_write4, 4, true)
VOLATILE_HOOK(__tsan_volatile_write8, 8, true)
VOLATILE_HOOK(__tsan_volatile_write16, 16, true)

VOLATILE_HOOK(__tsan_unaligned_volatile_read2, 2, false)
VOLATILE_HOOK(__tsan_unaligned_volatile_read4, 4, false)
VOLATILE_HOOK(__tsan_unaligned_volatile_read8, 8, false)
VOLATILE_HOOK(__tsan_unaligned_volatile_read16, 16, false)
VOLATILE_HOOK(__tsan_unaligned_volatile_write2, 2, true)
VOLATILE_HOOK(__tsan_unaligned_volatile_write4, 4, true)
VOLATILE_HOOK(__tsan_unaligned_volatile_write8, 8, true)
VOLATILE_HOOK(__tsan_unaligned_volatile_write16, 16, true)

READ_WRITE_HOOK(__tsan_read_write1, 1)
READ_WRITE_HOOK(__tsan_read_write2, 2)
READ_WRITE_HOOK(__tsan_read_write4, 4)
READ_WRITE_HOOK(__tsan_read_write8, 8)
READ_WRITE_HOOK(__tsan_read_write16, 16)
READ_WRITE_HOOK(__tsan_unaligned_read_write2, 2)
READ_WRITE_HOOK(__tsan_unaligned_read_write4, 4)
READ_WRITE_HOOK(__tsan_unaligned_read_write8, 8)
READ_WRITE_HOOK(__tsan_unaligned_read_write16, 16)

READ_PC_HOOK(__tsan_read1_pc, 1)
READ_PC_HOOK(__tsan_read2_pc, 2)
READ_PC_HOOK(__tsan_read4_pc, 4)
READ_PC_HOOK(__tsan_read8_pc, 8)
READ_PC_HOOK(__tsan_read16_pc, 16)
WRITE_PC_HOOK(__tsan_write1_pc, 1)
WRITE_PC_HOOK(__tsan_write2_pc, 2)
WRITE_PC_HOOK(__tsan_write4_pc, 4)
WRITE_PC_HOOK(__tsan_write8_pc, 8)
WRITE_PC_HOOK(__tsan_write16_pc, 16)

HEDDLE_EXPORT void __tsan_read_range(void* address, unsigned long size) {
  PlainRange(address, size, false, HEDDLE_ACCESS_CALLER);
}
HEDDLE_EXPORT void __tsan_write_range(void* address, unsigned long size) {
  PlainRange(address, size, true, HEDDLE_ACCESS_CALLER);
}
HEDDLE_EXPORT void __tsan_read_range_pc(void* address, unsigned long size, void* pc) {
  PlainRange(address, size, false, CallerPc(pc));
}
HEDDLE_EXPORT void __tsan_write_range_pc(void* address, unsigned long size, void* pc) {
  PlainRange(address, size, true, CallerPc(pc));
}

HEDDLE_EXPORT void __tsan_vptr_read(void** vptr) {
  Plain(vptr, sizeof(*vptr), false, HEDDLE_ACCESS_CALLER);
}

// A destructor stores the vptr that is usually there already; that store is not taken for a write,
// or each virtual call that comes before the destruction of its object without synchronisation
// would show twice.
HEDDLE_EXPORT void __tsan_vptr_update(void** vptr, void* value) {
  if (*vptr != value) Plain(vptr, sizeof(*vptr), true, HEDDLE_ACCESS_CALLER);
}

// Call stacks are unwound when a finding is explained; nothing to keep here, unless the user named
// functions.
HEDDLE_EXPORT void __tsan_func_entry(void*) {
  if (__builtin_expect(g_focuses, 0)) {
    EnterFunction(HEDDLE_ACCESS_CALLER, reinterpret_cast<uintptr_t>(__builtin_frame_address(0)));
  }
}
HEDDLE_EXPORT void __tsan_func_exit(void) {
  if (__builtin_expect(g_focuses, 0)) {
    LeaveFunction(reinterpret_cast<uintptr_t>(__builtin_frame_address(0)));
  }
}

HEDDLE_EXPORT void __tsan_init(void) {}

// An object of a library that races are to be found on as a whole, by its first byte.
HEDDLE_EXPORT void* __tsan_external_register_tag(const char* object_type) {
  return const_cast<char*>(object_type);
}
HEDDLE_EXPORT void __tsan_external_register_header(void*, const char*) {}
HEDDLE_EXPORT void __tsan_external_assign_tag(void*, void*) {}
HEDDLE_EXPORT void __tsan_external_read(void* address, void* pc, void*) {
  Plain(address, 1, false, CallerPc(pc));
}
HEDDLE_EXPORT void __tsan_external_write(void* address, void* pc, void*) {
  Plain(address, 1, true, CallerPc(pc));
}

}  // extern "C"
