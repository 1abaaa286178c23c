#include "runtime/world/outside.h"

#include <string.h>

#include "runtime/control.h"
#include "runtime/memory/execution_state.h"
#include "runtime/prim/lifetime.h"
#include "runtime/runtime.h"

namespace heddle::runtime {
namespace {

struct OpenedFile {
  char path[160];
  uintptr_t pc;
  uint32_t thread;
  bool opened;
  bool writes;
};
// In heddle's heap: what a forked execution opened is there afterwards.
[[HEDDLE_LASTS("where it is")]] OpenedFile* file;

// Files that are the same in every execution, or that libraries look for.
bool IsOfTheSystem(const char* path) {
  for (const char* prefix : {"/usr/", "/lib", "/etc/", "/dev/"})
    if (strncmp(path, prefix, strlen(prefix)) == 0) return true;
  return false;
}

}  // namespace

void InitOutside() {
  file = new OpenedFile{};
  AddExecutionTable({
      .reset = [] { *file = {}; },
      .save = [](base::SavedBytes& to) { to.Put(*file); },
      .restore = [](base::SavedBytesReader& from) { *file = from.Get<OpenedFile>(); },
  });
}

void NoteFile(const char* path, bool writes, uintptr_t pc) {
  if (!InExecution() || path == nullptr || IsOfTheSystem(path)) return;
  if (writes) ChannelHeader().sharing.writes_files = 1;
  if (file->opened && (file->writes || !writes)) return;  // the first that is written tells most
  size_t length = strnlen(path, sizeof file->path - 1);
  memcpy(file->path, path, length);
  file->path[length] = '\0';
  file->pc = pc;
  file->thread = Current().id;
  file->opened = true;
  file->writes = writes;
}

void TellLikelyCause(BoundedText& text) {
  const bool opened = file != nullptr && file->opened;  // null: there was no execution yet
  if (opened && file->writes) {
    text.Add(
        "likely cause: %%T%u%% writes %s, opened at %%L%lx%%: what one execution leaves there "
        "the next one finds",
        file->thread, file->path, file->pc);
  } else if (opened) {
    text.Add("likely cause: %%T%u%% reads %s, opened at %%L%lx%%, which is not always the same",
             file->thread, file->path, file->pc);
  } else {
    text.Add(
        "heddle does not control the processor's clock (rdtsc) and its random numbers, memory "
        "shared with other processes, the environment, values of addresses, and uninitialised "
        "memory");
  }
}

}  // namespace heddle::runtime
