#include "runtime/world/opened_libraries.h"

#include <fcntl.h>
#include <link.h>
#include <string.h>
#include <sys/syscall.h>

#include <algorithm>
#include <vector>

#include "base/hash.h"
#include "runtime/control.h"
#include "runtime/fibers/trace_buffers.h"
#include "runtime/memory/own_heap.h"
#include "runtime/prim/lifetime.h"
#include "runtime/prim/syscall.h"
#include "runtime/roots.h"
#include "runtime/runtime.h"

namespace heddle::runtime {
namespace {

using Keys = std::vector<uint64_t>;

[[HEDDLE_LASTS("found once")]] const Keys* at_take_over;

// Another library at the same place has another name or another table; the same one again need not
// be told from itself.
uint64_t KeyOf(const link_map& module) {
  const uint64_t table = reinterpret_cast<uintptr_t>(module.l_ld);
  return base::HashText(module.l_name, base::Fold(base::Spread(module.l_addr), table));
}

bool Contains(const Keys& keys, uint64_t key) {
  return std::find(keys.begin(), keys.end(), key) != keys.end();
}

// In heddle's heap: an execution in a child reports what the next ones need not report again.
Keys& Reported() {
  void*& root = g_own_heap.Root(kOpenedRoot);
  if (root == nullptr) root = new Keys;
  return *static_cast<Keys*>(root);
}

// Where a file is mapped, and its absolute path: the loader knows it only by the name that the
// program gave, in a directory that it may have left since.
struct MappedFile {
  uintptr_t begin = 0;
  uintptr_t end = 0;
  char path[4200] = {};  // PATH_MAX and " (deleted)"
};

// Finds the file whose mappings, which follow each other, have `address` in them.
class MapReader {
 public:
  bool Find(uintptr_t address, MappedFile& file) {
    address_ = address;
    found_ = false;
    current_.path[0] = '\0';
    const long maps = RawSyscall(SYS_openat, AT_FDCWD, reinterpret_cast<long>("/proc/self/maps"),
                                 O_RDONLY | O_CLOEXEC);
    if (maps < 0) return false;
    char buffer[1024];
    for (long count;
         (count = RawSyscall(SYS_read, maps, reinterpret_cast<long>(buffer), sizeof buffer)) > 0;)
      for (long i = 0; i < count; ++i) Take(buffer[i], file);
    RawSyscall(SYS_close, maps);
    return found_;
  }

 private:
  // begin-end permissions offset device inode path
  static constexpr unsigned kBegin = 0, kEnd = 1, kPath = 6;

  void Take(char c, MappedFile& file) {
    if (c == '\n') {
      EndLine(file);
      return;
    }
    if (field_ <= kEnd) {
      const bool ends = c == '-' || c == ' ';
      if (!ends) numbers_[field_] = numbers_[field_] * 16 + static_cast<uintptr_t>(Digit(c));
      field_ += ends ? 1 : 0;
      return;
    }
    if (field_ < kPath) {
      if (c == ' ' && last_ != ' ') ++field_;
      last_ = c;
      return;
    }
    if (length_ == 0 && c == ' ') return;
    if (length_ + 1 < sizeof path_) path_[length_++] = c;
  }

  static int Digit(char c) { return c <= '9' ? c - '0' : c - 'a' + 10; }

  void EndLine(MappedFile& file) {
    path_[length_] = '\0';
    const bool goes_on = strcmp(path_, current_.path) == 0;
    if (!goes_on) {
      current_.begin = numbers_[kBegin];
      strcpy(current_.path, path_);
    }
    current_.end = numbers_[kEnd];
    const bool here = address_ >= numbers_[kBegin] && address_ < numbers_[kEnd] && length_ != 0;
    if (here || (found_ && goes_on && current_.begin == file.begin)) {
      file = current_;
      found_ = true;
    }
    numbers_[kBegin] = numbers_[kEnd] = 0;
    field_ = 0;
    length_ = 0;
    last_ = 0;
  }

  uintptr_t address_ = 0;
  bool found_ = false;
  uintptr_t numbers_[2] = {};
  unsigned field_ = 0;
  size_t length_ = 0;
  char last_ = 0;
  char path_[sizeof MappedFile::path] = {};
  MappedFile current_;
};

void Report(const link_map& module) {
  // Large for a stack of the program's.
  static MapReader reader;
  static MappedFile file;
  channel::ModuleRecord record = {};
  record.head.kind = channel::RecordKind::kModule;
  record.opened = 1;
  record.bias = module.l_addr;
  const auto table = reinterpret_cast<uintptr_t>(module.l_ld);
  const bool found = reader.Find(table, file);
  record.begin = found ? file.begin : table;
  record.end = found ? file.end : table + 1;
  const char* path = found ? file.path : module.l_name;
  AppendRecord(&record.head, sizeof record, path, static_cast<unsigned>(strlen(path) + 1));
}

template <typename F>
void ForModules(F f) {
  for (const link_map* module = _r_debug.r_map; module != nullptr; module = module->l_next)
    f(*module);
}

}  // namespace

void RememberModules() {
  Reported();
  auto* keys = new Keys;
  ForModules([&](const link_map& module) { keys->push_back(KeyOf(module)); });
  at_take_over = keys;
}

void NoteOpening() { g_trace->opening = 1; }

void ReportOpenedLibraries() {
  if (g_trace->opening == 0) return;
  Keys& reported = Reported();
  ForModules([&](const link_map& module) {
    const uint64_t key = KeyOf(module);
    if (Contains(*at_take_over, key)) return;
    const bool known = Contains(reported, key);
    // Again where a finding is told next: another library may have been at this place meanwhile.
    if (known && !g_state.recording) return;
    Report(module);
    if (!known) reported.push_back(key);
  });
  g_trace->opening = 0;
}

void ConcludeOpening() {
  if (g_trace->opening == 0) return;
  g_trace->opening = 0;
  NoteIncomplete(Incomplete::kOpenedUnknown);
}

}  // namespace heddle::runtime
