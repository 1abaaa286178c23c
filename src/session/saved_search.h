// A search in a file, to go on with it later (docs/saved-search.md has the format, byte by byte).
//
// A search lives in the channel's memory and in its spill file, and a process that finds these as
// the one before has left them goes on with it. So the file holds the used parts of both, taken
// while the program's process stands still between two executions (search/save.h), and what the
// supervisor must know to start such a process again. It ends with a digest of all of it.
//
// A file gets its name when it is whole: whoever reads it finds the save before or this one, and a
// process that is killed leaves nothing behind.
//
// Tested by tests/unit/session_saved_search_test.cpp and tests/cli/test_resume.py.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "session/channel_memory.h"
#include "session/sealed_file.h"

namespace heddle::session {

// The part of a saved search that is in words.
struct SavedSearch {
  struct File {
    std::string sha256;
    std::string path;
  };
  struct Option {
    std::string name;                 // "--order"
    std::vector<std::string> values;  // none: a flag

    bool operator==(const Option&) const = default;
  };

  std::string heddle_version;
  std::string program;                   // absolute
  std::vector<std::string> command;      // argv, [0] included
  std::vector<std::string> environment;  // that the program was started in
  std::string directory;                 // likewise
  std::vector<Option> options;           // that decide what is searched
  std::vector<File> files;               // the program, libheddle, and the libraries that it maps
  std::string out;                       // directory for schedules; may be relative to `directory`
  std::string suppressions_name;
  std::string suppressions;                // the file's contents
  std::vector<uint64_t> suppression_uses;  // of each of them, so far
  bool automatic = false;                  // nobody asked for the file
  bool finished = false;                   // there is nothing left to explore
  uint64_t elapsed_ms = 0;                 // of all runs together
  uint64_t peak_memory_bytes = 0;
  uint64_t executions = 0;
  // Of a search with several jobs (pool.h): what its supervisor knows.
  struct Together {
    uint64_t jobs = 0;    // of which the memory is in the file; 0: the search has one session
    uint64_t thrown = 0;  // behind them, memory of which only the findings count
    uint64_t wanted = 0;  // jobs
    uint64_t executions_alone = 0;
    int64_t completed_bound = -1;
    bool finishing = false;  // nothing is left
    bool lost = false;       // branches
  } together;
};

// As names and values (Words). What a later format adds is passed over.
std::string ToWords(const SavedSearch& search);
SavedSearch SearchFromWords(std::string_view text);

// A save that has no name yet.
class NewSave {
 public:
  // The file will be `path`, which need not exist.
  explicit NewSave(std::string path);

  // Copies what is in use. REQUIRES: the program's process stands still (Header::at_rest).
  // `spill`: descriptor of the spill file; -1: none. `job`: of several, which.
  std::optional<base::Error> Copy(const ChannelMemory& memory, int spill, uint32_t job = 0);
  // What several jobs have in common, and a branch that none of them has.
  std::optional<base::Error> CopyNames(const NamesMemory& names);
  void AddBranch(std::span<const std::byte> branch);
  // The process may go on meanwhile. Gives the file its name; in place of what is there, if
  // `replaces`.
  std::optional<base::Error> Finish(const SavedSearch& search, bool replaces);

 private:
  std::optional<base::Error> Failure() const;

  NewSealedFile file_;
};

// A whole one, read.
class SavedImage {
 public:
  // An error, in one line: no such file, no saved search, damaged, of another version.
  static base::Result<SavedImage> Open(const std::string& path);

  const SavedSearch& Description() const { return search_; }
  const std::string& Path() const { return file_.Path(); }
  // Fills the channel and the spill file; what belongs to a process is as in a new one.
  std::optional<base::Error> Restore(ChannelMemory& memory, int spill, uint32_t job = 0) const;
  std::optional<base::Error> RestoreNames(const NamesMemory& names) const;
  std::vector<std::vector<std::byte>> Branches() const;

 private:
  SavedImage(SealedFile file, SavedSearch search)
      : file_(std::move(file)), search_(std::move(search)) {}

  SealedFile file_;
  SavedSearch search_;
};

// Is it a saved search, and one that is not finished? Nothing: it is something else.
std::optional<bool> IsUnfinished(const std::string& path);

}  // namespace heddle::session
