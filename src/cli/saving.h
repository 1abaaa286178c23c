// heddle check --save and --resume: what a saved search takes from its file, and which options may
// be others than when it was begun.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "cli/parse.h"
#include "cli/search_options.h"
#include "session/saved_search.h"

namespace heddle::cli {

// FILE.c11 is the search under C11's memory model that follows the one in FILE (under_c11.h).
inline constexpr char kSavedSuffix[] = ".c11";

// Those of the options given that decide what is searched, as they were written.
std::vector<session::SavedSearch::Option> OptionsOfSearch(const CommandLine& line);

// As they are in a file.
base::Result<SearchOptions> ReadOptions(const std::vector<session::SavedSearch::Option>& options);

// The options of a search that is gone on with: those in the file, and of `given`, which `line` has
// read, those that may be others. An error: another one is not what it was.
base::Result<SearchOptions> OptionsOfSaved(const session::SavedImage& saved,
                                           const CommandLine& line, const SearchOptions& given);

// What the files on this machine have to do with the search that is kept in the file `saved`:
// nothing if all of them are the same. `program`: the path that will be run.
std::optional<base::Error> RefuseOtherFiles(const std::string& saved,
                                            const session::SavedSearch& search,
                                            const std::string& program, const std::string& library);

// Likewise, and what `command` has, if anything was given.
std::optional<base::Error> RefuseOthers(const session::SavedImage& saved,
                                        const std::vector<std::string>& command,
                                        const std::string& program, const std::string& library);

// Why the search cannot be saved to options.save.
std::optional<base::Error> RefuseSave(const SearchOptions& options,
                                      const std::vector<std::string>& inputs);

}  // namespace heddle::cli
