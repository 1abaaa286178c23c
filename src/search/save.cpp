#include "search/save.h"

#include <sys/syscall.h>
#include <time.h>

#include "runtime/control.h"
#include "runtime/fibers/trace_buffers.h"
#include "runtime/memory/own_heap.h"
#include "runtime/prim/syscall.h"

namespace heddle::search {
namespace {

channel::UsedMemory Used(const void* begin, uint64_t bytes) {
  const uint64_t offset = reinterpret_cast<uintptr_t>(begin) - channel::kArenaAddress;
  return {channel::kArenaAt + offset, bytes};
}

}  // namespace

void StandStill(channel::Header& header, channel::Stop ends) {
  header.save_wished.store(0);
  header.rests_at = ends;
  const runtime::TraceBuffers& trace = *runtime::g_trace;
  // Of the trace, what the next execution goes on with: the names of the objects, and what there is
  // only one of. The rest is of the last one, which everybody has learnt from.
  const channel::UsedMemory used[channel::kUsedParts] = {
      {channel::kArenaAt, runtime::g_own_heap.TopBytes()},
      Used(&trace, sizeof trace),
      // Shared, they are not in this memory.
      runtime::NamesShared() != nullptr
          ? channel::UsedMemory{}
          : Used(trace.objects, trace.object_count * sizeof *trace.objects),
  };
  for (uint32_t i = 0; i < channel::kUsedParts; ++i) header.used[i] = used[i];
  const uint32_t number = header.at_rest.load() + 1;
  header.at_rest.store(number);
  while (header.go_on.load() != number) {
    const timespec moment = {0, 1'000'000};
    runtime::RawSyscall(SYS_nanosleep, reinterpret_cast<long>(&moment), 0);
  }
}

}  // namespace heddle::search
