// Can this program be brought under control? Answered from its file, before anything runs.
//
// Everything that would fail later in an obscure way (a static binary never loads our library, a
// set-user-ID one ignores LD_PRELOAD, one linked with a sanitizer has another runtime in our place)
// is refused here with one line that says what to do instead.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"

namespace heddle::session {

struct ProgramFile {
  std::string path;      // to execute: as given, or found in PATH
  std::string absolute;  // canonical
  std::string build_id;  // hexadecimal NT_GNU_BUILD_ID; "size+hash" of the file when it has none
  bool instrumented = false;  // built with heddle-cc: plain accesses and atomics are seen
  bool debug_info = false;
  std::vector<std::string> needed;  // the names of the libraries that it is linked with
};

// Where a shell would find `name`: itself when it contains a slash, otherwise along PATH.
base::Result<std::string> FindProgram(const std::string& name);

// REQUIRES: nothing of `path`; any file or none.
// Refuses a program without debug information unless `allow_no_debug_info`.
base::Result<ProgramFile> InspectProgram(const std::string& path, bool allow_no_debug_info);

}  // namespace heddle::session
