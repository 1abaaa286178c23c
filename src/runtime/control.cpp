#include "runtime/control.h"

#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/check.h"
#include "runtime/memory/own_heap.h"
#include "runtime/memory/pages.h"
#include "runtime/prim/lifetime.h"
#include "runtime/prim/syscall.h"
#include "runtime/runtime.h"

namespace heddle::runtime {

namespace {

[[HEDDLE_LASTS("the channel")]] char* mapping;    // of [0, kArenaAt)
[[HEDDLE_LASTS("as above")]] char* shared_names;  // null: there are none

// The value of `name` in the environment the process was started with. libc's environ may not exist
// yet when the first allocation asks, so the kernel is asked.
bool ReadEnvironment(const char* name, char* value, size_t size) {
  const long file = RawSyscall(SYS_openat, AT_FDCWD, reinterpret_cast<long>("/proc/self/environ"),
                               O_RDONLY | O_CLOEXEC);
  if (file < 0) return false;
  const size_t length = strlen(name);
  size_t matched = 0, stored = 0;
  bool in_value = false, skipping = false, found = false;
  char buffer[4096];
  for (long count; !found && (count = RawSyscall(SYS_read, file, reinterpret_cast<long>(buffer),
                                                 sizeof buffer)) > 0;) {
    for (long i = 0; i < count && !found; ++i) {
      const char c = buffer[i];
      if (c == '\0') {
        found = in_value;
        in_value = skipping = false;
        matched = 0;
      } else if (in_value) {
        if (stored + 1 < size) value[stored++] = c;
      } else if (!skipping) {
        if (matched == length && c == '=')
          in_value = true;
        else if (matched < length && c == name[matched])
          ++matched;
        else
          skipping = true;
      }
    }
  }
  RawSyscall(SYS_close, file);
  value[stored] = '\0';
  return found || in_value;
}

// A debugger starts the program as often as it likes, on one channel: what the process before has
// left there is forgotten.
void BeginAnew(channel::Header& header) {
  AdviseMemory(reinterpret_cast<void*>(channel::kArenaAddress), channel::kArenaBytes, MADV_REMOVE);
  header.phase = static_cast<uint32_t>(channel::Phase::kStarting);
  header.stop_request = header.question = header.answer = 0;
  header.report_bytes = header.report_lost = 0;
  header.name_count = header.settings.name_count;
  header.in_flight = header.runner = 0;
  header.restarts = header.hang_kill = header.stop_kill = 0;
  header.set_up_error[0] = '\0';
  header.summary = {};
}

}  // namespace

channel::Header& ChannelHeader() { return *reinterpret_cast<channel::Header*>(mapping); }
channel::ThreadName* Names() {
  static_assert(channel::kSharedThreadsAt == channel::kNamesAt);
  char* const base = shared_names != nullptr ? shared_names : mapping;
  return reinterpret_cast<channel::ThreadName*>(base + channel::kNamesAt);
}
std::atomic<uint32_t>& NameCount() {
  return shared_names != nullptr ? NamesShared()->threads : ChannelHeader().name_count;
}
channel::SharedNames* NamesShared() {
  return reinterpret_cast<channel::SharedNames*>(shared_names);
}
void* StatesShared() {
  return shared_names != nullptr ? shared_names + channel::kSharedStatesAt : nullptr;
}
const uint32_t* ReplayOptions() {
  return reinterpret_cast<const uint32_t*>(mapping + channel::kPlanAt);
}

const char* ReplayPlaces() {
  return reinterpret_cast<const char*>(ReplayOptions() + ChannelHeader().settings.plan_length);
}

const channel::OrderOverride* OrderOverrides() {
  return reinterpret_cast<const channel::OrderOverride*>(mapping + channel::kOrdersAt);
}

namespace {

void OpenSharedNames(const char* path) {
  const long file =
      RawSyscall(SYS_openat, AT_FDCWD, reinterpret_cast<long>(path), O_RDWR | O_CLOEXEC);
  // Beside the arena, not where the kernel looks for room: the libraries that are loaded later
  // would lie elsewhere than in a process that has no shared names.
  constexpr long kWhere = channel::kArenaAddress + channel::kArenaBytes + (int64_t{1} << 30);
  const long at = Failed(file) ? file
                               : RawSyscall(SYS_mmap, kWhere, channel::kSharedNamesBytes,
                                            PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (Failed(at)) FailSetUp("cannot map the names that the jobs of the search share");
  RawSyscall(SYS_close, file);
  shared_names = reinterpret_cast<char*>(at);
}

}  // namespace

void OpenChannel() {
  char text[32];
  if (!ReadEnvironment(channel::kChannelVariable, text, sizeof text)) return;
  int descriptor = 0;
  for (const char* digit = text; *digit != '\0'; ++digit)
    descriptor = descriptor * 10 + (*digit - '0');
  OpenChannelAt(descriptor);
}

void OpenChannelAt(int descriptor) {
  long at =
      RawSyscall(SYS_mmap, 0, channel::kArenaAt, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
  if (Failed(at)) return;  // not our descriptor: an ordinary run with a stray variable
  mapping = reinterpret_cast<char*>(at);
  channel::Header& header = ChannelHeader();
  if (header.magic != channel::kMagic || header.version != channel::kVersion) return;
  at = RawSyscall(SYS_mmap, channel::kArenaAddress, channel::kArenaBytes, PROT_READ | PROT_WRITE,
                  MAP_SHARED | MAP_FIXED_NOREPLACE | MAP_NORESERVE, descriptor, channel::kArenaAt);
  g_state.controlled = true;
  if (static_cast<uint64_t>(at) != channel::kArenaAddress)
    FailSetUp(
        "cannot map 66 GiB of address space for heddle's own data: raise the limit (ulimit -v)");
  RawSyscall(SYS_close, descriptor);
  if (header.sharing.names_path[0] != '\0') OpenSharedNames(header.sharing.names_path);
  if (header.settings.debugger != 0) BeginAnew(header);
  // The first half of the arena is the heap, the rest is the trace (trace_buffers.h).
  g_own_heap.Open(reinterpret_cast<void*>(channel::kArenaAddress), 32ull << 30,
                  header.restarts == 0 && header.origin == channel::Origin::kNew);
}

void FailSetUp(const char* format, ...) {
  channel::Header& header = ChannelHeader();
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(header.set_up_error, sizeof header.set_up_error, format, arguments);
  va_end(arguments);
  for (;;) RawSyscall(SYS_exit_group, 2);
}

void AppendRecord(channel::RecordHead* record, unsigned body_bytes, const void* tail,
                  unsigned tail_bytes) {
  channel::Header& header = ChannelHeader();
  const uint64_t at = header.report_bytes.load(std::memory_order_relaxed);
  const unsigned bytes = (body_bytes + tail_bytes + 7) & ~7u;
  if (at + bytes > channel::kReportBytes) {
    header.report_lost.fetch_add(1, std::memory_order_relaxed);
    return;
  }
  record->bytes = bytes;
  char* to = mapping + channel::kReportAt + at;
  memcpy(to, record, body_bytes);
  memcpy(to + body_bytes, tail, tail_bytes);
  header.report_bytes.store(at + bytes, std::memory_order_release);
}

void AppendNote(channel::NoteKind kind, const char* text, claim::Incomplete reason) {
  channel::NoteRecord note = {};
  note.head.kind = channel::RecordKind::kNote;
  note.kind = kind;
  note.reason = reason;
  AppendRecord(&note.head, sizeof note, text, static_cast<unsigned>(strlen(text) + 1));
}

}  // namespace heddle::runtime
