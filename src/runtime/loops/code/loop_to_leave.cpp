#include "runtime/loops/code/loop_to_leave.h"

#include "base/hash.h"
#include "runtime/loops/code/function_code.h"
#include "runtime/loops/code/no_return.h"
#include "runtime/prim/linkage.h"

namespace heddle::runtime {
namespace {

struct KnownLoop {
  uintptr_t return_address;
  LoopOfCall loop;
};
constexpr uint32_t kKnown = 1024;
KnownLoop known[kKnown];

}  // namespace

LoopOfCall FindLoopToLeave(uintptr_t function, uintptr_t return_address,
                           bool (*does_not_return)(uintptr_t target)) {
  static FunctionCode code;
  if (!code.Read(function, return_address, does_not_return)) return {LoopKind::kUnknown};
  return code.LoopToLeave();
}

const LoopOfCall& LoopToLeave(uintptr_t function, uintptr_t return_address) {
  static constexpr LoopOfCall kNothing;
  const uint64_t hash = base::Mix(return_address);
  for (uint32_t probe = 0; probe < 16; ++probe) {
    KnownLoop& entry = known[(hash + probe) % kKnown];
    if (entry.return_address == 0) {
      entry.return_address = return_address;
      entry.loop = AnnouncesAccesses(return_address)
                       ? FindLoopToLeave(function, return_address, CallDoesNotReturn)
                       : LoopOfCall{LoopKind::kNone};
    }
    if (entry.return_address == return_address) return entry.loop;
  }
  return kNothing;
}

}  // namespace heddle::runtime
