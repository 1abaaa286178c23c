#include "cli/warn_of_build.h"

#include <optional>

#include "cli/command.h"
#include "cli/module_notes.h"
#include "session/newer_sources.h"

namespace heddle::cli {

void WarnOfNewerSources(const std::string& program, const char* advice) {
  const std::optional<session::NewerSources> newer = session::FindNewerSources(program);
  if (!newer) return;
  std::string files = newer->newest;
  if (newer->others != 0) {
    files += " and " + std::to_string(newer->others) + (newer->others == 1 ? " other" : " others");
  }
  Warn(files + " changed after " + program +
       " was built, so the lines shown may not be those that run; " + advice);
}

void WarnOfBuild(const session::ProgramFile& program) {
  WarnOfNewerSources(program.path, "build it again");
  if (const std::string text = ModuleNotes().AssertsOff(program.absolute); !text.empty())
    Warn(text);
}

}  // namespace heddle::cli
