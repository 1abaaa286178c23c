// heddle check --each, --list-cases and --case: the cases of a test program.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "cli/parse.h"
#include "cli/search_options.h"
#include "cli/search_run.h"
#include "session/inspect_elf.h"

namespace heddle::cli {

struct CaseOptions {
  bool each = false;
  bool list = false;
  std::optional<std::string> name;  // --case: a case of doctest may have the empty name
};

void AddCaseOptions(CommandLine& line, CaseOptions& options);

// --list-cases. `command` is the program and the user's arguments for it. Answers the exit status.
int PrintCases(const session::ProgramFile& program, const std::string& library,
               const std::vector<std::string>& command);

// --case: the command that runs the case `name` only.
base::Result<std::vector<std::string>> CommandOfCase(const session::ProgramFile& program,
                                                     const std::string& library,
                                                     const std::vector<std::string>& command,
                                                     const std::string& name);

// GoogleTest runs a part of its cases where the environment says so, as on one of several machines
// that share them. One that is run alone belongs to the first of these.
void ForgetShards();

// --each. Explores the cases one after the other and prints; answers the exit status.
int CheckEachCase(const SearchOptions& options, const SearchSubject& subject,
                  const std::vector<std::string>& command);

}  // namespace heddle::cli
