// Files that a run reads and leaves behind: the schedules under --out and the JSON. Whether they
// can be written is found out before the search begins; a full disk later costs the file, not the
// report.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "base/result.h"

namespace heddle::session {

base::Result<std::string> ReadWhole(const std::string& path);

// Makes the directory (and its parents) and tries to write in it.
std::optional<base::Error> PrepareDirectory(const std::string& folder);

// Could `path` be written? Leaves nothing and changes nothing in an existing file. `inputs` are
// files that the same run reads, and must not overwrite, by whatever name; those that are empty or
// do not exist do not count.
std::optional<base::Error> CheckWritable(const std::string& path,
                                         std::span<const std::string> inputs = {});

// Writes the whole text under a temporary name beside `path` and renames it, so that nobody ever
// reads half of it. A path that is not a regular file (a pipe, /dev/stdout) is written directly.
std::optional<base::Error> WriteWhole(const std::string& path, const std::string& text);

// A file in `folder` that has no name: it takes room only while this object lives. For what a
// search cannot keep in memory. The program's process reaches it as Path(), also after a restart.
class UnlinkedFile {
 public:
  explicit UnlinkedFile(const std::string& folder);
  UnlinkedFile(const UnlinkedFile&) = delete;
  UnlinkedFile& operator=(const UnlinkedFile&) = delete;
  ~UnlinkedFile();
  // Empty when the file could not be made.
  std::string Path() const;
  // -1 likewise.
  int Descriptor() const { return descriptor_; }

 private:
  int descriptor_;
};

// A file in memory, for what goes to and fro between the program's process and us. It reaches it as
// Path().
class MemoryFile {
 public:
  MemoryFile();
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;
  ~MemoryFile();
  // Empty when the file could not be made.
  std::string Path() const;
  // -1 likewise.
  int Descriptor() const { return descriptor_; }
  // False: not all of it.
  bool Write(uint64_t at, std::span<const std::byte> bytes) const;
  bool Read(uint64_t at, std::span<std::byte> bytes) const;

 private:
  int descriptor_;
};

}  // namespace heddle::session
