#include "runtime/world/shared_files.h"

#include <sys/stat.h>
#include <sys/syscall.h>

#include "runtime/memory/execution_state.h"
#include "runtime/memory/tables.h"
#include "runtime/prim/lifetime.h"
#include "runtime/prim/syscall.h"

namespace heddle::runtime {
namespace {

constexpr int kMost = 1024;
struct File {
  dev_t device;
  ino_t inode;
  int name;  // -1: what it does nobody else can tell
  bool nameless;
};
// A table, by descriptor. Which descriptor names a file follows from the order in which they were
// made, and the steps that make them depend on each other: so it is the same in equivalent
// schedules.
File* const files = reinterpret_cast<File*>(TableAddress(kSharedFilesTable));
[[HEDDLE_OF_EXECUTION]] int files_end;  // nothing is known of a descriptor from here on

File& FileOf(int descriptor) {
  for (; files_end <= descriptor; ++files_end) files[files_end] = {0, 0, -1, false};
  return files[descriptor];
}

bool IsInTable(int descriptor) { return descriptor >= 0 && descriptor < kMost; }

}  // namespace

void InitSharedFiles() {
  MapTable(kSharedFilesTable, sizeof(File) * kMost);
  AddExecutionTable(kArrayTable<files, files_end>);
}

void NoteOpenedFile(int descriptor) {
  if (!IsInTable(descriptor)) return;
  File& file = FileOf(descriptor);
  file = {0, 0, -1, false};
  struct stat status;
  if (RawSyscall(SYS_fstat, descriptor, reinterpret_cast<long>(&status)) != 0) return;
  if (!S_ISREG(status.st_mode) || status.st_nlink != 0) return;
  file = {status.st_dev, status.st_ino, descriptor, true};
  for (int other = 0; other < descriptor; ++other) {
    const File& known = files[other];
    if (!known.nameless || known.device != file.device || known.inode != file.inode) continue;
    file.name = known.name;
    return;
  }
}

void NoteCopiedFile(int descriptor, int copy) {
  if (!IsInTable(descriptor) || !IsInTable(copy)) return;
  FileOf(copy);
  File& file = FileOf(descriptor);
  if (file.name < 0) file.name = descriptor;
  files[copy] = file;
}

int SharedFileOf(int descriptor) {
  return descriptor >= 0 && descriptor < files_end ? files[descriptor].name : -1;
}

bool HasSharers(int descriptor) {
  const int name = SharedFileOf(descriptor);
  if (name < 0) return false;
  for (int other = 0; other < files_end; ++other)
    if (other != descriptor && files[other].name == name) return true;
  return false;
}

}  // namespace heddle::runtime
