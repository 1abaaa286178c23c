#include "runtime/prim/thread_storage.h"

#include <sys/syscall.h>

#include "runtime/prim/context.h"
#include "runtime/prim/real.h"
#include "runtime/prim/syscall.h"

namespace heddle::runtime {

bool FindThreadStorage(ThreadStorage& layout) {
  using GetStaticInfo = void (*)(size_t*, size_t*);
  auto get_info = reinterpret_cast<GetStaticInfo>(FindReal("_dl_get_tls_static_info"));
  auto size_of_pthread = static_cast<const uint32_t*>(FindReal("_thread_db_sizeof_pthread"));
  if (get_info == nullptr || size_of_pthread == nullptr) return false;
  size_t alignment;
  get_info(&layout.bytes, &alignment);
  layout.control_bytes = *size_of_pthread;
  struct Member {  // for debuggers
    uint32_t bits, count, offset;
  };
  auto* blocks = static_cast<const Member*>(FindReal("_thread_db_pthread_specific"));
  layout.key_blocks = blocks != nullptr ? blocks->offset : 0;
  layout.key_block_count = blocks != nullptr ? blocks->bits / 8 / sizeof(void*) : 0;
  return true;
}

bool StopRestartableSequences() {
  constexpr long kUnregister = 1;
  constexpr long kSignature = 0x53053053;  // glibc's RSEQ_SIG on x86
  constexpr long kOriginalSize = 32;  // what glibc registers when the kernel's area is not larger
  auto* offset = static_cast<const ptrdiff_t*>(FindReal("__rseq_offset"));
  auto* size = static_cast<const unsigned*>(FindReal("__rseq_size"));
  if (offset == nullptr || size == nullptr || *size == 0) return true;
  const long area = static_cast<long>(ReadThreadPointer()) + *offset;
  const int processor = *reinterpret_cast<const int*>(area + 4);  // negative: not registered
  if (processor < 0 || RawSyscall(SYS_rseq, area, kOriginalSize, kUnregister, kSignature) == 0)
    return true;
  const long rounded = static_cast<long>((*size + 31) & ~31u);
  return RawSyscall(SYS_rseq, area, rounded, kUnregister, kSignature) == 0;
}

}  // namespace heddle::runtime
